#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe sharing: which lines are shared, and which are not.
# usage: sharing.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source=lib/sharing.sh
. "$(dirname "$0")/lib/sharing.sh"

{
	head_of
	# 0x1000: two threads, each its own bytes, with snoops: false sharing
	for _ in 1 2 3 4 5; do
		store "$hot_pc" 10 100 0x1000 0x800002
		store "$hot_pc" 10 100 0x1000 0x800002
	done
	# 0x2000: both store the same byte
	store "$hot_pc" 10 10 0x2004
	# 0x3000: both load; 0x4000: one thread alone; 0x5000: two processes
	load "$hot_pc" 10 10 0x3000
	store "$hot_pc" 10 10 0x4000
	load "$hot_pc" 10 10 0x4008
	store "$hot_pc" 10 10 0x5000
	# All processes share the kernel's half of the address space.
	store 0xa0ff800000001000 10 10 0xff800000006000
	echo 'auxtrace 0 0 10 0'
	for _ in 1 2 3 4 5; do
		load "$cold_pc" 11 300 0x1008
		load "$cold_pc" 11 500 0x1008
	done
	store "$cold_pc" 11 10 0x2004
	load "$cold_pc" 11 10 0x3000
	store "$cold_pc" 20 10 0x5000
	store 0xa0ff800000001000 20 10 0xff800000006000
	# Loads whose data source is a peer's cache count as snooped too.
	echo "rec pc=$cold_pc ctx1=11 class=1 op=0 va=0x2010 source=9"
	echo 'rec class=1 op=0'
	echo 'rec class=2 op=0'
	echo 'auxtrace 1 1 20 0'
} | perf_file s.data

# part LINE: print the part of the output about this cache line
part() { awk -v want="line $1" 'index($0, want) { p = 1 } /^$/ { p = 0 } p' "$out"; }
has() { part "$1" | tr -s ' ' | finds -F -- "$2" || fail "line $1 has no '$2'"; }

begin "sharing: lines that several threads use, the worst first"
run 0 sharing -i "$dir/s.data" --symfs "$dir/root"
silent
says '# 31 loads and stores with an address in 7 lines, 3 lines shared'
[ "$(grep -o 'line 0x[0-9a-f]*' "$out" | paste -sd' ')" = 'line 0x1000 line 0x2000 line 0xffff800000006000' ] ||
	fail 'other lines, or another order'

begin "sharing: without a store no line can be shared"
run 0 sharing -i "$dir/s.data" --symfs "$dir/root" --filter 'op == load and symbol == cold'
says ' 0 lines shared'
warns "sharing: no sample that --filter 'op == load and symbol == cold' keeps is a store or an atomic operation, and lines without one are not listed: change or remove the filter"
run 0 sharing --symfs "$dir/root" -i "$dir/s.data" --cpu 0
warns "sharing: no sample that --cpu '0' keeps is of a second thread, and lines that one thread uses are not listed: change or remove the filter"
run 0 sharing -i "$dir/s.data" --symfs "$dir/root" --filter 'op == load and symbol == cold' --json
warns 'and lines without one are not listed'
json '"perf-spe: sharing: %s\n" % d["why_none"] == open("'"$err"'").read()'
run 0 sharing -i "$dir/s.data" --symfs "$dir/root" --json
json 'd["why_none"] is None and d["lines"]'
run 0 sharing -i "$dir/s.data" --symfs "$dir/root"

begin "sharing: who, which byte, from where"
has 0x1000 'of process 10: 10 loads, 10 stores, 10 snooped, 2 sharers on 2 CPUs, no byte shared: false sharing?'
# The loads and stores with an address took 10 * 100 + 5 * 300 + 5 * 500 + 10 * 10 cycles.
has 0x1000 ' 19.61% 10 10 100.00% 100.00% 100.0 +0 store 10 first 0 prog hot'
has 0x1000 ' 78.43% 10 0 0.00% 100.00% 400.0 +8 load 11 first 1 prog cold'
has 0x2000 'of process 10: 1 load, 2 stores, 1 snooped, 2 sharers on 2 CPUs'
part 0x2000 | finds false && fail 'a byte that both store is no false sharing'
has 0x2000 ' - 1 1 100.00% 100.00% - +16 load 11 first 1 prog cold'
has 0xffff800000006000 ' 0.20% 1 0 50.00% 100.00% 10.0 +0 store 20 second 1 [kernel] 0xffff800000001000'

