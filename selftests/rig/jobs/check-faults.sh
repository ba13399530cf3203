#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# Injects buffer management events into a running kernel, through the model's injection
# register.  DRIVER is "ours" or "intree"; fault_verdicts and fault_places test only ours.

set -a
. /job/environment
set +a
. /job/check-lib.sh

module=/job/arm_spe_pmu.ko
[ "$DRIVER" = ours ] || module=/job/intree_arm_spe_pmu.ko
check 'the module that injects loads' insmod /job/arm_spe_inject.ko
check 'the module loads' insmod "$module"
kselftest faults
if [ "$DRIVER" = ours ]; then
	ARM_SPE_VERSION=$(dmesg | sed -n 's/.* SPE\(v1[p0-9]*\) on CPUs .*/\1/p' | tail -n 1)
	export ARM_SPE_VERSION
	check 'the version of the PMU is known' [ -n "$ARM_SPE_VERSION" ]
	kselftests fault_verdicts fault_places
fi
check 'the module unloads' rmmod "$ARM_SPE_NAME"
# The in-tree driver may log messages about events that it does not know.  Ours may only
# log the events that the test has injected.
[ "$DRIVER" = intree ] || expects 'sampling stopped: '
[ "$DRIVER" = intree ] || check 'the driver warns of nothing else' driver_is_quiet
check 'the kernel log has no complaint' \
	sh -c "! dmesg | grep -nE 'WARNING|BUG:|Oops|Call trace|irq.*nobody cared'"
