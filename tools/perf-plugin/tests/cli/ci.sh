#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe ... --ci: intervals of counts, shares, means and percentiles.
# usage: ci.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

# 81 loads of 263 samples, as in Newcombe's table (tests/unit/interval_test.c), well mixed: a load
# after each second or third sample.  The 81 loads take 2 and 12 cycles in turn, others 5.
samples() {
	awk 'BEGIN { for (i = 0; i < 263; i++) {
		load = int(i * 81 / 263) != int((i + 1) * 81 / 263)
		print load ? "rec class=1 op=0 events=" (n % 3 ? 2 : 10) " total=" (n++ % 2 ? 12 : 2) : "rec class=2 op=1 total=5" } }'
}
# A branch follows each load: successive samples repel each other, which widens the
# interval.  So the order is random: sorted by a fixed hash of the number.
shuffled() { samples | awk '{ print NR * 7919 % 4001, $0 }' | sort -n | cut -d' ' -f2-; }
shuffled | raw_file ci.spe

# cell ROW COLUMN: a cell of the row that begins with ROW
cell() { tr -s ' ' <"$out" | sed 's/^ //' | awk -v row="$1" -v n="$2" '$1 == row { print $n }'; }
# within TEXT LOW HIGH: the interval TEXT has these limits, up to a tenth of its width
within() {
	awk -v text="$1" -v low="$2" -v high="$3" 'BEGIN {
		gsub(/%/, "", text)
		split(text, i, "-")
		slack = (high - low) / 10
		exit !(i[1] != "" && i[2] != "" && (i[1] - low) ^ 2 <= slack ^ 2 && (i[2] - high) ^ 2 <= slack ^ 2) }' ||
		fail "interval $1, not $2-$3"
}

begin "ci: a share and a count, by Newcombe's table"
run 0 report --raw "$dir/ci.spe" --by op --columns op,share,count --ci
within "$(cell load 3)" 25.53 36.62
# 263 times the limits
within "$(cell load 5)" 67.1 96.3

# 40 times 12 and 41 times 2: mean 6.938, deviation 5.031, so 6.938 -+ 1.990 * 5.031 / 9.
begin "ci: a mean, and the ranks of a median"
run 0 report --raw "$dir/ci.spe" --by op --columns op,mean,p50 --ci
within "$(cell load 3)" 5.83 8.05
[ "$(cell load 5)" = 2-12 ] || fail "median $(cell load 5)"
[ "$(cell branch 5)" = 5-5 ] || fail "median $(cell branch 5)"

begin "ci: few samples have no upper limit of a percentile, and no mean"
run 0 report --raw "$dir/ci.spe" --by op --columns op,p99 --ci
[ "$(cell load 3)" = '>=12' ] || fail "percentile $(cell load 3)"
printf 'rec total=5 class=1 op=0\nrec total=6 class=1 op=0\n' | raw_file few.spe
run 0 report --raw "$dir/few.spe" --by op --columns op,mean --ci
[ "$(cell load 3)" = - ] || fail "mean $(cell load 3)"

# 27 of 81: the Wilson limits by hand are 0.2403 and 0.4414
begin "ci: the share of an event"
run 0 report --raw "$dir/ci.spe" --by op --events l1d-refill --columns op,l1d-refill --ci
within "$(cell load 3)" 24.03 44.14

begin "ci: phases narrow the interval of a share, alternation widens it"
{ awk 'BEGIN { for (i = 0; i < 300; i++) print i < 100 ? "rec class=1 op=0 total=4" : "rec class=2 op=1 total=5" }'; } | raw_file phases.spe
{ awk 'BEGIN { for (i = 0; i < 300; i++) print i % 2 ? "rec class=1 op=0 total=4" : "rec class=2 op=1 total=5" }'; } | raw_file turns.spe
run 0 report --raw "$dir/phases.spe" --by op --columns op,share --ci
# Their variance counts as 2% of that of independent samples, which is the least.
within "$(cell load 3)" 32.58 34.09
run 0 report --raw "$dir/turns.spe" --by op --columns op,share --ci
# Twice the variance of 300 samples is that of 150.
within "$(cell load 3)" 42.1 57.9

