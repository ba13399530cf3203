# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # what is set here the cases use, and cli.sh has set
#
# A program with known callers, for cli-stacks.sh and cli-unwind.sh.

# leaf() has two callers; in(), inlined into left(), calls it there.
prog=$dir/root/usr/bin/prog
mkdir -p "${prog%/*}"
cat >"$dir/prog.c" <<'END'
volatile int sink;
__attribute__((noinline)) void leaf(void) { sink++; sink++; }
static inline __attribute__((always_inline)) void in(void) { leaf(); sink += 3; }
__attribute__((noinline)) void left(void) { sink += 7; in(); }
__attribute__((noinline)) void right(void) { leaf(); sink += 9; }
__attribute__((noinline)) void other(void) { sink += 5; }
void _start(void) { left(); right(); other(); sink = 0; }
END
${CC:-cc} -O1 -g -fno-optimize-sibling-calls -nostdlib -static -no-pie -Wl,--build-id=sha1 -o "$prog" "$dir/prog.c"
read -r seg_off seg_addr < <(readelf -lW "$prog" | awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
id=$(readelf -nW "$prog" | sed -n 's/.*Build ID: //p')
leaf='' left='' right='' other='' _start=''
for function in leaf left right other _start; do
	declare "$function=$(at "$(nm "$prog" | awk -v n="$function" '$3 == n { print $1 }')")"
done
# A return address is behind the call, wherever the compiler put that.  perf-spe takes 4 bytes
# off, the length of an A64 instruction, so the address that it looks up is inside of this.
# returns FUNCTION CALLED: the address as a chain has it
returns() {
	local call
	call=$(objdump -d --no-show-raw-insn "$prog" | awk -v f="<$1>:" -v c="<$2>" '
		$2 == f { inside = 1 } !NF { inside = 0 }
		inside && $NF == c { sub(/:/, "", $1); print $1; exit }')
	printf '0x%x' $(($(at "$call") + 4))
}
from_left=$(returns left leaf) from_right=$(returns right leaf)
left_from=$(returns _start left) right_from=$(returns _start right)
user_mark=0xfffffffffffffe00 kernel_mark=0xffffffffffffff80	# PERF_CONTEXT_USER, _KERNEL

# PERF_SAMPLE_CALLCHAIN is bit 5.
head_text() {
	cat <<END
attr 8 1024 0 1 0 0 0 0
attr 0 1000 0 0 0 0 0 0
parts 0x20 0
info 4
comm 10 10 1 1 prog
map 10 0x7000000000 0x1000 $seg_off 2 $id /usr/bin/prog
conv 0 1 0
END
}
calls_left() { echo "calls 10 10 0 $1 $user_mark $leaf $from_left $left_from"; }
calls_right() { echo "calls 10 10 0 $1 $user_mark $leaf $from_right $right_from"; }
rec() { echo "rec pc=$(user "$1") total=$3 ctx1=${4:-10} events=2 ts=$2"; }

ms=000000
