#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe stat: whether a recording can be trusted, why not, and what to record instead.
# usage: trust.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/trust.sh
. "$(dirname "$0")/lib/trust.sh"

# Without jitter a sample stands for 4096 + 1 operations (D17.3.4.1): 1000 are 4.097 million.
# 4097 is 17 * 241.
begin "trust: no jitter"
{ head_of 4096 0 0; thousand; end_of; } | perf_file steady.data
run 0 stat -i "$dir/steady.data"
verdict 'with care'
total_is operations '4.10 million'
says '# estimated totals: a sample stands for 4097 operations'
found care 'no jitter: each sample comes exactly 4097 operations after the one before: a loop whose number of operations is a multiple of 17 shows at most 1 in 17'
says '# record instead: perf spe record -- COMMAND'

# 1025 is 5 * 5 * 41; 257 is prime.
begin "trust: no jitter and a short period"
{ head_of 1024 0 0; thousand; end_of; } | perf_file short.data
run 0 stat -i "$dir/short.data"
verdict no
found no 'multiple of 5 shows at most 1 in 5'
found note 'short period: 1024 is below 2000'
says '# record instead: perf spe record --period 4096 -- COMMAND'
{ head_of 256 0 0; thousand; end_of; } | perf_file short.data
run 0 stat -i "$dir/short.data"
found no 'multiple of 257 shows'

# One sample each 10 ms, from 0.01 to 10 s.  Those after 4 s and before 6 s are missing: 2 s
# of 9.99 are 20.02%.  All 1000 samples would be 4.1605 million operations; 801 samples in
# 7.99 of 9.99 seconds make 4.167 million.
timed() { # FROM TO, in 10 ms
	for ((i = $1; i <= $2; i++)); do echo "rec class=1 op=0 total=8 ts=$((i * 10000000))"; done
}
truncated() { head_of 4096 0 $jitter; echo "aux 1 0 4500000000"; timed 1 400; timed 600 1000; end_of; }
begin "trust: truncation, by timestamps"
truncated | perf_file cut.data
run 0 stat -i "$dir/cut.data"
verdict no
found no 'truncation: the buffer was full 1 time, so about 20.0% of the time has no samples'
total_is operations '4.17 million'
says '# record instead: perf spe record -m ,16M -- COMMAND'

# The gap is between two windows, of which 100 and 101 samples are: 201 * 4160.5 operations.
run 0 stat -i "$dir/cut.data" --time '0,1 9,10'
total_is operations '836 thousand'
found care 'about 0.0% of the time has no samples'
# The gap is in one of three windows: 204 samples are in 2 of 4 seconds.
run 0 stat -i "$dir/cut.data" --time '0.5,1 3.5,6.5 9,9.5'
total_is operations '1.70 million'
found no 'about 50.0% of the time has no samples'

# No window: neither the truncation nor the collision lacks timestamps.
truncated | sed 's/^aux 1 0 4500000000/&\naux 8 0 4600000000/' | perf_file none.data
run 0 stat -i "$dir/none.data" --time 90,91
found care 'the buffer was full 1 time; how many samples that cost is unknown, as the options of this command keep no sample'
found care 'collisions: in 1 of 2 AUX records; how many samples that cost is unknown, as the options of this command keep no sample'

# Only the first ten samples and the last ten are stores, and the gap is that of all samples: 20 *
# 4160.5 * 9.99 / 7.99.
stores() { timed "$@" | sed 's/op=0/op=1/'; }
{ head_of 4096 0 $jitter; echo "aux 1 0 4500000000"; stores 1 10; timed 11 400; timed 600 990; stores 991 1000; end_of; } | perf_file ends.data
run 0 stat -i "$dir/ends.data" --filter 'op == store'
total_is operations '104 thousand'
found no 'about 20.0% of the time has no samples'
# 400 samples in 4 seconds, and half a second of the gap: 400 * 4160.5 * 4.49 / 3.99
run 0 stat -i "$dir/cut.data" --time 0,4.5
total_is operations '1.87 million'

# Times that --filter leaves out lost nothing: 300 * 4160.5, and for all of a gap between two kept
# samples 801 * 4160.5 * 9.99 / 7.99.
run 0 stat -i "$dir/cut.data" --filter 'time <= 3000000000'
total_is operations '1.25 million'
found care 'about 0.0% of the time has no samples'
run 0 stat -i "$dir/cut.data" --filter 'op == load and time > 0'
total_is operations '4.17 million'