begin "ci: cost and cycles of all samples"
run 0 report --raw "$dir/ci.spe" --by op --columns op,cost,cycles --ci
# 562 of 562 + 182 * 5 = 1472 cycles are 38.18%.  The squares are 5924 for loads, 10474 for all:
# (5924 (1 - 2 * 0.3818) + 0.3818^2 * 10474) / 263 = 11.13, and 1.969 sqrt(11.13 / 263) / 5.597 = 7.24%.
within "$(cell load 3)" 30.94 45.42
# 562 is 263 times 2.137, with the variance 5924 / 263 - 2.137^2 = 17.96: 1.969 sqrt(17.96 * 263) = 135.
within "$(cell load 5)" 427 697

# of_table TITLE ROW COLUMN: a cell of the row that ends with ROW, in a table of stat or mem
of_table() {
	tr -s ' ' <"$out" | sed 's/^ //' | awk -v title="# $1" -v row="$2" -v n="$3" '
		/^$/ { ours = 0 }
		index($0, title) == 1 { ours = 1 }
		ours && !/^#/ && index($0 " ", " " row " ") { print $n }'
}

# Of 300 samples in phases or in turns the limits are those of report, above, and 300 times them.
begin "ci: phases and turns in the tables of stat"
run 0 stat --raw "$dir/phases.spe" --ci
within "$(of_table operations 'load GP-REG' 4)" 32.58 34.09
within "$(of_table operations 'load GP-REG' 2)" 97.7 102.3
run 0 stat --raw "$dir/turns.spe" --ci
within "$(of_table operations 'load GP-REG' 4)" 42.1 57.9
within "$(of_table operations 'load GP-REG' 2)" 126.3 173.7

# 50 loads of source 0, 50 of source 14, 100 branches.  Of 199 pairs 49 are in source 0, 99 are of
# loads, and these have 99 samples of source 0: 49 - 0.5 * 99 + 0.25 * 99 = 24.25 by 199 * 0.5 * 0.25
# is a correlation of 0.975.  So the 100 loads say as much as 100 / 0.0251 = 3984: 50% -+ 1.55%.
# Where a branch follows each load, no load follows another, and 100 say as much as 100.
begin "ci: shares of the loads with a data source, in phases and between other samples"
load_of() { echo "rec class=1 op=0 total=4 source=$1"; }
times() { for ((n = 0; n < $1; n++)); do "${@:2}"; done; }
branch() { echo 'rec class=2 op=1 total=5'; }
with_branch() { load_of "$1"; branch; }
{ times 50 load_of 0; times 50 load_of 14; times 100 branch; } | raw_file sources.spe
run 0 stat --raw "$dir/sources.spe" --ci --cpu-model neoverse-n1
within "$(of_table 'data sources' 0 4)" 48.45 51.55
{ times 50 with_branch 0; times 50 with_branch 14; } | raw_file sources.spe
run 0 stat --raw "$dir/sources.spe" --ci --cpu-model neoverse-n1
within "$(of_table 'data sources' 0 4)" 40.38 59.62

begin "ci: stat's operations, events and latencies"
run 0 stat --raw "$dir/ci.spe" --ci
within "$(of_table operations 'load GP-REG' 2)" 67.1 96.3
within "$(of_table operations 'load GP-REG' 4)" 25.53 36.62
within "$(of_table operations 'load GP-REG' 6)" 5.83 8.05
[ "$(of_table operations 'load GP-REG' 8)" = 2-12 ] || fail "median $(of_table operations 'load GP-REG' 8)"
# 81 of 81 samples have events; all retired: 81 / (81 + 3.8415) = 95.47%
within "$(of_table events retired 3)" 95.47 100
within "$(of_table events l1d-refill 3)" 24.03 44.14
# All 263 samples: mean 5.597, deviation 2.92
within "$(of_table latency total 3)" 5.25 5.96

