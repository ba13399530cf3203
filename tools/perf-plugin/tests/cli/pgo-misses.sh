#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe pgo: the loads that missed a cache.  What they count and how their addresses move is
# what the description below says.  check-pgo does the same with a program in a guest, and gives
# the hints to AutoFDO.
# usage: pgo-misses.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
make_program
for_x86_64 "$prog"
base=$((0x$hot))
here() { user "$(at "$(printf %x $((base + $1)))")"; }
x() { printf 0x%x $((base + $1)); }

# loads OFFSET TID STRIDE: 36 samples of a load, whose steps are 1, 3, 5, ... 71 strides.  Every
# third missed (l1d-refill, bit 3 of D18.2.6) and took 30 cycles more than the 5 of a hit.
loads() {
	local i
	for ((i = 0; i < 36; i++)); do
		echo "rec pc=$(here "$1") class=1 op=0 va=$((0x7f0000000000 + i * i * $3)) total=$((i % 3 ? 5 : 35)) events=$((i % 3 ? 6 : 14)) ctx1=$2"
	done
}
{
	printf 'info 4\ncomm 10 10 1 1 prog\ncomm 10 11 1 0 prog\n'
	echo "map 10 $map_prog 2 $id /usr/bin/prog"
	loads 0 10 64
	loads 2 10 -24
	# The two threads, sample by sample in turn, in arrays of their own
	paste -d '\n' <(loads 4 10 8) <(loads 4 11 8 | sed 's/va=[0-9]*/&0/')
	# The address never changes.
	loads 5 10 0
	# 5000 to 5035 strides of 64 bytes, more than the 1024 executions between two samples can go
	for ((i = 0; i < 36; i++)); do
		echo "rec pc=$(here 3) class=1 op=0 va=$((0x7f0000000000 + 64 * i * (9999 + i) / 2)) total=35 events=14 ctx1=10"
	done
	# A walk of the same load that hits only, a store that misses, and a load without events
	loads 6 10 64 | sed 's/events=14/events=6/'
	echo "rec pc=$(here 7) class=1 op=1 va=0x1000 total=90 events=14 ctx1=10"
	echo "rec pc=$(here 1) class=1 op=0 va=0x1000 ctx1=10"
	echo 'auxtrace 0 -1 10 0'
} | perf_file m.data
m=(-i "$dir/m.data" --symfs "$dir/root")

# A sample stands for the 1024 operations of the fixture's interval.  12 of 36 missed.
begin "pgo: a table of the loads that missed a cache"
run 0 pgo "${m[@]}" prog -f misses
silent
sed 's/\r$//' "$out" >"$dir/text"
line() { echo "$(x "$1"),\"hot\",,,$((36 * 1024 * $2)),$((12 * 1024 * $2)),35.0,$3"; }
{
	echo 'address,symbol,file,line,loads,misses,latency,stride,regular'
	echo "$(x 3),\"hot\",,,36864,36864,35.0,,"
	line 4 2 8,100.0
	line 0 1 64,100.0
	line 2 1 -24,100.0
	line 5 1 ,
} >"$dir/want"
cmp -s "$dir/want" "$dir/text" || fail "$(diff "$dir/want" "$dir/text")"
[ "$(grep -c $'\r$' "$out")" = "$(wc -l <"$out")" ] || fail 'lines do not end as RFC 4180 says'

begin "pgo: no load missed"
run 0 pgo "${m[@]}" prog -f misses --filter 'not events has l1d-refill'
warns "pgo: no sample that --filter 'not events has l1d-refill' keeps is a load that missed a cache"
{
	printf 'info 4\ncomm 10 10 1 1 prog\n'
	echo "map 10 $map_prog 2 $id /usr/bin/prog"
	echo "rec pc=$(here 0) class=2 op=1 events=2 target=$(here 0)"
	echo 'auxtrace 0 -1 10 0'
} | perf_file none.data
run 0 pgo -i "$dir/none.data" --symfs "$dir/root" prog -f misses
warns 'record again with --loads'

begin "pgo: hints need the program's code"
run 1 pgo "${m[@]}" prog -f prefetch
warns "the format 'prefetch' needs its code"
begin "pgo: the table has lines where there is DWARF"
CC="${CC:-cc} -g" make_program
for_x86_64 "$prog"
base=$((0x$hot))
{
	printf 'info 4\ncomm 10 10 1 1 prog\n'
	echo "map 10 $map_prog 2 $id /usr/bin/prog"
	loads 0 10 64
	echo 'auxtrace 0 -1 10 0'
} | perf_file lines.data
run 0 pgo -i "$dir/lines.data" --symfs "$dir/root" prog -f misses
IFS=: read -r file line < <(addr2line -e "$prog" "$(x 0)" | sed 's/ (.*//')
grep -qF ",\"hot\",\"$file\",$line,36864," "$out" || fail "not $file:$line: $(cat "$out")"
finish
