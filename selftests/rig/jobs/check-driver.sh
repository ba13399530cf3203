#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# The main check of the driver in a guest: every kselftest, stock perf, and reloading the
# module.  DRIVER (from /job/environment) is "ours" or "intree".

set -a
. /job/environment
set +a
. /job/check-lib.sh

ARM_SPE_MODULE=/job/arm_spe_pmu.ko
[ "$DRIVER" = ours ] || ARM_SPE_MODULE=/job/intree_arm_spe_pmu.ko
export ARM_SPE_MODULE

# Load this first: it fills the registers with noise, as a reset may leave them.
[ "$DRIVER" = intree ] || check 'CPUs lose the unit when they power down' insmod /job/spe_power.ko
check 'the module loads' insmod "$ARM_SPE_MODULE"
# A kernel at EL2 can run KVM guests.  PMSCR_EL1 applies to guests and resets to an
# UNKNOWN value.  KVM clears it from Linux 6.17 on.  Before, the kernel's own driver
# samples guests if the reset has set E1SPE or E0SPE.
case $DRIVER-$ARM_SPE_KERNEL_EL-$(uname -r) in
ours-2-* | intree-2-[7-9].*) kselftests kvm ;;
esac
# perf and trace-cmd decode tracepoints by these formats and do not know enumerators.
# shellcheck disable=SC2016  # for the inner shell
[ "$DRIVER" = intree ] || check 'the formats of tracepoints have numbers for names' sh -c '
	cat /sys/kernel/tracing/events/arm_spe_pmu/*/format >/tmp/formats &&
	grep -F "{ 1, \"full\" }" /tmp/formats && ! grep SPE_ /tmp/formats'
# The strict tests check what only our driver promises.
strict=''
[ "$DRIVER" = intree ] || check 'perf may call in NMI context' insmod /job/spe_nmi.ko
[ "$DRIVER" = intree ] || strict="extended_filters $(cd /job && echo spe_strict_* | sed 's/spe_//g')"
# shellcheck disable=SC2086  # a list
kselftests abi attributes $strict sessions filters period operations content \
	buffer snapshot hotplug contexts permissions module
# Linux 7's virtio_console loses the host's reply during resume, so the port for verdicts
# would block forever.
case $DRIVER-$ARM_SPE_KERNEL_EL-$(uname -r) in
ours-1-6.*) kselftests suspend ;;
esac
echo -1 >/proc/sys/kernel/perf_event_paranoid
perf_runs
[ "$DRIVER-$ARM_SPE_KERNEL_EL" != ours-1 ] || spe_runs
check 'the module unloads' rmmod arm_spe_pmu
check 'the PMU is gone' refuses ls -d /sys/bus/event_source/devices/arm_spe_0
check 'the module loads again' insmod "$ARM_SPE_MODULE"
check 'perf record works after reloading' \
	perf record -q -c 2048 -e arm_spe// -o /out/again.data -- /job/hot 500
check 'the module unloads again' rmmod arm_spe_pmu
dump_recordings
check 'the kernel log has no complaint' dmesg_is_clean
