#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe advise: each kind of finding in a recording with a planted flaw, and none in its
# healthy twin.  The numbers are computed by hand from the planted samples.
# usage: advise.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/trust.sh
. "$(dirname "$0")/lib/trust.sh"
make_program
hot_pc=$(user "$(at "$hot")") cold_pc=$(user "$(at "$cold")")

# With jitter and a period of 4096 a sample stands for 4097 to 4224 operations (D17.3.4.1), on
# average 4160.5.
start() {
	head_of 4096 0 $jitter
	echo "comm 10 10 1 1 prog"
	echo "comm 10 11 1 0 prog"
	echo "map 10 $map_prog 2 $id /usr/bin/prog"
}
# many NUMBER WORD...: so many samples of hot() in thread 10
many() {
	local number=$1
	shift
	repeat "$number" "rec pc=$hot_pc ctx1=10 $*"
}
stop() { echo 'auxtrace 0 0 10 0'; }
advise() { run 0 advise --symfs "$dir/root" "$dir/$1" "${@:2}"; }
nothing() {
	says '# nothing was found: no flaw reaches the thresholds'
	! grep -qE '^[0-9]+\. ' "$out" || fail 'a finding in a healthy recording'
	silent
}
# ranks KIND...: the findings are these, in this order
ranks() {
	local got
	got=$(sed -n 's/^[0-9]*\. \([a-z-]*\): .*/\1/p' "$out" | paste -sd' ')
	[ "$got" = "$*" ] || fail "findings are '$got', not '$*'"
}
# stakes KIND TEXT: its line has this text
stakes() { grep -qF ". $1: $2" "$out" || fail "not '$1: $2' but $(grep -E "^[0-9]+\. $1" "$out")"; }
# reproduces KIND COUNT...: the command beside the finding prints rows of hot with the same
# number of samples
reproduces() {
	local command
	command=$(awk -v kind="$1:" '/^[0-9]+\. / { on = $2 == kind } on && /^   \$ / { sub(/^   \$ perf spe /, ""); print }' "$out")
	eval "\"$perf_spe\" $command" >"$dir/evidence" 2>&1 || fail "evidence: $command"
	grep -q -- "$2" <(tr -s ' ' <"$dir/evidence") || fail "no '$2' by $command"
}

load='class=1 op=0' store='class=1 op=1' branch='class=2 op=1'

# 200 walks of 40 cycles are 8000 of 200 * 60 + 800 * 20 = 28000 cycles, 28.6%. 8000 * 4160.5
# are 33.3 million.  The number of walks is random: 1.96 * sqrt(200) * 40 = 1109 cycles,
# 6891 * 4097 = 28.2 million to 9109 * 4224 = 38.5 million.
begin "advise: data TLB walks"
{
	start
	many 200 "$load total=60 xlat=40 events=0x26"
	many 800 "$load total=20 xlat=0 events=6"
	stop
} | perf_file tlb.data
advise tlb.data
ranks tlb-walks
stakes tlb-walks '28.6% of the cycles at stake: about 33.3 million (95% CI 28.2 million to 38.5 million)'
says '200 samples of loads and stores that needed a page table walk'
says 'at stake: translation latency above'
says 'huge pages'
reproduces tlb-walks 'hot /usr/bin/prog 100.00% 60.0 60 60 200'
{ start; many 1000 "$load total=20 xlat=0 events=6"; stop; } | perf_file well.data
advise well.data
nothing

# Without other accesses nothing tells what they would take.
run 1 advise -i "$dir/tlb.data" --symfs "$dir/root" --filter 'events has tlb-walk' --fail-on tlb-walks
says 'tlb-walks (too few samples without it to compare with)'

# CPU 0 has 900 samples of 1088.5 operations on average, CPU 1 100 walks of 4160.5: their 4000 cycles are
# 16.6 million.  An average sample stands for 1395.7 operations, so "about" is 5.58 million; the interval
# has to hold the truth.  1.96 * sqrt(100) * 40 = 784 cycles: 3216 * 1025 to 4784 * 4224.
begin "advise: walks on CPUs with a longer interval than others"
{
	printf '%s\n' 'pmus 8 arm_spe_0 9 arm_spe_1' 'pmus-of-cpus 2 8 9' "attr 8 1024 0 $jitter 0 0 0 0" \
		"attr 9 4096 0 $jitter 0 0 0 0" 'conv 0 1 0' 'comm 10 10 1 1 prog' "map 10 $map_prog 2 $id /usr/bin/prog"
	many 900 "$load total=20 xlat=0 events=6"
	echo 'auxtrace 0 0 -1 0'
	many 100 "$load total=60 xlat=40 events=0x26"
	echo 'auxtrace 1 1 -1 0'
} | perf_file two.data
advise two.data
stakes tlb-walks '16.7% of the cycles at stake: about 5.58 million (95% CI 3.30 million to 20.2 million)'

# Loads that also missed the cache are compared with loads that missed without a walk:
# 200 * (110 - 80) = 6000 of 200 * 110 + 200 * 80 + 600 * 10 = 44000 cycles, 13.6%.
begin "advise: a cache miss is no page table walk"
{
	start
	many 200 "$load total=110 events=0x2e"
	many 200 "$load total=80 events=0xe"
	many 600 "$load total=10 events=6"
	stop
} | perf_file miss.data
advise miss.data --threshold cache-misses=100
nothing
advise miss.data --threshold tlb-walks=13,cache-misses=100
ranks tlb-walks
stakes tlb-walks '13.6% of the cycles'
says 'at stake: total latency above'
sed 's/total=110/total=80/' < <(
	start
	many 200 "$load total=110 events=0x2e"
	many 200 "$load total=80 events=0xe"
	many 600 "$load total=10 events=6"
	stop
) | perf_file well.data
advise well.data --threshold cache-misses=100
nothing

# 300 * (14 - 4) = 3000 of 300 * 14 + 700 * 4 = 7000 cycles: 42.9%
begin "advise: mispredicted branches"
{ start; many 300 "$branch total=14 events=0x82"; many 700 "$branch total=4 events=2"; stop; } | perf_file mis.data
advise mis.data
ranks mispredicted
stakes mispredicted '42.9% of the cycles'
says 'without the operations that the CPU fetched in vain'
reproduces mispredicted 'hot /usr/bin/prog 100.00% 14.0 14 14 300'
# 25 * 10 of 25 * 14 + 975 * 4 = 4250 cycles are 5.9%; 20 * 10 of 4200 are 4.8%
{ start; many 25 "$branch total=14 events=0x82"; many 975 "$branch total=4 events=2"; stop; } | perf_file mis.data
advise mis.data
stakes mispredicted '5.9% of the cycles'
{ start; many 20 "$branch total=14 events=0x82"; many 980 "$branch total=4 events=2"; stop; } | perf_file well.data
advise well.data
nothing

