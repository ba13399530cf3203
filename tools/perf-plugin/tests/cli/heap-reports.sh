#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Blocks of the heap in sharing and mem, and the names of their call sites.
# usage: heap-reports.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

bin=$(dirname "$perf_spe")

# A program at a fixed address.  Each function is one line, so that its line is that of the call.
cat >"$dir/two.c" <<'END'
int bytes;
int make_table(void) { return bytes++; }
int make_node(void) { return bytes--; }
int own_new(void) __asm__("_Znwm");
int own_new(void) { return bytes += 2; }
END
two=$dir/root/usr/bin/two
mkdir -p "${two%/*}"
address() { echo $((0x$(nm "$two" | awk -v name="$1" '$3 == name { print $1 }'))); }
build() { # build OPTION...
	${CC:-cc} -O0 "$@" -nostdlib -static -no-pie -Wl,--build-id=sha1 -Wl,-e,make_table -o "$two" "$dir/two.c"
	read -r off addr filesz < <(readelf -lW "$two" | awk '$1 == "LOAD" && /R E|RE/ { print $2, $3, $5; exit }')
	id=$(readelf -nW "$two" | sed -n 's/.*Build ID: //p')
	table=$(address make_table) node=$(address make_node) own_new=$(address _Znwm)
}
head_of() { # head_of ID
	echo 'conv 0 1 0' # a timestamp is ns of perf's clock
	echo 'midrs 2 0x413fd0c1 0x413fd0c1'
	echo "words 11 perf record -- env $1 ./two"
	echo 'comm 10 10 1 1 two'
	echo 'comm 10 11 1 0 two'
	echo "map 10 $(hex $((addr / 4096 * 4096))) $(hex $(((addr % 4096 + filesz + 4095) / 4096 * 4096))) $(hex $((off / 4096 * 4096))) 2 $id /usr/bin/two"
	echo 'dmap 10 10 0x9000000 0x4000 0 3 3 [heap]'
}
# access TID OP ADDRESS [TIME]
access() { echo "rec pc=$(user "$(hex "$node")") ctx1=$1 total=10 class=1 op=$2 va=$3 ${4:+ts=$4}"; }
log() { # log DATA ID: the log from standard input is that of process 10
	rm -rf "$dir/$1.heap"
	mkdir -p "$dir/$1.heap"
	"$bin/heap-write" 10 0 "$2" 1 "$dir/$1.heap/10-0.heap" || fail "heap-write"
}
record() { # record DATA ID: two threads in the lines 0x9000fc0, 0x9001000 and 0x9002000
	{
		head_of "$2"
		# Before the first block and after the last one it is memory of no block.
		access 10 1 0x9001000 100
		for _ in 1 2 3; do access 10 1 0x9001000 250; done
		access 10 1 0x9000fc8 250
		access 10 1 0x9002010 450
		access 10 1 0x9001000 900
		echo 'auxtrace 0 0 10 0'
		access 11 0 0x9001004 260
		access 11 0 0x9000fcc 260
		access 11 0 0x9001004 450
		access 11 0 0x9002014 450
		echo 'auxtrace 1 1 11 0'
	} | perf_file "$1"
}
# 0x9000fc8 has 100 bytes from 200 to 300, which is up to 0x900102b.  0x9001000 has 32 bytes from 400
# to 500, and 0x9002000 has 4096 bytes from 400 on.
log_of() {
	log "$1" "$2" <<END
alloc 200 0x9000fc8 100 $(hex $((table + 5)))
free 300 0x9000fc8
alloc 400 0x9001000 32 $(hex $((node + 6)))
alloc 400 0x9002000 4096 $(hex $((table + 6)))
free 500 0x9001000
END
}
rows() { tr -s ' ' <"$out" | finds -E -- "$1" || fail "no row '$1'"; }

build -g
record a.data PERF_SPE_HEAP_ID=7
log_of a.data 7

