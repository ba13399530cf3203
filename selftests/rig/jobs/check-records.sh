#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# Only makes recordings, so that the host can compare everything the model wrote with
# everything perf stored.

. /job/environment
. /job/check-lib.sh

module=/job/arm_spe_pmu.ko
[ "$DRIVER" = ours ] || module=/job/intree_arm_spe_pmu.ko
check 'the module loads' insmod "$module"
check 'perf record of a task' \
	perf record -q -N -B -m ,16M -c 1024 -e arm_spe/ts_enable=1,pa_enable=1/ -o /out/task.data -- /job/hot 3000
check 'perf record of all CPUs' \
	record_cpus -q -N -B -m ,16M -a -c 2048 -e arm_spe/ts_enable=1/ -o /out/system.data -- /job/hot 1500
# Only a kernel at EL2 is a host of virtual machines, and the in-tree driver samples none.
if [ "$DRIVER-$ARM_SPE_KERNEL_EL" = ours-2 ]; then
	check 'perf record of a virtual machine' \
		perf record -q -N -B -m ,16M -c 1024 -e arm_spe_0/ts_enable=1,pa_enable=1/G -o /out/guest.data -- /job/machine 200000
	check 'perf record of a virtual machine and its host' \
		perf record -q -N -B -m ,16M -c 1024 -e arm_spe_0/guest=1/ -o /out/host.data -- /job/machine 50000
fi
# One filter after another: from the model's log the host computes which records each one
# should have dropped.  On one CPU only, because registers of unused filters keep their
# old values, which differ between CPUs.
words=/sys/bus/event_source/devices/arm_spe_0/format
filter=0
for words_of in load_filter=1 store_filter=1 branch_filter=1,event_filter=0x80 \
	load_filter=1,store_filter=1,min_latency=20 event_filter=0x8 inv_event_filter=0x8 \
	load_filter=1,load_filter_mask=1,store_filter_mask=1 inv_data_src_filter=0x4000; do
	[ "$ARM_SPE_KERNEL_EL" = 1 ] || break
	[ -e "$words/$(echo "${words_of##*,}" | cut -d = -f 1)" ] || continue
	filter=$((filter + 1))
	echo "filter-$filter $words_of" >>/out/filters.txt
	check "perf record with $words_of" taskset 1 perf record -q -N -B -m ,4M -c 512 \
		-e "arm_spe/ts_enable=1,$words_of/u" -o "/out/filter-$filter.data" -- /job/hot 200
done
# The buffer fills again and again.  Samples are lost while it is full, but perf must
# store every record that the unit wrote.
check 'perf record of a small buffer' \
	perf record -q -N -B -m ,64K -c 1024 -e arm_spe/jitter=1/u -o /out/small.data -- /job/hot 3000
check 'the module unloads' rmmod arm_spe_pmu
dump_recordings
check 'perf script of task.data' script_recording /out/task.data
check 'the kernel log has no complaint' dmesg_is_clean