# 250 * (12 - 4) = 2000 of 250 * 12 + 750 * 4 = 6000 cycles
begin "advise: misaligned accesses"
{ start; many 250 "$store total=12 events=0x806"; many 750 "$store total=4 events=6"; stop; } | perf_file mis.data
advise mis.data
ranks misaligned
stakes misaligned '33.3% of the cycles'
reproduces misaligned 'hot /usr/bin/prog 100.00% 12.0 12 12 250'
{ start; many 250 "$store total=4 events=0x806"; many 750 "$store total=4 events=6"; stop; } | perf_file well.data
advise well.data
nothing

# Stores that all are misaligned, beside one that missed, have no other stores to be compared with,
# but loads that hit, too: 500 * (14 - 7) = 3500 of 500 * 14 + 4 * 7 + 1 * 153 + 6 * 7 + 1000 * 3 =
# 10223 cycles.  So were the stores of a program of check-advise.
begin "advise: misaligned stores without others to compare with"
{
	start
	many 500 "$store total=14 events=0x806"
	many 4 "$store total=7 events=6"
	many 1 "$store total=153 events=0xe"
	many 6 "$load total=7 events=6"
	many 1000 'class=0 op=0 total=3 events=2'
	stop
} | perf_file alone.data
advise alone.data
ranks misaligned
stakes misaligned '34.2% of the cycles'

# memset() of a large table: the stores that cross into a line are those that miss it, and hardly an aligned one does.
# What they take is the misses'.
begin "advise: misaligned stores that miss a cache"
{
	start
	many 30 "$store total=160 events=0xa0e"
	many 25 "$store total=50 events=0x80e"
	many 6 "$store total=63 events=0x20e"
	many 500 "$store total=10 events=6"
	stop
} | perf_file memset.data
advise memset.data --threshold cache-misses=100
nothing
! grep -q 'misaligned (' "$out" || fail "the samples can show misaligned accesses"

# Where every load and store is misaligned, no sample tells what an aligned one takes: "nothing was
# found" alone would say that nothing is wrong.
begin "advise: nothing but misaligned accesses"
{ start; many 500 "$store total=14 events=0x806"; many 1000 'class=0 op=0 total=3 events=2'; stop; } | perf_file all.data
advise all.data
nothing
says 'misaligned (too few samples without it to compare with)'
advise alone.data
! grep -q 'misaligned (' "$out" || fail "the samples can show misaligned accesses"

# On a Neoverse N1 source 13 is "remote", source 14 "dram". 200 * (300 - 100) = 40000 of 200 *
# 300 + 200 * 100 + 600 * 10 = 86000 cycles
begin "advise: memory of another socket, by the data source"
{
	start
	many 200 "$load total=300 events=0xe source=13"
	many 200 "$load total=100 events=0xe source=14"
	many 600 "$load total=10 events=6 source=0"
	stop
} | perf_file far.data
advise far.data
ranks remote cache-misses
stakes remote '46.5% of the cycles'
# What memory of this socket served missed a cache, too: 200 * (100 - 10) cycles.
stakes cache-misses '20.9% of the cycles'
says 'of their misses level unknown'
reproduces remote 'hot /usr/bin/prog 100.00% 300.0 300 300 200'
# All memory is that of another socket: 200 * (300 - 10) of 200 * 300 + 600 * 10 cycles
{ start; many 200 "$load total=300 events=0xe source=13"; many 600 "$load total=10 events=6 source=0"; stop; } | perf_file far.data
advise far.data
ranks remote
stakes remote '87.9% of the cycles'
{
	start
	many 400 "$load total=300 events=0x40e source=14"
	many 600 "$load total=10 events=6 source=0"
	stop
} | perf_file well.data
advise well.data
ranks cache-misses
! grep -q '^ *400 .*remote' "$out" || fail "memory of this socket is called remote"

# Thread 10 stores to byte 0, thread 11 loads byte 8 of one line, on two CPUs.  Hits take 5
# cycles: 100 * (95 + 195) = 29000 of 100 * 100 + 100 * 200 + 800 * 5 = 34000 cycles, 85.3%.
two_cpus() { sed 's/^midrs 1 .*/midrs 2 0x414fd0c1 0x414fd0c1/'; }
# pair ADDRESS STORE-CYCLES LOAD-CYCLES
pair() {
	start
	many 100 "$store total=$2 va=0x1000 events=0xe"
	many 400 "$store total=5 va=0x2000 events=6"
	stop
	repeat 100 "rec pc=$cold_pc ctx1=11 $load total=$3 va=$1 events=0xe"
	repeat 400 "rec pc=$cold_pc ctx1=11 $load total=5 va=0x3000 events=6"
	echo 'auxtrace 1 1 11 0'
}
begin "advise: false sharing"
pair 0x1008 100 200 | two_cpus | perf_file line.data
advise line.data
ranks false-sharing
stakes false-sharing '85.3% of the cycles'
says 'where: line 0x1000 of process 10'
says 'alignas(64)'
grep -qE '^ +100 +100\.0  \+0 store prog hot$' "$out" || fail 'no row of the store'
grep -qE '^ +100 +200\.0  \+8 load prog cold$' "$out" || fail 'no row of the load'
reproduces false-sharing 'false sharing?'
# Accesses to the line that hit the first cache wait, too: they are no base.  100 * (95 + 195) + 100 * 30 =
# 32000 of 34000 + 100 * 35 cycles
{
	pair 0x1008 100 200 | sed '$d'
	repeat 100 "rec pc=$cold_pc ctx1=11 $load total=35 va=0x1008 events=6"
	echo 'auxtrace 1 1 11 0'
} | two_cpus | perf_file hits.data
advise hits.data
stakes false-sharing '85.3% of the cycles'
pair 0x4008 5 5 | two_cpus | perf_file well.data
advise well.data
nothing
# Without accesses to other lines nothing tells what those to this one would take.
run 1 advise -i "$dir/hits.data" --symfs "$dir/root" --filter 'cache_line == 0x1000' --fail-on false-sharing
says 'false-sharing (too few samples of other lines that hit the first cache to compare with)'
warns 'cannot judge false-sharing'
# What a filter leaves out may be the other side of the flaw.
for filter in 'op == load' 'tid == 10' 'cpu == 0'; do
	run 1 advise -i "$dir/line.data" --symfs "$dir/root" --filter "$filter" --fail-on false-sharing
	says 'false-sharing ('
	warns 'cannot judge false-sharing'
