#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# The module that was built with SPE_STRICT=1, without what a driver of Linux's tree may not do
# (drivers/perf/arm_spe/outoftree.c): it says what it lacks, refuses that, and records.

set -a
. /job/environment
set +a
. /job/check-lib.sh

check 'the module loads' insmod /job/arm_spe_pmu.ko
check 'it says what it lacks' logged 'built with SPE_STRICT=1: no records in samples'
check 'it leaves no kprobe' sh -c '! grep machine_crash_shutdown /sys/kernel/debug/kprobes/list'
# perf 7 leaves the event out and goes on.
check 'no event may ask for records' sh -c "
	perf record -e '{arm_spe//,cpu-clock/aux-sample-size=1024/}' -o /tmp/none.data -- true 2>&1 |
		grep 'nvalid event'"
kselftests abi sessions buffer snapshot strict_refused
check 'perf record of a task' \
	perf record -q -c 2048 -e arm_spe// -o /out/task.data -- /job/hot 1000
check 'the module unloads' rmmod "$ARM_SPE_NAME"
# The kernel's own driver, as if it were built in.
expects 'not bound: .* this module was built with SPE_STRICT=1'
check 'the driver of the kernel loads' insmod /job/intree_arm_spe_pmu.ko
check 'it seems to be built in' insmod /job/spe_device.ko what=builtin
check 'the module loads beside it' insmod /job/arm_spe_pmu.ko takeover=1
check 'it takes nothing, and says why' \
	logged 'which is built in, and this module was built with SPE_STRICT=1; boot with initcall_blacklist=arm_spe_pmu_init'
check 'the module unloads again' rmmod "$ARM_SPE_NAME"
dump_recordings
check 'the kernel log has no complaint' dmesg_is_clean
