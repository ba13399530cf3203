#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Names of data addresses: variables, heap, stacks, mapped files.  nm and readelf say where
# the variables of real ELF files are; the addresses of mappings are added by hand.
# usage: data.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

cat >"$dir/lib.c" <<'END'
int counters[64] = { 1 };
const char table[100] = "constants";
static long zeros[5000];
__thread int own = 3;
int visible;
int code(int i) { zeros[i] += own; return counters[i] + table[i] + visible; }
const char *literal(void) { return "literal"; }
/* As in crti.o and crtbegin.o: names without a size, before sections without names */
__asm__(".section .fini,\"ax\",%progbits\n.type _fini,%function\n_fini: nop\n"
	".section .fini_array,\"aw\"\n.type last_call,%object\nlast_call: .quad 0\n.text\n");
END
lib=$dir/root/usr/lib/lib.so
mkdir -p "${lib%/*}"
# build FLAG...: lib.so, and "whole" with the symbols that a stripped copy does not have
build() {
	${CC:-cc} -O0 -nostdlib -Wl,--build-id=sha1 "$@" -o "$dir/whole" "$dir/lib.c" 2>"$err" ||
		fail 'cannot link the test library'
	cp "$dir/whole" "$lib"
	id=$(readelf -nW "$lib" | sed -n 's/.*Build ID: //p')
}
address() { echo $((0x$(nm "$dir/whole" | awk -v name="$1" '$3 == name { print $1 }'))); }
# segments: "OFFSET VADDR FILESZ MEMSZ FLAGS" of each LOAD
segments() { readelf -lW "$lib" | awk '$1 == "LOAD" { print $2, $3, $5, $6, $7 $8 }'; }
# code_map BIAS TIME: the mapping of the segment with code, as a loader makes it
code_map() {
	local off addr filesz memsz flags
	while read -r off addr filesz memsz flags; do
		[[ $flags == *E* ]] || continue
		echo "map 10 $(hex $(($1 + addr / 4096 * 4096))) $(hex $(((addr % 4096 + filesz + 4095) / 4096 * 4096))) $(hex $((off / 4096 * 4096))) $2 $id /usr/lib/lib.so"
	done < <(segments)
}
# data_maps BIAS TIME: the other mappings, with those of .bss
data_maps() {
	local off addr filesz memsz flags from to end prot
	while read -r off addr filesz memsz flags; do
		[[ $flags != *E* ]] || continue
		prot=1
		[[ $flags != *W* ]] || prot=3
		from=$((addr / 4096 * 4096)) to=$(((addr + filesz + 4095) / 4096 * 4096)) end=$(((addr + memsz + 4095) / 4096 * 4096))
		echo "dmap 10 10 $(hex $(($1 + from))) $((to - from)) $(hex $((off / 4096 * 4096))) $2 $prot /usr/lib/lib.so"
		[ "$end" -le "$to" ] || echo "dmap 10 10 $(hex $(($1 + to))) $((end - to)) 0 $2 3 //anon"
	done < <(segments)
}
load() { echo "rec pc=$(user 0x1000) class=1 op=0 va=$(hex "$1")${2:+ ts=$2}"; }
bias=$((0x7000000000))
build -shared -fPIC
at_data() { echo $((bias + $(address "$1") + ${2:-0})); }
accesses() {
	load "$(at_data counters)"
	load "$(at_data counters 44)"
	load "$(at_data table 99)"
	load "$(at_data zeros $((8 * 4999)))"
	load "$(at_data visible 3)"
}
are_variables() {
	name_is 1 'data /usr/lib/lib.so counters 0x0'
	name_is 2 'data /usr/lib/lib.so counters 0x2c'
	name_is 3 'rodata /usr/lib/lib.so table 0x63'
	name_is 4 'bss /usr/lib/lib.so zeros 0x9c38'
	name_is 5 'bss /usr/lib/lib.so visible 0x3'
}