done
says 'false-sharing (the filter keeps samples of one thread alone)'
# Another thread that once ran on this CPU makes no difference.
{
	pair 0x1008 100 200
	echo "rec pc=$cold_pc ctx1=11 $load total=5 va=0x9000 events=6"
	echo 'auxtrace 2 0 -1 0'
} | two_cpus | perf_file once.data
run 1 advise -i "$dir/once.data" --symfs "$dir/root" --cpu 0 --fail-on false-sharing
says 'false-sharing (the filter keeps samples of one CPU alone)'
warns 'cannot judge false-sharing'
# Both threads also store elsewhere: what one does to the line is hidden.
{
	start
	many 100 "$store total=100 va=0x1000 events=0xe"
	many 400 "$store total=5 va=0x2000 events=6"
	stop
	repeat 100 "rec pc=$cold_pc ctx1=11 $load total=200 va=0x1008 events=0xe"
	repeat 100 "rec pc=$cold_pc ctx1=11 $store total=5 va=0x3000 events=6"
	repeat 400 "rec pc=$cold_pc ctx1=11 $load total=5 va=0x3040 events=6"
	echo 'auxtrace 1 1 11 0'
} | two_cpus | perf_file sides.data
run 3 advise -i "$dir/sides.data" --symfs "$dir/root" --fail-on false-sharing
for filter in 'op == store' 'symbol == hot or va >= 0x3000' 'tid == 10 or op == store'; do
	run 1 advise -i "$dir/sides.data" --symfs "$dir/root" --filter "$filter" --fail-on false-sharing
	says 'false-sharing (the filter may leave out what other threads do to a line)'
done
run 1 advise -i "$dir/sides.data" --symfs "$dir/root" --filter 'op == store' --fail-on strides
says 'strides (no sample is a load)'
# A filter that leaves out the flaw: the samples then look healthy.
run 1 advise -i "$dir/sides.data" --symfs "$dir/root" --filter 'not events has l1d-refill' --fail-on cache-misses
warns 'cannot judge cache-misses: the filter chooses by events, latency or data source'
# min_latency=30, for which the CPU left samples out
pair 0x4008 5 5 | two_cpus | sed -E 's/^(attr( [^ ]+){4}) ([^ ]+) [^ ]+ /\1 \3 30 /' | perf_file slow.data
run 1 advise -i "$dir/slow.data" --symfs "$dir/root" --fail-on misaligned
warns 'cannot judge misaligned: recorded with a filter of events, latency or data sources'
# The recording has one CPU alone, so no filter hides another one.
pair 0x1008 100 200 | two_cpus | sed 's/^auxtrace 1 1 /auxtrace 1 0 /' | perf_file pinned.data
advise pinned.data --comm prog --fail-on false-sharing
! grep -q 'one CPU alone' "$out" || fail 'it blames the filter'
# Accesses that may all have waited are nothing to compare with, and a filter by latency keeps such ones.
run 1 advise -i "$dir/line.data" --symfs "$dir/root" --filter 'events has l1d-refill' --fail-on false-sharing
says 'false-sharing (too few samples of other lines that hit the first cache to compare with)'
for filter in 'total > 4' 'not total < 50' 'issue >= 0 or op == store' 'not altclk_issue'; do
	advise line.data --filter "$filter"
	says 'misaligned (the filter chooses by events, latency or data source)'
done
pair 0x1008 100 200 | two_cpus | grep -v 'total=5 ' | perf_file refill.data
run 1 advise -i "$dir/refill.data" --symfs "$dir/root" --fail-on false-sharing
says 'false-sharing (too few samples of other lines that hit the first cache to compare with)'
# Of one thread: what its loads met tells what its stores to the same line waited for.
{
	start
	many 40 "$load total=200 va=0x1000 events=0x80000e"
	many 100 "$store total=100 va=0x1000 events=0xe"
	many 400 "$store total=5 va=0x2000 events=6"
	many 400 "$load total=5 va=0x2040 events=6"
	stop
} | two_cpus | perf_file alone.data
advise alone.data --filter 'tid == 10'
ranks cache-misses
says 'mostly because another CPU had the data'
says '1 load and 1 store'

# Two threads on two CPUs add to one counter (loads with AT, D18.2.7).  Atomics that hit take
# 10 cycles: 200 * (150 - 10) = 28000 of 200 * 150 + 100 * 10 + 700 * 5 = 34500 cycles, 81.2%.  The 350
# plain stores to the counter hit and add nothing.
# atomics CYCLES
atomics() {
	start
	many 100 "class=1 op=6 total=$1 va=0x1000 events=0xe"
	many 100 "class=1 op=6 total=10 va=0x2000 events=6"
	many 350 "$load total=5 va=0x2040 events=6"
	stop
	repeat 100 "rec pc=$cold_pc ctx1=11 class=1 op=6 total=$1 va=0x1000 events=0xe"
	repeat 350 "rec pc=$cold_pc ctx1=11 $store total=5 va=0x1000 events=6"
	echo 'auxtrace 1 1 11 0'
}
begin "advise: contended atomics"
atomics 150 | two_cpus | perf_file atomic.data
advise atomic.data
ranks contended-atomics
stakes contended-atomics '81.2% of the cycles'
says 'where: line 0x1000 of process 10'
says '550 samples of accesses to bytes of one cache line that several threads access by atomic or exclusive operations'
grep -qE '^ +100 +150\.0  \+0 load prog cold$' "$out" || fail 'no row of the atomic'
reproduces contended-atomics ': 200 loads, 350 stores, 0 snooped, 2 sharers'
atomics 10 | two_cpus | perf_file well.data
advise well.data
nothing
# A loop with compare and exchange: its plain load waits for the line, and the exchange then hits.
# 200 * (60 - 5) = 11000 of 200 * 60 + 216 * 10 + 384 * 5 = 16080 cycles, 68.4%.  Loads of other bytes
# of the line are not part of it.
# exchanges LOAD-CYCLES [OTHER-CYCLES]
exchanges() {
	local thread pc missed=0xe
	[ "$1" -gt 5 ] || missed=6
	start
	many 200 "class=1 op=6 total=10 va=0x2000 events=6"
	many 300 "$load total=5 va=0x2040 events=6"
	for thread in 10 11; do
		pc=$hot_pc
		[ $thread = 10 ] || { stop; pc=$cold_pc; }
		repeat 100 "rec pc=$pc ctx1=$thread $load total=$1 va=0x1000 events=$missed"
		repeat 8 "rec pc=$pc ctx1=$thread class=1 op=6 total=10 va=0x1000 events=6"
		repeat 42 "rec pc=$pc ctx1=$thread $load total=${2-5} va=0x1020 events=6"
	done
	echo 'auxtrace 1 1 11 0'
}
exchanges 60 | two_cpus | perf_file loop.data
advise loop.data
ranks contended-atomics
stakes contended-atomics '68.4% of the cycles'
reproduces contended-atomics ': 216 loads, 0 stores, 0 snooped, 2 sharers'
exchanges 5 150 | two_cpus | perf_file well.data
advise well.data
nothing
# Other threads have read the line, so that an exchange waits without the event of a miss: it is no base
# for the others.  Of 200 that hit 40 do: 40 * (60 - 10) = 2000 of 40 * 60 + 160 * 10 + 800 * 5 = 8000
# cycles, 25.0%.
# upgrades CYCLES
upgrades() {
	local thread pc
	start
	many 800 "$load total=5 va=0x2040 events=6"
	for thread in 10 11; do
		pc=$hot_pc
		[ $thread = 10 ] || { stop; pc=$cold_pc; }
		repeat 20 "rec pc=$pc ctx1=$thread class=1 op=6 total=$1 va=0x1000 events=6"
		repeat 80 "rec pc=$pc ctx1=$thread class=1 op=6 total=10 va=0x1000 events=6"
	done
	echo 'auxtrace 1 1 11 0'
}
upgrades 60 | two_cpus | perf_file upgrade.data
advise upgrade.data
ranks contended-atomics
stakes contended-atomics '25.0% of the cycles'
upgrades 10 | two_cpus | perf_file well.data
advise well.data
nothing
# The same on one CPU: the threads do not wait for each other.
atomics 150 | sed 's/auxtrace 1 1/auxtrace 1 0/' | perf_file well.data
advise well.data
ranks cache-misses

