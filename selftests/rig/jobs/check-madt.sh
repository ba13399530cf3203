#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# A guest with ACPI whose kernel was configured without an SPE driver: the kernel creates
# no device for the MADT's interrupt, so the module must.

set -a
. /job/environment
set +a
. /job/check-lib.sh

device=/sys/bus/platform/devices/arm,spe-v1

check 'the kernel runs on ACPI tables' ls -d /sys/firmware/acpi/tables/APIC
check 'the kernel has no device tree' refuses ls /proc/device-tree/cpus
check 'the kernel makes no device of the MADT' refuses ls -d $device
check 'the module loads' insmod /job/arm_spe_pmu.ko
check 'the module finds the interrupt in the MADT' \
	logged 'arm_spe_pmu: found interrupt 21 in the MADT'
check 'there is a device' ls -d $device
kselftests abi hotplug
check 'perf record of a task' \
	perf record -q -N -c 2048 -e arm_spe//u -o /out/task.data -- /job/hot 1000
check 'the module unloads' rmmod arm_spe_pmu
check 'its device goes with it' refuses ls -d $device
check 'the module loads and finds it again' insmod /job/arm_spe_pmu.ko
check 'there is a PMU again' ls -d /sys/bus/event_source/devices/arm_spe_0
check 'the module unloads for the last time' rmmod arm_spe_pmu
dump_recordings
check 'the kernel log has no complaint' dmesg_is_clean
