#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The library that record --heap preloads: the log has what the program says of itself.
# usage: heap-log.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

bin=$(dirname "$perf_spe")
library=$bin/libarmspe-heap.so
logs=$dir/logs

# follow ARGUMENT...: run the program with the library; what it says is $out
follow() {
	rm -rf "$logs"
	mkdir "$logs"
	PERF_SPE_HEAP=$logs PERF_SPE_HEAP_ID=1f2e LD_PRELOAD=$library "$bin/allocate" "$@" >"$out" 2>"$err"
}

# text LOG...: the logs as text
text() {
	local log
	for log in "$@"; do "$bin/heap-text" "$log" || fail "heap-text $log"; done >"$dir/text"
}

# inside OFFSET SIZE: an address behind the first instruction of a function of this size
inside() { [ "$1" -gt 0 ] && [ "$1" -le "$2" ]; }

# Each line of the program must follow in the log, in the same order: others, as those of the C
# library, may be between.
in_order() { # LINES
	awk 'NR == FNR { want[++n] = $0; next }
		n > at && ($1 " " $2 " " $3) == want[at + 1] { at++ }
		END { exit at != n || !n }' "$1" "$dir/text" || fail "the log lacks a line of the program"
}

# No address is given twice without a free between.
one_at_a_time() {
	awk '$1 == "alloc" { if (live[$2]++) bad = 1 } $1 == "free" { live[$2] = 0 } END { exit bad }' "$dir/text" ||
		fail "an address has two blocks at a time"
}

