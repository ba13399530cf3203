#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# An AUX buffer of 2 GiB, and more traffic than 32 bits can count.

set -a
. /job/environment
set +a
. /job/check-lib.sh

check 'the module loads' insmod /job/arm_spe_pmu.ko
by_exception
kselftests large
[ "${ARM_SPE_EBEP:-n}" = n ] || check 'events came by exception' exceptions_came
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
