#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# Only makes recordings of spe_sample_0, so that the host can compare the samples that perf stored with
# the records that the model wrote.  In all but the last one perf must store every sample.
#
# The kernel's own driver has this PMU only with patches/upstream/samples: a batch is one record there, there are
# no counters, and pa_enable asks for physical addresses.

. /job/environment
. /job/check-lib.sh

rate=/proc/sys/kernel/perf_event_max_sample_rate
counters=/sys/bus/event_source/devices/spe_sample_0/counters

# record NAME BATCH PERIOD OPTION...: the order of recordings is that of the file "order".
record() {
	name=$1 setting=batch=$2 period=$3
	shift 3
	[ "$DRIVER" = ours ] || setting=pa_enable=1
	[ ! -e /proc/lockdep_stats ] || period=$((period * 4))
	echo "$name" >>/out/order
	check "perf record, $name" record_cpus -q -N -B -R -d --phys-data -W -P --sample-cpu \
		-c "$period" -e "spe_sample_0/$setting/" -o "/out/$name.data" "$@"
	check "perf report -D of $name" dump_samples "/out/$name.data"
}

# Where a record raises an interrupt, a short period samples nothing but the interrupts' ends, where lockdep executes
# thousands of operations: with lockdep, periods are four times as long.  Linux's driver raises one for each record,
# and the shortest period leaves the kernel out there.
module=/job/arm_spe_pmu.ko batches='1 8 64' user=''
[ "$DRIVER" = ours ] || module=/job/intree_arm_spe_pmu.ko batches=1 user=--all-user
check 'the module loads' insmod "$module"
taskset -p 1 $$ >/dev/null
by_exception
check 'there is a PMU of samples' [ -d /sys/bus/event_source/devices/spe_sample_0 ]
[ "$DRIVER" != ours ] || budget 0
echo 10000000 >$rate
for batch in $batches; do
	record "task-$batch" "$batch" 2048 -m 4M -- /job/hot 500
	# perf is on the other CPU: it must not sample its own work, which would never end.
	record "cpu-$batch" "$batch" 4096 -m 4M -C 1 -- taskset 2 /job/hot 200
done
# The ring is too small: samples are lost, and perf and the driver say how many.
# shellcheck disable=SC2086  # an option or none
record small 64 512 $user -m 4K -C 1 -- taskset 2 /job/hot 100
[ "$DRIVER" != ours ] ||
	for name in samples samples_lost; do echo "$name $(cat $counters/$name)"; done >/out/counters
[ "${ARM_SPE_EBEP:-n}" = n ] || check 'events came by exception' exceptions_came
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
