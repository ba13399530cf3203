#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe mem: regions, pages, the working set and the picture in text.
# usage: mem.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

# A walk upwards through 64 KiB in 64 ms, a page hit again and again far away,
# another process at the walk's addresses, and the kernel.
{
	echo 'info 4'
	echo 'conv 0 1 0'
	echo 'comm 10 10 1 1 walker'
	echo 'comm 20 20 1 1 <b>&'
	for i in $(seq 0 63); do
		printf 'rec ctx1=10 total=%d class=1 op=0 va=0x%x ts=%d\n' $((i % 2 * 10)) \
			$((0x100000 + i * 1024)) $((i * 1000000))
	done
	for i in $(seq 1 10); do
		echo "rec ctx1=10 class=1 op=1 va=0x7f0000001$((i % 2))40 ts=$((i * 1000000))"
	done
	echo 'rec ctx1=20 class=1 op=0 va=0x100000 ts=5'
	echo 'rec ctx1=20 class=1 op=0 va=0xff800000001000 ts=5'
	echo 'rec ctx1=20 class=2 op=0 ts=63999999'
	echo 'auxtrace 0 0 10 0'
} | perf_file m.data

# row START REST: the table's row that begins with START ends with REST
rows() { tr -s ' ' <"$out" | sed 's/^ //' | finds -xF -- "$1" || fail "no row '$1'"; }

begin "mem: what was touched"
run 0 mem -i "$dir/m.data"
silent
says '# 76 samples with a virtual address'
# 64 lines of the walk, two of the stores, and one each of process 20 and of the kernel
says '# seen touched: 4.2 KiB in lines of 64 bytes, 76 KiB in pages of 4 KiB, 8.0 MiB in pages of 2 MiB'
run 0 mem -i "$dir/m.data" --filter 'op == store'
says '# seen touched: 128 bytes in lines of 64 bytes, 4.0 KiB in pages of 4 KiB, 2.0 MiB in pages of 2 MiB'
run 0 mem -i "$dir/m.data"

begin "mem: regions and pages, most samples first"
# Only the walk has latencies: 32 * 10 cycles.
rows '100.00% 64 84.21% 0 5.0 64 0x100000-0x110000 10 walker'
rows '- 10 13.16% 10 - 4 0x7f0000001000-0x7f0000002000 10 walker'
rows '- 1 1.32% 0 - 4 0x100000-0x101000 20 <b>&'
rows '- 1 1.32% 0 - 4 0xffff800000001000-0xffff800000002000 kernel'
rows '- 10 13.16% 10 - 2 0x7f0000001000 10 walker'
rows '6.25% 4 5.26% 0 5.0 4 0x100000 10 walker'
says '# 9 more pages'

begin "mem: the picture of a walk is a diagonal"
run 0 mem -i "$dir/m.data" --height 8 --width 8
says '# heat of 0x100000-0x110000: samples by address and time, darkest below 8'
picture() { sed -n '/^# heat/,$p' "$out" | sed -n 's/.*|\(.*\)|/\1/p'; }
picture >"$dir/got"
for i in 7 6 5 4 3 2 1 0; do printf '%*s@%*s\n' "$i" '' $((7 - i)) ''; done >"$dir/want"
cmp -s "$dir/want" "$dir/got" || fail "$(cat "$dir/got")"
grep -q "$(printf '\033')" "$out" && fail 'colours in a pipe'

begin "mem: the two labels below a narrow picture stay apart"
ends=$(sed -n 's/^ \{19\} 0 *\([0-9.]* ms\)$/\1/p' "$out")
for width in 1 2 5 8 20; do
	run 0 mem -i "$dir/m.data" --height 2 --width "$width"
	grep -qxE " {20}0 +$ends" "$out" || fail "width $width: $(grep ' ms$' "$out")"
done

