#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has it
#
# In a guest of the QEMU that the package qemu-system-arm-spe installs.

. /job/check-lib.sh

check 'the CPU has the unit, and the module binds to it' insmod /job/arm_spe_pmu.ko
check 'the PMU is there' ls -d /sys/bus/event_source/devices/arm_spe_0
check 'perf records samples' perf record -q -N -c 2048 -e arm_spe// -o /out/qemu.data -- /job/hot 300
check 'the recording has samples' test "$(wc -c </out/qemu.data)" -gt 20000
check 'the kernel log has no complaint' dmesg_is_clean
