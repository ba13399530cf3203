#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# What the series of patches/upstream repair: first the kernel's own driver, then perf's core
# with our driver, which uses more of it.

set -a
. /job/environment
set +a
. /job/check-lib.sh

pmu=/sys/bus/event_source/devices/arm_spe_0
export ARM_SPE_MODULE=/job/intree_arm_spe_pmu.ko
power() { # CASE: of strict_power
	check "strict_power: $1" /job/spe_strict_power -t "$1"
}

check 'CPUs lose the unit when they power down' insmod /job/spe_power.ko
check 'the module that injects loads' insmod /job/arm_spe_inject.ko
check 'the module loads' insmod "$ARM_SPE_MODULE"
check 'a session of guests alone is refused' refuses perf record -q -o /tmp/guests.data -e arm_spe//G -- true
check 'the format of min_latency has 16 bits' grep -qx 'config2:0-15' $pmu/format/min_latency
check 'perf record takes a latency of 13 bits' \
	perf record -q -o /tmp/latency.data -e arm_spe/min_latency=5000/ -- true
kselftests abi sessions snapshot strict_snapshot
power of_its_cpu_leaves_a_session_as_it_was
power makes_no_aux_records
power of_another_cpu_leaves_its_session_as_it_was
kselftests faults
check 'a granule protection check fault is named' logged 'granule protection check fault on CPU'
check 'an IMPLEMENTATION DEFINED event is named' logged 'IMPLEMENTATION DEFINED buffer management event on CPU'
check 'the module unloads' rmmod arm_spe_pmu
export ARM_SPE_MODULE=/job/arm_spe_pmu.ko DRIVER=ours
check 'our module loads, with pause' insmod "$ARM_SPE_MODULE" aux_pause=1
kselftests core_links
check 'our module unloads' rmmod arm_spe_pmu
check 'lockdep has watched to the end' lockdep_watches
check 'the kernel log has no complaint' \
	sh -c "! dmesg | grep -nE 'WARNING|BUG:|Oops|Call trace|irq.*nobody cared'"
