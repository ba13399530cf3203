#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe annotate, and the export columns source_line and object_address.
# usage: annotate.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# Source files are read from the current folder.
cd "$dir" || exit 1
CC="${CC:-cc} -g" make_program
second=$(objdump -d --no-show-raw-insn --start-address=0x"$hot" "$prog" |
	awk '$1 ~ /^[0-9a-f]+:$/ { n++ } n == 2 { sub(/:/, "", $1); print $1; exit }')
bare=$(printf %x $((0x$hot)))
{
	echo 'comm 10 10 1 1 prog'
	echo "map 10 $map_prog 2 $id /usr/bin/prog"
	echo 'info 4'
	for total in 10 20 90; do
		echo "rec pc=$(user "$(at "$hot")") total=$total issue=4 events=0x22"
	done
	echo "rec pc=$(user "$(at "$second")") events=0x2"
	echo "rec pc=$(user "$(at "$cold")") total=7"
	echo 'auxtrace 0 -1 10 0'
} | perf_file a.data
annotated() { run 0 annotate -i "$dir/a.data" --symfs "$dir/root" "$@"; }
row_is() { tr -s ' \t' ' ' <"$out" | finds -E -- "^ ?$1" || fail "no row '$1'"; }

begin "annotate: the hottest function, instruction by instruction"
annotated
silent
says '# hot in /usr/bin/prog: 4 samples of 5'
# Only the three samples of the first have a latency: all of the cost is theirs.
row_is "100\.00% 3 75\.00% 40\.0 90 4\.0 $bare: "
row_is "- 1 25\.00% - - - $second: "
grep -q "return x \* 3" "$out" || fail 'no source'
grep -q cold "$out" && fail 'more than the function'

begin "annotate: another function, and event rates"
annotated cold --events tlb-walk
says '# cold in /usr/bin/prog: 1 sample of 5'
annotated --events retired,tlb-walk
row_is "100\.00% 3 75\.00% 40\.0 90 4\.0 100\.00% 100\.00% "
row_is "- 1 25\.00% - - - 100\.00% 0\.00% "

# The first instruction has all cycles, the second only samples; the others have none.
begin "annotate: --limit keeps the instructions that cost most, with their source"
annotated --limit 1
silent
row_is "100\.00% 3 75\.00% 40\.0 90 4\.0 $bare: "
grep -q "return x \* 3" "$out" || fail 'no source'
grep -q 'prog\.c$' "$out" || fail 'no name of the file'
[ "$(grep -vc '^#' "$out")" -eq 3 ] || fail "$(cat "$out")"
[ "$(tail -n 1 "$out")" = '# 1 more instruction with samples' ] || fail "$(tail -n 1 "$out")"
annotated --limit 2
row_is "- 1 25\.00% - - - $second: "
grep -q ' more ' "$out" && fail 'more than all'
[ "$(grep -c "[0-9a-f]:" "$out")" -eq 2 ] || fail 'instructions without samples'
OBJDUMP=/bin/false annotated --limit 1
row_is "100\.00% 3 75\.00% 40\.0 90 4\.0 $bare "
[ "$(grep -vc '^#' "$out")" -eq 1 ] || fail "$(cat "$out")"
annotated --limit 1 --json
json 'len(d["instructions"]) == 1 and d["instructions"][0]["address"] == "0x'"$bare\""
run 2 annotate --limit 0
warns "annotate: --limit needs a positive whole number, not '0'"

# Source is read beside the code, and 13 columns for each event would push it away.
begin "annotate: source text stays where it is with event rates"
annotated
column=$(awk '{ print index($0, "return x * 3") }' "$out" | sort -n | tail -n 1)
annotated --events retired,tlb-walk,l1d-refill
with=$(awk '{ print index($0, "return x * 3") }' "$out" | sort -n | tail -n 1)
[ "$column" -gt 40 ] || fail "column $column"
[ "$with" -eq "$column" ] || fail "column $with instead of $column"

# perf-spe uses LLVM's library if it is installed, unless OBJDUMP names a program.
begin "annotate: the library and objdump have the same instructions"
counted() { awk '!/^#/ && match($0, /[0-9a-f]+:\t/) { print $1, substr($0, RSTART, RLENGTH) }' "$out"; }
if ! grep -aq libLLVM "$perf_spe"; then
	skip "built without LLVM's headers"
