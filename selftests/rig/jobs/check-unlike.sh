#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# A machine whose CPU 1 has no SPE, although the interrupt names both CPUs: the kernel's own
# driver with patches/upstream uses CPU 0 alone.

set -a
. /job/environment
set +a
. /job/check-lib.sh

check 'the module loads' insmod /job/intree_arm_spe_pmu.ko
expects 'CPU 1 lacks the SPE capabilities'
check 'CPU 0 alone is used' [ "$(cat /sys/bus/event_source/devices/arm_spe_0/cpumask)" = 0 ]
check 'CPU 0 records' perf record -q -C 0 -c 2048 -e arm_spe// -o /out/one.data -- /job/hot 300
perf record -q -C 1 -c 2048 -e arm_spe// -o /tmp/other.data -- /job/hot 100
check 'CPU 1 records nothing' refuses sh -c "perf report -D -i /tmp/other.data | grep ' PC '"
check 'CPU 1 goes offline and comes back' \
	sh -c 'echo 0 >/sys/devices/system/cpu/cpu1/online && echo 1 >/sys/devices/system/cpu/cpu1/online'
dump_recordings
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
