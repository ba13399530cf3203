#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091,SC3043  # sourced from where the guest has them; busybox sh has local
#
# A PMU of another SPE version than in most guests: what the driver offers, and recordings
# that every tool can read.  DRIVER is "ours" or "intree".

set -a
. /job/environment
set +a
. /job/check-lib.sh

ARM_SPE_MODULE=/job/arm_spe_pmu.ko
[ "$DRIVER" = ours ] || ARM_SPE_MODULE=/job/intree_arm_spe_pmu.ko
export ARM_SPE_MODULE

# PMU event 0x4001 (SAMPLE_FEED) counts each operation chosen for sampling.
samples_counted() {
	local fed records
	perf stat -x, -a -o /tmp/stat -e r4001 -- perf record -q -N -a -m ,16M -c 1024 -e arm_spe// \
		-o /out/counted.data -- /job/hot 300 || return 1
	fed=$(awk -F, '$3 == "r4001" { print $1 }' /tmp/stat)
	records=$(perf report -D -i /out/counted.data 2>/tmp/dump.err |
		grep -cE '^\.  [0-9a-f]+: .* (TS [0-9]+|END) *$')
	echo "counted $fed, recorded $records"
	[ "$fed" -gt 0 ] && [ "$fed" -eq "$records" ]
}

check 'the module loads' insmod "$ARM_SPE_MODULE"
kselftests abi attributes sessions filters content
# The newest version has FEAT_SPE_EXC, but these kernels cannot take its exception.
[ "$DRIVER" = intree ] || kselftests strict_attributes strict_delivery
# A kernel with patches/linux can take the exception; then the CPU is what lacks it.
if [ "$DRIVER" = ours ]; then
	why='this kernel does not handle the Profiling exception'
	! grep -qw profiling_register_handler /proc/kallsyms || why='this CPU has no FEAT_SPE_EXC'
	check 'the driver says why it uses the interrupt' \
		grep -F "interrupt: $why" /sys/bus/event_source/devices/arm_spe_0/delivery
	check 'the line of the probe says so too' probe_line_has_delivery
fi
# Masks need FEAT_SPE_EFT.  check-driver.sh makes sure that the usual PMU has them.
if [ -e /sys/bus/event_source/devices/arm_spe_0/format/branch_filter_mask ]; then
	kselftest extended_filters
fi
echo -1 >/proc/sys/kernel/perf_event_paranoid
check 'perf record of a task' \
	perf record -q -N -c 2048 -e arm_spe// -o /out/task.data -- /job/hot 1000
check 'perf record of all CPUs' \
	record_cpus -q -N -a -c 4096 -e arm_spe/ts_enable=1,pa_enable=1/ -o /out/system.data -- /job/hot 500
check 'perf record of loads with a latency' \
	perf record -q -N -c 1024 -e arm_spe/load_filter=1,min_latency=2,jitter=1/u \
	-o /out/filter.data -- /job/hot 1000
check 'perf stat counts the samples' samples_counted
dump_recordings
check 'the module unloads' rmmod "$ARM_SPE_NAME"
# Physical buffers on request, if the PMU supports them.
if [ "$DRIVER" = ours ] && insmod "$ARM_SPE_MODULE" addressing=physical &&
	[ -e /sys/bus/event_source/devices/arm_spe_0 ]; then
	check 'buffers are physical' sh -c "dmesg | grep -q 'arm_spe .*, physical buffers'"
	kselftests snapshot strict_snapshot
	rmmod "$ARM_SPE_NAME"
elif [ "$DRIVER" = ours ]; then
	expects 'not bound: addressing=physical'
	check 'physical buffers are refused in words' \
		sh -c "dmesg | grep 'not bound: addressing=physical' | grep -q FEAT_SPE_nVM"
	rmmod "$ARM_SPE_NAME"
fi
check 'the kernel log has no complaint' dmesg_is_clean
