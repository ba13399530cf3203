#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# Frequency mode, in a guest where a second is a number of instructions.  The machine has
# a second CPU that stays offline at boot (maxcpus=1) and is brought online at the end.

set -a
. /job/environment
set +a
. /job/check-lib.sh

pmu=/sys/bus/event_source/devices/arm_spe_0
online=/sys/devices/system/cpu

sampled() { # FILE: what a program did
	[ "$(perf report -D -i "$1" 2>/dev/null | grep -cE '^\.  [0-9a-f]+: .* (TS [0-9]+|END) *$')" -ge 100 ]
}

check 'one of two CPUs is online' grep -x 0 $online/online
check 'the other one is possible' grep -x 0-1 $online/possible
check 'the module loads' insmod /job/arm_spe_pmu.ko
check 'the PMU has both CPUs' grep -x 0-1 $pmu/cpumask
check 'a CPU that was never online does not decide how events come' \
	refuses grep 'no CPU was online' $pmu/delivery
by_exception
kselftests steady_frequency steady_budget steady_neighbor steady_samples
[ "${ARM_SPE_EBEP:-n}" = n ] || check 'events came by exception' exceptions_came
choice=$(cat $pmu/delivery)
check 'the other CPU comes' sh -c "echo 1 >$online/cpu1/online"
check 'events still come in the same way' [ "$(cat $pmu/delivery)" = "$choice" ]
check 'a program there is recorded' \
	record_cpus -q -N -C 1 -c 2048 -e arm_spe//u -o /tmp/second.data -- taskset 2 /job/hot 300
check 'its records are there' sampled /tmp/second.data
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