else
	annotated
	cp "$out" "$dir/whole"
	counted >"$dir/library"
	OBJDUMP=objdump annotated
	counted | cmp -s - "$dir/library" || fail "$(diff <(counted) "$dir/library")"
	[ "$(wc -l <"$dir/library")" -gt 3 ] || fail "few instructions"
	grep -q "^ *$dir/prog.c\$" "$dir/whole" || fail "the library was not there"
fi

begin "annotate: code of another machine, with data in it and a branch"
cross=${CROSS_COMPILE:-aarch64-linux-gnu-}
if ! command -v "${cross}as" >/dev/null || ! command -v "${cross}ld" >/dev/null; then
	skip "no ${cross}as"
else
	# Old disassemblers do not know the instructions of SVE2 and memory set.
	cat >"$dir/arm.s" <<'END'
	.arch armv8.8-a+sve2+mops
	.globl far, near
	.type far, %function
	.type near, %function
far:	cbz x0, 2f
	.word 0x00000000
	.inst 0x451ea3e1	// SVE2
2:	bl near
	ret
	.size far, . - far
near:	ret
	.size near, . - near
END
	arm=$dir/root/usr/bin/arm
	"${cross}as" -o "$dir/arm.o" "$dir/arm.s"
	"${cross}ld" -Ttext=0x10000 -e far -o "$arm" "$dir/arm.o"
	{
		echo 'comm 10 10 1 1 arm'
		echo 'map 10 0x10000 0x10000 0x10000 2 - /usr/bin/arm'
		echo 'info 4'
		echo "rec pc=$(user 0x10000) total=5"
		echo "rec pc=$(user 0x1000c) total=5"
		echo 'auxtrace 0 -1 10 0'
	} | perf_file arm.data
	run 0 annotate -i "$dir/arm.data" --symfs "$dir/root"
	row_is '50\.00% 1 50\.00% .* 10000: cbz x0, 1000c <far\+0xc>'
	row_is '10004: \.word 0x00000000'
	row_is '50\.00% 1 50\.00% .* 1000c: bl 10014 <near>'
fi


# Calls of functions of other files, and of one whose implementation is chosen at run time.  Which
# stub calls which function is known from objdump.
cat >"$dir/calls.s" <<'END'
	.globl chosen
	.hidden chosen
	.type far, %function
	.type chosen, %gnu_indirect_function
far:
	bl puts
	bl _Znwm
	bl chosen
	adrp x0, number
	add x0, x0, :lo12:number
	adrp x1, other
	ldr x1, [x1, :lo12:other]
	adr x2, far
	ret
	.size far, . - far
chosen:	ret
	.size chosen, . - chosen
	.bss
	.balign 4096
	.type number, %object
	.type other, %object
	.size number, 8
	.size other, 8