# 120 samples of one load, whose steps are 1, 2, 3, 1, 2, 3, ... strides of 64 bytes: a walk.
# Every third missed and took 95 cycles more than a hit: 40 * 95 = 3800 of 40 * 100 + 80 * 5 +
# 880 * 2 = 6160 cycles, 61.7%.  One sample stands for 4097 executions (jitter not counted),
# so pgo counts 40 * 4096 misses; the row has the samples.
# walk STEP-OF-I
walk() {
	local i va=$((0x7f0000000000))
	start
	for ((i = 0; i < 120; i++)); do
		va=$((va + 64 * ($1)))
		echo "rec pc=$hot_pc ctx1=10 $load va=$va total=$((i % 3 ? 5 : 100)) events=$((i % 3 ? 6 : 14))"
	done
	many 880 'class=0 op=0 total=2 events=2'
	stop
}
begin "advise: loads that miss with a stride"
walk '1 + i % 3' | perf_file walk.data
advise walk.data
ranks strides
stakes strides '61.7% of the cycles'
says "the load at 0x$(printf %x $((0x$hot))) of hot in /usr/bin/prog, with a stride of 64 bytes in 100% of its steps"
reproduces strides '"hot",,,[0-9]*,163840,100.0,64,100.0'
says ' 40    100.0  0x'
# The same misses at addresses that go up and down have no stride, and stores are not prefetched.
walk '(i * i * 7919) % 101 - 50' | perf_file other.data
advise other.data
ranks cache-misses
stakes cache-misses '61.7% of the cycles'
says '40 samples of loads and stores that missed a cache; no common pattern reaches the thresholds'
grep -qE "^ +40 +100\.0  load 0x$(printf %x $((0x$hot))) hot: level unknown, no stride seen$" "$out" || fail 'no row of the load'
walk '1 + i % 3' | sed "s/$load va/$store va/" | perf_file stores.data
advise stores.data
ranks cache-misses
stakes cache-misses '61.7% of the cycles'
says 'missed a cache, at addresses with a regular stride'
grep -qE "^ +40 +100\.0  store 0x$(printf %x $((0x$hot))) hot: level unknown, stride 64$" "$out" || fail 'no row of the store'
# A walk whose loads all miss, and no other load or store: nothing says what a hit takes.
walk '1 + i % 3' | grep -v 'total=5 ' | sed 's/events=6/events=14/' | perf_file alone.data
advise alone.data
nothing
says "cache-misses (fewer than 5 loads and stores hit the first cache without a page table walk, in lines that no threads contend for, so nothing tells what misses cost; perf spe report --by symbol --filter 'events has l1d-refill or events has l2d-miss or events has llc-miss' counts them), strides (see cache-misses)"
# Its own hits needed a page table walk: they are no base for others, but one for the same load.
walk '1 + i % 3' | sed 's/events=6$/events=0x26/' | perf_file own.data
advise own.data --threshold tlb-walks=100
ranks strides
grep -q 'strides (' "$out" && fail 'a finding that the samples cannot show'
# Twin: the walk without misses
walk '1 + i % 3' | sed 's/total=100 events=14/total=5 events=6/' | perf_file well.data
advise well.data
nothing

# Loops that end before the next sample: their code alone says how far they go.  Each function has one load or
# store of the register x3, and the comment says what each turn adds to its address.
begin "advise: strides that only the code of a loop shows"
if ! find_arm; then
	skip 'no compiler for arm64: install gcc-aarch64-linux-gnu'
else
	cat >"$dir/loops.s" <<'END'
	.macro function name
	.globl \name
	.type \name, %function
	\name:
	.endm
	.macro end name
	ret
	.size \name, . - \name
	.endm
function column		// 1280
1:	ldr x3, [x0]
	add x0, x0, #0x500
	cmp x0, x1
	b.ne 1b
	end column
function post		// 16
1:	ldr x3, [x0], #16
	subs x1, x1, #1
	b.ne 1b
	end post
