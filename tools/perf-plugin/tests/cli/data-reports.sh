#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Names of data in sharing and mem, and the code of hot pages.
# usage: data-reports.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

# A program at a fixed address with its variables on lines that nm tells.
cat >"$dir/two.c" <<'END'
struct { long left, right; } pair __attribute__((aligned(4096)));
char array[8192] __attribute__((aligned(4096)));
int reader(void) { return array[0] + (int)pair.left; }
int writer(void) { pair.right++; return 0; }
END
two=$dir/root/usr/bin/two
mkdir -p "${two%/*}"
address() { echo $((0x$(nm "$two" | awk -v name="$1" '$3 == name { print $1 }'))); }
build() { # build SOURCE
	${CC:-cc} -O0 -nostdlib -static -no-pie -Wl,--build-id=sha1 -Wl,-e,reader -o "$two" "$dir/$1"
	read -r off addr filesz < <(readelf -lW "$two" | awk '$1 == "LOAD" && /R E|RE/ { print $2, $3, $5; exit }')
	id=$(readelf -nW "$two" | sed -n 's/.*Build ID: //p')
}
build two.c
pair=$(address pair) array=$(address array)
# access FUNCTION TID OP ADDRESS [EVENTS]
access() { echo "rec pc=$(user "$(hex "$(address "$1")")") ctx1=$2 total=10 class=1 op=$3 va=$(hex "$4") events=${5:-2}"; }
head_of() {
	echo 'midrs 2 0x413fd0c1 0x413fd0c1'
	echo 'comm 10 10 1 1 two'
	echo 'comm 10 11 1 0 two'
	echo "map 10 $(hex $((addr / 4096 * 4096))) $(hex $(((addr % 4096 + filesz + 4095) / 4096 * 4096))) $(hex $((off / 4096 * 4096))) 2 $id /usr/bin/two"
}
{
	head_of
	for _ in {1..12}; do access writer 10 1 $((pair + 8)); done
	for _ in 1 2 3; do access writer 10 1 $((array + 4096)); done
	access reader 10 0 $((array + 4100))
	echo 'auxtrace 0 0 10 0'
	for _ in {1..8}; do access reader 11 0 "$pair" 0x800002; done
	for _ in {1..4}; do access writer 11 0 "$pair" 0x800002; done
	access reader 11 0 $((array + 4096 + 8))
	access reader 11 0 0x9000000
	echo 'auxtrace 1 1 11 0'
} | perf_file two.data

begin "sharing: the variables of a line"
run 0 sharing -i "$dir/two.data" --symfs "$dir/root"
silent
# pair is at the start of its line, and line 64 of the array's second page 4096 behind its start.
says "virtual line $(hex "$pair") of process 10, pair in two: 12 loads, 12 stores"
says "virtual line $(hex $((array + 4096))) of process 10, array+0x1000 in two: 2 loads, 3 stores"
tr -s ' ' <"$out" | finds -x " .* virtual $(hex "$pair") of process 10, pair in two, false sharing?" || fail 'no name in the table'

begin "sharing: a line with several variables"
cat >"$dir/near.c" <<'END'
char before[96] __attribute__((aligned(64))) = { 1 };
long second = 2;
void reader(void) {}
END
build near.c
before=$(address before) second=$(address second)
{
	head_of
	for _ in 1 2; do access reader 10 1 $((before + 64)); done
	echo 'auxtrace 0 0 10 0'
	access reader 11 0 "$second"
	echo 'auxtrace 1 1 11 0'
} | perf_file near.data
run 0 sharing -i "$dir/near.data" --symfs "$dir/root"
line=$(((before + 64) / 64 * 64))
says "virtual line $(hex $line) of process 10, before+0x40 in two, second at +$((second - line)) in two: 1 load, 2 stores"

