#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# perf record --filter of spe_sample_0: a BPF program of perf keeps the samples with a latency, and the host
# compares them with the records that the model wrote.  Debian's perf has no such programs, so stock
# perf was built with them (tools/setup/root/guest-perf-spe --bpf-perf).

. /job/environment
. /job/check-lib.sh

least=20

keeps_the_slow() {
	perf script -F weight -i /out/small-filter.data >/tmp/said && wc -l </tmp/said &&
		awk -v least=$least '$1 <= least { bad++ } END { exit !NR || bad }' /tmp/said
}

check 'the module loads' insmod /job/arm_spe_pmu.ko
check 'this perf has BPF programs' sh -c "/job/bpf-perf version --build-options | grep -E '^ *bpf_skeletons: \[ on'"
budget 0
echo 10000000 >/proc/sys/kernel/perf_event_max_sample_rate
check 'perf record --filter' /job/bpf-perf record -q -N -B -R -d --phys-data -W -P --sample-cpu -m 4M -c 1024 \
	-e spe_sample_0/load_filter=1,store_filter=1/u --filter "weight > $least" -o /out/small-filter.data -- /job/shared 100000
check 'it keeps only samples with such a weight' keeps_the_slow
check 'perf report -D of the recording' dump_samples /out/small-filter.data
echo $least >/out/least
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