# https://no-color.org: a variable that is present and not empty
begin "mem: colours on a terminal, but not with NO_COLOR"
if ! command -v python3 >/dev/null; then
	skip "no python3 for a terminal"
else
	# coloured VARIABLE=VALUE...: whether mem prints colours to a terminal
	coloured() {
		env -u NO_COLOR TERM=xterm "$@" python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' \
			"$perf_spe" mem -i "$dir/m.data" >"$out" 2>"$err" </dev/null || fail "status $?"
		grep -q "$(printf '\033\\[48')" "$out"
	}
	coloured || fail 'no colours on a terminal'
	coloured NO_COLOR= || fail 'no colours, though NO_COLOR is empty'
	coloured NO_COLOR=1 && fail 'colours, though NO_COLOR is set'
	grep -q '@' "$out" || fail 'no picture'
	coloured TERM=dumb && fail 'colours on a dumb terminal'
fi

begin "mem: heat by latency, and of a range"
run 0 mem -i "$dir/m.data" --height 2 --width 2 --latency
says 'cycles by address and time, darkest below 160'
run 0 mem -i "$dir/m.data" --height 1 --width 4 --range 0x7f0000001000-0x7f0000001080
says 'darkest below 5'
[ "$(picture)" = '@   ' ] || fail "$(picture)"
silent
run 0 mem -i "$dir/m.data" --range 1000-2000
[ -z "$(picture | tr -d ' \n')" ] || fail 'heat where nothing is'
warns 'mem: no sample is in --range 0x1000-0x2000: name addresses of one of the regions'
run 0 mem -i "$dir/m.data" --range 1000-2000 --latency
warns 'mem: no sample with a total latency is in --range 0x1000-0x2000: name addresses of one of the regions'
# The first process has most samples, on both sides of those of the second.
{
	printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 first' 'comm 20 20 1 1 second'
	for va in 0x1000 0x5000 0x1000 0x5000; do echo "rec class=1 op=0 va=$va ctx1=10 ts=2"; done
	printf '%s\n' 'rec class=1 op=0 va=0x3000 ctx1=20 ts=2' 'auxtrace 0 0 -1 0'
} | perf_file between.data
run 0 mem -i "$dir/between.data" --range 3000-3040 --height 1 --width 4
[ "$(picture)" = '@   ' ] || fail "no heat of the second process: $(picture)"
silent

begin "mem: without time, by the samples' order"
printf 'rec class=1 op=0 va=0x%x\n' 0x1000 0x1fc0 | raw_file o.spe
run 0 mem --raw "$dir/o.spe" --height 2 --width 2
says 'samples by address and order'
[ "$(picture | paste -sd'|')" = ' @|@ ' ] || fail "$(picture)"
says 'sample 2'

begin "mem: by physical address"
printf 'rec class=1 op=0 va=0x1000 pa=0x8000000000042000\nrec class=1 op=0 va=0x1000\n' | raw_file p.spe
run 0 mem --raw "$dir/p.spe" --physical
says '# 1 sample with a physical address'
rows '- 1 100.00% 0 - 4 0x42000-0x43000 physical'

begin "mem: the last page there is"
printf 'rec class=1 op=0 va=0x%x\n' 0xfffffffffffff000 0xfffffffffffffff0 | raw_file l.spe
run 0 mem --raw "$dir/l.spe" --height 2 --width 2
rows '- 2 100.00% 0 - 4 0xfffffffffffff000-0xffffffffffffffff kernel'
[ "$(picture | paste -sd'|')" = ' @|@ ' ] || fail "$(picture)"

begin "mem: few pages hold most samples"
run 0 mem -i "$dir/m.data"
# 10 of 76, then 16 times 4, then twice 1
says '# hottest pages: 8 hold half of the samples, 16 hold 90%, 19 hold 99%'