function down		// -24
1:	str x3, [x0, #8]!
	sub x0, x0, #32
	cbnz x1, 1b
	end down
function index		// 24
1:	ldr x3, [x0, x1, lsl #3]
	add x1, x1, #3
	cmp x1, x2
	b.lo 1b
	end index
function narrow		// 4
1:	add w1, w1, #1
	ldr w3, [x0, w1, uxtw #2]
	cmp w1, w2
	b.lo 1b
	end narrow
function sum		// 8
1:	add x4, x0, x1, lsl #2
	ldr x3, [x4, #16]
	add x1, x1, #2
	cmp x1, x2
	b.lo 1b
	end sum
function computed	// computed
1:	ldr x3, [x0]
	add x0, x0, x5
	subs x1, x1, #1
	b.ne 1b
	end computed
function ring		// 64
1:	add x2, x2, #64
	subs w1, w1, #1
	and x2, x2, x4
	ldrb w3, [x5, x2]
	b.ne 1b
	end ring
function inner		// 128
2:	mov x4, x0
1:	ldr x3, [x4]
	add x4, x4, #128
	cmp x4, x1
	b.lo 1b
	add x0, x0, #8
	cbnz x2, 2b
	end inner
function saved		// 8
	mov x19, x0
1:	ldr x3, [x19]
	bl column
	add x19, x19, #8
	cbnz x20, 1b
	end saved
function unrolled	// 32
1:	ldr x3, [x0]
	add x0, x0, #16
	ldr x4, [x0], #16
	cbnz x4, 1b
	end unrolled
function list		// none
1:	ldr x3, [x0, #8]
	ldr x0, [x0]
	cbnz x0, 1b
	end list
function called		// none
1:	ldr x3, [x0]
	bl column
	add x0, x0, #8
	cbnz x20, 1b
	end called
function sometimes	// none
1:	ldr x3, [x0]
	cbz x3, 2f
	add x0, x0, #8
2:	subs x1, x1, #1
	b.ne 1b
	end sometimes
function same		// none
1:	ldr x3, [x0]
	subs x1, x1, #1
	b.ne 1b
	end same
function straight	// none
	ldr x3, [x0]
	add x0, x0, #8
	end straight
function drawn		// none
1:	madd x1, x1, x2, x4
	and x5, x1, #0xff8
	ldr x3, [x0, x5]
	subs x6, x6, #1
	b.ne 1b
	end drawn
function backwards	// none: the branch back is on no way round
	b 2f
1:	add x0, x0, #8
	ret
2:	ldr x3, [x0]
	cbz x3, 1b
	end backwards
function cold		// 8
1:	ldr x3, [x0]
	add x0, x0, #8
	cbz x3, 3f
2:	subs x1, x1, #1
	b.ne 1b
	ret
3:	add x2, x2, #1
	b 2b
	end cold
function cold_step	// none: another way round adds more
1:	ldr x3, [x0]
	add x0, x0, #8
	cbz x3, 3f
2:	subs x1, x1, #1
	b.ne 1b
	ret
3:	add x0, x0, #16
	b 2b
	end cold_step
function chosen		// none: of a pointer that some turns set
1:	ldr x3, [x0]
	cmp x3, x4
	b.ls 2f
	mov x0, x2
2:	add x2, x2, #8
	subs x1, x1, #1
	b.ne 1b
	end chosen
function masked		// none: the other register may be any mask
1:	and x5, x2, x4
	ldr x3, [x0, x5]
	add x2, x2, #8
	cmp x2, x1
	b.lo 1b
	end masked
function alternates	// none
1:	and x5, x2, #1
	ldr x3, [x0, x5, lsl #3]
	add x2, x2, #1
	cmp x2, x1
	b.lo 1b
	end alternates
function switched	// none: where it goes is not known
1:	ldr x3, [x0]
	add x0, x0, #8
	br x3
2:	subs x1, x1, #1
	b.ne 1b
	end switched
function turns_differ	// none: one loop of the source, whose turns add 3 or 2
1:	cmp x0, x1
	b.hs 3f
2:	ldr x3, [x0]
	cbz x3, 4f
	add x0, x0, #3
	cmp x0, x1
	b.lo 2b
3:	ret
4:	add x0, x0, #2
	b 1b
	end turns_differ
function two_doors	// none: it is entered at two places
	cbz x2, 2f
1:	add x0, x0, #8
2:	ldr x3, [x0]
	subs x1, x1, #1
	b.ne 1b
	end two_doors
function tail		// none: the branch back is of the next function
	ldr x3, [x0]
	add x0, x0, #8
	end tail
function jumps		// none
	ldr x3, [x0]
	b tail
	end jumps
	.globl _start
_start:	ret
END
	mkdir -p "$dir/root/usr/bin"
	"$arm" -nostdlib -static -Wl,--build-id=sha1 -o "$dir/root/usr/bin/loops" "$dir/loops.s" ||
		fail 'cannot build'
	base=$((0x$(readelf -lW "$dir/root/usr/bin/loops" | awk '$1 == "LOAD" && /R E/ { sub(/0x/, "", $3); print $3; exit }')))
	aarch64-linux-gnu-objdump -d "$dir/root/usr/bin/loops" >"$dir/code"
	tested=0
	while read -r _ name _ bytes _; do
		address=$((0x$(awk -v name="<$name>:" '$2 == name { on = 1; next } on && /[ \t][wx]3, \[/ { sub(/:.*/, ""); print $1; exit }' "$dir/code")))
		pc=$(user $((0x7000000000 + address - base)))
		{
			head_of 4096 0 $jitter
			echo 'comm 10 10 1 1 loops'
			echo "map 10 0x7000000000 0x100000 0 2 - /usr/bin/loops"
			for ((i = 0; i < 60; i++)); do
				echo "rec pc=$pc ctx1=10 $load va=$((0x7f0000000000 + (i * i * 7919) % 101 * 64)) total=$((i % 2 ? 100 : 5)) events=$((i % 2 ? 14 : 6))"
			done
			echo 'auxtrace 0 0 10 0'
		} | perf_file loop.data
		advise loop.data
		ranks cache-misses recording # 60 samples are few
		case $bytes in
		none*) says ', no stride seen' ;;
		computed) says ', a stride that the program computes' ;;
		*) says ", stride $bytes in its loop" ;;
		esac
		[[ $bytes == none* ]] || says 'missed a cache, at addresses with a regular stride'
		tested=$((tested + 1))
	done < <(grep '^function' "$dir/loops.s" | tr -d ':')
	[ "$tested" -eq 28 ] || fail "$tested loops, not 28"
	# A search that looks at the next place in some cases only: 60 samples of it, and of an access before it.
	cat >"$dir/probe.s" <<'END'
	.globl probe
	.type probe, %function
probe:	str x1, [x2]
1:	ldr x3, [x0]
	add x0, x0, #16
	cmp x3, x1
	b.ne 1b
	ret
	.size probe, . - probe
	.globl _start
_start:	ret
END
	"$arm" -nostdlib -static -o "$dir/root/usr/bin/probe" "$dir/probe.s" || fail 'cannot build'
	base=$((0x$(readelf -lW "$dir/root/usr/bin/probe" | awk '$1 == "LOAD" && /R E/ { sub(/0x/, "", $3); print $3; exit }')))
	address=$((0x$(nm "$dir/root/usr/bin/probe" | awk '$3 == "probe" { print $1 }')))
	for before in 50 20; do
		{
			head_of 4096 0 $jitter
			echo 'comm 10 10 1 1 probe'
			echo "map 10 0x7000000000 0x100000 0 2 - /usr/bin/probe"
			repeat $before "rec pc=$(user $((0x7000000000 + address - base))) ctx1=10 $store va=0x1000 total=5 events=6"
			for ((i = 0; i < 60; i++)); do
				echo "rec pc=$(user $((0x7000000000 + address + 4 - base))) ctx1=10 $load va=$((0x7f0000000000 + (i * i * 7919) % 101 * 64)) total=$((i % 2 ? 100 : 5)) events=$((i % 2 ? 14 : 6))"
			done
			echo 'auxtrace 0 0 10 0'
		} | perf_file loop.data
		advise loop.data
		case $before in 50) says ', no stride seen' ;; 20) says ', stride 16 in its loop' ;; esac
	done
	# A member can be elsewhere in its structure; an element of an array cannot, nor can one of a union.
	cat >"$dir/types.c" <<'END'
struct node { struct node *next; long key; };
struct table { long used; int words[4096]; };
union value { long number; double real; };
long field(struct node *n) { return n->key; }
int element(struct table *t, long i) { return t->words[i]; }
long either(union value *v) { return v->number; }
void _start(void) { }
END
	"$arm" -g -O1 -nostdlib -static -o "$dir/root/usr/bin/probe" "$dir/types.c" || fail 'cannot build'
	base=$((0x$(readelf -lW "$dir/root/usr/bin/probe" | awk '$1 == "LOAD" && /R E/ { sub(/0x/, "", $3); print $3; exit }')))
	for function in field element either; do
		address=$((0x$(aarch64-linux-gnu-objdump -d "$dir/root/usr/bin/probe" |
			awk -v of="<$function>:" '$2 == of { on = 1 } on && $3 == "ldr" { sub(":", "", $1); print $1; exit }')))
		{
			head_of 4096 0 $jitter
			echo 'comm 10 10 1 1 probe'
			echo "map 10 0x7000000000 0x100000 0 2 - /usr/bin/probe"
			for ((i = 0; i < 60; i++)); do
				echo "rec pc=$(user $((0x7000000000 + address - base))) ctx1=10 $load va=$((0x7f0000000000 + (i * i * 7919) % 101 * 64)) total=$((i % 2 ? 100 : 5)) events=$((i % 2 ? 14 : 6))"
			done
			echo 'auxtrace 0 0 10 0'
		} | perf_file types.data
		advise types.data
		case $function in
		field) says 'of fields of structures that missed a cache' && says ', struct node.key:' ;;
		element) says 'no common pattern reaches the thresholds' && says ', struct table.words[]:' ;;
		either) says 'no common pattern reaches the thresholds' && says ', union value.number' ;;
		esac
	done
