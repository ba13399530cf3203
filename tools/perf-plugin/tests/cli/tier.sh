#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe tier: which pages belong to another NUMA node, and what --move refuses.  A guest with two
# nodes moves pages (selftests/rig/jobs/check-nodes.sh).
# usage: tier.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

rows() { tr -s ' ' <"$out" | sed 's/^ //' | finds -xF -- "$1" || fail "no row '$1'"; }

# access COUNT PID VIRTUAL PHYSICAL REST...: loads at one address
access() {
	local i
	for ((i = 0; i < $1; i++)); do
		echo "rec ctx1=$2 class=1 op=0 va=$3${4:+ pa=0x80000000$4} ts=$i ${*:5}"
	done
}

# CPUs 0 and 1 are on node 0, which has the first and third GiB.  Event 10 is remote-access.
far=events=0x402
{
	printf '%s\n' 'info 4' 'conv 0 1 0' 'text 3 elsewhere' 'numa 0 0-1 1 2,3' 'blocks 0x40000000 1 0xa 0 0x5'
	echo 'comm 10 10 1 1 app'
	echo 'comm 20 20 1 1 other'
	access 6 10 0x1000 40000000 total=100 $far
	access 2 10 0x1100 40000100 total=7
	access 3 10 0x2000 40001000 total=100 $far
	access 5 10 0x3000 40002000 total=100 $far
	# A cache of the other node had a line of this node's memory.
	access 8 10 0x4000 00001000 total=100 $far
	access 4 10 0x5000 '' $far
	access 5 10 0x6000 40003000 total=10 source=13
	access 9 10 0xff800000001000 40004000 total=100 $far
	echo 'auxtrace 0 0 10 0'
	access 5 10 0x3000 40002000 total=10
	access 4 20 0x1000 00002000 total=200 $far
	echo 'auxtrace 1 2 -1 0'
} >"$dir/far.txt"
perf_file far.data <"$dir/far.txt"

begin "tier: pages of another node, those with most cycles first"
run 0 tier -i "$dir/far.data"
silent
# The kernel's 9 are left out.
says '# 22 of 42 loads and stores of user space went to memory of another socket'
says '# 3 pages of another node to move, 1 with fewer than 4 such samples, 1 that CPUs of several nodes access'
rows '800 4 4 100.00% 0 1 0x1000 20 other'
rows '600 6 8 100.00% 1 0 0x1000 10 app'
rows '0 4 4 100.00% - 0 0x5000 10 app'
says '# nothing was moved; --move does it while the processes run'
[ "$(grep -c '0x' "$out")" -eq 3 ] || fail "$(grep 0x "$out")"
grep -A 3 'cycles .* far' "$out" | sed 's/.*  \(0x.*\)/\1/' | tail -n 3 >"$dir/got"
printf '%s\n' '0x1000  20 other' '0x1000  10 app' '0x5000  10 app' | cmp -s - "$dir/got" || fail "$(cat "$dir/got")"

begin "tier: addresses of KVM's guests are none of the VM's process"
{
	printf '%s\n' 'attr 8 1024 0 0x20001 0 0 0 0' 'info 4' 'conv 0 1 0' 'text 3 elsewhere' 'numa 0 0-1 1 2,3' \
		'blocks 0x40000000 1 0xa 0 0x5' 'comm 10 10 1 1 vmm'
	for i in 1 2 3 4 5; do
		echo "rec ctx1=7 ctx2=10 class=1 op=0 va=0x1000 pa=0x8000000040000000 ts=$i $far"
	done
	for i in 1 2 3 4 5; do
		echo "rec ctx2=10 class=1 op=0 va=0x2000 pa=0x8000000040001000 ts=$i $far"
	done
	echo 'auxtrace 0 0 -1 0'
} | perf_file guests.data
run 0 tier -i "$dir/guests.data"
says '0x2000  10 vmm'
! grep -q '0x1000' "$out" || fail "$(cat "$out")"

begin "tier: a data source names the other socket, of a core that is known"
run 0 tier -i "$dir/far.data" --cpu-model neoverse-n1
rows '50 5 5 100.00% 1 0 0x6000 10 app'
says '# 27 of 42'

begin "tier: it is unknown where no sample tells"
sed "s/$far//" "$dir/far.txt" | perf_file silent.data
run 0 tier -i "$dir/silent.data"
says '# unknown which of 42 loads and stores of user space went to memory of another socket: no load has a known data source, and no sample has the event remote-access'
run 0 tier -i "$dir/silent.data" --json
json '(d["far"], d["far_known"]) == (0, False)'
# The source of one load is known, so the others' absence means something.
run 0 tier -i "$dir/silent.data" --cpu-model neoverse-n1
says '# 5 of 42 loads and stores of user space'
# All memory is on the nodes of the CPUs.
grep -v 'ctx1=10.*pa=0x8000000040\|va=0x5000 \|ctx1=20' "$dir/far.txt" | sed "s/$far//" | perf_file near.data
run 0 tier -i "$dir/near.data"
says '# 0 of 8 loads and stores of user space'
# One node has no other.
sed "s/$far//; s/^numa .*/numa 0 0-3/" "$dir/far.txt" | perf_file single.data
run 0 tier -i "$dir/single.data"
says '# 0 of 42 loads and stores of user space'

