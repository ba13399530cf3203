#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# A CPU and a kernel that have the Profiling exception, under a hypervisor that
# keeps it disabled (PMSCR_EL2.EE 0b00): only to try tells.

set -a
. /job/environment
set +a
. /job/check-lib.sh

choice=/sys/bus/event_source/devices/arm_spe_0/delivery
check 'the module loads' insmod /job/arm_spe_pmu.ko
check 'the exception was tried in vain' \
	grep -F 'interrupt: firmware (MDCR_EL3.PMSEE) or the hypervisor (PMSCR_EL2.EE) keeps the exception disabled' $choice
kselftests strict_delivery content
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