fi

# Misses: 100 * (100 - 10) = 9000 of 100 * 100 + 900 * 10 = 19000 cycles, 47.4%
# misses EVENTS [WORD...]: of a load that takes 100 cycles, and 10 if it hits
misses() {
	start
	many 100 "$load total=100 events=$1 ${*:2}"
	many 900 "$load total=10 xlat=0 events=6"
	stop
}
begin "advise: misses without data addresses, and what is unknown then"
misses 0xe | perf_file miss.data
advise miss.data
ranks cache-misses
stakes cache-misses '47.4% of the cycles at stake: about 37.4 million'
says 'where: 1 load and 0 stores; of their misses level unknown; unknown: whether they missed the last cache, as no sample has an event of it; unknown: which cache or memory served the loads, as no load has a known data source; unknown: strides and data, as no sample has a data address'
says 'do: prefetch where the program knows early what comes next'
grep -qE "^ +100 +100\.0  load 0x$(printf %x $((0x$hot))) hot: level unknown, stride unknown$" "$out" || fail 'no row of the load'
reproduces cache-misses '100.00% 100.0 100 100 100'
misses 0xe | sed 's/total=100 events=0xe/total=10 events=6/' | perf_file well.data
advise well.data
nothing

begin "advise: the line of inlined code, and that of its call"
cat >"$dir/inlined.c" <<'END'
int table[9];
static inline __attribute__((always_inline)) int library(int n) { __asm__ volatile("nop");
return table[n]; }
int probe(int n)
{
return library(n);
}
void _start(void) { }
END
${CC:-cc} -g -O0 -nostdlib -static -no-pie -o "$dir/root/usr/bin/inlined" "$dir/inlined.c"
base=$((0x$(readelf -lW "$dir/root/usr/bin/inlined" | awk '$1 == "LOAD" && /R E/ { sub(/0x/, "", $3); print $3; exit }')))
offset=$((0x$(readelf -lW "$dir/root/usr/bin/inlined" | awk '$1 == "LOAD" && /R E/ { sub(/0x/, "", $2); print $2; exit }')))
nop=$((0x$(objdump -d "$dir/root/usr/bin/inlined" | awk '/nop/ { sub(":", "", $1); print $1; exit }')))
{
	head_of 4096 0 $jitter
	echo 'comm 10 10 1 1 inlined'
	echo "map 10 0x7000000000 0x100000 $(hex $offset) 2 - /usr/bin/inlined"
	many 100 "$load total=100 events=0xe"
	many 900 "$load total=10 events=6"
	stop
} | sed "s/pc=[^ ]*/pc=$(user $((0x7000000000 + nop - base)))/" | perf_file inlined.data
advise inlined.data
says ' probe at inlined.c:2, inlined at inlined.c:6: '

# Without the program an instruction has its PC alone.
misses 0xe >"$dir/one"
{ sed '$d' "$dir/one"; repeat 60 "rec pc=$((hot_pc + 8)) ctx1=10 $load total=90 events=0xe"; tail -n 1 "$dir/one"; } | perf_file bare.data
run 0 advise --symfs "$dir" "$dir/bare.data"
reproduces cache-misses '62.50% 100.0 100 100 100'
reproduces cache-misses '37.50% 90.0 90 90 60'

# A copy of the program has another load at the same address in it, with too few misses for a row.
mkdir -p "$dir/root/opt"
cp "$prog" "$dir/root/opt/copy"
{
	misses 0xe
	echo 'comm 20 20 1 1 copy'
	echo "map 20 $map_prog 2 $id /opt/copy"
	repeat 6 "rec pc=$hot_pc ctx1=20 $load total=100 events=0xe"
	echo 'auxtrace 1 1 20 0'
} | perf_file twice.data
advise twice.data
ranks cache-misses recording # two processes without timestamps
reproduces cache-misses '100.00% 100.0 100 100 100'

# Where no load hits, stores that hit in 10 cycles tell what a load would take; without these nothing does.
begin "advise: misses without hits of the same operation"
{ start; many 100 "$load total=100 events=0xe"; many 900 "$store total=10 events=6"; stop; } | perf_file all.data
advise all.data
ranks cache-misses
stakes cache-misses '47.4% of the cycles'
{ start; many 100 "$load total=100 events=0xe"; stop; } | perf_file all.data
advise all.data
ranks recording
says "cache-misses (fewer than 5 loads and stores hit the first cache without a page table walk, in lines that no threads contend for, so nothing tells what misses cost; perf spe report --by symbol --filter 'events has l1d-refill or events has l2d-miss or events has llc-miss' counts them)"

# Two thirds of all cycles, but of many instructions that missed 7 times each, as a program that starts
begin "advise: few misses of each instruction"
{
	start
	for i in 0 1 2 3 4 5 6 7; do
		repeat 7 "rec pc=$((hot_pc + 4 * i)) ctx1=10 $load total=180 events=0xe"
	done
	many 500 "$load total=10 events=6"
	stop
} | perf_file well.data
advise well.data
nothing
# 56 * (180 - 10) = 9520 of 56 * 180 + 500 * 10 = 15080 cycles
says 'cache-misses (8 instructions with fewer than 8 misses each have 56 of them and 63.1% of the cycles at stake: record longer'
run 1 advise --symfs "$dir/root" "$dir/well.data" --fail-on cache-misses
warns 'cannot judge cache-misses: 8 instructions'
# Beside a finding too
{
	start
	for i in 0 1 2 3 4 5 6 7; do
		repeat 7 "rec pc=$((hot_pc + 4 * i)) ctx1=10 $load total=180 events=0xe"
	done
	repeat 30 "rec pc=$((hot_pc + 32)) ctx1=10 $load total=180 events=0xe"
	many 500 "$load total=10 events=6"
	stop
} | perf_file both.data
advise both.data
ranks cache-misses
says '# left out of cache-misses: 8 instructions'
run 0 report --symfs "$dir/root" "$dir/both.data" --html "$dir/both.html"
grep -q '<p>Left out of cache-misses: 8 instructions' "$dir/both.html" || fail 'the page does not say what is left out'
{
	start
	for i in 0 1 2 3 4 5 6 7; do
		repeat 9 "rec pc=$((hot_pc + 4 * i)) ctx1=10 $load total=180 events=0xe"
	done
	many 500 "$load total=10 events=6"
	stop
} | perf_file eight.data
advise eight.data
says 'where: 8 loads and 0 stores'
says '; the evidence is of the 5 with most cycles at stake'

