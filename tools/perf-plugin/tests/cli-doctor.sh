#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe doctor, on copies of machines of which each lacks one thing.
# usage: cli-doctor.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=cli-lib.sh
. "$(dirname "$0")/cli-lib.sh"
m=$dir/machine

# file PATH TEXT: write a file below the machine's root
file() {
	mkdir -p "$m/${1%/*}"
	printf '%s\n' "$2" >"$m/$1"
}

# An Arm machine whose kernel has perf events but no SPE driver
machine() {
	rm -rf "$m"
	file proc/cpuinfo 'CPU implementer : 0x41'
	file proc/sys/kernel/osrelease 7.3-test
	file proc/sys/kernel/perf_event_paranoid 2
	file proc/modules 'ext4 1 0 - Live 0x0'
	file lib/modules/7.3-test/modules.dep 'kernel/fs/ext4.ko.xz:'
	file lib/modules/7.3-test/modules.builtin kernel/lib/crc32.ko
	mkdir -p "$m/sys/bus/event_source/devices/breakpoint" "$m/sys/bus/platform/devices"
}
loaded() { file proc/modules 'arm_spe_pmu 1 0 - Live 0x0'; }

begin "doctor: a machine that can"
machine
loaded
file sys/bus/event_source/devices/arm_spe_0/cpumask 0-3
run 0 doctor --root "$m"
says 'arm_spe_0, on CPUs 0-3'
says 'perf record -e arm_spe//'

begin "doctor: no CPU online"
file sys/bus/event_source/devices/arm_spe_0/cpumask ''
run 1 doctor --root "$m"
says 'no CPU with SPE is online'

begin "doctor: no Arm machine"
file proc/cpuinfo 'vendor_id : GenuineIntel'
run 1 doctor --root "$m"
says 'not an Arm machine'
run 1 doctor --root "$dir/nothing"

begin "doctor: no driver, then one that is not loaded"
machine
run 1 doctor --root "$m"
says 'CONFIG_ARM_SPE_PMU'
file lib/modules/7.3-test/modules.dep 'updates/arm_spe_pmu.ko:'
run 1 doctor --root "$m"
says 'modprobe arm_spe_pmu'

begin "doctor: firmware without interrupt, then a guest"
machine
file lib/modules/7.3-test/modules.builtin kernel/drivers/perf/arm_spe_pmu.ko
run 1 doctor --root "$m"
says 'the firmware describes no SPE interrupt'
file sys/class/dmi/id/product_name 'KVM Virtual Machine'
run 1 doctor --root "$m"
says 'this is a guest'

begin "doctor: a device that nobody takes, with page-table isolation and without"
machine
loaded
mkdir -p "$m/sys/bus/platform/devices/arm,spe-v1"
run 1 doctor --root "$m"
says 'dmesg | grep -i spe'
file sys/devices/system/cpu/vulnerabilities/meltdown 'Mitigation: PTI'
run 1 doctor --root "$m"
says 'kpti=off'

begin "doctor: permissions"
machine
loaded
file sys/bus/event_source/devices/arm_spe_0/cpumask 0
file proc/sys/kernel/perf_event_paranoid 3
run 1 doctor --root "$m"
says 'perf_event_paranoid above 2'
file proc/sys/kernel/perf_event_paranoid -1
run 0 doctor --root "$m"
says 'programs and the kernel'
rm "$m/proc/sys/kernel/perf_event_paranoid"
run 1 doctor --root "$m"
says 'CONFIG_PERF_EVENTS'

begin "doctor: this machine, whatever it is"
"$perf_spe" doctor >"$out" 2>"$err"
[ $? -lt 2 ] || fail "status"
silent
run 2 doctor more

finish
