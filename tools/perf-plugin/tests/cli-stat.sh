#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe stat: each of its tables.
# usage: cli-stat.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=cli-lib.sh
. "$(dirname "$0")/cli-lib.sh"

{
	echo 'midrs 2 0x413fd0c1 0x413fd0c1'
	echo 'comm 10 10 1 1 first'
	echo 'comm 20 20 1 1 second'
	echo 'conv 0 1 0'
	for total in $(seq 1 100); do
		echo "rec ctx1=10 total=$total class=1 op=0 source=14 events=0xe ts=$((total * 10000000))"
	done
	echo 'rec ctx1=10 total=4095 issue=0 class=1 op=1 source=14 events=0x2'
	echo 'auxtrace 0 0 10 0'
	echo 'rec ctx1=20 class=2 op=1 events=0x80'
	echo 'rec ctx1=20 class=1 op=0 source=63'
	echo 'rec'
	echo 'byte 22 20 48'
	echo 'auxtrace 1 1 20 0'
	echo 'aux 9'
	echo 'lost 3'
} | perf_file s.data

# table TITLE ROW...: its rows, blanks made single
table() {
	local title=$1
	shift
	printf '%s\n' "$@" >"$dir/want"
	awk -v title="# $title" '/^$/ { in_it = 0 } $0 == title { in_it = 1 } in_it && !/^#/' "$out" |
		tr -s ' ' | sed 's/^ //; s/ $//' >"$dir/got"
	cmp -s "$dir/want" "$dir/got" || fail "$title: $(diff "$dir/want" "$dir/got")"
}

begin "stat: what was recorded, and what was not"
run 1 stat -i "$dir/s.data"
warns 'damaged bytes'
says '# 104 samples, '
says ' bytes of SPE data, one in 1024 operations'
says '# AUX data: 1 times truncated, 0 partial, 1 with collisions'
says '# lost: 3 perf records'
says '# damaged: 3 bytes in 1 places'

begin "stat: operations, events and data sources"
table 'operations, and their total latency' '101 97.12% 50.5 50 99 load GP-REG' \
	'1 0.96% - - - branch BRANCH' '1 0.96% - - - other OTHER' '1 0.96% 4095.0 4095 4095 store GP-REG'
table 'events, in 102 samples' '101 99.02% 90.5 retired' '100 98.04% 50.5 l1d-access' \
	'100 98.04% 50.5 l1d-refill' '1 0.98% - mispredicted'
table 'where loads got their data, and their total latency' \
	'100 99.01% 50.5 50 99 14 dram' '1 0.99% - - - 63 -'

begin "stat: latencies"
table 'latency, in cycles' "101 90.5 51 91 100 4095 4095 total (1 at the counter's end)" \
	'1 0.0 0 0 0 0 0 issue'
table 'total latency, how often' '0 0.00% 0-0' '1 0.99% 1-1 ##' '2 1.98% 2-3 ###' '4 3.96% 4-7 #####' \
	'8 7.92% 8-15 #########' '16 15.84% 16-31 ##################' \
	'32 31.68% 32-63 ###################################' \
	'37 36.63% 64-127 ########################################' \
	'0 0.00% 128-255' '0 0.00% 256-511' '0 0.00% 512-1023' '0 0.00% 1024-2047' '1 0.99% 2048-4095 ##'

begin "stat: tasks and CPUs"
table 'tasks, and their total latency' '101 97.12% 90.5 51 100 10 first' '3 2.88% - - - 20 second'
table 'CPUs' '101 97.12% 0.990 101 CPU 0' '3 2.88% - - CPU 1'

begin "stat: filtered, and bare bytes"
run 1 stat -i "$dir/s.data" --filter 'op == store'
says '# 1 samples of 104'
printf 'rec total=5 class=2 op=0' | raw_file s.spe
run 0 stat --raw "$dir/s.spe"
silent
table 'CPUs' '1 100.00% - - (buffer of a thread)'

begin "stat: a latency of 0 is one"
printf 'rec total=0' | raw_file z.spe
run 0 stat --raw "$dir/z.spe"
table 'total latency, how often' '1 100.00% 0-0 ########################################'

begin "stat: limit, and wrong usage"
run 1 stat -i "$dir/s.data" --limit 1
says '# 3 more'
run 2 stat --limit 0
warns 'not a positive number'
run 2 stat --nothing
run 2 stat more
run 0 stat --help

finish