begin "heap reports: the column of sites has the line of the call"
run 0 export -f csv -F va,heap_site -i "$dir/a.data" --symfs "$dir/root" --filter 'timestamp == 450'
[ "$(tail -n +2 "$out" | tr -d '"\r' | sort | paste -sd' ')" = '0x9001004,make_node at two.c:3 0x9002010,make_table at two.c:2 0x9002014,make_table at two.c:2' ] ||
	fail "other sites"

# By hand: 0x9001000 is 0x38 behind 0x9000fc8, which is 8 behind its line.
begin "heap reports: sharing names the blocks of a line"
run 0 sharing -i "$dir/a.data" --symfs "$dir/root"
silent
says 'virtual line 0x9002000 of process 10, 4096-byte block from make_table at two.c:2: 1 load, 1 store'
says 'virtual line 0x9000fc0 of process 10, 100-byte block at +8 from make_table at two.c:2: 1 load, 1 store'

begin "heap reports: a line whose place belonged to two blocks in turn has both, and the heap"
# Four samples in the first block, one in the second, and two of no block
says 'virtual line 0x9001000 of process 10, 100-byte block+0x38 from make_table at two.c:2, [heap], 32-byte block from make_node at two.c:3: 2 loads, 5 stores'

begin "heap reports: mem names the blocks of regions and pages"
run 0 mem -i "$dir/a.data" --symfs "$dir/root"
silent
rows ' 0x9001000 10 two: 100-byte block from make_table at two\.c:2, \[heap\], 32-byte block from make_node at two\.c:3; by make_node 100\.00%$'
rows ' 0x9002000 10 two: 4096-byte block from make_table at two\.c:2; by make_node 100\.00%$'
rows ' 0x9000000-0x9003000 10 two: 100-byte block from make_table at two\.c:2, \[heap\], 4096-byte block from make_table at two\.c:2, \.\.\.$'

begin "heap reports: the pages of HTML have the same"
run 0 mem -i "$dir/a.data" --symfs "$dir/root" --html "$dir/mem.html"
grep -qE '<td[^>]*>4096-byte block from make_table at two\.c:2</td>' "$dir/mem.html" || fail 'mem: no block'
run 0 report -i "$dir/a.data" --symfs "$dir/root" --html "$dir/report.html"
grep -qF 'virtual 0x9002000 of process 10, 4096-byte block from make_table at two.c:2<' "$dir/report.html" ||
	fail 'report: no block'

# Both threads use 0x9000fc8 without a timestamp: one block alone ever had it.  Two had 0x9001000.
begin "heap reports: without timestamps a place of several blocks has no name"
{
	head_of PERF_SPE_HEAP_ID=7
	access 10 1 0x9000fc8
	access 10 1 0x9001000
	echo 'auxtrace 0 0 10 0'
	access 11 0 0x9000fc8
	access 11 0 0x9001000
	echo 'auxtrace 1 1 11 0'
} | perf_file untimed.data
log_of untimed.data 7
run 0 sharing -i "$dir/untimed.data" --symfs "$dir/root"
says 'virtual line 0x9000fc0 of process 10, 100-byte block at +8 from make_table at two.c:2: 1 load, 1 store'
says 'virtual line 0x9001000 of process 10, [heap]: 1 load, 1 store'

begin "heap reports: logs beside a recording that was made without --heap are not read"
record plain.data OTHER=7
log_of plain.data 7
for verb in sharing mem; do
	run 0 $verb -i "$dir/plain.data" --symfs "$dir/root"
	silent
	says '[heap]'
	! grep -q 'byte block' "$out" || fail "$verb: a block"
done

begin "heap reports: perf of Linux 7.3 records no arguments, so the folder of logs tells"
for file in bare-command bare-alone; do
	{ head_of none; access 10 1 0x9001000 250; access 11 1 0x9001004 250; echo 'auxtrace 0 0 10 0'; } |
		sed 's|^words 11 .*|words 11 /usr/bin/perf|' | perf_file $file.data
done
log_of bare-command.data 7
run 0 mem -i "$dir/bare-command.data" --symfs "$dir/root"
says '100-byte block'
run 0 mem -i "$dir/bare-alone.data" --symfs "$dir/root"
silent
! grep -q 'byte block' "$out" || fail 'a block without logs'

begin "heap reports: where the folder of logs is missing, mem and sharing say so"
record gone.data PERF_SPE_HEAP_ID=7
for verb in sharing mem; do
	run 0 $verb -i "$dir/gone.data" --symfs "$dir/root"
	warns 'no names of heap blocks'
	[ "$(wc -l <"$err")" -eq 1 ] || fail "$verb: not one message"
	says '[heap]'
done

# The program is the same.  With both logs 40 samples of each of two sites and of no block are tested.
begin "heap reports: diff does not compare sites that one recording alone can name"
for file in old new; do
	{
		head_of PERF_SPE_HEAP_ID=7
		for ((i = 0; i < 40; i++)); do
			access 10 0 0x9001000 450 && access 10 0 0x9002010 450 && access 10 0 0x9003800 450
		done
		echo 'auxtrace 0 0 10 0'
	} | perf_file $file.data
	log_of $file.data 7
done
run 0 diff --by heap_site --symfs "$dir/root" "$dir/old.data" "$dir/new.data" --fail-on share
says '120 and 120 samples, 3 rows, 9 differences tested, 0 significant'
rm -r "$dir/new.data.heap"
run 1 diff --by heap_site --symfs "$dir/root" "$dir/old.data" "$dir/new.data" --fail-on share
says '# heap       no logs of heap blocks in new, unlike old, so rows without a name or of one recording alone are not tested'
says '0 differences tested, 0 significant'
warns "diff: $dir/new.data has no logs of heap blocks, and $dir/old.data has"
warns 'copy that folder with the recording'
! grep -q 'record longer' "$err" || fail 'advice that does not help'
run 0 diff --by heap_size,op --symfs "$dir/root" "$dir/new.data" "$dir/old.data"
says '# heap       no logs of heap blocks in old, unlike new'
says '0 differences tested'
run 0 diff --by op --symfs "$dir/root" "$dir/old.data" "$dir/new.data" --fail-on share
says '3 differences tested, 0 significant'
silent
rm -r "$dir/old.data.heap"
run 0 diff --by heap_site --symfs "$dir/root" "$dir/old.data" "$dir/new.data" --fail-on share
says '1 row, 3 differences tested, 0 significant'

# As in C++, where the call is in a function of a header that the compiler put into the program's own;
# the name has 600 characters.
begin "heap reports: a site has the line of its own function, and its whole name"
long=$(printf 'long_name_%.0s' {1..60})
cat >"$dir/two.c" <<END
int bytes;
static inline __attribute__((always_inline)) int library(int n) { __asm__ volatile("nop"); return
bytes += n; }
int make_table(void) {
return library(1) +
library(2); }
int make_node(void) { return bytes--; }
int own_new(void) __asm__("_Znwm");
int own_new(void) { return bytes += 2; }
int $long(void) { return bytes++; }
END
build -g
record inline.data PERF_SPE_HEAP_ID=7
mapfile -t called < <(objdump -d --no-show-raw-insn "$two" |
	awk '/<make_table>:/ { on = 1 } /^$/ { on = 0 } on && $2 == "nop" { print "0x" substr($1, 1, length($1) - 1) }')
[ "${#called[@]}" -eq 2 ] || fail "not 2 calls: $(objdump -d "$two")"
first=${called[0]} second=${called[1]}
log inline.data 7 <<END
alloc 200 0x9000fc8 100 $(hex $((first + 1)))
alloc 400 0x9001000 32 $(hex $((second + 1)))
alloc 400 0x9002000 4096 $(hex $(($(address "$long") + 5)))
END
run 0 report -i "$dir/inline.data" --symfs "$dir/root" --by heap_site --columns count,heap_site
for site in 'make_table at two.c:5' 'make_table at two.c:6' "$long at two.c:10"; do
	finds -E " $site\$" <"$out" || fail "no $site"
done

# The call is 5 bytes behind the function's start, by the log above.
begin "heap reports: without debug information a site is an offset in the function"
build
record bare.data PERF_SPE_HEAP_ID=7
log_of bare.data 7
run 0 sharing -i "$dir/bare.data" --symfs "$dir/root"
says 'virtual line 0x9000fc0 of process 10, 100-byte block at +8 from make_table+0x5: 1 load, 1 store'
run 0 export -f csv -F heap_site -i "$dir/bare.data" --symfs "$dir/root" --filter 'va == 0x9002010'
[ "$(tail -n 1 "$out" | tr -d '"\r')" = make_table+0x6 ] || fail "not make_table+0x6"
silent

# With libstdc++ inside the program, its operator new is called, not that of libarmspe-heap.so.
begin "heap reports: an operator new of the program is no call site of interest, and a message says so"
record new.data PERF_SPE_HEAP_ID=7
log new.data 7 <<END
alloc 400 0x9001000 32 $(hex $((own_new + 5)))
alloc 400 0x9002000 4096 $(hex $((own_new + 5)))
END
run 0 export -f csv -F heap_site -i "$dir/new.data" --symfs "$dir/root" --filter 'va == 0x9002010'
[ "$(tail -n 1 "$out" | tr -d '"\r')" = 'operator new(unsigned long)+0x5' ] || fail "not in operator new"
for options in 'report --by heap_site' 'report --by heap_site --no-demangle' sharing mem; do
	# shellcheck disable=SC2086 # words
	run 0 $options -i "$dir/new.data" --symfs "$dir/root"
	warns 'blocks that /usr/bin/two allocated by operator new have this function as their site, not its caller: the program has an operator new of its own (-static-libstdc++, for example), which the log of the heap does not follow; link it with libstdc++ as a shared object, and record again'
	[ "$(grep -c 'operator new' "$err")" -eq 1 ] || fail "$options: not one message"
done
run 0 report --by heap_site --json -i "$dir/new.data" --symfs "$dir/root"
json 'any(m["text"].startswith("blocks that /usr/bin/two allocated by operator new") for m in d["messages"])'
run 0 report --by symbol -i "$dir/new.data" --symfs "$dir/root"
! grep -q 'operator new' "$err" || fail 'a message on sites, which are not printed'
finish