number:	.zero 8
other:	.zero 8
END
for way in '-shared' '-shared -z now' '-shared -z force-bti' '-shared -z pac-plt' '-shared -z force-bti -z pac-plt' '-static'; do
	begin "annotate: calls of functions of other files, ld $way"
	command -v "${cross}ld" >/dev/null || { skip "no ${cross}ld"; continue; }
	[ "$way" = -static ] && sed -i '/puts\|_Znwm/d' "$dir/calls.s"
	# shellcheck disable=SC2086 # words
	{ "${cross}as" -o "$dir/calls.o" "$dir/calls.s" && "${cross}ld" $way -e far -o "$dir/root/usr/bin/calls" "$dir/calls.o"; } 2>"$err" ||
		fail 'cannot build'
	calls=$dir/root/usr/bin/calls
	# Of a static program objdump names the section, which has but one stub.
	named() { sed 's/\*ABS\*+0x[0-9a-f]*/chosen/; s/<\.i\?plt>/<chosen@plt>/'; }
	"${cross}objdump" -d -C "$calls" | named | sed -nE 's/^0*([0-9a-f]+) <(.*)@plt>:$/\1 \2@plt/p' |
		if [ "$way" = -static ]; then cat; else sed 1d; fi >"$dir/want"
	[ "$(wc -l <"$dir/want")" -eq "$([ "$way" = -static ] && echo 1 || echo 3)" ] || fail 'objdump finds other stubs'
	read -r off addr < <(readelf -lW "$calls" | awk '$1 == "LOAD" && /R E/ { print $2, $3; exit }')
	far=$("${cross}nm" "$calls" | awk '$3 == "far" { print $1 }')
	{
		echo 'comm 10 10 1 1 calls'
		echo "map 10 $(hex $((addr / 4096 * 4096))) 0x10000 $(hex $((off / 4096 * 4096))) 2 - /usr/bin/calls"
		echo 'info 4'
		while read -r at _; do echo "rec pc=$(user $((0x$at + 4)))"; done <"$dir/want"
		echo "rec pc=$(user "0x$far")"
		echo 'auxtrace 0 -1 10 0'
	} | perf_file calls.data
	run 0 export -i "$dir/calls.data" --symfs "$dir/root" -f csv -F pc,symbol
	sed 's/[\r"]//g; 1d; /,far$/d; s/^0x//; s/,/ /' "$out" | while read -r pc symbol; do
		printf '%x %s\n' $((0x$pc - 4)) "$symbol"
	done >"$dir/got"
	cmp -s "$dir/got" "$dir/want" || fail "$(diff "$dir/got" "$dir/want")"
	grep -aq libLLVM "$perf_spe" || { skip "built without LLVM's headers"; continue; }
	run 0 annotate -i "$dir/calls.data" --symfs "$dir/root" far
	# The same instructions as objdump's, but for the names of pages, where objdump names the nearest symbol
	"${cross}objdump" -d -C --no-show-raw-insn --start-address=0x"$far" "$calls" |
		sed -nE 's/^ *[0-9a-f]+:\s+(bl|adrp?)\s+/\1 /p' | named | sed 's/\s*$//' >"$dir/want"
	tr -s ' \t' ' ' <"$out" | sed -nE 's/^.*: (bl|adrp?) /\1 /p' >"$dir/got"
	cmp -s "$dir/got" "$dir/want" || fail "$(diff "$dir/got" "$dir/want")"
done

begin "annotate: the first stub of a table that begins with one"
cat >"$dir/two.s" <<'END'
	.globl _start, first, second
	.type first, %gnu_indirect_function
	.type second, %gnu_indirect_function
first:	nop
second:	ret
_start:	bl first
	bl second
END
if command -v "${cross}ld" >/dev/null; then
	two=$dir/root/usr/bin/two
	{ "${cross}as" -o "$dir/two.o" "$dir/two.s" && "${cross}ld" -static -o "$two" "$dir/two.o"; } 2>"$err" ||
		fail 'cannot build'
	table=$(readelf -SW "$two" | awk -F'[][ ]+' '$3 ~ /^\.i?plt$/ { print $5 }')
	read -r off addr < <(readelf -lW "$two" | awk '$1 == "LOAD" && /R E/ { print $2, $3; exit }')
	perf_file two.data <<END
comm 10 10 1 1 two
map 10 $addr 0x10000 $off 2 - /usr/bin/two
info 4
rec pc=$(user "0x$table")
rec pc=$(user $((0x$table + 16)))
auxtrace 0 -1 10 0
END
	run 0 export -i "$dir/two.data" --symfs "$dir/root" -F symbol
	[ "$(sort "$out" | paste -sd' ')" = 'symbol=first@plt symbol=second@plt' ] || fail "$(cat "$out")"
else
	skip "no ${cross}ld"
fi

begin "annotate: without objdump, addresses and lines"
OBJDUMP=$dir/none annotated
warns 'is not installed'
row_is "100\.00% 3 75\.00% 40\.0 90 4\.0 $bare $dir/prog.c:1$"

begin "annotate: of a kernel whose names alone are known, addresses, and why"
printf '%s T _text\n%s T do_idle\n%s D jiffies\n' ffff800008000000 ffff800008001000 ffff800008003000 >"$dir/kallsyms"
perf_file kernel.data <<'END'
info 4
kmap 0xffff800008000000 0x10000000 0xffff800008000000 [kernel.kallsyms]_text
rec pc=0xa0ff800008001004 total=1
auxtrace 0 0 -1 0
END
for form in '' --json; do
	# shellcheck disable=SC2086 # none is none
	run 0 annotate $form -i "$dir/kernel.data" --kallsyms "$dir/kallsyms" do_idle
	says ffff800008001004
	warns "annotate: [kernel] has names of functions here, but no code, so these are addresses: for instructions, give --vmlinux"
done
annotated hot
! grep -q 'no code' "$err" || fail 'of a file that has code'

begin "annotate: only the file that is meant"
annotated --object prog
run 1 annotate -i "$dir/a.data" --symfs "$dir/root" --object other hot
warns 'no sample is in hot'

