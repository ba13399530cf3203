#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# Only makes recordings of spe_sample_0, so that the host can compare the samples that perf stored with
# the records that the model wrote.  In all but the last one perf must store every sample.

. /job/environment
. /job/check-lib.sh

rate=/proc/sys/kernel/perf_event_max_sample_rate
counters=/sys/bus/event_source/devices/spe_sample_0/counters

# record NAME BATCH PERIOD OPTION...: the order of recordings is that of the file "order".
record() {
	name=$1 batch=$2 period=$3
	shift 3
	echo "$name" >>/out/order
	check "perf record, $name" record_cpus -q -N -B -R -d --phys-data -W -P --sample-cpu \
		-c "$period" -e "spe_sample_0/batch=$batch/" -o "/out/$name.data" "$@"
	check "perf report -D of $name" dump_samples "/out/$name.data"
}

# The fields and the bytes of each event, for selftests/rig/judge/judge-samples.
dump_samples() { # FILE
	{
		perf evlist -v -i "$1" 2>/dev/null | head -n 1
		perf report -D -i "$1" 2>/dev/null | grep -E ': event: |^\.  [0-9a-f]{4}: '
	} | gzip -1 >"${1%.data}.dump.gz"
}

check 'the module loads' insmod /job/arm_spe_pmu.ko
taskset -p 1 $$ >/dev/null
check 'there is a PMU of samples' [ -d /sys/bus/event_source/devices/spe_sample_0 ]
budget 0
echo 10000000 >$rate
for batch in 1 8 64; do
	record "task-$batch" "$batch" 2048 -m 4M -- /job/hot 500
	# perf is on the other CPU: it must not sample its own work, which would never end.
	record "cpu-$batch" "$batch" 4096 -m 4M -C 1 -- taskset 2 /job/hot 200
done
# The ring is too small: samples are lost, and perf and the driver say how many.
record small 64 512 -m 4K -C 1 -- taskset 2 /job/hot 100
for name in samples samples_lost; do echo "$name $(cat $counters/$name)"; done >/out/counters
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
