#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Names of C++ and Rust functions as in their source, and as they are in the file.
# usage: demangle.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

begin "demangle: C++ and both manglings of Rust"
if ! grep -aq rust_demangle "$perf_spe"; then
	skip 'built without libiberty'
	exit
fi

# Each mangled name and the function that it stands for.  The first of Rust is in the
# chapter "Symbol Mangling, v0" of the rustc book; the second is in RFC 2603; the third has
# the legacy mangling that the RFC describes, whose hash rustc-demangle leaves out in its
# "alternate" form.  Those of C++ are from the Itanium C++ ABI, as c++filt of binutils 2.40
# prints them.  memcpy and _Zero have no mangling.
mangled() {
	cat <<'END'
_RNvMsr_NtCs3ssYzQotkvD_3std4pathNtB5_7PathBuf3newCs15kBYyAo9fc_7mycrate <std::path::PathBuf>::new
_RNvC6_123foo3bar 123foo::bar
_ZN4core3fmt9Formatter9write_str17h0123456789abcdefE core::fmt::Formatter::write_str
_ZNSt6vectorIiSaIiEE9push_backERKi std::vector<int, std::allocator<int> >::push_back(int const&)
_Z3addii add(int, int)
memcpy memcpy
_Zero _Zero
END
}
{
	echo '.text'
	while read -r mangled _; do
		printf '.globl "%s"\n.type "%s", %%function\n"%s":\n.skip 16\n.size "%s", 16\n' \
			"$mangled" "$mangled" "$mangled" "$mangled"
	done < <(mangled)
} >"$dir/names.S"
prog=$dir/root/usr/bin/prog
mkdir -p "${prog%/*}"
${CC:-cc} -nostdlib -static -no-pie -Wl,--build-id=none,-Ttext=0x401000,-e,memcpy -o "$prog" "$dir/names.S" 2>"$err" ||
	fail 'cannot link the test program'
read -r seg_off seg_addr < <(readelf -lW "$prog" | awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
sampled() {
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	echo "map 10 0x7000000000 0x100000 $seg_off 2 - /usr/bin/prog"
	mangled | while read -r mangled _; do
		echo "rec pc=$(user "$(at "$(nm "$prog" | awk -v name="$mangled" '$3 == name { print $1 }')")") total=1"
	done
	echo 'auxtrace 0 -1 10 0'
}
sampled | perf_file d.data
d=("-i" "$dir/d.data" --symfs "$dir/root")
run 0 report "${d[@]}"
silent
while read -r _ plain; do count_is prog "$plain" 1; done < <(mangled)

begin "demangle: names as in the file"
run 0 report "${d[@]}" --no-demangle
while read -r mangled _; do count_is prog "$mangled" 1; done < <(mangled)

begin "demangle: exports, columns and filters"
run 0 export "${d[@]}" --format csv --fields symbol
says '<std::path::PathBuf>::new'
says '"std::vector<int, std::allocator<int> >::push_back(int const&)"'
run 0 export "${d[@]}" --format csv --fields symbol --no-demangle
says '_RNvC6_123foo3bar'
run 0 report "${d[@]}" --by symbol
says ' 123foo::bar'
run 0 report "${d[@]}" --by symbol --no-demangle
says ' _RNvC6_123foo3bar'
run 0 report "${d[@]}" --filter 'symbol == "add(int, int)"'
says '# 1 record,'

begin "demangle: annotate takes either name"
for either in 'add(int, int)' _Z3addii; do
	run 0 annotate "${d[@]}" "$either"
	says '# add(int, int) in /usr/bin/prog: 1 sample of 7'
done
run 0 annotate "${d[@]}" --no-demangle _Z3addii
says '# _Z3addii in /usr/bin/prog: 1 sample of 7'
run 1 annotate "${d[@]}" --no-demangle 'add(int, int)'

begin "demangle: the kernel's Rust functions"
cat >"$dir/kallsyms" <<'END'
ffff800080000000 T _text
ffff800080001000 t _RNvC6_123foo3bar
END
printf '%s\n' 'info 4' 'kmap 0xffff800080000000 0x10000000 0xffff800080000000 [kernel.kallsyms]_text' \
	'rec pc=0xa0ff800080001000 total=1' 'auxtrace 0 0 -1 0' | perf_file k.data
run 0 report -i "$dir/k.data" --kallsyms "$dir/kallsyms"
count_is '[kernel]' 123foo::bar 1
run 0 report -i "$dir/k.data" --kallsyms "$dir/kallsyms" --no-demangle
count_is '[kernel]' _RNvC6_123foo3bar 1

# Two functions that have one name in the source: the compiler appends a hash to each.
begin "demangle: annotate prints each function of one name"
for hash in 0123456789abcdef fedcba9876543210; do
	twin=_ZN4core3fmt9Formatter9write_str17h${hash}E
	printf '.globl %s\n.type %s, %%function\n%s:\nnop\nnop\n.size %s, . - %s\n.skip 64\n' "$twin" "$twin" "$twin" "$twin" "$twin"
done >"$dir/twins.S"
${CC:-cc} -nostdlib -static -no-pie -Wl,--build-id=none,-Ttext=0x401000,-e,0x401000 -o "$prog" "$dir/twins.S" 2>"$err" ||
	fail 'cannot link the test program'
first=$(nm "$prog" | awk '/h0123/ { print $1 }')
second=$(nm "$prog" | awk '/hfedc/ { print $1 }')
read -r seg_off seg_addr < <(readelf -lW "$prog" | awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
printf '%s\n' 'info 4' 'comm 10 10 1 1 prog' "map 10 0x7000000000 0x100000 $seg_off 2 - /usr/bin/prog" \
	"rec pc=$(user "$(at "$first")") total=1" "rec pc=$(user "$(at "$second")") total=1" \
	'auxtrace 0 -1 10 0' | perf_file twins.data
run 0 annotate -i "$dir/twins.data" --symfs "$dir/root"
says '# core::fmt::Formatter::write_str in /usr/bin/prog: 2 samples of 2'
for at in "$first" "$second"; do
	grep -qE "^ +50\.00% +1 +50\.00%.* $(printf %x $((0x$at))):" "$out" || fail "no sample at $at"
done

begin "demangle: where a branch goes"
if ! command -v c++ >/dev/null; then
	skip 'no C++ compiler'
else
	cat >"$dir/call.cc" <<'END'
int __attribute__((noinline)) add(int a, int b) { return a + b; }
extern "C" int _start() { return add(1, 2) + 1; }
END
	c++ -O0 -nostdlib -static -no-pie -Wl,--build-id=none -o "$prog" "$dir/call.cc" 2>"$err" ||
		fail 'cannot link the test program'
	start=$(nm "$prog" | awk '$3 == "_start" { print $1 }')
	read -r seg_off seg_addr < <(readelf -lW "$prog" | awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
	printf '%s\n' 'info 4' 'comm 10 10 1 1 prog' "map 10 0x7000000000 0x100000 $seg_off 2 - /usr/bin/prog" \
		"rec pc=$(user "$(at "$start")") total=1" 'auxtrace 0 -1 10 0' | perf_file call.data
	for objdump in '' objdump; do
		OBJDUMP=$objdump run 0 annotate -i "$dir/call.data" --symfs "$dir/root"
		says '<add(int, int)>'
		OBJDUMP=$objdump run 0 annotate -i "$dir/call.data" --symfs "$dir/root" --no-demangle
		says '<_Z3addii>'
	done
fi

finish