begin "annotate: no symbols, no such one, wrong usage"
run 1 annotate -i "$dir/a.data" --symfs "$dir"
warns 'no sample has a symbol'
run 1 annotate -i "$dir/a.data" --symfs "$dir" hot
warns 'no sample is in hot: 1 recorded file has no symbols, and the function may be in it; to see the symbols'
run 1 annotate -i "$dir/a.data" --symfs "$dir/root" nothing
warns 'no sample is in nothing: a function that the compiler inlined is a part of its callers; to see the symbols'
grep -q 'did you mean' "$err" && fail 'a symbol that is not near'
run 1 annotate -i "$dir/a.data" --symfs "$dir/root" clod
warns "annotate: no sample is in clod: did you mean 'cold'? to see the symbols with samples, run: perf spe report -i $dir/a.data --symfs $dir/root"
for pattern in 'co*' 'co?d' '*old'; do
	run 1 annotate -i "$dir/a.data" --symfs "$dir/root" "$pattern"
	warns "annotate: no sample is in $pattern: did you mean 'cold'? to see"
done
run 2 annotate hot cold
run 2 annotate --events nothing
run 0 annotate --help

# A name without its parameters is the beginning of a function's name, and is in others' names too.
begin "annotate: proposes the function itself before those that name it"
cat >"$dir/serve.c" <<'END'
int first_of_serve(int x) { return x; }
int second_of_serve(int x) { return x; }
int third_of_serve(int x) { return x; }
int serve_with_parameters(int x) { return x; }
void _start(void) { }
END
mkdir -p "$dir/root/opt"
${CC:-cc} -O0 -nostdlib -static -no-pie -o "$dir/root/opt/serve" "$dir/serve.c"
{
	echo 'info 4'
	echo 'comm 10 10 1 1 serve'
	echo "map 10 $map_prog 2 - /opt/serve"
	for name in first_of_serve second_of_serve third_of_serve serve_with_parameters; do
		echo "rec pc=$(user "$(at "$(nm "$dir/root/opt/serve" | awk -v name=$name '$3 == name { print $1 }')")") total=9 class=0 op=0"
	done
	echo 'auxtrace 0 0 10 0'
} | perf_file serve.data
run 1 annotate -i "$dir/serve.data" --symfs "$dir/root" serve
warns "no sample is in serve: did you mean 'serve_with_parameters', 'first_of_serve' or 'second_of_serve'?"

begin "report: by source line, and by address of a file"
run 0 report -i "$dir/a.data" --symfs "$dir/root" --by source_line
row_is ".*% $dir/prog.c:1 "
# 7 of 10 + 20 + 90 + 7 cycles
row_is "5\.51% $dir/prog.c:2 20\.00% 7\.0 7 7 1 7 - -$"
run 0 report -i "$dir/a.data" --symfs "$dir/root" --by object_address
row_is ".*% 0x$bare 60\.00% .* 3 120 "

begin "report: source lines from separate debugging information"
mkdir -p "$dir/root/usr/lib/debug/.build-id/${id:0:2}"
objcopy --only-keep-debug "$prog" "$dir/root/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
objcopy --strip-all "$prog"
run 0 report -i "$dir/a.data" --symfs "$dir/root" --by source_line
row_is "5\.51% $dir/prog.c:2 20\.00% "

begin "annotate: --object of no file with the function"
run 1 annotate -i "$dir/a.data" --symfs "$dir/root" --object no-such hot
warns "no sample is in hot of a file whose path contains 'no-such'"
! grep -q "did you mean 'hot'" "$err" || fail 'it proposes what was typed'
run 1 annotate -i "$dir/a.data" --symfs "$dir/root" --object no-such
warns "annotate: no sample is of a file whose path contains 'no-such': change --object; to see the files with samples, run: perf spe report --by object -i"
run 1 annotate -i "$dir/a.data" --symfs "$dir/root" --object no-such --filter 'total > 0'
warns "annotate: no sample that is kept is of a file whose path contains 'no-such': change --object; to see"
run 1 annotate -i "$dir/a.data" --symfs "$dir" --object prog
warns "no sample of a file whose path contains 'prog' has a symbol: point --symfs, --vmlinux or --kallsyms at files with symbols; to print addresses, run: perf spe annotate -i $dir/a.data --symfs $dir --object prog '[no symbol]'"

finish