begin "data: variables of a library, from its code mapping alone"
{
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	code_map $bias 2
	accesses
	load $((bias - 1))
	load $((bias + (0x100000)))
	load $((0xffff800010000000))
	echo 'auxtrace 0 -1 10 0'
} | perf_file code.data
names code.data --symfs "$dir/root"
silent
are_variables
name_is 6 'unknown - - -'
name_is 7 'unknown - - -'
name_is 8 'unknown - - -'

# section NAME: where it begins, and its size
section() { readelf -SW "$lib" | sed 's/^ *\[ *//' | awk -v name="$1" '$2 == name { print "0x" $4, "0x" $6 }'; }
begin "data: a name without a size ends with its section"
read -r rodata rodata_size < <(section .rodata)
read -r calls _ < <(section .fini_array)
read -r got _ < <(section .got)
{
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	code_map $bias 2
	load $((bias + rodata + rodata_size - 1))
	load $((bias + calls + 4))
	load $((bias + got))
	echo 'auxtrace 0 -1 10 0'
} | perf_file unsized.data
names unsized.data --symfs "$dir/root"
silent
name_is 1 "rodata /usr/lib/lib.so - $(hex $((rodata + rodata_size - 1)))"
name_is 2 'data /usr/lib/lib.so last_call 0x4'
name_is 3 "data /usr/lib/lib.so - $(hex $((got)))"

begin "data: the same with the mappings of data"
{
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	code_map $bias 2
	data_maps $bias 3
	accesses
	accesses
	echo 'auxtrace 0 -1 10 0'
} | perf_file all.data
names all.data --symfs "$dir/root"
silent
are_variables
name_is 10 'bss /usr/lib/lib.so visible 0x3'

begin "data: as a filter and by --by"
run 0 report -i "$dir/all.data" --symfs "$dir/root"  --by data_symbol --columns count,data_symbol
for row in '4 counters' '2 table' '2 zeros' '2 visible'; do
	tr -s ' ' <"$out" | finds -x " $row" || fail "no row $row"
done
run 0 report -i "$dir/all.data" --symfs "$dir/root" --summary --filter 'data_symbol == counters and data_offset > 0'
key_is records_with_pc 2
run 0 report -i "$dir/all.data" --symfs "$dir/root" --summary --filter 'data_kind == bss'
key_is records_with_pc 4
run 2 report -i "$dir/all.data" --filter 'data_kind == bbs'
warns bss

begin "data: a stripped library: the address in the file, and the part of it"
strip --strip-all "$lib"
names all.data --symfs "$dir/root"
name_is 1 'data /usr/lib/lib.so counters 0x0'
name_is 4 "bss /usr/lib/lib.so - $(hex $(($(address zeros) + 8 * 4999)))"

# The names of versions have the value 0 and no section, as any value that an assembler file sets.
begin "data: a value that is no address is no name, of data or code"
cp "$dir/lib.c" "$dir/kept.c"
cat >>"$dir/lib.c" <<'END'
asm(".globl fixed\n.type fixed, %function\n.set fixed, 1");
END
echo 'VERSION_1 { global: counters; fixed; local: *; };' >"$dir/versions"
build -shared -fPIC -Wl,--version-script="$dir/versions" -Wl,-z,noseparate-code
strip --strip-all "$lib"
readelf --dyn-syms -W "$lib" >"$out"
says 'ABS VERSION_1'
says 'ABS fixed'
{
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	code_map $bias 2
	data_maps $bias 3
	echo "rec pc=$(hex $((bias + 0x40))) class=1 op=0 va=$(hex $((bias + 0x40)))"
	load "$(at_data counters)"
	echo 'auxtrace 0 -1 10 0'
} | perf_file versions.data
names versions.data --symfs "$dir/root"
name_is 1 'rodata /usr/lib/lib.so - 0x40'
name_is 2 'data /usr/lib/lib.so counters 0x0'
run 0 report -i "$dir/versions.data" --symfs "$dir/root" --by symbol --columns count,symbol
grep -q fixed "$out" && fail 'a value is the name of code'
mv "$dir/kept.c" "$dir/lib.c"
build -shared -fPIC