# The windows of a --filter are those of --time: 201 * 4160.5, and 204 * 4160.5 * 4 / 2.
run 0 stat -i "$dir/cut.data" --filter 'time <= 1000000000 or time >= 9000000000'
total_is operations '836 thousand'
found care 'about 0.0% of the time has no samples'
run 0 stat -i "$dir/cut.data" --filter 'op == load and not (time > 1000000000 and time < 3500000000) and not (timestamp > 6500000000 and time < 9000000000) and time >= 500000000 and time <= 9500000000'
total_is operations '1.70 million'
found no 'about 50.0% of the time has no samples'

# CPU 1 has samples from 0.01 to 10 s without a gap.  From 4.5 to 5.5 s CPU 0 has none, and what it
# did is not known; what options leave out is.
begin "trust: a CPU whose time is all lost"
{ truncated; timed 1 1000; echo 'auxtrace 1 1 -1 0'; } | sed 's/^midrs 1 \(.*\)/midrs 2 \1 \1/' >"$dir/two"
perf_file two.data <"$dir/two"
run 0 stat -i "$dir/two.data" --time 4.5,5.5
found no 'about 50.0% of the time has no samples; 1 CPU has none in all the time that the options of this command keep, so there are no totals'
! grep -q 'estimated totals' "$out" || fail "totals"
run 0 advise -i "$dir/two.data" --time 4.5,5.5
says '# 101 samples; the cycles are those of the samples alone, as full buffers lost all that a CPU did'
for only in '--cpu 1' '--filter cpu==1'; do
	# shellcheck disable=SC2086 # two words
	run 0 stat -i "$dir/two.data" --time 4.5,5.5 $only
	found care 'about 0.0% of the time has no samples'
	total_is operations '420 thousand' # 101 * 4160.5
	found note 'but full buffers, collisions and lost records are counted in the whole recording'
done

# CPU 0 has loads and the gap, of 2 of 19.98 s, and CPU 1 has stores.
begin "trust: what a filter keeps of one CPU does not change what full buffers lost"
{ truncated; timed 1 1000 | sed 's/op=0/op=1/'; echo 'auxtrace 1 1 -1 0'; } |
	sed 's/^midrs 1 \(.*\)/midrs 2 \1 \1/' | perf_file two.data
for filter in 'op == load' 'op == store' 'op == branch'; do
	run 0 stat -i "$dir/two.data" --filter "$filter"
	found no 'about 10.0% of the time has no samples'
done

# Two truncated records in one gap are one loss; one at an end of the recording loses nothing
# that a sample shows.  0.1 s of 9.99 are 1.00%.
begin "trust: truncations in one gap, and at the end"
{
	head_of 4096 0 $jitter
	printf '%s\n' 'aux 1 0 4020000000' 'aux 1 0 4030000000' 'aux 1 0 20000000000'
	timed 1 400
	timed 410 1000
	end_of
} | perf_file cut.data
run 0 stat -i "$dir/cut.data"
verdict 'with care'
found care 'the buffer was full 3 times, so about 1.0% of the time'