begin "tier: --far and --share draw the line elsewhere"
run 0 tier -i "$dir/far.data" --far 3 --share 50
rows '300 3 3 100.00% 1 0 0x2000 10 app'
rows '500 5 10 50.00% 1 0 0x3000 10 app'
says '# 5 pages of another node to move'
run 0 tier -i "$dir/far.data" --far 3 --share 51
says '# 4 pages of another node to move, 1 that CPUs of several nodes access'
run 0 tier -i "$dir/far.data" --far 7
says '# 0 pages of another node to move, 5 with fewer than 7 such samples'
run 0 tier -i "$dir/far.data" --limit 1
says '# 2 more pages'
run 2 tier -i "$dir/far.data" --share 101
warns "tier: --share is in percent: give at most 100, not '101'"
run 2 tier -i "$dir/far.data" --far 0
warns 'tier: --far'

begin "tier: the same as JSON and as CSV"
if command -v python3 >/dev/null; then
	run 0 tier -i "$dir/far.data" --json
	python3 - "$out" 2>>"$err" <<'END' || fail 'JSON'
import json, sys
d = json.load(open(sys.argv[1]))
assert (d['format'], d['verb'], d['samples'], d['far']) == (1, 'tier', 51, 22), d
assert (d['user_samples'], d['far_known']) == (42, True), d
assert (d['memory_nodes_known'], d['all_pages'], d['few'], d['several_nodes']) == (True, 3, 1, 1), d
assert [list(page.values()) for page in d['pages']] == [
    ['0x1000', 20, 'other', 0, False, 1, 800, 4, 4, 100, None],
    ['0x1000', 10, 'app', 1, False, 0, 600, 6, 8, 100, None],
    ['0x5000', 10, 'app', None, False, 0, 0, 4, 4, 100, None]], d
END
fi
run 0 tier -i "$dir/far.data" --csv --limit 1
[ "$(tr -d '\r' <"$out" | paste -sd' ')" = \
	'address,pid,comm,from,several,to,cycles,far,samples,share_percent,result 0x1000,20,"other",0,false,1,800,4,4,100,' ] ||
	fail "$(cat "$out")"
run 2 tier -i "$dir/far.data" --csv=nothing
warns "tier: --csv: unknown table 'nothing'"

begin "tier: several threads find the same"
run 0 tier -i "$dir/far.data"
cp "$out" "$dir/one"
PERF_SPE_THREADS=3 run 0 tier -i "$dir/far.data"
cmp -s "$dir/one" "$out" || fail "$(diff "$dir/one" "$out")"

begin "tier: on a terminal of 80 columns no line is longer"
run 0 tier -i "$dir/far.data"
cp "$out" "$dir/piped"
PAGER=cat PTY_LOG=$dir/log PTY_COLUMNS=80 "$(dirname "$fixture")/pty" "$perf_spe" tier -i "$dir/far.data" >"$out" 2>"$err" <<<'end 0' || fail 'on the terminal'
tr -d '\r' <"$dir/log" >"$dir/fitted"
[ "$(wc -L <"$dir/fitted")" -le 80 ] || fail "$(awk 'length > 80' "$dir/fitted")"
words() { tr -s ' \n' ' ' <"$1" | sed 's/ # / /g'; }
[ "$(words "$dir/fitted")" = "$(words "$dir/piped")" ] || fail "other words: $(cat "$dir/fitted")"

begin "tier: --move leaves processes of another machine alone"
run 1 tier -i "$dir/far.data" --move
warns "tier: --move needs a recording of this machine, and this one is of 'elsewhere'"
says '# 0 pages moved, 0 there already, 3 not moved'

begin "tier: --move leaves alone what is no longer the recorded process"
sleep 60 &
sleeper=$!
sed "s/^text 3 .*/text 3 $(uname -n)/; s/ctx1=10 /ctx1=4194303 /; s/^comm 10 10 /comm 4194303 4194303 /; s/ctx1=20 /ctx1=$sleeper /; s/^comm 20 20 /comm $sleeper $sleeper /" \
	"$dir/far.txt" | perf_file here.data
run 1 tier -i "$dir/here.data" --move
warns "tier: process $sleeper is 'sleep' now and was 'other': its pages are not moved"
warns 'tier: process 4194303 has ended: its pages cannot be moved'
kill $sleeper
wait $sleeper 2>/dev/null

begin "tier: what is not known, and why"
grep -v '^numa' "$dir/far.txt" | perf_file no.data
run 1 tier -i "$dir/no.data"
warns "tier: nodes of CPUs unknown: the file's header has no NUMA_TOPOLOGY"
grep -v '^blocks' "$dir/far.txt" | perf_file no.data
run 0 tier -i "$dir/no.data"
says "# nodes of memory unknown: the file's header has no MEM_TOPOLOGY"
# Without the nodes of memory another socket's cache cannot be told from its memory.
says '# 30 of 42'
sed 's/ va=[^ ]*//' "$dir/far.txt" | perf_file no.data
run 0 tier -i "$dir/no.data"
warns 'tier: no sample has a data address: record again with --loads --stores --physical'
run 0 tier -i "$dir/far.data" --cpu 77 --json
warns "tier: --cpu '77' keeps none of"
json '(d["samples"], d["pages"]) == (0, [])'
finish