# 12 loads of the line are snooped: 8 of reader() and 4 of writer().
begin "sharing: the shares in a line, and their sum"
build two.c
run 0 sharing -i "$dir/two.data" --symfs "$dir/root"
rows() { tr -s ' ' <"$out" | finds -E -- "$1" || fail "no row '$1'"; }
rows '^# cost count snooped share sum mean at what thread CPU code$'
rows ' 8 8 66\.67% 66\.67% 10\.0 \+0 load 11 two 1 two reader$'
rows ' 4 4 33\.33% 100\.00% 10\.0 \+0 load 11 two 1 two writer$'
rows ' 12 0 0\.00% 100\.00% 10\.0 \+8 store 10 two 0 two writer$'
# No sample of the array's line is snooped, so the shares are those of all five.
rows ' 3 0 60\.00% 60\.00% 10\.0 \+0 store 10 two 0 two writer$'
rows ' 1 0 20\.00% 80\.00% 10\.0 \+4 load 10 two 0 two reader$'

begin "mem: names of regions and pages, and the code that accesses a page"
run 0 mem -i "$dir/two.data" --symfs "$dir/root"
silent
rows " $(hex "$pair") 10 two: pair in two; by writer 66\.67%, reader 33\.33%$"
rows " $(hex $((array + 4096))) 10 two: array in two; by writer 60\.00%, reader 40\.00%$"
rows " 0x9000000 10 two; by reader 100\.00%$"
rows "-0x[0-9a-f]* 10 two: pair in two, array in two$"
says '# names of data: heap, stacks and mapped files have none'
for verb in report mem; do
	run 0 "$verb" -i "$dir/two.data" --symfs "$dir/root" --html "$dir/two.html"
	# Its process has 3 of its 5 samples in pair.
	grep -q '"names":"[^"]*pair in two' "$dir/two.html" || fail "the bands of $verb have no names"
	grep -q '<p>Names of data: heap, stacks and mapped files have none' "$dir/two.html" || fail "the page of $verb does not say why"
done

begin "mem: values for programs have the process of each region and page as a number"
run 0 mem -i "$dir/two.data" --symfs "$dir/root" --json
[ "$(grep -c '"whose":"10 two"' "$out")" -gt 2 ] || fail 'no regions or pages'
! grep '"whose":"10 two"' "$out" | grep -v '"pid":10,' || fail 'without the number'

begin "mem: with mappings of data there is no such line"
{
	head_of
	echo 'dmap 10 10 0x9000000 0x2000 0 3 3 [heap]'
	access reader 10 0 0x9000000
	echo 'auxtrace 0 0 10 0'
} | perf_file heap.data
run 0 mem -i "$dir/heap.data" --symfs "$dir/root"
rows " 0x9000000 10 two: \[heap\]; by reader 100\.00%$"
grep -q 'names of data' "$out" && fail 'told that mappings are missing'
run 0 report -i "$dir/heap.data" --symfs "$dir/root" --html "$dir/two.html"
grep -q 'Names of data' "$dir/two.html" && fail 'the page tells that mappings are missing'

begin "mem: a heap that grew has one name"
{
	head_of
	for page in 0x9000000 0x9001000; do echo "dmap 10 10 $page 0x1000 0 3 3 [heap]"; done
	for line in 0x9000fc0 0x9001000; do access reader 10 0 $line; done
	echo 'auxtrace 0 0 10 0'
} | perf_file grown.data
run 0 mem -i "$dir/grown.data" --symfs "$dir/root" --range 9000000-9002000 --html "$dir/two.html"
[ "$(grep -o '"names":"[^"]*' "$dir/two.html")" = '"names":"[heap] 100%' ] ||
	fail "names of the band: $(grep -o '"names":"[^"]*' "$dir/two.html")"

begin "mem: with a filter by function"
run 0 mem -i "$dir/two.data" --symfs "$dir/root" --filter 'symbol == writer'
rows " $(hex "$pair") 10 two: pair in two; by writer 100\.00%$"

begin "mem, report: the same on pages of HTML"
run 0 mem -i "$dir/two.data" --symfs "$dir/root" --html "$dir/mem.html"
cell='<td class="holds">pair in two</td><td class="holds">writer 66.67%, reader 33.33%</td></tr>'
grep -qF "$cell" "$dir/mem.html" || fail 'mem: no names'
run 0 report -i "$dir/two.data" --symfs "$dir/root" --html "$dir/report.html"
grep -qF "$cell" "$dir/report.html" || fail 'report: no names'
grep -qF "virtual $(hex "$pair") of process 10, pair in two<" "$dir/report.html" || fail 'report: a line without names'

finish
