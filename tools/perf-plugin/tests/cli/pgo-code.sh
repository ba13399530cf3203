#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe pgo: what follows from a program's code, for cores without previous branch targets.
# usage: pgo-code.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
here() { user "$(at "$(printf %x $((base + $1)))")"; }
x() { printf %x $((base + $1)); }
is() {
	printf '%s\n' "$@" >"$dir/want"
	cmp -s "$dir/want" "$dir/text" || fail "$(diff "$dir/want" "$dir/text")"
}
mkdir -p "$dir/root/usr/bin"

# Of a recording without previous branch targets the code tells the rest.  The counts of this
# function are consistent, so they must come out as they are: it is entered once, and its
# loop has ten rounds, of which four go the short way.
cross=${CROSS_COMPILE:-aarch64-linux-gnu-}
command -v "${cross}as" >/dev/null || cross=
if ! "${cross}as" --version 2>/dev/null | finds aarch64; then
	begin "pgo: the program's code"
	skip "no assembler for AArch64"
	exit
fi
cat >"$dir/a64.s" <<'END'
	.globl f, _start
	.type f, %function
	.type _start, %function
	.type aside, %function
f:	cmp x1, #0
	b.eq 2f
	add x2, x2, #1
	add x3, x3, #1
	b 3f
2:	sub x2, x2, #1
	sub x3, x3, #1
3:	subs x0, x0, #1
	b.ne f
	ret
	.size f, . - f
_start:	bl f
	nop
	.size _start, . - _start
aside:	nop
	.size aside, . - aside
END
a64=$dir/root/usr/bin/a64
"${cross}as" -o "$dir/a64.o" "$dir/a64.s"
"${cross}ld" -o "$a64" "$dir/a64.o"
read -r seg_off seg_addr < <(readelf -lW "$a64" | awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
base=$((0x$(nm "$a64" | awk '$3 == "f" { print $1 }')))
times() { # N RECORD...
	local i
	for ((i = 0; i < $1; i++)); do echo "rec ${*:2}"; done
}
plain() { # N OFFSET...: samples that are no branch
	local n=$1 offset
	for offset in "${@:2}"; do times "$n" "pc=$(here "$offset") class=0 op=0"; done
}
taken() { times "$1" "pc=$(here "$2") class=2 op=1 events=2 target=$(here "$3")"; }
not_taken() { times "$1" "pc=$(here "$2") class=2 op=1 events=0x42"; }
a64_file() { # NAME: the records on standard input become a recording
	{
		printf 'info 4\ncomm 10 10 1 1 a64\nmap 10 0x7000000000 0x100000 %s 2 - /usr/bin/a64\n' "$seg_off"
		cat
		echo 'auxtrace 0 -1 10 0'
	} | perf_file "$1"
}
branches() {
	taken 4 4 0x14 && not_taken 6 4
	taken 6 0x10 0x1c
	taken 9 0x20 0 && not_taken 1 0x20
	taken 1 0x24 0x2c && taken 1 0x28 0
}
{ plain 10 0 0x1c; plain 6 8 0xc; plain 4 0x14 0x18; branches; } | a64_file a64.data
branches | a64_file branches.data
# in_samples FILE: the counts in samples.  A way that no sample took has a small part of one.
in_samples() {
	awk '{ n = $NF; if ($1 == "B") n = $4; else if (n ~ /:/) sub(/.*:/, "", n)
		sub(n ".*", "", $0); printf "%s%d\n", $0, n / 1024 + 0.5 }' "$1" | grep -v '[ :]0$'
}
a64() { # NAME OPTION...
	run 0 pgo -i "$dir/$1" --symfs "$dir/root" a64 "${@:2}"
	silent
	in_samples "$out" >"$dir/text"
}

begin "pgo: ranges and branches follow from the code"
a64 a64.data
is "F $(x 0) $(x 4) 4" "F $(x 0) $(x 0x10) 6" "F $(x 0x14) $(x 0x20) 4" \
	"F $(x 0x1c) $(x 0x20) 5" "F $(x 0x1c) $(x 0x24) 1" "F $(x 0x28) $(x 0x28) 1" \
	"B $(x 4) $(x 0x14) 4" "B $(x 0x10) $(x 0x1c) 6" "B $(x 0x20) $(x 0) 9" \
	"B $(x 0x24) $(x 0x2c) 1" "B $(x 0x28) $(x 0) 1"
cp "$dir/text" "$dir/all"
grep -v "^F $(x 0x28)" "$dir/all" >"$dir/want"

begin "pgo: samples of branches alone give the same"
a64 branches.data
grep -v "^F $(x 0x28)" "$dir/text" | cmp -s - "$dir/want" || fail "$(diff "$dir/text" "$dir/want")"

begin "pgo: fdata has names and offsets, and steps from block to block"
a64 a64.data -f fdata
is '1 f 4 1 f 14 0 4' '1 f 10 1 f 1c 0 6' '1 f 20 1 f 0 0 9' '1 f 24 1 _start 4 0 1' \
	'1 _start 0 1 f 0 0 1' '1 f 4 1 f 8 0 6' '1 f 18 1 f 1c 0 4' '1 f 20 1 f 24 0 1'

begin "pgo: llvm-profgen's input counts from the page of the code"
a64 a64.data -f profgen
base=$((base - (seg_addr & ~0xfff)))
grep -e - "$dir/text" >"$dir/lists"
cp "$dir/lists" "$dir/text"
is "$(x 0)-$(x 4):4" "$(x 0)-$(x 0x10):6" "$(x 0x14)-$(x 0x20):4" "$(x 0x1c)-$(x 0x20):5" \
	"$(x 0x1c)-$(x 0x24):1" "$(x 0x28)-$(x 0x28):1" "$(x 4)->$(x 0x14):4" "$(x 0x10)->$(x 0x1c):6" \
	"$(x 0x20)->$(x 0):9" "$(x 0x24)->$(x 0x2c):1" "$(x 0x28)->$(x 0):1"