# 11 snooped samples in all, by hand from the records above
begin "sharing: a table of the lines, with their share and the sum of the shares"
table() { sed -n '/^# lines by/,/^$/p' "$out" | tr -s ' '; }
table | finds -x '# lines by snooped samples' || fail "$(table)"
table | finds -x '# cost count snooped share sum sharers CPUs line' || fail "$(table)"
table | finds -x ' 98.04% 20 10 90.91% 90.91% 2 2 virtual 0x1000 of process 10, false sharing?' || fail "$(table)"
table | finds -x ' 0.39% 3 1 9.09% 100.00% 2 2 virtual 0x2000 of process 10' || fail "$(table)"
table | finds -x ' 0.39% 2 0 0.00% 100.00% 2 2 virtual 0xffff800000006000' || fail "$(table)"
run 0 sharing -i "$dir/s.data" --symfs "$dir/root" --filter 'not events has data-snooped and va > 0x2004'
table | finds . && fail 'a table of one line'
run 0 sharing -i "$dir/s.data" --symfs "$dir/root" --filter 'not events has data-snooped and not source'
table | finds -x '# lines by samples, as none is snooped' || fail "$(table)"
table | finds -x ' [0-9.]*% 2 0 50.00% 50.00% 2 2 virtual 0x2000 of process 10' || fail "$(table)"

# With 10 samples a byte that a thread uses in a quarter of its accesses is not seen
# with a probability of 0.75^10 = 6%; with 9 and less it is.
begin "sharing: false sharing needs ten samples of each of two threads"
# disjoint STORES LOADS STORE-CPU LOAD-CPU: two threads with their own bytes of a line
disjoint() {
	head_of
	for ((i = 0; i < $1; i++)); do store "$hot_pc" 10 10 0x1000; done
	echo "auxtrace $3 $3 10 0"
	for ((i = 0; i < $2; i++)); do load "$cold_pc" 11 10 0x1008; done
	echo "auxtrace 7 $4 11 0"
}
# Another thread that once ran on this CPU makes no difference.
{
	disjoint 30 30 0 1
	store "$cold_pc" 11 10 0x9000
	echo 'auxtrace 9 0 11 0'
} | perf_file one.data
run 0 sharing --symfs "$dir/root" "$dir/one.data" --cpu 0
says ' 0 lines shared'
warns "sharing: no sample that --cpu '0' keeps is of a second CPU, and what other CPUs do to a line is not seen: change or remove the filter"
disjoint 10 10 0 1 | perf_file d.data
run 0 sharing -i "$dir/d.data" --symfs "$dir/root"
says '10 loads, 10 stores, 0 snooped, 2 sharers on 2 CPUs, no byte shared: false sharing?'
for counts in '9 10' '10 9' '3 1' '1 100'; do
	# shellcheck disable=SC2086 # two numbers
	disjoint $counts 0 1 | perf_file d.data
	run 0 sharing -i "$dir/d.data" --symfs "$dir/root"
	says '2 sharers on 2 CPUs, too few samples to tell'
done

# A virtual address is of its process: the recording does not know the contexts 7000 and 8000.
begin "sharing: no line of processes that are not known"
{
	head_of
	for ((i = 0; i < 20; i++)); do store "$hot_pc" 7000 10 0x1000; done
	echo 'auxtrace 0 0 -1 0'
	for ((i = 0; i < 20; i++)); do load "$cold_pc" 8000 10 0x1008; done
	echo 'auxtrace 7 1 -1 0'
} | perf_file d.data
run 0 sharing -i "$dir/d.data" --symfs "$dir/root"
says '# 40 more of unknown processes count for no line'
! grep -q sharers "$out" || fail 'a line'

begin "sharing: one thread on two CPUs is one sharer"
{
	printf '%s\n' 'midrs 2 0x413fd0c1 0x413fd0c1' 'comm 10 10 1 1 first' "map 10 $map_prog 2 $id /usr/bin/prog"
	for ((i = 0; i < 20; i++)); do store "$hot_pc" 10 10 0x1000 | sed 's/ctx1=10//'; done
	echo 'auxtrace 0 0 10 0'
	for ((i = 0; i < 20; i++)); do load "$cold_pc" 10 10 0x1008 | sed 's/ctx1=10//'; done
	echo 'auxtrace 7 1 10 0'
} | perf_file d.data
run 0 sharing -i "$dir/d.data" --symfs "$dir/root"
says 'in 1 line, 0 lines shared'

