#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe report: rows, symbols of programs, and the process of each sample.
# usage: cli-report.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=cli-lib.sh
. "$(dirname "$0")/cli-lib.sh"
make_program

# ----------------------------------------------------------------- report

begin "report: counts, shares and latencies"
{
	for total in $(seq 1 100); do
		echo "rec pc=0x8000000000001000 total=$total issue=7"
	done
	for _ in 1 2 3 4; do echo 'rec pc=0x8000000000002000 total=9 xlat=0'; done
	echo 'rec total=1'
} | raw_file many.spe
run 0 report --raw "$dir/many.spe"
silent
says '# 105 records, 104 with an address'
grep -qE '^ +100 +95\.24% +50\.5 +50 +99 +7\.0 +7 +7 +- +- +- +\[unknown\] +0x1000$' "$out" ||
	fail 'row of 0x1000'
grep -qE '^ +4 +3\.81% +9\.0 +9 +9 +- +- +- +0\.0 +0 +0 +\[unknown\] +0x2000$' "$out" ||
	fail 'row of 0x2000: zero must differ from absent'
grep -qE '\[unknown\] +\[no address\]$' "$out" || fail 'row without address'

begin "report: sort and limit"
run 0 report --raw "$dir/many.spe" --sort symbol --limit 1
says '# 2 more rows'
run 0 report --raw "$dir/many.spe" --sort issue
[ "$(grep -v '^#' "$out" | head -n 1 | awk '{print $NF}')" = 0x1000 ] ||
	fail 'largest issue latency first'

begin "report: summary"
run 0 report --raw "$dir/many.spe" --summary
key_is records 105
key_is records_with_pc 104
key_is damaged_bytes 0
key_is bytes "$(stat -c %s "$dir/many.spe")"


begin "report: symbols of a mapped program below --symfs"
sym_file
run 0 report -i "$dir/sym.data" --symfs "$dir/root"
silent
count_is prog hot 2
count_is prog cold 1
count_is prog '[no symbol]' 1
count_is '[unknown]' 0x1234 1
run 0 report -i "$dir/sym.data" --summary
key_is records_with_process 5

begin "report: a file with another build id is not used"
perf_file other.data <<END
info 4
comm 10 10 1 1 prog
map 10 $map_prog 2 0123456789012345678901234567890123456789 /usr/bin/prog
rec pc=$(user "$(at "$hot")") total=5
auxtrace 0 -1 10 0
END
run 0 report -i "$dir/other.data" --symfs "$dir/root"
warns 'build id differs'
count_is prog '[no symbol]' 1

begin "report: a file without build id is not the one whose id was recorded"
mkdir -p "$dir/bare/usr/bin"
objcopy --remove-section .note.gnu.build-id "$prog" "$dir/bare/usr/bin/prog" 2>"$err"
run 0 report -i "$dir/sym.data" --symfs "$dir/bare"
warns 'build id differs'
count_is prog '[no symbol]' 4

begin "report: only regular files are opened for symbols"
mkdir -p "$dir/odd/usr/bin/prog" "$dir/fifo/usr/bin" "$dir/loop/usr"
mkfifo "$dir/fifo/usr/bin/prog"
ln -s bin "$dir/loop/usr/bin"
for root in odd fifo loop; do
	run 0 report -i "$dir/sym.data" --symfs "$dir/$root"
	warns 'addresses stay without symbols'
	count_is prog '[no symbol]' 4
done