begin "data: a library that is not here: where the mappings say it is"
names all.data --symfs "$dir"
name_is 1 "file /usr/lib/lib.so - $(hex $(($(address counters) - $(segments | awk '$5 ~ /W/ { print $2 }') + $(segments | awk '$5 ~ /W/ { print $1 }'))))"
name_is 4 'anonymous [anon] - -'

begin "data: a program at a fixed address"
build -static -no-pie -Wl,-e,code
bias=0
{
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	code_map 0 2
	data_maps 0 3
	accesses
	echo 'auxtrace 0 -1 10 0'
} | perf_file fixed.data
names fixed.data --symfs "$dir/root"
are_variables

begin "data: .bss that the kernel joined with the heap"
# The mapping that begins with .bss has the name [heap]; readelf tells where .bss ends.
read -r bss end < <(segments | awk '$5 ~ /W/' | while read -r _ addr filesz memsz _; do
	echo $(((addr + filesz + 4095) / 4096 * 4096)) $((addr + memsz))
done)
{
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	code_map 0 2
	data_maps 0 3 | grep -v anon
	echo "dmap 10 10 $(hex "$bss") 0x100000 0 4 3 [heap]"
	accesses
	load $((end - 1))
	load $((end + 64))
	echo 'auxtrace 0 -1 10 0'
} | perf_file joined.data
names joined.data --symfs "$dir/root"
are_variables
name_is 7 'heap [heap] - -'

begin "data: a library that is gone, and memory in its place"
build -shared -fPIC
bias=$((0x7000000000))
{
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	echo 'conv 0 1 0'
	code_map $bias 2
	data_maps $bias 3
	echo "dmap 10 10 $(hex $((bias & ~0xffff))) 0x100000 0 1000 3 //anon"
	load "$(at_data counters)" 500
	load "$(at_data counters)" 1500
	load "$(at_data counters)" 600
	echo 'auxtrace 0 -1 10 0'
} | perf_file gone.data
names gone.data --symfs "$dir/root"
name_is 1 'data /usr/lib/lib.so counters 0x0'
name_is 2 'anonymous [anon] - -'
name_is 3 'data /usr/lib/lib.so counters 0x0'

begin "data: heap, stacks, memory without a file, mapped files"
# A thread's stack: the C library reserves 0x7100000000 to 0x7100811000 without access,
# permits it behind the guard page, and starts the thread.
{
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	echo 'dmap 10 10 0x5000000 0x1000 0 2 3 [heap]'
	echo 'dmap 10 10 0x5000000 0x21000 0x5000000 3 3 [heap]'
	echo 'dmap 10 10 0x7ffff00000 0x21000 0 2 3 [stack]'
	echo 'dmap 10 10 0x7200000000 0x100000 0 3 3 //anon'
	echo 'dmap 10 10 0x7300000000 0x3000 0x5000 4 1 /tmp/numbers'
	echo 'dmap 10 10 0x7100000000 0x811000 0 5 0 //anon'
	echo 'dmap 10 10 0x7100001000 0x810000 0 6 3 //anon'
	echo 'thread 10 11 10 7'
	echo 'dmap 10 10 0x7400000000 0x811000 0 8 3 //anon'
	echo 'thread 10 12 10 9'
	echo 'dmap 10 10 0x7600000000 0x811000 0 10 0 //anon'
	echo 'dmap 10 10 0x7600001000 0x810000 0 11 3 //anon'
	echo 'thread 10 13 10 100000011'
	echo 'map 10 0x7500000000 0x1000 0 2 - [vdso]'
	echo 'dmap 10 10 0x74ffffe000 0x2000 0 2 1 [vvar]'
	for a in 0x5000010 0x5020fff 0x5021000 0x7ffff00008 0x7200000000 0x7300001234 \
		0x7100801000 0x7400000010 0x74ffffe080 0x7600801000; do load $a; done
	echo 'auxtrace 0 -1 10 0'
} | perf_file memory.data
names memory.data
silent
name_is 1 'heap [heap] - -'
name_is 2 'heap [heap] - -'
name_is 3 'unknown - - -'
name_is 4 'stack [stack] - -'
name_is 5 'anonymous [anon] - -'
name_is 6 'file /tmp/numbers - 0x6234'
name_is 7 'stack [stack:11] - -'
# No guard page: it may be a stack or not.
name_is 8 'anonymous [anon] - -'
name_is 9 'vdso [vvar] - -'
# A fiber's: the thread that begins 100 ms later has another one.
name_is 10 'anonymous [anon] - -'