begin "sharing: threads on one CPU share no line falsely, as they never run at once"
disjoint 30 30 0 0 | perf_file d.data
run 0 sharing -i "$dir/d.data" --symfs "$dir/root"
says '30 loads, 30 stores, 0 snooped, 2 sharers on 1 CPU, all on one CPU'
grep -q 'false sharing' "$out" && fail 'false sharing on one CPU'

begin "sharing: where CPUs are not known, two threads are enough"
{
	head_of
	for _ in {1..10}; do store "$hot_pc" 10 10 0x1000; done
	echo "auxtrace 0 -1 10 0"
	for _ in {1..10}; do load "$cold_pc" 11 10 0x1008; done
	echo "auxtrace 1 -1 11 0"
} | perf_file d.data
run 0 sharing -i "$dir/d.data" --symfs "$dir/root"
says '2 sharers on unknown CPUs, no byte shared: false sharing?'

begin "sharing: by physical address, where there is one"
{
	head_of
	echo "rec pc=$hot_pc ctx1=10 class=1 op=1 va=0x1000 pa=0x80000000fb24e000"
	echo "rec pc=$cold_pc ctx1=20 class=1 op=0 va=0x7000 pa=0x80000000fb24e004"
	echo 'auxtrace 0 0 10 0'
} | perf_file p.data
run 0 sharing -i "$dir/p.data" --symfs "$dir/root"
says '# 2 loads and stores with an address (2 with a physical one) in 1 line, 1 line shared'
says 'physical line 0xfb24e000: 1 load, 1 store, 0 snooped, 2 sharers on 1 CPU'

begin "sharing: CPUs stand for threads that are not known"
{
	echo 'info 4'
	for cpu in 0 1; do
		echo 'rec class=1 op=1 va=0xff800000001000'
		echo "auxtrace $cpu $cpu -1 0"
	done
} | perf_file c.data
run 0 sharing -i "$dir/c.data"
says '2 sharers on 2 CPUs'
says 'CPU 1'

# A load of data that its own CPU modified has this event too, E[21] (D18.2.6.2); E[23] alone
# tells that another cache had the data.
begin "sharing: data that were modified need not come from another cache"
{
	head_of
	for _ in {1..10}; do store "$hot_pc" 10 10 0x1000; done
	echo 'auxtrace 0 0 10 0'
	for _ in {1..10}; do load "$cold_pc" 11 10 0x1008 0x200002; done
	load "$cold_pc" 11 10 0x1008 0xa00002
	echo 'auxtrace 1 1 11 0'
} | perf_file m.data
run 0 sharing -i "$dir/m.data" --symfs "$dir/root"
says '11 loads, 10 stores, 1 snooped, 2 sharers on 2 CPUs'

begin "sharing: several CPUs before one"
{
	head_of
	for _ in 1 2 3; do
		store "$hot_pc" 10 10 0x1000
		store "$hot_pc" 11 10 0x1000
	done
	store "$hot_pc" 10 10 0x2000
	echo 'auxtrace 0 0 10 0'
	store "$hot_pc" 11 10 0x2000
	echo 'auxtrace 1 1 10 0'
} | perf_file o.data
run 0 sharing -i "$dir/o.data" --symfs "$dir/root"
[ "$(grep -o 'line 0x[0-9a-f]*' "$out" | paste -sd' ')" = 'line 0x2000 line 0x1000' ] || fail 'order'

# LDADD and its kind are loads in the packet if they return the old value (D18.2.7).
begin "sharing: an atomic load writes too"
{
	head_of
	echo "rec pc=$hot_pc ctx1=10 class=1 op=6 va=0x1000"
	echo 'auxtrace 0 0 10 0'
	echo "rec pc=$cold_pc ctx1=11 class=1 op=6 va=0x1000"
	echo "rec pc=$cold_pc ctx1=11 class=1 op=0 va=0x2000"
	echo 'auxtrace 1 1 10 0'
	echo "rec pc=$hot_pc ctx1=10 class=1 op=0 va=0x2000"
	echo 'auxtrace 0 0 10 0'
} | perf_file at.data
run 0 sharing -i "$dir/at.data" --symfs "$dir/root"
says '1 line shared'
says 'virtual line 0x1000 of process 10: 2 loads, 0 stores, 0 snooped, 2 sharers on 2 CPUs'

