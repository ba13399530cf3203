#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# A guest with ACPI: the driver gets its interrupt through the MADT.

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
check 'the module unloads' rmmod "$ARM_SPE_NAME"
if [ "$DRIVER" = ours ]; then
	expects 'not bound: arm,spe-v1 is bound to the driver spe_rival'
	check 'another driver takes the device' insmod /job/spe_device.ko
	check 'the module loads beside it' insmod "$module"
	check 'the module names the driver that has the device' \
		logged 'arm_spe_pmu: not bound: arm,spe-v1 is bound to the driver spe_rival'
	check 'the module unloads again' rmmod "$ARM_SPE_NAME"
	check 'the other driver leaves the device' rmmod spe_device
	# Now as in a kernel that was configured without its own SPE driver.
	check 'there is no device made from the MADT' insmod /job/spe_device.ko what=unmake
	check 'the device is gone' refuses ls -d /sys/bus/platform/devices/arm,spe-v1
	check 'the module loads without it' insmod "$module"
	check 'the module finds the interrupt in the MADT' \
		logged 'arm_spe_pmu: found interrupt 21 in the MADT'
	kselftest abi
	check 'perf record with an interrupt from the MADT' \
		perf record -q -c 2048 -e arm_spe// -o /out/madt.data -- /job/hot 1000
	check 'the module unloads once more' rmmod "$ARM_SPE_NAME"
	check 'its device goes with it' refuses ls -d /sys/bus/platform/devices/arm,spe-v1
	check 'the module loads and finds it again' insmod "$module"
	check 'there is a PMU again' ls -d /sys/bus/event_source/devices/arm_spe_0
	check 'the module unloads for the last time' rmmod "$ARM_SPE_NAME"
fi
dump_recordings
check 'the kernel log has no complaint' dmesg_is_clean
