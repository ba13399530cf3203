#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Where call stacks come from: chains of the kernel and of frame pointers, the link register,
# copied stacks; and SPE records that lie in samples.
# usage: unwind.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/stacks.sh
. "$(dirname "$0")/lib/stacks.sh"

# A kernel's frames come before the user's, and only the first of each is no call.
begin "stacks: kernel and user code in one chain"
printf '%s\n' 'ffff800010000000 T _text' 'ffff800010001000 T vfs_read' 'ffff800010002000 T copy_out' \
	'ffff800010003000 T _etext' >"$dir/kallsyms"
{
	head_text
	echo 'owner 1'
	echo "calls 10 10 0 10$ms $kernel_mark 0xffff800010002008 0xffff800010001010 $user_mark $leaf $from_left $left_from"
	echo 'owner 0'
	echo "rec pc=0xa0ff800010002010 total=5 ctx1=10 ts=11$ms"
	echo "rec pc=0xc0ff800010002010 total=5 ctx1=10 ts=11$ms"
	echo 'auxtrace 0 0 10 0'
} | perf_file kernel.data
run 0 export -i "$dir/kernel.data" --symfs "$dir/root" --kallsyms "$dir/kallsyms" -f csv -F stack
[ "$(tail -n +2 "$out" | tr -d '\r"' | sort | uniq -c | awk '{ print $1, $2 }')" = '2 copy_out|vfs_read|leaf|in|left|_start' ] ||
	fail 'another stack'

# The same addresses before and after an exec: _start() of another program is not this one's.
begin "stacks: an exec changes what an address is"
objcopy --redefine-sym leaf=leaf2 --redefine-sym left=left2 "$prog" "$dir/root/usr/bin/later"
{
	head_text
	echo "map 10 0x7000000000 0x1000 $seg_off 50$ms - /usr/bin/later"
	echo 'owner 1'
	calls_left 10$ms
	echo "calls 10 10 0 60$ms $user_mark $leaf $from_left $left_from"
	echo 'owner 0'
	rec "$leaf" 11$ms 5
	rec "$leaf" 61$ms 5
	echo 'auxtrace 0 0 10 0'
} | perf_file exec.data
run 0 export -i "$dir/exec.data" --symfs "$dir/root" -f csv -F object,stack
[ "$(tail -n +2 "$out" | tr -d '\r"' | paste -sd ' ')" = '/usr/bin/prog,leaf|in|left|_start /usr/bin/later,leaf2|in|left2|_start' ] ||
	fail 'another stack'

# PERF_SAMPLE_AUX is bit 20.  Each record has 64 bytes; samples have the newest ones.
begin "stacks: records that only samples have, each once"
{
	head_text | sed 's/^parts .*/parts 0x100020 0/'
	for n in 1 2 3; do echo "$(rec "$leaf" 1$n$ms $n) align=64"; done
	chain="$user_mark $leaf $from_left $left_from"
	echo owner 1
	echo "auxsample 10 10 0 13$ms 64 $chain"
	for n in 4 5; do echo "$(rec "$leaf" 1$n$ms $n) align=64"; done
	echo "pad 128"
	echo "auxsample 10 10 0 15$ms 0 $chain"
	for n in 3 4 5; do echo "$(rec "$leaf" 1$n$ms $n) align=64"; done
	echo "auxsample 10 10 0 16$ms 0 $chain"
	echo "$(rec "$leaf" 18$ms 8) align=64"
	echo "auxsample 10 10 0 18$ms 0 $chain"
} | perf_file aux.data
run 0 export -i "$dir/aux.data" --symfs "$dir/root" -f csv -F total,caller
[ "$(tail -n +2 "$out" | tr -d '\r"' | paste -sd ' ')" = '1,left 2,left 3,left 4,left 5,left 8,left' ] ||
	fail 'other records'
run 0 report -i "$dir/aux.data" --summary
key_is records 6
key_is damaged_bytes 0

# build_arm FLAGS...: the program for arm64; where leaf() is, and behind its call and that of left()
arm=$(command -v aarch64-linux-gnu-gcc || command -v aarch64-linux-gnu-gcc-12) || arm=
arm_code() { aarch64-linux-gnu-objdump -d --no-show-raw-insn "$prog"; }
arm_at() { at "$(arm_code | awk -v f="^<$1>:$" -v c="$2" '
	$2 ~ f { inside = 1 } !NF { inside = 0 } inside && $0 ~ c { sub(/:/, "", $1); print $1; exit }')"; }
build_arm() {
	"$arm" -O1 -fno-optimize-sibling-calls -nostdlib -Wl,--build-id=sha1 "$@" -o "$prog" "${source:-$dir/prog.c}"
	read -r seg_off seg_addr < <(readelf -lW "$prog" | awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
	id=$(readelf -nW "$prog" | sed -n 's/.*Build ID: //p')
	leaf=$(arm_at 'leaf(@plt)?' .)
	lr=$(printf '0x%x' $(($(arm_at left 'bl.*<leaf') + 4)))
	outer=$(printf '0x%x' $(($(arm_at _start 'bl.*<left>') + 4)))
}
# signed ADDRESS: as pointer authentication signs it with addresses of 48 bits
signed() { printf '0x%x' $(($1 | 0x0059000000000000)); }

# The link register has the caller of a function without a frame, such as leaf(); clang and GCC
# for arm64 leave out the frames of leaf functions.  .cfi tells where that is so.
begin "stacks: the link register has a leaf function's caller"
if [ -z "$arm" ]; then
	skip 'no compiler for arm64'
else
	build_arm -g -static -no-pie
	in_left=$(arm_at left 'ldp.*x29')
	# Of pointer authentication with addresses of 48, 39 and 52 bits
	for bits in 0x0059000000000000 0x004a188000000000 0x0050000000000000; do
		{
			# PERF_SAMPLE_CALLCHAIN and _REGS_USER, bits 5 and 12; register 30
			head_text | sed 's/^parts .*/parts 0x1020 0x40000000/'
			echo 'owner 1'
			echo "reg $(printf '0x%x' $((lr | bits)))"
			echo "calls 10 10 0 10$ms $user_mark $leaf $outer"
			echo "calls 10 10 0 60$ms $user_mark $in_left $outer"
			echo 'owner 0'
			rec "$leaf" 11$ms 5
			rec "$in_left" 61$ms 5
			echo 'auxtrace 0 0 10 0'
		} | perf_file lr.data
		run 0 export -i "$dir/lr.data" --symfs "$dir/root" -f csv -F stack
		[ "$(tail -n +2 "$out" | tr -d '\r"' | paste -sd ' ')" = 'leaf|in|left|_start left|_start' ] ||
			fail "another stack with $bits"
	done
fi

# So is that of a stub through which a program calls a function of another file.  It has no .cfi.
begin "stacks: the link register has a stub's caller"
if [ -z "$arm" ]; then
	skip 'no compiler for arm64'
else
	echo 'void leaf(void) {}' | "$arm" -shared -nostdlib -x c -o "$dir/libleaf.so" -
	sed 's/.* void leaf(void).*/void leaf(void);/' "$dir/prog.c" >"$dir/stub.c"
	source=$dir/stub.c build_arm -g -no-pie -Wl,--no-as-needed "$dir/libleaf.so"
	{
		head_text | sed 's/^parts .*/parts 0x1020 0x40000000/'
		printf '%s\n' 'owner 1' "reg $lr" "calls 10 10 0 10$ms $user_mark $leaf $outer" 'owner 0'
		rec "$leaf" 11$ms 5
		echo 'auxtrace 0 0 10 0'
	} | perf_file stub.data
	run 0 export -i "$dir/stub.data" --symfs "$dir/root" -f csv -F stack
	[ "$(tail -n 1 "$out" | tr -d '\r"')" = 'leaf@plt|in|left|_start' ] || fail 'another stack'
fi

word() { printf 'byte'; for ((i = 0; i < 8; i++)); do printf ' %x' $(($1 >> 8 * i & 255)); done; echo; }
# copied PC LR FP WORD...: a sample with registers and a copy of the stack, which begins at $sp
sp=0x7ff0000000
copied() {
	local pc=$1 lr=$2 fp=$3 w
	shift 3
	for w; do word $((w)); done
	printf 'reg'; printf ' 0%.0s' {0..28}; echo " $fp $lr $sp $pc"
	echo "calls 10 10 0 10$ms $user_mark"
}
# frame_of RETURN: the words of the frame of left(), which returns to RETURN.  As the procedure call
# standard for arm64 has it (AAPCS64), x29 and x30 are where "stp x29, x30, [sp, #-SIZE]!" puts them.
frame_of() {
	local size at_lr w
	read -r size at_lr < <(arm_code | awk '
		$2 == "<left>:" { inside = 1 } !NF { inside = 0 }
		inside && /(stp|str).*x30.*\[sp, #-[0-9]+\]!/ {
			match($0, /#-[0-9]+/); print substr($0, RSTART + 2, RLENGTH - 2), /, x30/ ? 8 : 0; exit }')
	for ((w = 0; w < size; w += 8)); do echo $((w == at_lr ? $1 : 0)); done
	echo 0 0 0 0 0 0 0 0
}
# copied_stack WANT PC ARGUMENTS...: what a record at PC gets from the sample that copied() makes
copied_stack() {
	local want=$1
	shift
	{
		head_text | sed 's/^parts .*/parts 0x3020 0x1ffffffff/'
		[ -z "${more_maps:-}" ] || echo "$more_maps"
		echo 'owner 1'
		copied "$@"
		echo 'owner 0'
		rec "$1" 11$ms 5
		echo 'auxtrace 0 0 10 0'
	} | perf_file dwarf.data
	run 0 export -i "$dir/dwarf.data" --symfs "$dir/root" -f csv -F stack
	[ "$(tail -n +2 "$out" | tr -d '\r"')" = "$want" ] || fail "another stack: $(tail -n +2 "$out")"
}

begin "stacks: a copied stack is unwound by DWARF"
if [ -z "$arm" ]; then
	skip 'no compiler for arm64'
else
	build_arm -g -fomit-frame-pointer -pie -fpie
	mapfile -t words < <(frame_of "$outer" | tr ' ' '\n')
	copied_stack 'leaf|in|left|_start' "$leaf" "$lr" 0 "${words[@]}"
fi

# Return addresses are signed where a function keeps them, in its frame and in the link register.
begin "stacks: return addresses in a copied stack may be signed"
if [ -z "$arm" ]; then
	skip 'no compiler for arm64'
else
	build_arm -g -fomit-frame-pointer -pie -fpie -mbranch-protection=pac-ret+leaf
	mapfile -t words < <(frame_of "$(signed "$outer")" | tr ' ' '\n')
	copied_stack 'leaf|in|left|_start' "$leaf" "$(signed "$lr")" 0 "${words[@]}"
	copied_stack 'leaf|in|left|_start' "$(printf '0x%x' $((leaf + 4)))" "$(signed "$lr")" 0 "${words[@]}"
fi

# libdwfl must know a frame's file before it unwinds the frame, or it takes the link register again.
begin "stacks: the caller of a function of another file comes once"
if [ -z "$arm" ]; then
	skip 'no compiler for arm64'
else
	build_arm -g -fomit-frame-pointer -pie -fpie
	mapfile -t words < <(frame_of "$outer" | tr ' ' '\n')
	cp "$prog" "$dir/root/usr/bin/library"
	more_maps="map 10 0x7100000000 0x1000 $seg_off 3$ms $id /usr/bin/library"
	far_leaf=$(printf '0x%x' $((leaf + 0x100000000)))
	copied_stack 'leaf|in|left|_start' "$far_leaf" "$lr" 0 "${words[@]}"
fi

# Code without unwinding data: there libdwfl has only the link register and the frame pointers.
begin "stacks: callers without unwinding data come once"
if [ -z "$arm" ]; then
	skip 'no compiler for arm64'
else
	build_arm -fno-omit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables -pie -fpie
	in_left=$(printf '0x%x' $((lr + 4)))
	first_in_left=$(printf '0x%x' $((lr - 4)))
	frames=("$((sp + 64))" "$outer" 0 0 0 0 0 0 0 0 0 0)
	# in a leaf function that has unwinding data, in one without, and in its caller before and after a call
	copied_stack 'leaf|left|_start' "$far_leaf" "$lr" $sp "${frames[@]}"
	copied_stack 'leaf|left|_start' "$leaf" "$lr" $sp "${frames[@]}"
	copied_stack 'left|_start' "$first_in_left" "$outer" $sp "${frames[@]}"
	copied_stack 'left|_start' "$in_left" "$lr" $sp "${frames[@]}"
	more_maps=
fi

# early WHY: what the heading says of one copied stack that ends early; '' if it is not to
early() {
	local want="# stacks     1 of the 1 copied stack ends early, so outer callers are missing: 1 $1"
	run 0 report -i "$dir/dwarf.data" --symfs "$dir/root" --callers
	if [ -z "$1" ]; then
		! grep -q 'ends early' "$out" || fail 'a whole stack ends early'
	else
		grep -qxF "$want" "$out" || fail "no line that says: $1"
	fi
}
begin "stacks: the heading says which copied stacks end early, and why"
if [ -z "$arm" ]; then
	skip 'no compiler for arm64'
else
	copied_stack 'left|_start' "$in_left" "$lr" $sp "${frames[@]}"
	early ''
	copied_stack 'left' "$in_left" 0 0 "${frames[@]}"
	early 'in a function without unwinding data (.eh_frame)'
	build_arm -g -fomit-frame-pointer -pie -fpie
	copied_stack 'leaf|in|left|_start' "$leaf" "$lr" 0 "${words[@]}"
	early ''
	copied_stack 'leaf|in|left' "$leaf" "$lr" 0 0
	early "where perf's copy of the stack ends (the event's term stack-size sets how long that is)"
	copied_stack 'leaf|[unknown]' "$leaf" 0x6000000010 0 0
	early 'at an address without code'
	more_maps="map 10 0x6000000000 0x1000 0 2 - //anon"
	copied_stack 'leaf|//anon' "$leaf" 0x6000000010 0 0
	early 'in code that is in no file'
	more_maps="map 10 0x6000000000 0x1000 0 2 - /usr/bin/gone"
	copied_stack 'leaf|/usr/bin/gone' "$leaf" 0x6000000010 0 0
	early 'in code whose file is not there (--symfs tells where files are)'
fi
finish