# More accesses than perf-spe keeps before it adds their samples to the lines, each again and again
begin "sharing: many accesses"
many() {
	awk -v pc="$hot_pc" 'BEGIN { for (i = 0; i < 51000; i++)
		printf "rec pc=%s ctx1=%d class=1 op=%d va=0x%x total=%d events=%s\n", pc, 10 + int(i / 8500) % 2,
			6 * (i % 4 == 1), 0x100000 + i % 8500 * 64 + int(i / 8500) % 2 * 8, i % 1000, i % 3 ? 2 : "0x800002" }'
}
{
	head_of
	many | split -l 8500 --filter "cat; echo 'auxtrace 0 0 10 0'"
} | awk '/^auxtrace/ { $2 = $3 = n++ % 2 } 1' | perf_file b.data
run 0 sharing -i "$dir/b.data" --symfs "$dir/root" --limit 3
says '# 51000 loads and stores with an address in 8500 lines, 2125 lines shared'
[ "$(grep -c ': 6 loads, 0 stores, 2 snooped, 2 sharers on 2 CPUs' "$out")" = 3 ] || fail 'other counts'
run 0 sharing -i "$dir/b.data" --symfs "$dir/root" --limit 1000000 --csv=accesses
awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	{ rows++; good += $at["count"] == 3; cycles += $at["cycles"] }
	END { exit !(rows == 4250 && good == rows && cycles == 6362250) }' "$out" || fail 'other accesses'

# Its kernel stack is not shared, though perf's child and the program that it executes have other names.
begin "sharing: a thread that executes another program is one thread"
{
	printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 0 perf-exec' 'itrace 10 10 0 2' 'comm 10 10 2000 1 prog'
	for time in 1000 3000; do
		echo "rec pc=0xffff800080001000 class=1 op=1 total=7 va=0xffff80000800bc00 ts=$time"
	done
	echo 'auxtrace 0 -1 10 0'
} | perf_file exec.data
run 0 sharing "$dir/exec.data"
says '# 2 loads and stores with an address in 1 line, 0 lines shared'
run 0 report "$dir/exec.data" --by comm --columns comm,count
grep -qE '^ +perf-exec +1$' "$out" || fail 'no two names'

begin "sharing: size of a line, limits and filter"
run 0 sharing -i "$dir/s.data" --symfs "$dir/root" --line 16 --limit 1 --sides 1
says 'in 8 lines'
says '# 2 more lines'
grep -qxF '# 1 more row' "$out" || fail 'not one more row'
run 0 sharing -i "$dir/s.data" --symfs "$dir/root" --filter 'total > 99'
says '1 line shared'

begin "sharing: nothing to say, and wrong usage"
printf 'rec class=2 op=0' | raw_file n.spe
run 0 sharing --raw "$dir/n.spe"
warns 'no sample has a data address'
printf '%s\n' 'info 4' 'rec class=1 op=0 va=0x1000 total=5' 'auxtrace 0 0 -1 0' | perf_file n.data
run 0 sharing "$dir/n.data"
warns 'sharing: no sample of a known process has a data address: use a perf.data file of perf spe record'
run 0 advise "$dir/n.data"
says 'false-sharing (no sample of a known process has a data address)'
run 0 report "$dir/n.data" --html "$dir/n.html"
grep -qF 'No sample of a known process has a data address: use a perf.data file of perf spe record' "$dir/n.html" || fail 'the page'
printf '%s\n' 'rec class=1 op=0 va=0x1000 total=5' 'rec class=1 op=1 va=0x1008 total=5' | raw_file n.spe
run 0 sharing --raw "$dir/n.spe"
warns 'sharing: no sample has a known thread or CPU, so nothing tells which lines several use: use a perf.data file of perf spe record'
run 1 advise --raw "$dir/n.spe" --fail-on false-sharing
says 'false-sharing (no sample has a known thread or CPU)'
run 2 sharing --line 48
run 2 sharing --line 512
run 2 sharing --sides 0
run 2 sharing more
run 0 sharing --help

finish
