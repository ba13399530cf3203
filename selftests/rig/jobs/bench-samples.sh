#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The job of bench-samples: what records cost on each way to a program.

set -e
insmod /job/arm_spe_pmu.ko
# The budget and perf's own limits would leave samples out.
echo 0 >/sys/module/arm_spe_pmu/parameters/cpu_time_max_percent
echo 10000000 >/proc/sys/kernel/perf_event_max_sample_rate
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
# Wait until the kernel's background work after boot is over, since it would use this CPU.
sleep 30
/job/costs 16000000 4096 >/out/costs

# seconds COMMAND...: how long it takes
seconds() {
	read -r before _ </proc/uptime
	"$@" >/dev/null 2>&1
	read -r after _ </proc/uptime
	echo "$before $after" | awk '{ print $2 - $1 }'
}

# How many samples stock perf makes of a recording, and how long perf report takes for them
read_by_perf() { # WAY RECORDING OPTION...
	way=$1 file=$2
	shift 2
	echo "$way $(perf script "$@" -F ip -i "$file" 2>/dev/null | wc -l) $(seconds perf report --stdio "$@" -i "$file")"
}

for rounds in 1000 12000; do
	perf record -q -N -B -m ,16M -c 512 -e arm_spe_0/ts_enable=1/u -o /tmp/aux.data -- /job/hot $rounds >/dev/null
	perf record -q -N -B -m 16M -d -W -c 512 -e spe_sample_0/ts_enable=1,batch=64/u -o /tmp/samples.data -- /job/hot $rounds >/dev/null
	read_by_perf aux /tmp/aux.data --itrace=i1i
	read_by_perf samples /tmp/samples.data
done >/out/reports
