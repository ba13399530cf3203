#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# Booted with ACPI: the interrupt comes from the MADT, the rest is the same.

set -a
. /job/environment
set +a
. /job/check-lib.sh

module=/job/arm_spe_pmu.ko
[ "$DRIVER" = ours ] || module=/job/intree_arm_spe_pmu.ko
check 'the kernel runs on ACPI tables' ls -d /sys/firmware/acpi/tables/APIC
check 'the kernel has no device tree' refuses ls /proc/device-tree/cpus
check 'the module loads' insmod "$module"
kselftests abi sessions buffer
check 'perf record of a task' \
	perf record -q -c 2048 -e arm_spe// -o /out/task.data -- /job/hot 1000
check 'the module unloads' rmmod arm_spe_pmu
dump_recordings
check 'the kernel log has no complaint' dmesg_is_clean
