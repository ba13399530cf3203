#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# Page-table isolation (kpti=on) and a PMU with FEAT_SPE_nVM: the driver uses physical
# buffers, which must pass the same tests.  The latency counters, and so MINLAT, have 16
# bits.

set -a
. /job/environment
set +a
. /job/check-lib.sh

export ARM_SPE_MODULE=/job/arm_spe_pmu.ko

check 'the kernel isolates its page tables' sh -c "dmesg | grep -qi 'page table isolation forced ON'"
expects 'not bound: kernel page-table isolation'
check 'virtual buffers are refused' refuses sh -c \
	'insmod /job/arm_spe_pmu.ko addressing=virtual && ls -d /sys/bus/event_source/devices/arm_spe_0'
check 'the refusal says what to do' \
	sh -c "dmesg | grep -q 'not bound: kernel page-table isolation .* boot with kpti=off'"
rmmod arm_spe_pmu
expects 'invalid for parameter .addressing'
check 'a word that is no addressing is refused' refuses insmod "$ARM_SPE_MODULE" addressing=none
check 'the module loads' insmod "$ARM_SPE_MODULE"
check 'its buffers are physical' sh -c "dmesg | grep -q 'arm_spe .*, physical buffers'"
kselftests abi attributes strict_attributes filters sessions content buffer snapshot strict_snapshot \
	strict_counters
echo -1 >/proc/sys/kernel/perf_event_paranoid
check 'perf record of a task' \
	perf record -q -N -c 2048 -e arm_spe// -o /out/task.data -- /job/hot 1000
check 'perf record of all CPUs' \
	record_cpus -q -N -a -c 4096 -e arm_spe/ts_enable=1,pa_enable=1/ -o /out/system.data -- /job/hot 500
# shellcheck disable=SC2016  # for the inner shell
check 'perf record of a snapshot' \
	perf record -q -N -S -m ,128K -c 2048 -e arm_spe/ts_enable=1/ -o /out/snapshot.data \
	-- sh -c '/job/hot 3000; kill -USR2 $PPID; /job/hot 3000'
dump_recordings
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
kexec_at_the_end
