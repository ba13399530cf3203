#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# CPU and kernel support the Profiling exception, but the hypervisor keeps it disabled
# (PMSCR_EL2.EE 0b00).  No ID register shows that: the driver must try.

set -a
. /job/environment
set +a
. /job/check-lib.sh

# The row of Table D17-8 for this kernel, in which only PMBIRQ comes.
export ARM_SPE_EL2_EE=0
check 'the module of exceptions loads' insmod /job/spe_exception.ko
kselftests exception_tables
check 'the module of exceptions unloads' rmmod spe_exception
choice=/sys/bus/event_source/devices/arm_spe_0/delivery
check 'the module loads' insmod /job/arm_spe_pmu.ko
check 'the exception was tried in vain' \
	grep -F 'interrupt: firmware (MDCR_EL3.PMSEE) or the hypervisor (PMSCR_EL2.EE) keeps the exception disabled' $choice
check 'the line of the probe says how events come, and why' probe_line_has_delivery
kselftests strict_delivery content
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