# Without the walk of 40 cycles: 100 * (140 - 40 - 10) = 9000 of 100 * 140 + 900 * 10 = 23000 cycles;
# the walks are 4000.
begin "advise: misses of a cache and the TLB"
misses 0x22e | sed 's/total=100/total=140 xlat=40/' | perf_file pages.data
advise pages.data
ranks cache-misses tlb-walks
stakes cache-misses '39.1% of the cycles'
stakes tlb-walks '17.4% of the cycles'
says 'of their misses 100% missed the last cache, 100% needed a page table walk'
says 'page table walks are left out (they count in tlb-walks)'
# Huge pages save the walks, and nothing of the other finding's cycles.
[ "$(grep -c 'huge pages' "$out")" -eq 1 ] || fail 'huge pages are a remedy for cycles without walks'

begin "advise: misses that an outer cache served, or another CPU"
misses 0x10e | perf_file near.data
advise near.data
ranks cache-misses
says 'of data that an outer cache has'
says 'do: work on blocks of the data'
says 'of their misses 0% missed the last cache'
# Of 100 misses 60 hit an outer cache and take 15 cycles more, and 40 take 190 more, in memory.
{
	start
	many 60 "$load total=25 events=0x10e"
	many 40 "$load total=200 events=0x30e"
	many 900 "$load total=10 events=6"
	stop
} | perf_file tail.data
advise tail.data
ranks cache-misses
says 'of their misses 40% missed the last cache'
! grep -q 'an outer cache has$' "$out" || fail 'an outer cache, by the number of misses'
misses 0x80020e | perf_file snooped.data
advise snooped.data
ranks cache-misses
says 'mostly because another CPU had the data'
says "100% missed the last cache, 100% came from another CPU's cache"
# One of 301 is no part worth a word.
{ start; many 300 "$load total=100 events=0x20e"; many 1 "$load total=100 events=0x80020e"; many 900 "$load total=10 events=6"; stop; } |
	perf_file snooped.data
advise snooped.data
says 'of their misses 100% missed the last cache'
! grep -q "another CPU's cache" "$out" || fail "$(grep "another CPU's cache" "$out")"

# TLB: 100 * 40 = 4000 cycles; branches: 100 * 10 = 1000; of 100 * 60 + 400 * 20 + 100 * 14 +
# 400 * 4 = 17000 cycles they are 23.5% and 5.9%.
begin "advise: the most cycles first, and thresholds"
mixed() {
	start
	many 100 "$load total=60 xlat=40 events=0x26"
	many 400 "$load total=20 xlat=0 events=6"
	many 100 "$branch total=14 events=0x82"
	many 400 "$branch total=4 events=2"
	stop
}
mixed | perf_file mixed.data
advise mixed.data
ranks tlb-walks mispredicted
stakes tlb-walks '23.5%'
stakes mispredicted '5.9%'
says '# thresholds: 20 samples, and 5% of all cycles of total latency at stake, 15% for tlb-walks, 15% for cache-misses that an outer cache serves'
advise mixed.data --min-share 6
ranks tlb-walks
advise mixed.data --threshold tlb-walks=24,mispredicted=1 --min-share 30
ranks mispredicted
says '# thresholds: 20 samples, and 30% of all cycles of total latency at stake, 24% for tlb-walks, 1% for mispredicted'
advise mixed.data --min-samples 101
nothing
advise mixed.data --limit 1
ranks tlb-walks
says '# 2 findings'
says '# 1 more finding'
advise mixed.data --limit 2
ranks tlb-walks mispredicted
grep -q ' more ' "$out" && fail 'more than all'
advise mixed.data --limit 1 --json
json '[f["kind"] for f in d["findings"]] == ["tlb-walks"] and {e["finding"] for e in d["evidence"]} == {1}'
# What is not printed counts all the same.
run 3 advise -i "$dir/mixed.data" --symfs "$dir/root" --limit 1 --fail-on mispredicted
advise mixed.data --filter 'op == branch'
ranks mispredicted
reproduces mispredicted 'hot /usr/bin/prog 100.00% 14.0 14 14 100'

# The recordings are of a Neoverse N1, whose MIDR_EL1 has implementer 0x41 and part 0xd0c.
begin "advise: thresholds by core, from a file"
thresholds() { printf '%s\n' "$@" >"$dir/thresholds"; }
thresholds '# a comment' '' 'neoverse-n1 tlb-walks=24,mispredicted=5.5' '* misaligned=7 # another'
advise mixed.data --thresholds "$dir/thresholds"
ranks mispredicted
says 'at stake, 24% for tlb-walks, 5.5% for mispredicted, 7% for misaligned'
thresholds '* tlb-walks=24' 'neoverse-n2 tlb-walks=30,mispredicted=90' '0x410fd0c0 tlb-walks=23'
advise mixed.data --thresholds "$dir/thresholds"
ranks tlb-walks mispredicted
advise mixed.data --thresholds "$dir/thresholds" --threshold tlb-walks=24
ranks mispredicted
advise mixed.data --thresholds "$dir/thresholds" --cpu-model neoverse-n2
ranks
for line in 'neoverse-n1' 'neoverse tlb-walks=3' '0x41z tlb-walks=3' '* tlb=3' '* tlb-walks' '* tlb-walks=3 more'; do
	thresholds '# first' "$line"
	run 2 advise "$dir/mixed.data" --thresholds "$dir/thresholds"
	warns "advise: $dir/thresholds:2: "
done
run 2 advise "$dir/mixed.data" --thresholds "$dir/none"
warns "cannot read $dir/none"

