#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091,SC3043  # sourced from where the guest has them; busybox sh has local
#
# A kernel with a built-in SPE driver.  Where the kernel has that driver as a module, the
# job loads it, and spe_device makes it seem built in.

set -a
. /job/environment
set +a
. /job/check-lib.sh

pmus=/sys/bus/event_source/devices
load() { insmod /job/arm_spe_pmu.ko "$@"; }
unload() { rmmod "$ARM_SPE_NAME"; }

# The platform device and the driver that has it.
device() { find /sys/bus/platform/devices/ -name 'arm,spe-v1*' -o -name 'spe-pmu*' | head -n 1; }
has() { [ "$(basename "$(readlink "$(device)/driver")")" = "$1" ]; }
# perf writes the file's header when it has opened its events.
opened() {
	for _ in $(seq 600); do
		[ ! -s /tmp/other.data ] || return 0
		sleep 0.1
	done
	return 1
}

unbound() { dmesg | grep -c 'not bound'; }

expects 'arm_spe_pmu: not bound: .* is bound to the driver '
rival=arm_spe_pmu
rival_pmu() { basename "$(find "$pmus" -name 'arm_spe_*' | head -n 1)"; }
if [ -e /job/intree_arm_spe_pmu.ko ]; then
	check 'the driver of the kernel loads' insmod /job/intree_arm_spe_pmu.ko
	check 'it seems to be built in' insmod /job/spe_device.ko what=builtin
fi
check 'the module has a name of its own' [ "$ARM_SPE_NAME" = arm_spe ]
check 'the built-in driver has the device' has $rival

check 'the module loads beside it' load
if dmesg | grep -q 'which this kernel cannot remove safely'; then
	check 'the line names the option for the command line' \
		logged "is bound to the driver $rival, which is built in and which this kernel cannot remove safely; boot with initcall_blacklist=arm_spe_pmu_init on the kernel's command line"
	check 'the module unloads' unload
	check 'the module loads with takeover=1' load takeover=1
	check 'but takes nothing' has $rival
	check 'the module unloads again' unload
	check 'kernels before 6.15 refuse, and no other' sh -c 'uname -r | grep -E "^(5|6\.([0-9]|1[0-4]))\."'
else
	check 'the line names the parameter' \
		logged "is bound to the driver $rival, which is built into the kernel; load this module with takeover=1"
	check 'the device stays with the built-in driver' has $rival
	check 'the module unloads' unload
	# An event of the other driver keeps the device.
	perf record -q -N -c 65536 -e "$(rival_pmu)//u" -o /tmp/other.data -- sleep 1000 &
	perf=$!
	check 'an event uses the other PMU' opened
	check 'the module loads with takeover=1' load takeover=1
	check 'a line says that events use the PMU' \
		logged "is bound to the driver $rival, which is built in, and events use its PMU; end the perf sessions, unload this module and load it again"
	check 'the device stays where it was' has $rival
	kill $perf
	wait $perf
	check 'the module unloads after that' unload

	before=$(unbound)
	check 'the module takes the device when no event uses it' load takeover=1
	check 'a line says so' logged 'from the driver that is built into the kernel; unloading this module gives it back'
	check 'the device has another driver' has arm_spe
	check 'there is a PMU' ls -d "$pmus/arm_spe_0/delivery"
	check 'the parameter can be read' grep Y "/sys/module/$ARM_SPE_NAME/parameters/takeover"
	check 'the module does not say that it is not bound' [ "$(unbound)" = "$before" ]
	kselftests abi sessions buffer
	check 'perf records' perf record -q -N -c 2048 -e arm_spe_0//u -o /out/taken.data -- /job/hot 1000
	check 'the records are there' sampled /out/taken.data
	check 'the module unloads and gives the device back' unload
	check 'a line says that too' logged 'back to the driver that is built into the kernel'
	check 'the other driver has it again' has $rival
	check 'and its PMU' ls -d "$pmus/$(rival_pmu)"
	check 'perf records with the built-in driver' \
		perf record -q -N -c 2048 -e "$(rival_pmu)//u" -o /out/back.data -- /job/hot 1000
	check 'its records are there' sampled /out/back.data

	expects 'not bound: addressing=physical needs FEAT_SPE_nVM'
	check 'a module that then refuses the device loads' load takeover=1 addressing=physical
	check 'it gives the device back at once' has $rival
	check 'and unloads' unload

	# Users open events at any time, also while the device changes hands.
	while [ ! -e /tmp/enough ]; do
		perf record -q -N -c 4096 -e "$(rival_pmu)//u" -o /tmp/other.data -- /job/hot 50
	done >/dev/null 2>&1 &
	users=$!
	# One that is open on this module's PMU keeps the module loaded until it ends.
	for _ in 1 2 3 4 5 6 7 8; do
		load takeover=1 && sleep 0.3
		until unload; do sleep 0.1; done
	done >>/out/check.txt 2>&1
	check 'eight times while events come and go' has $rival
	touch /tmp/enough
	wait $users
	check 'the module still takes the device' load takeover=1
	check 'which has it' has arm_spe
	check 'and gives it back for the last time' unload
	dump_recordings
fi
if [ -e /job/intree_arm_spe_pmu.ko ]; then
	check 'the driver no longer seems to be built in' rmmod spe_device
	check 'it unloads' rmmod arm_spe_pmu
	check 'the module binds without it' load
	check 'as always' has arm_spe
	check 'the module unloads at last' unload
fi
check 'the kernel log has no complaint' dmesg_is_clean