# The kernel names the heap from its second growth on.  Process 20 has mapped its program before it
# forked; 30 is one whose program the recording does not show.
begin "data: the heap before it grows"
maps_of_program() {
	echo "map $1 0xaaaa00000000 0x3000 0 $2 - /usr/bin/prog"
	echo "dmap $1 $1 0xaaaa00013000 0x1000 0x3000 $2 3 /usr/bin/prog"
	echo "dmap $1 $1 0xaaaa00014000 0x5000 0 $2 3 //anon"
	echo "map $1 0xffff80000000 0x1000 0 $2 - /usr/lib/ld.so"
	echo "dmap $1 $1 0xffff80001000 0x1000 0 $2 3 //anon"
}
{
	echo 'info 4'
	echo 'conv 0 1 0'
	echo 'comm 10 10 1 1 prog'
	maps_of_program 10 2
	echo 'dmap 10 10 0xaaaa50000000 0x1000 0 3 3 //anon'
	echo 'dmap 10 10 0xaaaa10000000 0x21000 0 3 3 //anon'
	echo 'dmap 10 10 0xaaaa18000000 0x21000 0 3 0 //anon'
	echo 'fork 20 10 4'
	echo 'dmap 20 20 0xaaaa12000000 0x21000 0 5 3 //anon'
	echo 'comm 30 30 0 1 other'
	echo 'dmap 30 30 0xaaaa12000000 0x21000 0 5 3 //anon'
	# A static program beside all other mappings, and one that maps its own file once more
	printf '%s\n' 'comm 40 40 1 1 static' 'map 40 0xffff80000000 0x3000 0 2 - /usr/bin/static' \
		'map 40 0xffff80010000 0x1000 0 2 - [vdso]' 'dmap 40 40 0xffff80100000 0x21000 0 3 3 //anon'
	echo 'comm 50 50 1 1 prog'
	maps_of_program 50 2
	printf '%s\n' 'dmap 50 50 0xffff70000000 0x3000 0 3 1 /usr/bin/prog' \
		'dmap 50 50 0xffff70010000 0x1000 0 4 3 //anon' 'dmap 50 50 0xaaaa10000000 0x21000 0 4 3 //anon'
	for a in 0xaaaa00014008 0xffff80001008 0xaaaa10000008 0xaaaa50000008 0xaaaa18000008; do
		load $a 10
	done
	echo 'auxtrace 0 -1 10 0'
	load 0xaaaa12000008 11
	echo 'auxtrace 1 -1 20 0'
	load 0xaaaa12000008 12
	echo 'auxtrace 2 -1 30 0'
	load 0xffff80100008 13
	echo 'auxtrace 3 -1 40 0'
	load 0xffff70010008 14
	load 0xaaaa10000008 14
	echo 'auxtrace 4 -1 50 0'
} | perf_file grown.data
names grown.data
name_is 1 'anonymous [anon] - -'
name_is 2 'anonymous [anon] - -'
name_is 3 'heap [heap] - -'
name_is 4 'anonymous [anon] - -'
name_is 5 'anonymous [anon] - -'
name_is 6 'heap [heap] - -'
name_is 7 'anonymous [anon] - -'
name_is 8 'anonymous [anon] - -'
name_is 9 'anonymous [anon] - -'
name_is 10 'heap [heap] - -'
run 0 report -i "$dir/grown.data" --filter 'data_kind == heap' --columns count --by data_kind
says '# 3 samples, 1 row'