# 10 of 40 samples: Wilson's limits by hand are 0.1419 and 0.4019
begin "ci: shares and means of mem and sharing"
{
	printf '%s\n' 'info 4' 'comm 10 10 1 1 first' 'comm 10 11 1 0 first'
	for i in $(seq 0 39); do
		echo "rec class=1 op=1 va=$((i % 4 ? 0x1000 : 0x9000)) total=$((i % 8 ? 10 : 30)) events=2 ctx1=$((10 + i % 2))"
	done
	echo 'auxtrace 0 0 -1 0'
} | perf_file mem.data
run 0 mem -i "$dir/mem.data" --ci
within "$(of_table 'hottest pages' 0x9000 4)" 14.19 40.19
# 10 and 30 cycles in turn: mean 20, deviation 10.54; 2.262 * 10.54 / sqrt(10) = 7.54
[ "$(of_table 'hottest pages' 0x9000 6)" = 20.0 ] || fail "mean $(of_table 'hottest pages' 0x9000 6)"
within "$(of_table 'hottest pages' 0x9000 7)" 12.46 27.54
run 0 sharing -i "$dir/mem.data" --ci
# 30 of the 40 samples are at 0x1000.  20 of these are of thread 11, a share of 2/3, and no two come in
# succession.  20 of the 39 pairs of successive samples are of this line, with 20 samples of thread 11.  Their
# covariance is -20 * 2/3 + 20 * 4/9 = -4.444; divided by 39 * 30/40 * 2/9 it is a correlation of -0.684.
# So the 30 samples tell as much as 17.8 independent ones.  Wilson's limits by hand are 0.4364 and 0.8378.
within "$(tr -s ' ' <"$out" | awk '/[+]0 store 11 / { print $5 }')" 43.64 83.78

# Of 300 samples those of the first page, thread, event and 100 are in phases or in turns: the
# limits are those of report, above.  In turns 50% of 300 samples say as much as of 150.
begin "ci: phases and turns in the events of stat, in mem and in sharing"
access() { echo "rec class=1 op=1 va=0x$1 total=4 events=$2 ctx1=$3"; }
two_threads() { printf '%s\n' 'info 4' 'comm 10 10 1 1 first' 'comm 10 11 1 0 first'; }
{ two_threads; times 100 access 9000 10 10; times 200 access 9008 2 11; echo 'auxtrace 0 0 -1 0'; } | perf_file phases.data
{ two_threads; times 100 access 1000 2 10; times 200 access 9000 2 10; echo 'auxtrace 0 0 -1 0'; } | perf_file pages.data
{ two_threads; for _ in $(seq 150); do access 9000 10 10; access 9008 2 11; done; echo 'auxtrace 0 0 -1 0'; } | perf_file turns.data
run 0 stat -i "$dir/phases.data" --ci
within "$(of_table events l1d-refill 3)" 32.58 34.09
run 0 sharing -i "$dir/phases.data" --ci
within "$(tr -s ' ' <"$out" | awk '/[+]0 store 10 / { print $5 }')" 32.58 34.09
run 0 mem -i "$dir/pages.data" --ci
within "$(of_table 'hottest pages' 0x1000 4)" 32.58 34.09
run 0 stat -i "$dir/turns.data" --ci
within "$(of_table events l1d-refill 3)" 42.1 57.9
run 0 sharing -i "$dir/turns.data" --ci
within "$(tr -s ' ' <"$out" | awk '/[+]0 store 10 / { print $5 }')" 42.1 57.9

# 150 samples of 2 cycles, then 150 of 12: mean 7, deviation 5.008; 2% of the variance of independent
# samples is that of 15000, so 7 -+ 1.96 * 5.008 / sqrt(15000) = 0.080.  In turns of 150: 0.809.
begin "ci: phases and turns in the latencies of all samples"
taking() { echo "rec class=1 op=0 total=$1"; }
{ times 150 taking 2; times 150 taking 12; } | raw_file phases.spe
run 0 stat --raw "$dir/phases.spe" --ci
within "$(of_table latency total 3)" 6.92 7.08
for _ in $(seq 150); do taking 2; taking 12; done | raw_file turns.spe
run 0 stat --raw "$dir/turns.spe" --ci
within "$(of_table latency total 3)" 6.19 7.81

begin "ci: without it, nothing changes"
run 0 report --raw "$dir/ci.spe" --by op
says 'share'
! grep -q '95% CI' "$out" || fail "intervals without --ci"

begin "ci: by symbol, and with two threads"
for _ in 1 2 3 4 5 6; do echo 'rec total=5 class=1 op=0 pc=0x1000'; done >"$dir/half"
{ echo 'info 4'; cat "$dir/half"; echo 'auxtrace 0 0 10 0'; cat "$dir/half"; echo 'auxtrace 1 1 20 0'; } | perf_file two.data
PERF_SPE_THREADS=1 run 0 report -i "$dir/two.data" --ci
body >"$dir/one"
PERF_SPE_THREADS=2 run 0 report -i "$dir/two.data" --ci
body | cmp -s - "$dir/one" || fail "two threads print other intervals"
says '95% CI'

finish