begin "mem: the working set over time"
# The walk reaches a new page in each of 16 steps; other pages are there from step 1.
rows '9 16 16 16 4 0 ++++++++++++++++++++++++++++++++'
rows '8 8 4 20 2 3.938 ms ++++++++========'
rows '4 4 4 76 1 59.062 ms ++++++++'
{
	echo 'info 4'
	echo 'conv 0 1 0'
	for i in $(seq 0 31); do
		printf 'rec class=1 op=0 va=0x%x ts=%d\n' $((0x100000 + i % 8 * 4096)) $((i * 1000000)) \
			$((0x40000000)) $((i * 1000000))
	done
	echo 'auxtrace 0 0 -1 0'
} | perf_file w.data
run 0 mem -i "$dir/w.data"
rows '4 12 12 12 2 0 ++++++++++++++++++++++++++++++++'
rows '4 12 8 20 2 1.938 ms ++++++++++++++++++++++=========='
rows '4 12 0 36 2 29.062 ms ================================'

# Two nodes with two CPUs each: the first has the lower 2 GiB of 4, but for one
# block.  CPU 0 goes to both, CPU 3 to its own, one sample to where no memory is.
nodes_text() {
	echo 'info 4'
	echo 'conv 0 1 0'
	numa_text
	echo 'rec class=1 op=0 va=0x1000 pa=0x8000000000001000 total=10 ts=1'
	echo 'rec class=1 op=0 va=0x1040 pa=0x8000000000001040 total=20 ts=2'
	echo 'rec class=1 op=1 va=0x2000 pa=0x8000000080000000 total=90 events=0x402 ts=3'
	echo 'rec class=1 op=0 va=0x2000 pa=0x800000003fffffff ts=4'
	echo 'rec class=1 op=0 va=0x3000 ts=5'
	echo 'auxtrace 0 0 -1 0'
	echo 'rec class=1 op=0 va=0x4000 pa=0x8000000040000000 ts=6'
	echo 'rec class=1 op=0 va=0x5000 pa=0x80000000c0000000 ts=6'
	echo 'rec class=1 op=0 va=0x6000 pa=0x8000000900000000 ts=7'
	echo 'auxtrace 1 3 -1 0'
}
both_nodes() {
	echo 'numa 0 0-1 1 2,3 7 -'
	echo 'blocks 0x40000000 1 0xa 0 0x5'
}

begin "mem: NUMA nodes, from the header and physical addresses"
numa_text() { both_nodes; }
nodes_text | perf_file n.data
run 0 mem -i "$dir/n.data"
silent
# Of 10 + 20 + 90 cycles
rows '100.00% 4 50.00% 1 40.0 1 0 0 local'
rows '- 2 25.00% 0 - 0 1 1 local'
rows '- 1 12.50% 0 - 0 0 -'
rows '- 1 12.50% 0 - 0 1 -'
grep -qF 'unknown' "$out" && fail 'a node is unknown'
rows '75.00% 2 25.00% 1 90.0 1 0 0x2000'