[ "$(sed -n '1p;8p' "$out" | tr '\n' ' ')" = '6 5 ' ] || fail "wrong lengths of the lists"
base=$((base + (seg_addr & ~0xfff)))

# The load at 8 is 6 of 67 instructions: 10 rounds of 4, 6 ways of 3, 4 ways of 2, and the return.
# Its latency of 35 cycles is as long as 3.1 of its executions, at one instruction a cycle, so the
# hint is for the data 4 strides of 64 bytes ahead.
begin "pgo: a hint for prefetching"
{
	plain 60 0 0x1c && plain 36 0xc && plain 24 0x14 0x18
	for i in 1 2 3 4 5 6; do branches; done
	for ((i = 0; i < 36; i++)); do
		echo "rec pc=$(here 8) class=1 op=0 va=$((0x7f0000000000 + i * i * 64)) total=35 events=14"
	done
} | a64_file walk.data
run 0 pgo -i "$dir/walk.data" --symfs "$dir/root" a64 -f prefetch
silent
cp "$out" "$dir/text"
is "$(x 8),256,t0"
run 0 pgo -i "$dir/a64.data" --symfs "$dir/root" a64 -f prefetch
warns 'no sample is a load that missed a cache: record again with --loads'
times 1 "pc=$(here 8) class=1 op=0 va=0x1000 total=35 events=14" | a64_file once.data
run 0 pgo -i "$dir/once.data" --symfs "$dir/root" a64 -f prefetch
warns 'no sample is a load with misses that walks through memory: record longer, or with a shorter period'

# One way has twice the samples that its branch gives it.  All ways into a block, and out
# of it, must have one sum; relative entropy puts it between the two.
begin "pgo: counts that do not fit become consistent"
{ plain 10 0 0x1c; plain 12 8 0xc; plain 4 0x14 0x18; branches; } | a64_file odd.data
run 0 pgo -i "$dir/odd.data" --symfs "$dir/root" a64 -f fdata
awk 'function near(a, b) { return a - b < a / 500 && b - a < a / 500 }
	{ n = $8; from = $3; to = $6 }
	from == "4" && to == "8" { way = n }
	from == "4" && to == "14" { other = n }
	from == "10" { last = n } from == "18" { other_last = n }
	to == "1c" { into += n } from == "20" { out_of += n }
	END { exit !(near(way, last) && near(other, other_last) && near(into, out_of) &&
		way > 6.1 * 1024 && way < 11.9 * 1024) }' "$out" || fail "not consistent"

# Compilers read counts by line, counted from the function's declaration, and by inlined call.
begin "pgo: counts by line for clang and GCC"
cc=
for compiler in "${cross}gcc" "${cross}gcc-12"; do command -v "$compiler" >/dev/null && cc=$compiler; done
if [ -z "$cc" ]; then
	skip "no compiler for AArch64"
	exit
fi
cat >"$dir/lines.c" <<'END'
static inline __attribute__((always_inline)) int twice(int *p)
{
	*p += 1;
	return *p * 2;
}
int outer(int *p)
{
	p[1] = 7;
	return twice(p);
}
void _start(void) { int two[2]; outer(two); }
END
"$cc" -O1 -fno-inline -fno-schedule-insns2 -g -nostdlib -static -no-pie -o "$a64" "$dir/lines.c"
read -r seg_off seg_addr < <(readelf -lW "$a64" | awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
read -r start size < <(nm -S "$a64" | awk '$4 == "outer" { print $1, $2 }')
base=$((0x$start))
{
	for ((i = 0; i < 0x$size - 4; i += 4)); do plain 5 $i; done
	taken 5 $i 0x400
} | a64_file lines.data
lines() { run 0 pgo -i "$dir/lines.data" --symfs "$dir/root" a64 "$@"; }
lines -f llvm -o "$dir/lines.prof"
cp "$dir/lines.prof" "$out"
for line in 'outer:[0-9]+:0' ' 2: 51[0-9][0-9]' ' 3: twice:[0-9]+' '  2: 51[0-9][0-9]'; do
	grep -qEx "$line" "$out" || fail "no line $line: $(cat "$out")"
done
if command -v llvm-profdata-19 >/dev/null; then
	llvm-profdata-19 show --sample "$dir/lines.prof" >"$out" 2>&1 || fail "llvm-profdata fails"
	grep -q '^Function: outer: ' "$out" || fail "llvm-profdata finds no function"
fi
# GCC's dump has the functions that it found, and how often their blocks execute.
lines -f gcov -o "$dir/lines.gcov"
(cd "$dir" && "$cc" -O2 -g -c -fauto-profile=lines.gcov -fdump-ipa-afdo-all lines.c -o lines.o >"$out" 2>&1) ||
	fail "GCC does not read the profile"
[ ! -s "$out" ] || fail "GCC complains"
[ "$(od -An -tx4 -N8 "$dir/lines.gcov" | tr -d ' ')" = 6763646100000002 ] || fail "not the header of GCC 12"

begin "pgo: a program without DWARF has no lines"
"${cross}strip" --strip-debug "$a64"
run 1 pgo -i "$dir/lines.data" --symfs "$dir/root" a64 -f llvm
warns 'debugging information'

finish