begin "advise: --fail-on"
run 3 advise "$dir/mixed.data" --fail-on mispredicted
run 3 advise "$dir/mixed.data" --fail-on any
run 1 advise "$dir/mixed.data" --fail-on remote,recording
warns 'advise: --fail-on cannot judge remote: no load has a known data source'
run 0 advise "$dir/mixed.data" --fail-on misaligned,recording
run 1 advise "$dir/mixed.data" --fail-on misaligned,mispredicted --filter 'op == load'
warns 'advise: --fail-on cannot judge mispredicted: no sample is a branch'
run 0 advise "$dir/well.data" --fail-on any
run 2 advise "$dir/well.data" --fail-on tlb
warns "unknown kind of finding 'tlb'"
run 0 advise "$dir/mixed.data" --cpu 7
says '# 0 samples; the cycles are those of the samples alone, as no sample is left'
run 1 advise "$dir/mixed.data" --cpu 7 --fail-on mispredicted,remote
warns 'advise: --fail-on cannot judge mispredicted: no sample is a branch'
run 3 advise "$dir/mixed.data" --cpu 7 --fail-on any

begin "advise: what is wrong with the recording"
# 4097 is 17 * 241, see trust.sh.
mixed | sed "s/^attr.*/attr 8 4096 0 0 0 0 0 0/" | perf_file steady.data
advise steady.data
ranks tlb-walks mispredicted recording
says 'no jitter: each sample comes exactly 4097 operations'
says 'do: record again: perf spe record -- COMMAND'
reproduces recording 'can this recording be trusted? with care'
run 3 advise "$dir/steady.data" --fail-on recording
mixed | sed "s/^attr.*/attr 8 1024 0 0 0 0 0 0/" | perf_file short.data
advise short.data
ranks recording tlb-walks mispredicted

begin "advise: fewer samples than a finding needs are no proof that there is none"
few() { # BRANCHES LOADS
	start
	many "$1" "$branch total=14 events=2"
	many "$2" "$load total=20 events=6"
	stop
}
few 19 40 | perf_file few.data
advise few.data
says 'mispredicted (too few samples are branches)'
run 1 advise --symfs "$dir/root" "$dir/few.data" --fail-on mispredicted
warns 'advise: --fail-on cannot judge mispredicted: too few samples are branches'
run 0 advise --symfs "$dir/root" "$dir/few.data" --fail-on mispredicted --min-samples 10
run 0 advise --symfs "$dir/root" "$dir/few.data" --fail-on tlb-walks
few 40 19 | perf_file few.data
run 0 advise --symfs "$dir/root" "$dir/few.data" --fail-on mispredicted
for kind in tlb-walks misaligned cache-misses; do
	run 1 advise --symfs "$dir/root" "$dir/few.data" --fail-on $kind
	warns "advise: --fail-on cannot judge $kind: too few "
done
# Loads without an address show no line, and those without an event of a cache no miss.
{
	start
	many 10 "$load va=0x1000 total=20 events=6"
	many 9 "$store va=0x1000 total=20 events=6"
	many 100 "$load total=20 events=2"
	stop
} | perf_file few.data
for kind in false-sharing contended-atomics strides cache-misses; do
	run 1 advise --symfs "$dir/root" "$dir/few.data" --fail-on $kind
	warns "advise: --fail-on cannot judge $kind: too few "
done
run 0 advise --symfs "$dir/root" "$dir/few.data" --fail-on tlb-walks

begin "advise: what the samples cannot show"
advise mixed.data
says '# these samples cannot show: remote (no load has a known data source), false-sharing (no sample has a data address), contended-atomics (no sample has a data address), strides (no sample has a data address)'
advise mixed.data --filter 'op == branch'
says 'cannot show: tlb-walks (no sample is a load or store), misaligned (no sample is a load or store), remote'
advise far.data --filter 'op == load'
says 'cannot show: mispredicted (no sample is a branch), false-sharing'

begin "advise: csv"
advise mixed.data -f csv
[ "$(head -n 1 "$out")" = $'rank,kind,share_percent,cycles,cycles_low,cycles_high,count,latency,what,where,remedy,command\r' ] || fail 'heading'
# 4000 * 4160.5 = 16642000
grep -q '^1,"tlb-walks",23.52941176,16642000,' "$out" || fail 'no row of TLB walks'
cp "$out" "$dir/short"
advise mixed.data --csv
cmp "$dir/short" "$out" || fail '-f csv is not --csv'
advise mixed.data --csv=thresholds
grep -q '^"tlb-walks",15' "$out" || fail 'no threshold of TLB walks'
advise well.data -f csv
[ -s "$out" ] && fail 'a row of a healthy recording'
run 2 advise mixed.data -f json --csv
warns 'advise: --json and --csv exclude each other'

begin "advise: json"
advise steady.data -f json
if command -v jq >/dev/null; then
	[ "$(jq -r '.trusted, .least_samples, (.findings[] | .kind)' "$out" | paste -sd' ')" = \
		'with care 20 tlb-walks mispredicted recording' ] || fail 'jq'
	[ "$(jq -r '.evidence[] | .count, .mean == 60, .code' "$out" | paste -sd' ')" = \
		'100 true hot /usr/bin/prog 100 false hot /usr/bin/prog' ] || fail 'rows'
else
	says '{"finding":1,"count":100,"mean":60,"code":"hot /usr/bin/prog"}'
fi

begin "advise: the input as an option, SPE bytes alone, and wrong usage"
run 0 advise -i "$dir/well.data"
thousand | raw_file one.spe
run 0 advise --raw "$dir/one.spe"
ranks recording
says 'those of the samples alone, as the period is unknown'
run 2 advise "$dir/well.data" more
run 2 advise --min-share x "$dir/well.data"
run 2 advise --min-share 101 "$dir/well.data"
run 2 advise --threshold remote "$dir/well.data"
run 2 advise --threshold remot=3 "$dir/well.data"
run 2 advise --format xml "$dir/well.data"
run 2 advise "$dir/none.data"
warns 'there is no such file'
run 1 advise -i "$dir/none.data"

# The programs of Documentation/examples ran on the model: shared.c has a line that two threads
# share falsely, and apart.c is its healthy twin; branchy.c branches on random data.
begin "advise: real recordings, as advise.md shows"
cd "$here/../../../Documentation/examples" || exit
run 0 advise --symfs symfs shared.data
ranks false-sharing
documented '1. false-sharing: 43.3% of the cycles at stake: about 14.6 million (95% CI 12.0 million to 17.3 million)'
run 0 advise --symfs symfs branchy.data
ranks mispredicted
# struct record of walks.c has 192 bytes.
run 0 advise --symfs symfs walks.data
ranks cache-misses strides
# Elements of large arrays in a union: no order of fields helps.
says '53 samples of loads and stores that missed a cache; no common pattern reaches the thresholds'
says 'of records in /job/walks, with a stride of 192 bytes'
# leaf() of callers.c goes through 16 MiB a line at a time, and through 4 KiB in between.
run 0 advise --symfs symfs callers.data
ranks cache-misses
documented '1. cache-misses: 69.6% of the cycles at stake: about 2.44 billion (95% CI 2.14 billion to 2.74 billion)'
run 0 advise --symfs symfs apart.data
says '# nothing was found'

finish