# In a second 30 samples of node 0 and then 10 of node 1, each of 1025 operations (a period of 1024, see stat).  The interval of n
# samples is n + 1.92 -+ 1.96 * sqrt(n + 0.96): 21.0 to 42.8, and 5.43 to 18.4.
begin "mem: --traffic estimates accesses per second of nodes"
{
	printf '%s\n' 'info 4' 'conv 0 1 0' 'switch 0 10 10 0 1' 'switch 1 10 10 0 1000000001'
	both_nodes
	for ((i = 0; i < 30; i++)); do echo "rec class=1 op=0 va=0x1000 pa=0x8000000000001000 ts=1"; done
	for ((i = 0; i < 10; i++)); do echo "rec class=1 op=0 va=0x2000 pa=0x8000000040000000 ts=1000000001"; done
	echo 'auxtrace 0 0 -1 0'
} | perf_file t.data
run 0 mem -i "$dir/t.data" --traffic
rows '30 30.8 thousand 21.5 thousand 43.9 thousand - 0.00% 30 0 0 0 0 0 0 0 memory of node 0'
rows '10 10.2 thousand 5.57 thousand 18.9 thousand - 0.00% 0 0 0 0 0 0 0 10 memory of node 1'
# What they hold is not known, and without a program no size.
rows '40 41.0 thousand 30.1 thousand 55.8 thousand - 0.00% 30 0 0 0 0 0 0 10 (not known)'
# Half of the second lies between two windows; of the first eighth a fifth.
run 0 mem -i "$dir/t.data" --traffic --time '0,0.25 0.75,2'
rows '30 61.5 thousand 43.1 thousand 87.8 thousand - 0.00% 30 0 0 0 0 0 0 0 memory of node 0'
run 0 mem -i "$dir/t.data" --traffic --time '0,0.1 0.75,2' --csv=traffic
awk -F, '$1 == "\"node\"" && $5 > 0 { printf "%s %.1f ", $5, $6 }' "$out" >"$dir/got"
[ "$(cat "$dir/got")" = '30 307500.0 10 82000.0 ' ] || fail "other rates of steps: $(cat "$dir/got")"
run 0 mem -i "$dir/t.data"
! grep -q '^# traffic' "$out" || fail 'it prints traffic without --traffic'
run 0 mem -i "$dir/n.data" --traffic --filter 'time == 3'
says 'rates unknown: all samples have the same time'

# With jitter and at a short period the sum differs by 6% from count * period.
begin "mem: --traffic has the operations that stat estimates"
if command -v python3 >/dev/null; then
	run 0 stat --json -i "$here/../../../Documentation/examples/shared.data"
	cp "$out" "$dir/stat.json"
	run 0 mem --traffic --json -i "$here/../../../Documentation/examples/shared.data"
	python3 - "$dir/stat.json" "$out" 2>>"$err" <<'END' || fail "$(tail -n 1 "$err")"
import json, sys
stat, mem = (json.load(open(name)) for name in sys.argv[1:])
want = next(e["number"] for e in stat["estimates"] if e["what"] == "operations")
steps = [row for row in mem["traffic"] if row["of"] == "node"]
seconds = (steps[1]["from"] - steps[0]["from"]) / 1e9
got = sum((row["accesses_per_second"] or 0) * seconds for row in steps)
assert abs(got / want - 1) < 1e-6, (got, want)
END
else
	skip 'no python3'
fi

# Variables of a program: each access of line, a structure of 8-byte counters, has 8 bytes.
begin "mem: --traffic of variables, in bytes where the code is known"
examples=$here/../../../Documentation/examples
if command -v jq >/dev/null; then
	run 0 mem -i "$examples/shared.data" --symfs "$examples/symfs" --traffic --json
	jq -c '[.traffic[] | select(.name == "line in shared" and .count > 0)] | [(map(.count) | add),
		all(.sized_count == .count and (.bytes_per_second / .accesses_per_second | . > 7.999 and . < 8.001) and .accesses_per_second_low < .accesses_per_second)]' \
		"$out" >"$dir/got" 2>>"$err"
	[ "$(cat "$dir/got")" = '[768,true]' ] || fail "$(cat "$dir/got")"
	jq -e '[.traffic[] | select(.name == null and .of == "object" and .bytes_per_second != null)] | length == 0' "$out" >/dev/null ||
		fail 'bytes of accesses whose size is not known'
else
	skip 'no jq'
fi

begin "mem: a page whose memory moved, and another node's memory"
numa_text() { echo 'numa 0 0 1 3'; echo 'blocks 0x40000000 0 0x1 1 0xe'; }
nodes_text | perf_file n.data
run 0 mem -i "$dir/n.data"
rows '75.00% 1 12.50% 1 90.0 1 0 1 other node'
rows '75.00% 2 25.00% 1 90.0 1 several 0x2000'
rows '25.00% 2 25.00% 0 15.0 2 0 0x1000'
nodes_text >"$dir/n.txt"
"$fixture" pipe "$dir/n.pipe" <"$dir/n.txt"
run 0 mem -i "$dir/n.pipe"
rows '75.00% 1 12.50% 1 90.0 1 0 1 other node'

