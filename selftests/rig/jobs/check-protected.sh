#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# A host of protected KVM (kvm-arm.mode=protected): the hypervisor stays at EL2 and
# maps the kernel's own memory by a stage 2, through which the unit writes too.  When
# it makes a virtual machine it unmaps the machine's pages and their neighbours, which
# costs the unit a stage 2 fault (ARM_SPE_STAGE2).

set -a
. /job/environment
set +a
. /job/check-lib.sh

export ARM_SPE_MODULE=/job/arm_spe_pmu.ko
check 'the hypervisor is protected' sh -c "dmesg | grep 'Protected .*mode initialized successfully'"
check 'the module loads' insmod "$ARM_SPE_MODULE"
kselftests abi sessions content buffer kvm
check 'perf record of a task' \
	perf record -q -N -c 2048 -e arm_spe// -o /out/task.data -- /job/hot 1000
check 'perf record of all CPUs' \
	record_cpus -q -N -a -c 4096 -e arm_spe/ts_enable=1,pa_enable=1/ -o /out/system.data -- /job/hot 500
dump_recordings
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
