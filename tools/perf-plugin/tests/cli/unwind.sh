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

# The link register has the caller of a function without a frame, such as leaf(); clang and GCC
# for arm64 leave out the frames of leaf functions.  .cfi tells where that is so.
begin "stacks: the link register has a leaf function's caller"
arm=$(command -v aarch64-linux-gnu-gcc || command -v aarch64-linux-gnu-gcc-12) || arm=
if [ -z "$arm" ]; then
	skip 'no compiler for arm64'
else
	"$arm" -O1 -g -fno-optimize-sibling-calls -nostdlib -static -no-pie -Wl,--build-id=sha1 \
		-o "$prog" "$dir/prog.c"
	read -r seg_off seg_addr < <(readelf -lW "$prog" | awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
	id=$(readelf -nW "$prog" | sed -n 's/.*Build ID: //p')
	arm_at() { at "$(aarch64-linux-gnu-objdump -d --no-show-raw-insn "$prog" | awk -v f="<$1>:" -v c="$2" '
		$2 == f { inside = 1 } !NF { inside = 0 } inside && $0 ~ c { sub(/:/, "", $1); print $1; exit }')"; }
	leaf=$(at "$(nm "$prog" | awk '$3 == "leaf" { print $1 }')")
	lr=$(printf '0x%x' $(($(arm_at left 'bl.*<leaf>') + 4)))
	outer=$(printf '0x%x' $(($(arm_at _start 'bl.*<left>') + 4)))
	in_left=$(arm_at left 'ldp.*x29')
	{
		# PERF_SAMPLE_CALLCHAIN and _REGS_USER, bits 5 and 12; register 30
		head_text | sed 's/^parts .*/parts 0x1020 0x40000000/'
		echo 'owner 1'
		echo "reg $(printf '0x%x' $((lr | 0x00f0000000000000)))"	# with pointer authentication
		echo "calls 10 10 0 10$ms $user_mark $leaf $outer"
		echo "calls 10 10 0 60$ms $user_mark $in_left $outer"
		echo 'owner 0'
		rec "$leaf" 11$ms 5
		rec "$in_left" 61$ms 5
		echo 'auxtrace 0 0 10 0'
	} | perf_file lr.data
	run 0 export -i "$dir/lr.data" --symfs "$dir/root" -f csv -F stack
	[ "$(tail -n +2 "$out" | tr -d '\r"' | paste -sd ' ')" = 'leaf|in|left|_start left|_start' ] ||
		fail 'another stack'
fi

# A copy of the stack, as the procedure call standard for arm64 lays it out (AAPCS64): x29 and x30
# of each frame, which begins where "stp x29, x30, [sp, #-SIZE]!" puts them.
begin "stacks: a copied stack is unwound by DWARF"
if [ -z "$arm" ]; then
	skip 'no compiler for arm64'
else
	"$arm" -O1 -g -fno-optimize-sibling-calls -fomit-frame-pointer -nostdlib -pie -fpie -Wl,--build-id=sha1 \
		-o "$prog" "$dir/prog.c"
	read -r seg_off seg_addr < <(readelf -lW "$prog" | awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
	id=$(readelf -nW "$prog" | sed -n 's/.*Build ID: //p')
	leaf=$(at "$(nm "$prog" | awk '$3 == "leaf" { print $1 }')")
	lr=$(printf '0x%x' $(($(arm_at left 'bl.*<leaf>') + 4)))
	outer=$(printf '0x%x' $(($(arm_at _start 'bl.*<left>') + 4)))
	# frame FUNCTION: the size of its frame and where x30 is in it
	frame() {
		aarch64-linux-gnu-objdump -d --no-show-raw-insn "$prog" | awk -v f="<$1>:" '
			$2 == f { inside = 1 } !NF { inside = 0 }
			inside && /(stp|str).*x30.*\[sp, #-[0-9]+\]!/ {
				match($0, /#-[0-9]+/); print substr($0, RSTART + 2, RLENGTH - 2), /, x30/ ? 8 : 0; exit }'
	}
	read -r size at_lr < <(frame left)
	word() { printf 'byte'; for ((i = 0; i < 8; i++)); do printf ' %x' $(($1 >> 8 * i & 255)); done; echo; }
	{
		head_text | sed 's/^parts .*/parts 0x3020 0x1ffffffff/'
		echo 'owner 1'
		for ((w = 0; w < size; w += 8)); do word $((w == at_lr ? outer : 0)); done
		for ((w = 0; w < 64; w += 8)); do word 0; done
		printf 'reg'; printf ' 0%.0s' {0..29}; echo " $lr 0x7ff0000000 $leaf"
		echo "calls 10 10 0 10$ms $user_mark"
		echo 'owner 0'
		rec "$leaf" 11$ms 5
		echo 'auxtrace 0 0 10 0'
	} | perf_file dwarf.data
	run 0 export -i "$dir/dwarf.data" --symfs "$dir/root" -f csv -F stack
	[ "$(tail -n +2 "$out" | tr -d '\r"')" = 'leaf|in|left|_start' ] || fail 'another stack'
fi
finish