begin "heap log: each function, as the program prints its calls"
follow plain || fail "the program fails"
text "$logs"/*.heap
in_order "$out"
[ "$(grep -c '^log .* 0 0x1f2e 0$' "$dir/text")" = 1 ] || fail "no log with the id and nothing lost"
grep -qx 'end 0 0' "$dir/text" || fail "damage"

begin "heap log: the call site is in the function that called malloc"
site=$(awk '$1 == "alloc" && $3 == 100 { print $4; exit }' "$dir/text")
# The function's place by binutils; the last three digits do not depend on where it is loaded.
read -r start size < <(nm -S "$bin/allocate" | awk '$4 == "from_here" { print $1, $2 }')
offset=$(((site & 4095) - (0x$start & 4095)))
[ "$offset" -ge 0 ] || offset=$((offset + 4096))
inside "$offset" $((0x$size)) || fail "$site is not in from_here ($start, $size bytes)"

begin "heap log: many threads, more records than chunks hold"
follow threads || fail "the program fails"
text "$logs"/*.heap
# 3 rounds of 8 threads, each with 5000 blocks of 1000 * N to 1000 * N + 6 bytes, and one of N
for n in 1 4 8; do
	got=$(awk -v n="$n" '$1 == "alloc" && int($3 / 1000) == n && $3 % 1000 < 7 { c++ } END { print c }' "$dir/text")
	[ "$got" = 15000 ] || fail "$got blocks of thread $n, not 15000"
done
grep -qx 'end 0 0' "$dir/text" || fail "damage"
[ "$(awk '$1 == "alloc" && int($3 / 1000) == 4 { print $5 }' "$dir/text" | sort -u | wc -l)" = 3 ] ||
	fail "not three threads with blocks of 4000 bytes"
awk '($1 == "alloc" || $1 == "free") { if ($NF < last) exit 1; last = $NF }' "$dir/text" || fail "time goes back"
one_at_a_time

# The program gives the library a clock that stands still; on arm64 that is not possible.
begin "heap log: a thread that goes on in an older chunk, within one tick of the clock"
follow ties || fail "the program fails"
text "$logs"/*.heap
grep -qx 'end 0 0' "$dir/text" || fail "damage"
awk '$1 == "alloc" && $3 >= 10000 { if ($3 != 10000 + n++) exit 1 } END { exit n != 3000 }' "$dir/text" ||
	fail "not 3000 blocks, each one byte larger than the one before"
one_at_a_time

# The library learns of a fork by a page that the kernel wipes in the child.  qemu-user 7.2
# accepts MADV_WIPEONFORK and does nothing.
begin "heap log: a forked child has a log of its own"
if "$bin/allocate" wipes; then
	follow fork || fail "the program fails"
	[ "$(find "$logs" -type f | wc -l)" = 2 ] || fail "not two logs"
	grep -hE ' (77|99)$' "$out" >"$dir/parent"
	grep -hE ' 88$|^free' "$out" >"$dir/child"
	for log in "$logs"/*.heap; do
		text "$log"
		if grep -q '^log [0-9]* 0 ' "$dir/text"; then
			parent=$(awk '$1 == "log" { print $2 }' "$dir/text")
			in_order "$dir/parent"
		else
			of=$(awk '$1 == "log" { print $3 }' "$dir/text")
			in_order "$dir/child"
		fi
	done
	[ "${of:-0}" = "${parent:-1}" ] ||
		fail "the child's log has the parent '${of:-}', not process '${parent:-}'"
else
	skip 'the kernel or the emulator ignores MADV_WIPEONFORK: run this on Linux, not under qemu-user'
fi

begin "heap log: what a killed program wrote stays"
{ follow kill; } 2>/dev/null && fail "the program survives SIGKILL"
text "$logs"/*.heap
in_order "$out"

begin "heap log: without the variable, or with a folder that is missing, the program runs"
LD_PRELOAD=$library "$bin/allocate" plain >"$out" 2>"$err" || fail "the program fails"
PERF_SPE_HEAP=$dir/none LD_PRELOAD=$library "$bin/allocate" plain >"$out" 2>"$err" || fail "the program fails"
silent

begin "heap log: at the limit of file sizes the log says what it lost"
mkdir -p "$dir/small"
(
	ulimit -f 192 # KiB: the header and two chunks
	PERF_SPE_HEAP=$dir/small LD_PRELOAD=$library "$bin/allocate" loop 10000 >"$out" 2>"$err"
) || fail "the program fails"
text "$dir"/small/*.heap
lost=$(awk '$1 == "log" { print $5 }' "$dir/text")
# 10000 calls of malloc and of free, and those of the C library before main
got=$(grep -cE '^(alloc|free) ' "$dir/text")
[ "$lost" -gt 0 ] || fail "nothing is lost"
[ $((lost + got)) -ge 20000 ] || fail "$got records and $lost lost, not 20000 in all"

begin "heap log: C++'s operator new has the site of its caller"
if command -v c++ >/dev/null; then
	cat >"$dir/new.cc" <<'END'
#include <cstdio>
struct node { char bytes[4321]; };
__attribute__((noinline)) node *make_node() { return new node(); }
int main()
{
	node *n = make_node();
	printf("alloc %p 4321\n", static_cast<void *>(n));
	delete n;
}
END
	c++ -O1 -g -fno-builtin -o "$dir/new" "$dir/new.cc" || fail "c++"
	rm -rf "$logs"
	mkdir "$logs"
	PERF_SPE_HEAP=$logs LD_PRELOAD=$library "$dir/new" >"$out" 2>"$err" || fail "the program fails"
	text "$logs"/*.heap
	in_order "$out"
	site=$(awk '$1 == "alloc" && $3 == 4321 { print $4; exit }' "$dir/text")
	read -r start size < <(nm -S "$dir/new" | awk '$4 == "_Z9make_nodev" { print $1, $2 }')
	offset=$(((site - 0x$start) & 4095))
	inside "$offset" $((0x$size)) || fail "$site is not in make_node"
else
	skip "no C++ compiler"
fi

begin "heap log: damage is counted, and what is before it is kept"
follow plain || fail "the program fails"
log=$(echo "$logs"/*.heap)
text "$log"
before=$(grep -cE '^(alloc|free) ' "$dir/text")
# Word 2 of the first chunk begins the first call: 15 is no kind of record.
cp "$log" "$dir/bad.heap"
printf '\xff' | dd of="$dir/bad.heap" bs=1 seek=$((65536 + 16)) conv=notrunc 2>/dev/null
text "$dir/bad.heap"
grep -qx 'end 0 1' "$dir/text" || fail "no damaged chunk"
! grep -qE '^(alloc|free) ' "$dir/text" || fail "records from the damaged chunk"
head -c 100000 "$log" >"$dir/cut.heap"
text "$dir/cut.heap"
grep -q '^end 1 ' "$dir/text" || fail "no missing chunk"
[ "$before" -gt 10 ] || fail "only $before records"

# heap-log.md: the records of a chunk are in order of time, so a base that goes back is damage too.
begin "heap log: a base record that goes back in time is damage"
cp "$log" "$dir/back.heap"
# From word 2 on: base, time 1; free, address 0x1000; the end.
printf '\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x04\0\0\0\0\0\0\0\0\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0' |
	dd of="$dir/back.heap" bs=1 seek=$((65536 + 16)) conv=notrunc 2>/dev/null
text "$dir/back.heap"
grep -qx 'end 0 1' "$dir/text" || fail "no damaged chunk: $(tail -n 1 "$dir/text")"
! grep -qE '^(alloc|free) ' "$dir/text" || fail "records behind the damage"

begin "heap log: foreign files are refused with the reason"
echo 'no log' >"$dir/foreign.heap"
"$bin/heap-text" "$dir/foreign.heap" >"$out" 2>"$err" && fail "accepted"
warns 'it is no log of a heap'
finish
