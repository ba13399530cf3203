#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091,SC3043  # sourced from where the guest has them; busybox sh has local
#
# Firmware names an interrupt that never comes.  The driver's test of the exception must
# give up soon, because it waits with preemption disabled on each CPU.

. /job/environment
. /job/check-lib.sh

# Time in hundredths of a second, without leading zeros: the shell reads 028 as octal.
now() { cut -d ' ' -f 1 /proc/uptime | tr -d . | sed 's/^0*//'; }

loads_at_once() {
	local start end
	start=$(now)
	insmod /job/arm_spe_pmu.ko || return 1
	end=$(now)
	echo "$((end - start)) hundredths of a second"
	[ $((end - start)) -lt 50 ]
}

check 'the module loads within half a second' loads_at_once
check 'the driver says that no interrupt came' \
	grep -F "interrupt: the driver's test event raised no interrupt" \
	/sys/bus/event_source/devices/arm_spe_0/delivery
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
