#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091,SC3043  # sourced from where the guest has them; busybox sh has local
#
# In a debug kernel: the unit tests of the pure files under KUnit, every kselftest and
# stock perf, or the stress test.  At the end the kernel must have reported nothing.
# ARM_SPE_STRESS is the number of sessions in the stress test; if it is not set, the job
# runs everything else.

set -a
. /job/environment
set +a
. /job/check-lib.sh

ARM_SPE_MODULE=/job/arm_spe_pmu.ko
export ARM_SPE_MODULE
kcsan=/sys/kernel/debug/kcsan

# kunit_suite NAME: passes on the cases from the suite's results file.
kunit_suite() { # NAME
	local results="/sys/kernel/debug/kunit/$1/results" planned seen=0 line
	cp "$results" "/out/kunit-$1.txt"
	planned=$(sed -n 's/^    1\.\.\([0-9]*\)$/\1/p' "$results")
	while read -r line; do
		case $line in
		'ok '*) verdict ok "kunit $1: ${line#ok * }" ;;
		'not ok '*) verdict 'not ok' "kunit $1: ${line#not ok * }" ;;
		*) continue ;;
		esac
		seen=$((seen + 1))
	done <<-EOR
		$(sed -n 's/^    \(ok\|not ok\) /\1 /p' "$results")
	EOR
	if [ "$seen" != "${planned:-none}" ] || [ "$seen" -eq 0 ]; then
		verdict 'not ok' "kunit $1: all of its cases ran ($seen of ${planned:-none})"
	fi
}

kunit() {
	local suite
	check 'the unit tests load' insmod /job/arm_spe_kunit.ko
	for suite in /sys/kernel/debug/kunit/arm_spe_*; do
		kunit_suite "${suite##*/}"
	done
	check 'the unit tests unload' rmmod arm_spe_kunit
}

suite() {
	# The pure files share no data, so KCSAN would find nothing in them.
	[ -e $kcsan ] || kunit
	check 'the module loads' insmod "$ARM_SPE_MODULE"
	check 'CPUs lose the unit when they power down' insmod /job/spe_power.ko
	check 'perf may call in NMI context' insmod /job/spe_nmi.ko
	# shellcheck disable=SC2046  # a list
	kselftests abi attributes extended_filters \
		$(cd /job && echo spe_strict_* | sed 's/spe_//g; s/strict_stress//') \
		sessions filters period operations content buffer snapshot hotplug contexts \
		permissions module
	echo -1 >/proc/sys/kernel/perf_event_paranoid
	perf_runs
	rmmod spe_nmi
	rmmod spe_power
}

stress() {
	check 'the module loads' insmod "$ARM_SPE_MODULE"
	expects 'sampling stopped: '
	check 'the injector loads' insmod /job/arm_spe_inject.ko
	ARM_SPE_VERSION=$(dmesg | sed -n 's/.* SPE\(v1[p0-9]*\) on CPUs .*/\1/p' | tail -n 1)
	export ARM_SPE_VERSION
	kselftests faults fault_verdicts fault_places strict_stress
	cat /sys/kernel/debug/arm_spe_pmu/* /sys/kernel/debug/arm_spe_inject >/out/counters.txt
	check 'the injector unloads' rmmod arm_spe_inject
}

if [ -e $kcsan ]; then
	# Do not panic on races in the kernel's own code: the job reads the report below.
	echo 0 >/proc/sys/kernel/panic_on_warn
	echo on >$kcsan
fi
if [ -n "${ARM_SPE_STRESS:-}" ]; then stress; else suite; fi
check 'the module unloads' rmmod arm_spe_pmu
[ -n "${ARM_SPE_STRESS:-}" ] || dump_recordings
[ ! -e $kcsan ] || cat $kcsan >/out/kcsan.txt
check 'lockdep has watched to the end' lockdep_watches
check 'the log is whole' log_is_whole
check 'the debug kernel has nothing to say' debug_kernel_is_silent