begin "mem: what of nodes is not known, and why"
numa_text() { echo 'numa 0 0-3'; }
nodes_text | perf_file n.data
run 0 mem -i "$dir/n.data"
says 'nodes of memory unknown: the file'\''s header has no MEM_TOPOLOGY'
numa_text() { echo 'blocks 0x40000000 0 0xf'; }
nodes_text | perf_file n.data
run 0 mem -i "$dir/n.data"
says 'nodes of CPUs unknown: the file'\''s header has no NUMA_TOPOLOGY'
rows '100.00% 6 75.00% 1 40.0 1 - 0'
run 0 mem -i "$dir/m.data"
says 'nodes of memory unknown: no sample has a physical address; record with --physical'

begin "mem: nodes of a damaged header are not believed"
for damage in 'numa 0 0-1,x' 'numa 0 3-1' 'numa 0xffffffff 0' 'feature 14 ff ff ff ff 00' \
	'feature 14 01 00 00 00 00 00 00 00' 'blocks 0 0 1' 'blocks 0x1000000000000000 0 2' \
	'blocks 0x40000000 0xffffffff 1' 'feature 22 01 00 00 00 00 00 00 00' \
	'feature 22 01 00 00 00 00 00 00 00 00 10 00 00 00 00 00 00 ff ff ff ff ff ff ff ff'; do
	numa_text() { echo "$damage"; }
	nodes_text | perf_file n.data
	run 1 mem -i "$dir/n.data"
	warns 'TOPOLOGY is damaged'
	says '# 8 samples with a virtual address'
done
numa_text() { echo 'feature 22 02 00 00 00 00 00 00 00'; }
nodes_text | perf_file n.data
run 0 mem -i "$dir/n.data"
says 'no MEM_TOPOLOGY'

begin "mem: nothing to say, and wrong usage"
printf 'rec class=2 op=0' | raw_file n.spe
run 0 mem --raw "$dir/n.spe"
warns 'record again with --loads --stores'
run 2 mem --range 2000-1000
run 2 mem --range 1000
run 2 mem --height 0
run 2 mem --width 1001
run 2 mem more
run 0 mem --help

# pty.c puts what is too long into the last column, which stays empty otherwise.
begin "mem: the rows of the picture and the bars fit on a terminal of 80 columns"
for columns in 80 120; do
	printf 'end 0\nprint\n' | NO_COLOR=1 PTY_COLUMNS=$columns "$(dirname "$fixture")/pty" \
		"$perf_spe" mem -i "$dir/m.data" --height 5 >"$out" 2>"$err" || fail 'pty'
	[ "$(grep -cE '^ *0x[0-9a-f]+ \|.*\| *$' "$out")" -eq 5 ] || fail "not 5 rows at $columns columns"
	[ "$(grep -cE '^ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ .*[+=] *$' "$out")" -eq 16 ] ||
		fail "not 16 bars at $columns columns"
	sed -n '/^# working set/,/ ms$/p' "$out" | grep -v '^#' | finds -E "^.{$((columns - 1))}[^ ]" &&
		fail "a row is longer than $columns columns"
done

begin "mem: the page's command prints the traffic that the page shows"
# shellcheck source-path=SCRIPTDIR source=lib/page.sh
. "$here/cli/lib/page.sh"
sed 's/^    \$ perf spe/    perf spe/' "$here/../../../Documentation/perf-spe/reference/mem.md" >"$dir/page.md"
blocks "$dir/page.md" "$dir/page" '## Traffic over time'
run_block "$here/../../../Documentation/examples" "$(cat "$dir/page/1.command")"
part "$dir/page/1.shown" "$out" || fail "$(diff "$dir/page/1.shown" "$out")"
finish
