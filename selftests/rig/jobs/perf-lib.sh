#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC3043  # busybox sh has local
#
# Functions of the check jobs that use stock perf in the guest.  Sourced by
# check-lib.sh.

# Dumps each recording with the guest's stock perf for the host, whose perf may be older
# and reject the file.
dump_recordings() {
	local file
	for file in /out/*.data; do
		check "perf report -D of ${file##*/}" dump_recording "$file"
	done
}

dump_recording() { # FILE
	perf report -D -i "$1" >/tmp/dump 2>/tmp/dump.err || {
		cat /tmp/dump.err
		return 1
	}
	grep -E '^\.  [0-9a-f]{8}: |PERF_RECORD_AUX' /tmp/dump | gzip -1 >"${1%.data}.dump.gz"
}

# The fields and the bytes of each event, for selftests/rig/judge/judge-samples.
dump_samples() { # FILE
	{
		perf evlist -v -i "$1" 2>/dev/null | head -n 1
		perf report -D -i "$1" 2>/dev/null | grep -E ': event: |^\.  [0-9a-f]{4}: '
	} | gzip -1 >"${1%.data}.dump.gz"
}

# Writes stock perf's samples of a recording for the host, with the fields that perf-spe
# has too.
script_recording() { # FILE
	perf script --ns --itrace=i1iMbfmta -i "$1" \
		-F hw:time,event,ip,addr,phys_addr,weight,data_src >/tmp/script 2>/tmp/script.err || {
		cat /tmp/script.err
		return 1
	}
	gzip -1 </tmp/script >"${1%.data}.script.gz"
}

# Prints how many records a recording holds, counted by stock perf.
count_records() { # FILE
	perf report -D -i "$1" 2>/dev/null | grep -cE '^\.  [0-9a-f]+: .* (TS [0-9]+|END) *$'
}

sampled() { # FILE: what a program did
	local count
	count=$(count_records "$1")
	echo "$count records"
	[ "$count" -ge 100 ]
}

# perf of Linux 7 itself refuses -F for this PMU, whatever the driver supports.  That is a
# separate case, which does not depend on the driver.  The program runs for a second of the
# guest's time, whatever the host's speed: about 2000 records.
record_frequency() {
	# shellcheck disable=SC2016  # for the inner shell
	if perf record -N -F 2000 -e arm_spe// -o /out/frequency.data \
		-- sh -c '/job/hot 1000000000 & sleep 1; kill $!; wait $!; exit 0' 2>/tmp/frequency.err; then
		check 'perf record takes -F, and there are records' sampled /out/frequency.data
	else
		check 'perf record takes -F, or never asks the kernel' \
			grep 'Frequency is not supported' /tmp/frequency.err
	fi
}

# perf record of CPUs.  If perf finds nothing to read just when the program has ended, it
# exits without disabling the events, and the driver never publishes their last records.
# So disable the events while the program still runs.
# shellcheck disable=SC2016  # for the inner shell
record_cpus() { # OPTION... -- COMMAND...
	local left=$# arg
	[ -p /tmp/control ] || mkfifo /tmp/control /tmp/ack
	while [ $left -gt 0 ]; do
		arg="$1" left=$((left - 1))
		shift
		set -- "$@" "$arg"
		[ "$arg" != -- ] || set -- "$@" sh -c \
			'"$@"; rc=$?; echo disable >/tmp/control; read -r _ </tmp/ack; exit $rc' sh
	done
	perf record --control fifo:/tmp/control,/tmp/ack "$@"
}

# Uses stock perf in the ways that people do.  The host decodes the files again and
# compares the result with dump_recordings(), byte for byte.
perf_runs() {
	losses_begin
	check 'perf list shows the PMU' sh -c 'perf list pmu 2>/dev/null | grep -q arm_spe_0//'
	check 'perf record of a task' \
		perf record -q -N -c 2048 -e arm_spe// -o /out/task.data -- /job/hot 2000
	check 'perf script names the hot function' \
		sh -c 'perf script --itrace=i1i -i /out/task.data -F ip,sym 2>/dev/null | grep -q hot_loop'
	check 'perf record of all CPUs' \
		record_cpus -q -N -a -c 4096 -e arm_spe/ts_enable=1,pa_enable=1/ -o /out/system.data -- /job/hot 1000
	check 'perf record of CPU 1' \
		record_cpus -q -N -C 1 -c 4096 -e arm_spe/ts_enable=1/ -o /out/cpu1.data -- taskset 2 /job/hot 1000
	check 'perf record of loads and stores with a latency' \
		perf record -q -N -c 1024 -e arm_spe/load_filter=1,store_filter=1,min_latency=2,jitter=1/u \
		-o /out/filter.data -- /job/hot 2000
	check 'perf record of mispredicted branches in the kernel and outside' \
		perf record -q -N -c 1024 -e arm_spe/branch_filter=1,event_filter=0x80,ts_enable=1/ \
		-o /out/branch.data -- /job/hot 1000
	if [ "$DRIVER" = ours ]; then
		record_frequency
	else
		check 'perf record refuses -F' \
			refuses perf record -q -F 1000 -e arm_spe// -o /tmp/f.data -- /job/hot 1
	fi
	# A snapshot in the middle of a run; the program itself requests it.
	# shellcheck disable=SC2016  # for the inner shell
	check 'perf record takes a snapshot' \
		perf record -q -N -S -m ,128K -c 2048 -e arm_spe/ts_enable=1/ -o /out/snapshot.data \
		-- sh -c '/job/hot 3000; kill -USR2 $PPID; /job/hot 3000'
	losses_end perf
}