# CPU 0 has no sample from 4.00 s on, CPU 1 up to 10.00 s: of 2 * 9.99 s there are 6.00 s without.
# full WORD...: the samples, and what tells whether the event is of CPUs or of a task and those that it starts
full() {
	[ $# = 0 ] || echo inherit
	head_of 4096 0 $jitter | sed 's/^midrs 1 \(.*\)/midrs 2 \1 \1/'
	printf '%s\n' 'aux 1 0 4020000000' "$@"
	timed 1 400
	end_of
	timed 1 1000
	echo 'auxtrace 1 1 -1 0'
}
# 1400 samples, and CPU 0's 400 for all of its 9.99 s; perf's events inherit even if they are of CPUs.
begin "trust: a buffer that stays full up to the end"
full | perf_file cut.data
full 'wide 0 10 10 0 1 0 0' | perf_file wide.data
for data in cut wide; do
	run 0 stat -i "$dir/$data.data"
	found no 'the buffer was full 1 time, so about 30.0% of the time'
	total_is operations '8.33 million'
done
run 0 stat -i "$dir/wide.data" --time 5,6
found no 'about 50.0% of the time has no samples; 1 CPU has none in all the time that the options of this command keep, so there are no totals'
# The CPU was idle, or executed what is not recorded: then nothing is lost.
full 'wide 0 10 10 0 1 0 0' 'wide 1 10 10 0 4020000000 0 0' | perf_file idle.data
full 'switch 0 10 10 0 1' 'switch 1 10 10 0 4020000000' | perf_file left.data
for data in idle left; do
	run 0 stat -i "$dir/$data.data"
	verdict 'with care'
	found care 'the buffer was full 1 time, so about 0.1% of the time'
done
# The task of an event may have left the CPU.
full 'switch 0 10 10 0 1' | perf_file task.data
run 0 stat -i "$dir/task.data"
found no 'the buffer was full 1 time, so about 30.0% of the time'
total_is operations '5.82 million'

# One sample a millisecond up to 1 s, 2 s and so on up to 10 s, but none for the first half of each second
# from the second one on.  Only the first pause has a flag.
# paused SWITCH...: thread 10 runs from the beginning, up to the first switch
paused() {
	local second
	head_of 4096 0 $jitter
	printf '%s\n' 'switch 0 10 10 0 1' "$@"
	for second in {1..10}; do
		echo "aux $((second == 1)) 0 $((second * 1000000000 + 1))"
		for ((i = second == 1 ? 1 : 500; i <= 1000; i++)); do
			echo "rec class=1 op=0 total=8 ts=$(((second - 1) * 1000000000 + i * 1000000))"
		done
	done
	end_of
}
begin "trust: pauses that no flag tells of"
paused | perf_file paused.data
run 0 stat -i "$dir/paused.data"
found no 'the buffer was full 1 time, so about 45.0% of the time'
# The CPU is idle, or runs another thread, from the middle of the second pause on, or from the last sample before.
for switch in '0 0 0 0 2250000000' '0 0 0 0 1999999999' '1 10 10 0 1999999999'; do
	paused "switch $switch" | perf_file paused.data
	run 0 stat -i "$dir/paused.data"
	found no 'the buffer was full 1 time, so about 5.0% of the time'
done

begin "trust: samples of two processes without timestamps"
{ head_of 4096 0 $jitter; printf '%s\n' 'comm 10 10 1 1 one' 'comm 20 20 1 1 two'; thousand; end_of; } | perf_file none.data
run 0 stat -i "$dir/none.data"
verdict 'with care'
found care 'clock: samples have no times'

begin "trust: truncation without timestamps, or of a thread's buffer"
{ head_of 4096 0 $jitter; echo 'aux 1 0 5'; thousand; end_of; } | perf_file cut.data
run 0 stat -i "$dir/cut.data"
verdict 'with care'
found care 'how many samples that cost is unknown, as the recording has no timestamps (ts_enable)'
truncated | sed 's/auxtrace 0 0 -1 0/auxtrace 0 -1 10 0/' | perf_file cut.data
run 0 stat -i "$dir/cut.data"
found care 'how many samples that cost is unknown'
total_is operations '3.33 million' # 801 * 4160.5

# A sample stands for 513 or more operations.  At one operation a cycle, each of 100 operations
# of 1100 cycles suppresses 2 samples: 200 of 1200 are 16.7%.  The 99th percentile of the
# latency is 1100; a period of 2200 or more is 4096.
slow() { # NUMBER CYCLES, of 1000
	repeat $((1000 - $1)) 'rec class=1 op=0 total=100'
	repeat "$1" "rec class=1 op=0 total=$2"
}
begin "trust: collisions, many"
{ head_of 512 0 $jitter; printf '%s\n' 'aux 8 0 1' 'aux 0 0 2'; slow 100 1100; end_of; } | perf_file hit.data
run 0 stat -i "$dir/hit.data"
verdict no
found no 'collisions: in 1 of 2 AUX records; by the latencies about 16.7% of the samples are missing'
found care 'short period: 512 is below 2000'
documented '# can this recording be trusted? no, for the reasons below'
says '# record instead: perf spe record --period 4096 -- COMMAND'

# A filter leaves out samples that suppressed some that it keeps, so it does not change the share.
# With a window of 50 of the slow ones and all of the others it does: 100 of 1050 are 9.5%.
run 0 stat -i "$dir/hit.data" --filter 'total > 1000'
found no 'about 16.7% of the samples are missing'
says '# record instead, at least 4 times as long: perf spe record --period 4096 -- COMMAND'
run 0 stat -i "$dir/hit.data" --filter 'total < 1000'
found no 'about 16.7% of the samples are missing'
{
	head_of 512 0 $jitter
	printf '%s\n' 'aux 8 0 1' 'aux 8 0 1000'
	slow 100 1100 | awk '{ print $0, "ts=" NR }'
	end_of
} | perf_file hit.data
run 0 stat -i "$dir/hit.data" --filter 'total > 1000 and time <= 950'
found no 'about 9.5% of the samples are missing'

# 200 are missing of 2200.
begin "trust: what a filter keeps of one CPU does not change how many samples collided"
{
	head_of 512 0 $jitter
	printf '%s\n' 'aux 8 0 1' 'aux 8 0 1000'
	slow 100 1100
	end_of
	repeat 1000 'rec class=1 op=1 total=100'
	echo 'auxtrace 1 1 -1 0'
} | sed 's/^midrs 1 \(.*\)/midrs 2 \1 \1/' | perf_file hit.data
for filter in 'op == load' 'op == store' 'op == branch'; do
	run 0 stat -i "$dir/hit.data" --filter "$filter"
	found no 'about 9.1% of the samples are missing'
done

# Of CPU 0 200 are missing of 1200.  Samples without a time pass no comparison of times.
run 0 stat -i "$dir/hit.data" --cpu 0
found no 'about 16.7% of the samples are missing'
run 0 stat -i "$dir/hit.data" --filter 'cpu == 1 or cpu == 0 and time > 5'
found note 'about 0.0% of the samples are missing'

# 1 of 1001 is 0.1%; 20 of 1020 are 2.0%.
begin "trust: collisions, few"
{ head_of 2048 0 $jitter; echo 'aux 8 0 1'; slow 1 2100; end_of; } | perf_file hit.data
run 0 stat -i "$dir/hit.data"
verdict yes
found note 'about 0.1% of the samples'
{ head_of 2048 0 $jitter; echo 'aux 8 0 1'; slow 20 2100; end_of; } | perf_file hit.data
run 0 stat -i "$dir/hit.data"
verdict 'with care'
found care 'about 2.0% of the samples'
says '# record instead: perf spe record --period 8192 -- COMMAND' # twice 2100 is above 4096
{ head_of 2048 0 $jitter; echo 'aux 8 0 1'; repeat 1000 rec; end_of; } | perf_file hit.data
run 0 stat -i "$dir/hit.data"
found care 'unknown, as the samples have no latencies, or the period is unknown'

# The CPU recommends 4096, so a sample stands for 1025 to 4096 + 128: a factor of 4.12.
begin "trust: a period below what the core recommends"
{ echo 'least 4096'; head_of 1024 0 $jitter; thousand; end_of; } | perf_file least.data
run 0 stat -i "$dir/least.data"
verdict 'with care'
found care 'short period: 1024 is below 4096, the least interval that the CPU recommends'
found care 'a factor of 4.1 only'
says 'a sample stands for 1025 to 4224 operations'
{ echo 'least 4096'; head_of 4096 0 $jitter; thousand; end_of; } | perf_file least.data
run 0 stat -i "$dir/least.data"
verdict yes

begin "trust: frequency mode has no totals"
{ head_of 4000 1 $jitter; thousand; end_of; } | perf_file freq.data
run 0 stat -i "$dir/freq.data"
verdict 'with care'
found care 'frequency: the period changed during the recording (4000 samples per second requested)'
says '# record instead: perf spe record --period 4096 -- COMMAND'
! grep -q 'estimated totals' "$out" || fail "totals"

# Linaro Forge 24.0, "Known issues for Arm SPE": fixed in r4p1.  MIDR_EL1 of r3p1, r4p0, r4p1,
# and of a Neoverse N2 r0p0.
begin "trust: Neoverse N1 erratum 1694299"
for midr in 0x413fd0c1 0x414fd0c0; do
	{ head_of 4096 0 $jitter $midr; thousand; end_of; } | perf_file n1.data
	run 0 stat -i "$dir/n1.data"
	verdict 'with care'
	found care 'Neoverse N1 erratum 1694299 (fixed in r4p1): branch targets have too many samples'
done
for midr in 0x414fd0c1 0x410fd490; do
	{ head_of 4096 0 $jitter $midr; thousand; end_of; } | perf_file n1.data
	run 0 stat -i "$dir/n1.data"
	verdict yes
	finds_not erratum
done
thousand | raw_file n1.spe
run 0 stat --raw "$dir/n1.spe" --cpu-model neoverse-n1
found care 1694299

# 4 of 1000 are 0.40%; 20 of 1000 are 2.00%.
partial() { for ((i = 1; i <= $1; i++)); do echo "aux 4 0 $i"; done; }
begin "trust: partial records, and lost ones"
{ head_of 4096 0 $jitter; partial 4; thousand; end_of; } | perf_file part.data
run 0 stat -i "$dir/part.data"
verdict yes
found note 'at most 0.40% of the samples'
{ head_of 4096 0 $jitter; partial 20; echo 'lost 3'; thousand; end_of; } | perf_file part.data
run 0 stat -i "$dir/part.data"
found care 'at most 2.00% of the samples'
found care 'lost records: perf lost 3 records'
says '# record instead: perf spe record -m 16M -- COMMAND'
{ truncated; echo 'lost 3'; } | perf_file part.data
run 0 stat -i "$dir/part.data"
says '# record instead: perf spe record -m 16M,16M -- COMMAND'

# 3 bytes beside 100 records of 8 bytes or more are less than 5%; 300 are more.
begin "trust: damaged data"
{ repeat 500 'rec total=5'; echo 'byte 22 20 48'; } | raw_file bad.spe
run 1 stat --raw "$dir/bad.spe"
found care 'damaged data'
{ repeat 100 'rec total=5'; repeat 100 'byte 22 20 48'; } | raw_file bad.spe
run 1 stat --raw "$dir/bad.spe"
found no 'damaged data'

# Of 100 samples a share of 50% is known to 1.96 / 2 / sqrt(103.84) = 9.6 points, of 10 to 26.
# 385 / 100 is 4 times as long, 385 / 10 is 39 times.
begin "trust: few samples"
{ head_of 4096 0 $jitter; repeat 100 'rec total=5'; end_of; } | perf_file few.data
run 0 stat -i "$dir/few.data"
verdict 'with care'
found care 'few samples: 100 samples: a share of 50% is known to 10 points only'
says '# record instead, at least 4 times as long: perf spe record --period 4096 -- COMMAND'
# With record's own period, which is longer, four times the time would have fewer samples.
{ head_of 8192 0 $jitter; repeat 100 'rec total=5'; end_of; } | perf_file few.data
run 0 stat -i "$dir/few.data"
says '# record instead, at least 4 times as long: perf spe record --period 8192 -- COMMAND'
{ head_of 4096 0 $jitter; repeat 10 'rec total=5'; end_of; } | perf_file few.data
run 0 stat -i "$dir/few.data"
verdict no
found no 'known to 26 points only'
says 'at least 39 times as long'

begin "trust: an empty recording"
{ head_of 4096 0 $jitter; echo 'pad 64'; end_of; } | perf_file empty.data
run 0 stat -i "$dir/empty.data"
verdict no
found no 'samples: the recording has none'
says '# record instead: perf spe record -- COMMAND'
! grep -q 'estimated totals' "$out" || fail "totals"

begin "trust: SPE bytes alone"
run 0 stat --raw "$dir/n1.spe"
verdict 'with care'
found care 'unknown period: the input is SPE bytes alone'
! grep -q 'estimated totals' "$out" || fail "totals"

# Beside the checkout: one sample, two and a cut one, one (data/real/README.md there)
begin "trust: real recordings of few samples"
real=${SPE_REAL_DATA:-$here/../../../../shared/data/real}
if [ -d "$real" ]; then
	for file in spe-b1-ts0.data:0:1 kvm-spe-cover-2019.bin:0:2 perf-spe-commit-2018.bin:0:1; do
		IFS=: read -r file status samples <<<"$file"
		run "$status" stat --raw "$real/$file"
		verdict no
		found no "few samples: $samples sample"
		found care 'SPE bytes alone'
	done
else
	skip 'no ../shared/data/real beside this checkout'
fi

begin "trust: the file does not say which event wrote the samples"
{
	echo 'info 4'
	echo 'attr 8 4096 0 0x10000 0 0 0 0'
	echo 'attr 8 8192 0 0x10000 0 0 0 0'
	thousand
	end_of
} | perf_file whose.data
run 0 stat -i "$dir/whose.data"
found care 'unknown period: the file does not say which event'
! grep -q 'estimated totals' "$out" || fail "totals"

# The samples in between were not kept, so 1000 of them do not stand for 1000 intervals.
begin "trust: only the newest records were kept"
{ head_of 4096 0 $jitter; echo 'aux 2 0 1'; thousand; end_of; } | perf_file newest.data
{ head_of 4096 0 $jitter; printf '%s\n' 'attr 0 1000 0 1 0 0 0 0' 'parts 0x100000 0' 'owner 1'; thousand; echo 'auxsample 10 10 0 5 0'; } |
	perf_file carried.data
for file in newest carried; do
	run 0 stat -i "$dir/$file.data"
	says '# 1000 samples, '
	verdict 'with care'
	found care 'newest records: each snapshot, or sample of another event, has only the newest records before it'
	! grep -q 'estimated totals' "$out" || fail "$file: totals"
	run 0 advise -i "$dir/$file.data"
	says 'those of the samples alone, as only the newest records were kept'
	run 1 export -i "$dir/$file.data" -f folded --value period
	warns 'the recording has no fixed interval between samples'
done

begin "trust: options that keep no sample"
run 0 stat -i "$dir/whose.data" --filter 'total > 60000'
verdict no
found no 'few samples: 0 samples'

# Without jitter each recording gets advice.
# advice ATTRIBUTES EXPECTED WORD...: record with the event of these numbers and perf's command of these words
advice() {
	local attr=$1 expected=$2
	shift 2
	{ echo "midrs 1 $r4p1" && echo "attr $attr" && echo 'conv 0 1 0' && echo "words 11 $*" && thousand && end_of; } |
		perf_file advice.data
	run 0 stat -i "$dir/advice.data"
	says "# record instead: perf spe record$expected"
	[ "$(grep '^# record instead' "$out")" = "# record instead: perf spe record$expected" ] || fail "$(grep '^# record instead' "$out")"
}
plain='8 4096 0 0 0 0 0 0'
begin 'trust: the advice keeps the target of the recording'
advice "$plain" ' -a -- sleep 1' perf record -d -o x.data -a -e arm_spe_0// --all-cgroups -c 4096 -- sleep 1
advice "$plain" ' -C 0,2-3 -- sleep 1' /usr/bin/perf record -C 0,2-3 -- sleep 1
advice "$plain" ' -p 170 -- sleep 1' perf --no-pager record --per-thread -p 170 -e arm_spe// -- sleep 1
advice "$plain" ' -t 172' perf record -t172
advice "$plain" ' -p 1,2' perf record --pid=1,2 -e arm_spe//
advice "$plain" ' -a -C 1 -- ls -a' perf record --all-cpus --cpu 1 --event x ls -a
advice "$plain" ' -a -- sleep 1' perf record -gac 1024 sleep 1
advice "$plain" ' -- COMMAND' perf record -d -e arm_spe_0// -c 4096 -- prog -a
advice "$plain" ' -- COMMAND' perf record -e -a prog -a
advice "$plain" ' -- COMMAND' perf record -Sa -d prog
advice "$plain" ' -- COMMAND' perf record -C '1;rm' -e arm_spe// -- sleep 1
advice "$plain" " -a -- 'a;b'" perf record -a -- 'a;b'
advice "$plain" ' -a -- COMMAND' perf record -a -- $'\033[2J'
advice "$plain" ' -a' perf record -a --

begin 'trust: the advice keeps the filters of the recording'
advice "8 4096 0 $((load_filter | 2)) 40 0 0 0" ' --loads --physical --event l1d-refill,tlb-walk -- COMMAND' perf record prog
run 0 advise -i "$dir/advice.data"
says 'perf spe record --loads --physical --event l1d-refill,tlb-walk -- COMMAND'
run 0 stat -i "$dir/advice.data" --json
json 'd["record_instead"] == "perf spe record --loads --physical --event l1d-refill,tlb-walk -- COMMAND"'
advice '8 4096 0 0x500000000 0 40 0 0' ' --stores --branches --min-latency 40 -a' perf record -a

begin 'trust: the advice keeps the call stacks and the heap logs of the recording'
stacks="$plain"$'\nattr 0 1000 0 0 0 0 0 0\nparts'
advice "$stacks 0x20 0" ' --stacks -a' perf record -a
advice "$stacks 0x3020 0" ' --stacks=dwarf -a' perf record -a
advice "$stacks 0x100020 0" ' --stacks --aux-sample -a' perf record -a
advice "$plain" ' --heap -- COMMAND' perf record -d -e arm_spe_0// -- env PERF_SPE_HEAP_ID=12 prog

finish
