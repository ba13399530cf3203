#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# The main check of the driver in a guest: the programs that selftests/rig/lists/suites lists,
# stock perf, and reloading the module.  DRIVER (from /job/environment) is "ours" or "intree".

set -a
. /job/environment
set +a
. /job/check-lib.sh

ARM_SPE_MODULE=/job/arm_spe_pmu.ko
[ "$DRIVER" = ours ] || ARM_SPE_MODULE=/job/intree_arm_spe_pmu.ko
export ARM_SPE_MODULE

# A feature of the CPU or the kernel that the guest is for.
[ -z "${ARM_SPE_FEATURE-}" ] || check "the kernel uses $ARM_SPE_FEATURE" logged "$ARM_SPE_FEATURE"

# Load this first: it fills the registers with noise, as a reset may leave them.
[ "$DRIVER" = intree ] || check 'CPUs lose the unit when they power down' insmod /job/spe_power.ko
check 'the module loads' insmod "$ARM_SPE_MODULE"
# shellcheck disable=SC2046  # a list
kselftests $(listed kvm)
# perf and trace-cmd decode tracepoints by these formats and do not know enumerators.
# shellcheck disable=SC2016  # for the inner shell
[ "$DRIVER" = intree ] || check 'the formats of tracepoints have numbers for names' sh -c '
	cat /sys/kernel/tracing/events/arm_spe_pmu/*/format >/tmp/formats &&
	grep -F "{ 1, \"full\" }" /tmp/formats && ! grep SPE_ /tmp/formats'
[ "$DRIVER" = intree ] || check 'perf may call in NMI context' insmod /job/spe_nmi.ko
# shellcheck disable=SC2046  # lists
kselftests $(others kvm suspend) $(listed suspend)
echo -1 >/proc/sys/kernel/perf_event_paranoid
perf_runs
if [ "$DRIVER-$ARM_SPE_KERNEL_EL" = ours-1 ]; then
	. /job/spe-lib.sh
	spe_runs
	names_runs
	heap_runs
fi
check 'the module unloads' rmmod "$ARM_SPE_NAME"
check 'the PMU is gone' refuses ls -d /sys/bus/event_source/devices/arm_spe_0
check 'the module loads again' insmod "$ARM_SPE_MODULE"
check 'perf record works after reloading' \
	perf record -q -c 2048 -e arm_spe// -o /out/again.data -- /job/hot 500
check 'the module unloads again' rmmod "$ARM_SPE_NAME"
dump_recordings
check 'the kernel log has no complaint' dmesg_is_clean
