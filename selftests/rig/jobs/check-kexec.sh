#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# A kernel at EL2 starts another one by kexec while its units write to physical addresses.

. /job/environment
. /job/check-lib.sh

check 'the module loads' insmod /job/arm_spe_pmu.ko addressing=physical
check 'its buffers are physical' logged ', physical buffers'
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
kexec_at_the_end addressing=physical