begin "report: control characters in names"
esc=$'\033'
perf_file escape.data <<END
info 4
comm 10 10 1 1 prog
map 10 $map_prog 2 - /usr/bin/pr${esc}[31mog
rec pc=$(user "$(at "$hot")") total=5
auxtrace 0 -1 10 0
END
run 0 report -i "$dir/escape.data" --symfs "$dir/root"
count_is 'pr?[31mog' '[no symbol]' 1
grep -q "$esc" "$out" "$err" && fail 'an escape sequence is printed'

begin "report: build ids listed behind the events"
for listed in "$id" 0123456789012345678901234567890123456789; do
	perf_file listed.data <<END
info 4
osrelease 9.9.9
buildid $listed /usr/bin/prog
comm 10 10 1 1 prog
map 10 $map_prog 2 - /usr/bin/prog
rec pc=$(user "$(at "$hot")") total=5
auxtrace 0 -1 10 0
END
	run 0 report -i "$dir/listed.data" --symfs "$dir/root"
	if [ "$listed" = "$id" ]; then
		silent
		count_is prog hot 1
	else
		warns 'build id differs'
		count_is prog '[no symbol]' 1
	fi
done

begin "report: a program from perf's cache, by its build id"
cached=$dir/cache/.build-id/${id:0:2}/${id:2}
mkdir -p "$cached"
cp "$prog" "$cached/elf"
PERF_BUILDID_DIR=$dir/cache run 0 report -i "$dir/sym.data" --symfs "$dir/bare"
silent
count_is prog hot 2
HOME=$dir run 0 report -i "$dir/sym.data" --symfs "$dir/bare"
warns 'build id differs'
mkdir -p "$dir/home"
ln -s "$dir/cache" "$dir/home/.debug"
(unset PERF_BUILDID_DIR && HOME=$dir/home "$perf_spe" report -i "$dir/sym.data" --symfs "$dir/bare") \
	>"$out" 2>"$err" || fail 'perf-spe ended badly'
silent
count_is prog hot 2
cp "$dir/bare/usr/bin/prog" "$cached/elf"
PERF_BUILDID_DIR=$dir/cache run 0 report -i "$dir/sym.data" --symfs "$dir/bare"
warns 'build id differs'
count_is prog '[no symbol]' 4

begin "report: a program from a server, by its build id"
if ! PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -c 'libdebuginfod\.so\.1' >/dev/null; then
	skip 'no libdebuginfod.so.1'
else
	mkdir -p "$dir/server/buildid/$id"
	cp "$prog" "$dir/server/buildid/$id/executable"
	DEBUGINFOD_URLS=file://$dir/server run 0 report -i "$dir/sym.data" --symfs "$dir/bare"
	silent
	count_is prog hot 2
	strip -o "$dir/server/buildid/$id/executable" "$prog"
	objcopy --only-keep-debug "$prog" "$dir/server/buildid/$id/debuginfo"
	export DEBUGINFOD_CACHE_PATH=$dir/debuginfod-2
	DEBUGINFOD_URLS=file://$dir/server run 0 report -i "$dir/sym.data" --symfs "$dir/bare"
	silent
	count_is prog hot 2
	DEBUGINFOD_URLS=file://$dir/none run 0 report -i "$dir/other.data" --symfs "$dir/bare"
	warns 'build id differs'
fi

begin "report: files of this machine are not taken for another's"
perf_file elsewhere.data <<END
info 4
osrelease 0.0.0-elsewhere
comm 10 10 1 1 prog
map 10 $map_prog 2 - $prog
rec pc=$(user "$(at "$hot")") total=5
auxtrace 0 -1 10 0
END
run 0 report -i "$dir/elsewhere.data"
warns '--symfs'
count_is prog '[no symbol]' 1
perf_file same-id.data <<END
info 4
osrelease 0.0.0-elsewhere
comm 10 10 1 1 prog
map 10 $map_prog 2 $id $prog
rec pc=$(user "$(at "$hot")") total=5
auxtrace 0 -1 10 0
END
run 0 report -i "$dir/same-id.data"
silent
count_is prog hot 1

begin "report: a missing program is named, its addresses stay"
run 0 report -i "$dir/sym.data" --symfs "$dir"
warns "$dir/usr/bin/prog: No such file"
count_is prog '[no symbol]' 4

# ------------------------------------------------------------ attribution

two_processes() {
	cat <<END
info 4
conv 0 1 0
comm 10 10 1 1 one
comm 20 20 1 1 two
map 10 $map_prog 2 - /usr/bin/prog
map 20 0x7000000000 0x100000 0 2 - /usr/bin/other
END
}

begin "attribution: by the thread of the buffer"
{
	two_processes
	echo "rec pc=$(user "$(at "$hot")") total=1"
	echo 'auxtrace 0 -1 10 0'
	echo "rec pc=$(user "$(at "$hot")") total=1"
	echo 'auxtrace 1 -1 20 0'
} | perf_file thread.data
run 0 report -i "$dir/thread.data" --symfs "$dir/root"
count_is prog hot 1
count_is other '[no symbol]' 1

begin "attribution: by who ran on the CPU at the time"
{
	two_processes
	echo 'switch 0 10 10 0 100'
	echo 'switch 1 10 10 0 200'
	echo 'switch 0 20 20 0 300'
	for ts in 150 199 250 350 351 352; do
		echo "rec pc=$(user "$(at "$hot")") total=1 ts=$ts"
	done
	echo 'auxtrace 0 0 -1 0'
} | perf_file switch.data
run 0 report -i "$dir/switch.data" --symfs "$dir/root"
count_is prog hot 2
count_is other '[no symbol]' 3
count_is '[unknown]' "$(at "$hot")" 1

begin "attribution: by the switches of a whole CPU, with many threads"
{
	two_processes
	for tid in $(seq 1000 1600); do echo "comm 10 $tid 1 0 thread"; done
	echo 'wide 0 10 1600 0 100 0 0'
	echo 'wide 1 10 1600 0 200 20 20'
	for ts in 150 250 251; do
		echo "rec pc=$(user "$(at "$hot")") total=1 ts=$ts"
	done
	echo "rec pc=$(user "$(at "$hot")") ctx1=1599 total=1 ts=250"
	echo 'auxtrace 0 0 -1 0'
} | perf_file wide.data
run 0 report -i "$dir/wide.data" --symfs "$dir/root"
count_is prog hot 2
count_is other '[no symbol]' 2

begin "attribution: without times, the buffer's thread as last resort"
perf_file resort.data <<END
info 4
comm 10 10 1 1 one
map 10 $map_prog 2 - /usr/bin/prog
map 20 0x8000000000 0x1000 0 2 - /usr/bin/second
rec pc=$(user "$(at "$hot")") total=1
rec pc=$(user 0x8000000010) total=1
auxtrace 0 0 10 0
END
run 0 report -i "$dir/resort.data" --symfs "$dir/root"
count_is prog hot 1
count_is second '[no symbol]' 1

begin "attribution: a context packet decides before the time"
{
	two_processes
	echo 'switch 0 20 20 0 100'
	echo "rec pc=$(user "$(at "$hot")") ctx1=10 total=1 ts=150"
	echo "rec pc=$(user "$(at "$hot")") ctx2=10 total=1 ts=150"
	echo "rec pc=$(user "$(at "$hot")") ctx1=999 total=1 ts=150"
	echo 'auxtrace 0 0 -1 0'
} | perf_file context.data
run 0 report -i "$dir/context.data" --symfs "$dir/root"
count_is prog hot 2
count_is other '[no symbol]' 1

begin "attribution: without a process, what all mappings agree on"
perf_file agree2.data <<END
info 4
comm 10 10 1 1 one
map 10 $map_prog 2 - /usr/bin/prog
map 20 $map_prog 2 - /usr/bin/prog
map 20 0x8000000000 0x1000 0 2 - /usr/bin/second
map 30 0x8000000000 0x1000 0 2 - /usr/bin/third
rec pc=$(user "$(at "$hot")") total=1
rec pc=$(user 0x8000000010) total=1
auxtrace 0 0 -1 0
END
run 0 report -i "$dir/agree2.data" --symfs "$dir/root"
count_is prog hot 1
count_is '[unknown]' 0x8000000010 1

begin "attribution: a forked child has its parent's mappings"
perf_file fork.data <<END
info 4
comm 10 10 1 1 one
map 10 $map_prog 2 - /usr/bin/prog
fork 11 10 50
rec pc=$(user "$(at "$hot")") total=1
auxtrace 0 -1 11 0
END
run 0 report -i "$dir/fork.data" --symfs "$dir/root"
count_is prog hot 1

# chopped BYTES: two streams of 12 records, cut into pieces of BYTES bytes
chopped() {
	local bytes=() n piece offset stream
	for ((n = 0; n < 12; n++)); do
		# padding, PC, total latency, END
		bytes+=(00 b0 "$(printf %02x $((n & 12)))" 20 00 00 00 00 00 80 98 "$(printf %02x $((n + 1)))" 00 01)
	done
	echo 'info 4'
	for ((offset = 0; offset < ${#bytes[@]}; offset += $1)); do
		piece=${bytes[*]:offset:$1}
		for stream in 0 1; do
			echo "byte $piece"
			echo "auxtrace $stream $stream -1 $offset"
		done
	done
}

begin "report: two threads say what one says, wherever pieces end"
for ((size = 1; size < 30; size++)); do
	chopped "$size" | perf_file chopped.data
	for options in '' --summary '--by pc,cpu' '--by cpu --events retired --sort total' "--filter total>5"; do
		# shellcheck disable=SC2086 # options are words
		PERF_SPE_THREADS=1 run 0 report -i "$dir/chopped.data" $options
		cp "$out" "$dir/one"
		# shellcheck disable=SC2086
		PERF_SPE_THREADS=2 run 0 report -i "$dir/chopped.data" $options
		cmp -s "$out" "$dir/one" || fail "pieces of $size bytes, $options"
	done
done
silent
begin "report: two threads and symbols of the same program"
{
	sym_text
	for ((i = 0; i < 50; i++)); do
		echo "rec pc=$(user "$(at "$hot")") total=$i"
		echo "rec pc=$(user "$(at "$cold")") total=$i"
		echo "auxtrace 0 -1 10 $((1000 * (i + 1)))"
	done
} | perf_file two.data
for options in '' '--by symbol,source_line' "--filter symbol==hot"; do
	# shellcheck disable=SC2086
	PERF_SPE_THREADS=1 run 0 report -i "$dir/two.data" --symfs "$dir/root" $options
	cp "$out" "$dir/one"
	# shellcheck disable=SC2086
	PERF_SPE_THREADS=2 run 0 report -i "$dir/two.data" --symfs "$dir/root" $options
	cmp -s "$out" "$dir/one" || fail "$options"
	silent
done
says hot

finish
