#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# One CPU that powers down when it is idle: run-guest --under power.image, with the idle
# state of dts/idle.dts.

set -a
. /job/environment
set +a
. /job/check-lib.sh

check 'the module loads' insmod /job/arm_spe_pmu.ko
by_exception
kselftests idle
check 'perf record of an idle CPU' \
	record_cpus -q -N -C 0 -c 2048 -e arm_spe/ts_enable=1/ -o /out/idle.data -- \
	sh -c 'for i in 1 2 3; do /job/hot 100; usleep 20000; done'
check 'perf script names the hot function' \
	sh -c 'perf script --itrace=i1i -i /out/idle.data -F ip,sym 2>/dev/null | grep -q hot_loop'
check 'no power-down was refused' [ "$(cat /sys/devices/system/cpu/cpu0/cpuidle/state1/rejected)" = 0 ]
dump_recordings
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
