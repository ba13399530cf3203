#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The functions that an address is in, with those that the compiler inlined: each address of
# programs, by the program frames and by addr2line of binutils, which has its own reader of DWARF.
# usage: inline.sh PERF-SPE FIXTURE; beside them is frames

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
frames=$(dirname "$fixture")/frames

# Functions in functions in functions, two of them at once, in a header, in a branch.
cat >"$dir/deep.h" <<'END'
static inline __attribute__((always_inline)) int leaf(int x)
{
	if (x & 1)
		x = x * 3 + 1;
	return x ^ 5;
}
END
cat >"$dir/deep.c" <<'END'
#include "deep.h"
volatile int sink;
static inline __attribute__((always_inline)) int middle(int x)
{
	int y = leaf(x);

	sink = y;
	return leaf(y + sink);
}
__attribute__((noinline)) static int cold(int x)
{
	return x + sink;
}
int top(int x)
{
	int i;

	for (i = 0; i < x; i++) {
		int y = middle(i);

		if (y > 1000)
			x += leaf(y);
		else
			x += cold(y);
	}
	return x;
}
int plain(int x) { return x + 1; }
END
cat >"$dir/deep.cc" <<'END'
namespace space {
struct box {
	int value;
	__attribute__((always_inline)) int get(int x) const { return value * x; }
};
template <typename T> __attribute__((always_inline)) inline T twice(T x) { return x + x; }
}
int use(const space::box *b, int x)
{
	return space::twice(b->get(x)) + b->get(3);
}
END

# same FILE: every address of a function, by both
same() {
	local start size type
	nm -S "$1" | while read -r start size type _; do
		[[ $type != [tT] ]] || seq $((0x$start)) $((0x$start + 0x$size - 1))
	done | xargs printf '0x%x\n' >"$dir/addresses"
	"$frames" "$1" <"$dir/addresses" >"$out" 2>"$err" || fail 'frames fails'
	# A discriminator tells apart blocks of a line; perf-spe does without.  Where clang gives
	# line 0, for none, addr2line still names the file.
	addr2line -a -f -i -C -e "$1" <"$dir/addresses" |
		sed 's/ (discriminator [0-9]*)$//; s/^.*:?$/??:?/' >"$dir/want"
	diff "$dir/want" "$out" >"$dir/diff" || fail "$(head -n 12 "$dir/diff")"
}
# inlined N FILE: so many functions were inlined, or the test shows nothing
inlined() {
	local got
	got=$(grep -cvE '^0x|:([0-9]+|\?)$' "$out")
	[ $((got - $(wc -l <"$dir/addresses"))) -ge "$1" ] || fail "only $got functions at $(wc -l <"$dir/addresses") addresses"
}

for compiler in gcc clang; do
	for version in 4 5; do
		begin "inline: $compiler's DWARF $version, each address"
		command -v "$compiler" >/dev/null || { skip "no $compiler"; continue; }
		"$compiler" -O2 -gdwarf-$version -shared -fPIC -nostdlib -o "$dir/deep" "$dir/deep.c" 2>"$err" ||
			fail 'cannot build the test program'
		same "$dir/deep"
		inlined 40
	done
done

begin "inline: names of C++"
if ! grep -aq cplus_demangle_v3 "$perf_spe"; then
	skip 'built without libiberty'
elif ! command -v g++ >/dev/null; then
	skip 'no g++'
else
	g++ -O2 -g -shared -fPIC -nostdlib -o "$dir/cxx" "$dir/deep.cc" 2>"$err" || fail 'cannot build the test program'
	same "$dir/cxx"
	inlined 4
	grep -qxF 'space::box::get(int) const' "$out" || fail 'no space::box::get'
fi

begin "inline: a file without DWARF"
strip -g -o "$dir/stripped" "$dir/deep"
readelf -SW "$dir/stripped" | finds debug_info && fail 'there is DWARF'
echo 0x1000 | "$frames" "$dir/stripped" >"$out" 2>"$err" || fail 'frames fails'
printf '%s\n' 0x0000000000001000 '??' '??:?' | cmp -s - "$out" || fail 'frames of a file without DWARF'

# Each byte of .debug_info is changed in turn: frames must neither crash nor hang.
begin "inline: damaged DWARF"
gcc -O2 -g -shared -fPIC -nostdlib -o "$dir/deep" "$dir/deep.c" 2>"$err" || fail 'cannot build the test program'
same "$dir/deep"
read -r offset size < <(readelf -SW "$dir/deep" | sed 's/^ *\[ *[0-9]*\]//' | awk '$1 == ".debug_info" { print $4, $5 }')
head -n 400 "$dir/addresses" >"$dir/some"
for ((at = 0x$offset; at < 0x$offset + 0x$size; at += 7)); do
	cp "$dir/deep" "$dir/bad"
	printf %b "\\x$(printf %x $((at * 37 % 256)))" | dd of="$dir/bad" bs=1 seek="$at" conv=notrunc status=none
	timeout 20 "$frames" "$dir/bad" <"$dir/some" >"$out" 2>"$err" || { fail "byte $at: status $?"; break; }
done
finish
