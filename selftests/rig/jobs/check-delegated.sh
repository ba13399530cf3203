#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# A kernel that was started at EL2 and runs at EL1, with the exception delegated to EL1
# (PMSCR_EL2.EE 0b01): it must work as if there were no EL2.

set -a
. /job/environment
ARM_SPE_EBEP=${ARM_SPE_EBEP:-n}
set +a
. /job/check-lib.sh

ARM_SPE_MODULE=/job/arm_spe_pmu.ko
export ARM_SPE_MODULE
check 'the kernel has left EL2' logged 'CPU: All CPU(s) started at EL2'
export ARM_SPE_GAVE_EL2_UP=1
check 'the module of exceptions loads' insmod /job/spe_exception.ko
kselftests exception_tables exception_guest
check 'the module of exceptions unloads' rmmod spe_exception
check 'the module loads' insmod "$ARM_SPE_MODULE"
check 'the module of masked code loads' insmod /job/spe_masked.ko
kselftests exception_masked strict_delivery sessions kvm
check 'the module of masked code unloads' rmmod spe_masked
check 'the module unloads' rmmod arm_spe_pmu
# Physical buffers need PMSCR_EL2.EnVM (D17.7); PMBIDR_EL1.AddrMode reports them at EL1.
check 'the module loads with physical buffers' insmod "$ARM_SPE_MODULE" addressing=physical
check 'its buffers are physical' sh -c "dmesg | tail -n 20 | grep 'arm_spe .*, physical buffers'"
kselftests content buffer
check 'the module with physical buffers unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
