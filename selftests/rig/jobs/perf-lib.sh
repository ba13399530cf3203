#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC3043  # busybox sh has local
#
# What check jobs do with perf and perf-spe in the guest.  Sourced by check-lib.sh.

# Stock perf's own dump of each recording, for the host: the host's perf may be
# older than the guest's and refuse the file.
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

# Stock perf's samples of a recording, for the host too: the fields that it shares
# with perf-spe.
script_recording() { # FILE
	perf script --ns --itrace=i1iMbfmta -i "$1" \
		-F hw:time,event,ip,addr,phys_addr,weight,data_src >/tmp/script 2>/tmp/script.err || {
		cat /tmp/script.err
		return 1
	}
	gzip -1 </tmp/script >"${1%.data}.script.gz"
}

# How many records a recording holds, by stock perf.
count_records() { # FILE
	perf report -D -i "$1" 2>/dev/null | grep -cE '^\.  [0-9a-f]+: .* (TS [0-9]+|END) *$'
}

sampled() { # FILE: what a program did
	local count
	count=$(count_records "$1")
	echo "$count records"
	[ "$count" -ge 100 ]
}

# perf of Linux 7 refuses -F for this PMU by itself, whatever the driver can: that
# is a case of its own, which no driver can pass or fail.  A fast host runs the
# program in a third of a second of guest time: some 700 records.
record_frequency() {
	if perf record -N -F 2000 -e arm_spe// -o /out/frequency.data -- /job/hot 20000 2>/tmp/frequency.err; then
		check 'perf record takes -F, and there are records' sampled /out/frequency.data
	else
		check 'perf record takes -F, or never asks the kernel' \
			grep 'Frequency is not supported' /tmp/frequency.err
	fi
}

# perf record of CPUs.  Where perf finds nothing to read, and the program has ended
# just then, it ends without having disabled the events: what they hold is never
# published.  So they are disabled while the program still runs.
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

# Stock perf in the ways that people use it.  The files are decoded again on
# the host and compared there, byte for byte, with dump_recordings().
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
	# A snapshot in the middle of a run, asked for by the program itself.
	# shellcheck disable=SC2016  # for the inner shell
	check 'perf record takes a snapshot' \
		perf record -q -N -S -m ,128K -c 2048 -e arm_spe/ts_enable=1/ -o /out/snapshot.data \
		-- sh -c '/job/hot 3000; kill -USR2 $PPID; /job/hot 3000'
	losses_end perf
}

# What perf-spe says of /out/named.data; AWK decides by its status.
spe_says() { # AWK VERB OPTION...
	local program="$1" verb="$2"
	shift 2
	/job/perf-spe "$verb" -i /out/named.data "$@" >/tmp/said || return 1
	cat /tmp/said
	awk "$program" /tmp/said
}

# The same of what runs now
spe_top() { # AWK OPTION...
	local program="$1"
	shift
	/job/perf-spe top "$@" >/tmp/said || return 1
	cat /tmp/said
	awk "$program" /tmp/said
}

# perf-spe where it was built for: it asks this machine what it has, records by
# names, and finds what shared.c says of itself.
# shellcheck disable=SC2016  # $ is awk's
spe_runs() {
	check 'perf spe doctor: nothing is missing' /job/perf-spe doctor
	check 'perf spe record: what the machine lacks is refused' \
		refuses /job/perf-spe record --event impdef-63 -o /tmp/refused.data -- /job/shared 1
	check 'perf spe record: loads and stores, asked by name' \
		/job/perf-spe record --loads --stores --user --period 1024 --perf -N -o /out/named.data \
		-- /job/shared 200000
	check 'perf spe report: loads and stores, and nothing else' spe_says \
		'/^ /{ n++; bad += $NF != "load" && $NF != "store" } END { exit !(n == 2 && !bad) }' \
		report --by op --filter 'object ~ shared'
	check 'perf spe report: the three functions come first' spe_says \
		'/^ / && n < 3 { n++; good += $NF ~ /^(add_left|add_right|walk)$/ } END { exit good != 3 }' report
	check 'perf spe sharing: first the line of both threads, no byte shared' spe_says \
		'/ line 0x/ && !n++ { good = /2 sharers/ && /false sharing\?/ }
		n == 1 { left += / add_left$/; right += / add_right$/; other += / walk$/ }
		END { exit !(good && left >= 2 && right >= 2 && !other) }' sharing
	# One table, when the command has ended, however long that takes
	check 'perf spe top: a command, live' spe_top \
		'/^ / && n < 3 { n++; good += $NF ~ /^(add_left|add_right|walk)$/ } END { exit good != 3 }' \
		--user --period 1024 --interval 3600 -- /job/shared 200000
	check 'perf spe top: all that runs, two tables' spe_top \
		'/ s, .* of a CPU/ { tables++ } /^ / { rows++ } END { exit !(tables == 2 && rows) }' \
		-a --by comm,cpu --period 4096 --interval 1 --iterations 2
	check 'perf spe mem: 64 pages, 4 lines at most on each' spe_says \
		'/^#/ { pages = /hottest/ || (pages && /count/); next }
		pages && NF > 5 { n++; bad += $5 > 4 } END { exit !(n > 32 && n <= 64 && !bad) }' \
		mem --limit 100 --filter 'symbol == walk'
}