# The C library gives the stack of a thread that has ended to a later one, without an event.
begin "data: the stack of a thread, until it ends"
{
	printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 prog' 'dmap 10 10 0x7100000000 0x811000 0 5 0 //anon' \
		'dmap 10 10 0x7100001000 0x810000 0 6 3 //anon' 'thread 10 11 10 7' 'exit 10 11 50' 'thread 10 12 10 60'
	for time in 20 55 70; do
		echo "rec pc=0x8000000000000000 va=0x7100801000 ts=$time class=1 op=0 ctx1=10"
	done
	echo 'auxtrace 0 -1 10 0'
} | perf_file stack.data
names stack.data
name_is 1 'stack [stack:11] - -'
name_is 2 'anonymous [anon] - -'
name_is 3 'anonymous [anon] - -'

# The heap grows before the first thread starts; the second reservation merges with the guard pages of
# the first, which have its size.
begin "data: the stacks of two threads"
{
	printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 prog' \
		'dmap 10 10 0x7100830000 0x810000 0 5 0 //anon' 'dmap 10 10 0x7100840000 0x800000 0 6 3 //anon' \
		'dmap 10 10 0x5000000 0x21000 0x5000000 6 3 [heap]' 'thread 10 11 10 7' \
		'dmap 10 10 0x7100020000 0x820000 0 8 0 //anon' 'dmap 10 10 0x7100030000 0x800000 0 9 3 //anon' \
		'thread 10 12 10 10'
	for va in 0x7100841000 0x7100031000; do
		echo "rec pc=0x8000000000000000 va=$va ts=20 class=1 op=0 ctx1=10"
	done
	echo 'auxtrace 0 -1 10 0'
} | perf_file stacks.data
names stacks.data
name_is 1 'stack [stack:11] - -'
name_is 2 'stack [stack:12] - -'

begin "data: what a child inherits, and what exec ends"
{
	echo 'info 4'
	echo 'conv 0 1 0'
	echo 'comm 10 10 1 1 prog'
	code_map $bias 2
	data_maps $bias 3
	echo 'dmap 10 10 0x5000000 0x1000 0 4 3 [heap]'
	echo 'fork 20 10 100'
	echo 'fork 30 10 100'
	echo 'comm 30 30 200 1 other'
	echo 'auxtrace 0 -1 10 0'
	load "$(at_data counters)" 150
	load 0x5000010 150
	echo 'auxtrace 1 -1 20 0'
	load 0x5000010 150
	load 0x5000010 250
	load "$(at_data counters)" 250
	echo 'auxtrace 2 -1 30 0'
	load 0xffff80100008 13
	echo 'auxtrace 3 -1 40 0'
	load 0xffff70010008 14
	load 0xaaaa10000008 14
	echo 'auxtrace 4 -1 50 0'
} | perf_file child.data
names child.data --symfs "$dir/root"
name_is 1 'data /usr/lib/lib.so counters 0x0'
name_is 2 'heap [heap] - -'
name_is 3 'heap [heap] - -'
name_is 4 'unknown - - -'
name_is 5 'unknown - - -'

begin "data: a library mapped with one call, its data over it"
# glibc maps all of the library with the first segment's rights, and then each segment.
{
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	code_map $bias 2 | sed "s/ $(hex $bias) 0x[0-9a-f]* / $(hex $bias) 0x20000 /"
	data_maps $bias 3
	accesses
	echo 'auxtrace 0 -1 10 0'
} | perf_file whole.data
names whole.data --symfs "$dir/root"
are_variables

finish
