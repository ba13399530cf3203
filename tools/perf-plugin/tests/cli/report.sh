#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe report: rows, symbols of programs, and the process of each sample.
# usage: report.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
make_program

# ----------------------------------------------------------------- report

# line_is NUMBER TEXT: a line after the one that counts samples
line_is() {
	[ "$(body | sed -n "$(($1 + 1))p")" = "$2" ] ||
		fail "line $1 is '$(body | sed -n "$(($1 + 1))p")', not '$2'"
}

# first_is ADDRESS: the first row's symbol or pc
first_is() {
	[ "$(grep -v '^#' "$out" | head -n 1 | awk '{ print $2 }')" = "$1" ] ||
		fail "$1 is not first"
}

begin "report: names first, then costs, shares and latencies"
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
# Of 5050 + 36 + 1 cycles of total latency: 99.27%, 0.71%, 0.02%
line_is 2 '#   cost  symbol        object      share   mean    p50    p99  count  cycles   mean         mean'
line_is 3 '  99.27%  0x1000        [unknown]  95.24%   50.5     50     99    100    5050    7.0            -'
line_is 4 '   0.71%  0x2000        [unknown]   3.81%    9.0      9      9      4      36      -          0.0'
line_is 5 '   0.02%  [no address]  [unknown]   0.95%    1.0      1      1      1       1      -            -'

begin "report: sort and limit"
run 0 report --raw "$dir/many.spe" --sort symbol --limit 1
says '# 2 more rows'
run 0 report --raw "$dir/many.spe" --sort issue-mean
first_is 0x1000
run 0 report --raw "$dir/many.spe" --sort translation-mean
first_is 0x2000

# A few slow samples, and many fast ones that take more cycles in all
{
	echo 'rec pc=0x8000000000001000 total=900 issue=1'
	echo 'rec pc=0x8000000000001000 total=100 issue=1'
	for total in $(seq 401 420); do echo "rec pc=0x8000000000002000 total=$total issue=9"; done
	for _ in $(seq 30); do echo 'rec pc=0x8000000000003000 total=2 issue=8'; done
} | raw_file cost.spe

begin "report: the place with most cycles comes first, not the slowest sample"
run 0 report --raw "$dir/cost.spe"
first_is 0x2000
# Sums by hand: 20 * 410.5 = 8210, 900 + 100, 30 * 2; of 9270
says '  88.57%  0x2000  [unknown]  38.46%  410.5    410    420     20    8210'
says '  10.79%  0x1000  [unknown]   3.85%  500.0    100    900      2    1000'
says '   0.65%  0x3000  [unknown]  57.69%    2.0      2      2     30      60'

begin "report: sort by the sum, by the mean, by the number of samples"
for key in cost cycles; do
	run 0 report --raw "$dir/cost.spe" -s "$key"
	first_is 0x2000
done
for key in mean p99; do
	run 0 report --raw "$dir/cost.spe" -s "$key"
	first_is 0x1000
done
for key in count share issue-cycles; do
	run 0 report --raw "$dir/cost.spe" -s "$key"
	first_is 0x3000
done
run 0 report --raw "$dir/cost.spe" -s issue-mean
first_is 0x2000
run 0 report --raw "$dir/cost.spe" -s symbol
first_is 0x1000
run 0 report --raw "$dir/cost.spe" --by pc -s mean
first_is 0x1000
run 0 report --raw "$dir/cost.spe" --by pc
first_is 0x2000

begin "report: keys of --sort that could be the sum or the mean are refused"
run 2 report --raw "$dir/cost.spe" -s total
warns "--sort: 'total' is ambiguous; choose cycles (the sum of the total latency) or mean"
run 2 report --raw "$dir/cost.spe" -s issue
warns "choose issue-cycles (the sum of this latency) or issue-mean"
run 2 report --raw "$dir/cost.spe" -s cycels
warns "--sort: unknown key 'cycels'; did you mean 'cycles'?"

begin "report: chosen columns, in the order given"
run 0 report --raw "$dir/cost.spe" --columns symbol,translation-p50,issue-cycles,count --limit 1
line_is 1 '#         translation   issue'
line_is 2 '# symbol          p50  cycles  count'
line_is 3 '  0x2000            -     180     20'
run 0 report --raw "$dir/cost.spe" --by pc --events retired --columns retired,pc,cost --limit 1
line_is 1 '# retired  pc        cost'
line_is 2 '    0.00%  0x2000  88.57%'
run 0 report --raw "$dir/cost.spe" --by op,pa_space
warns 'report: pa and pa_space are empty: no sample has a physical address; record with --physical, as root'
run 0 export --raw "$dir/cost.spe" --fields pc,pa
warns 'export: pa and pa_space are empty'
for words in 'export' 'report --by va' 'report --by pa --filter !pa' 'mem'; do
	# shellcheck disable=SC2086 # words
	"$perf_spe" $words --raw "$dir/cost.spe" >"$out" 2>"$err"
	! grep -q 'pa_space' "$err" || fail "$words explains pa_space, for which nobody asked"
done
raw_file physical.spe <<<'rec pc=0x1000 total=5 class=1 op=0 va=0x1000 pa=0x8000000000002040'
run 0 report --raw "$dir/physical.spe" --by pa
says 0x2040
silent
run 2 report --raw "$dir/cost.spe" --columns symbol,cots
warns "report: --columns: unknown column 'cots'; did you mean 'cost'? ('help' lists all)"
run 2 report --raw "$dir/cost.spe" --by pc --columns symbol
warns "unknown column 'symbol'"
run 2 report --raw "$dir/cost.spe" --columns symbol,l1d-refill
warns "report: --columns: 'l1d-refill' is an event, not a column of each table: give --by LIST --events l1d-refill"
run 2 report --raw "$dir/cost.spe" --by pc --events retired --columns pc,llc-miss
warns "give --by LIST --events llc-miss"
run 2 report --raw "$dir/cost.spe" --columns late-prefetch
warns "report: --columns: unknown column 'late-prefetch'"
run 2 report --raw "$dir/cost.spe" --columns symbol,total
warns "report: --columns: unknown column 'total'; did you mean 'mean'?"
run 2 report --raw "$dir/cost.spe" --columns ''
warns "unknown column ''"
run 2 report --raw "$dir/cost.spe" --columns cost,symbol,cost
warns "--columns lists 'cost' twice: remove one"
run 0 report --columns help
says 'translation-cycles'
silent

begin "report: a long name moves its own row only"
long=$(printf 'n%.0s' $(seq 100))
{
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	echo "map 10 0x7000000000 0x1000 0 2 - /usr/bin/$long"
	echo 'map 10 0x7000001000 0x1000 0 2 - /usr/bin/b'
	echo "rec pc=$(user 0x7000000010) total=30"
	echo "rec pc=$(user 0x7000001010) total=70"
	echo 'auxtrace 0 -1 10 0'
} | perf_file long.data
run 0 report -i "$dir/long.data" --columns cost,object,count
line_is 1 "#   cost  object                                            count"
line_is 2 "  70.00%  b                                                     1"
line_is 3 "  30.00%  $long      1"

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
warns "1 recorded file is not below --symfs $dir, so its code has no symbols; to fetch it, run: mkdir -p $dir && ssh HOST 'tar -chf - -- /usr/bin/prog' | tar -xf - -C $dir"
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

# hot: 60 samples of 4 cycles, and 40 of 150 to 189; cold: 12 samples.  With 100 samples a peak of
# fewer than 18 cannot show, and two peaks have no tail.
begin "report: PMUs whose samples stand for different numbers of operations"
for period in 1000 4096; do
	{
		printf '%s\n' 'info 4' 'pmus 8 arm_spe_0 9 arm_spe_1'
		echo "attr 8 1000 0 0x200000000 0 0 0 0"
		echo "attr 9 $period 0 0x200000000 0 0 0 0"
		for cpu in 0 1; do
			echo "aux 0 $cpu"
			echo "rec total=5"
			echo "auxtrace $cpu $cpu -1 0"
		done
	} | perf_file p.data
	run 0 report -i "$dir/p.data"
	[ "$(grep -c '^# periods ' "$out")" -eq $((period != 1000)) ] || fail "$(grep '^# ' "$out")"
done
says '# periods    a sample stands for 769 to 4097 operations, by its PMU, but all count alike'

begin "report: --histogram says what the latencies of each row look like"
{
	for ((i = 0; i < 60; i++)); do echo "rec pc=$(user "$(at "$hot")") ctx1=10 total=4 class=1 op=0"; done
	for ((i = 0; i < 40; i++)); do echo "rec pc=$(user "$(at "$hot")") ctx1=10 total=$((150 + i)) class=1 op=0"; done
	for ((i = 0; i < 12; i++)); do echo "rec pc=$(user "$(at "$cold")") ctx1=10 total=4 class=1 op=0"; done
} >"$dir/recs"
{ printf '%s\n' 'info 4' 'comm 10 10 1 1 prog' "map 10 $map_prog 2 $id /usr/bin/prog"; cat "$dir/recs"; echo 'auxtrace 0 0 10 0'; } | perf_file shape.data
run 0 report -i "$dir/shape.data" --symfs "$dir/root" --histogram
grep -qxF '# hot in prog: two peaks: 60.00% of the samples below 8 cycles, highest at 4-5 cycles; 40.00% from 8 cycles on, highest at 128-191 cycles; there may be more peaks, but only one with at least 18.00% of the samples can be told from chance' "$out" ||
	fail "$(grep '^# hot' "$out")"
grep -qxF '# cold in prog: 12 latencies: too few to tell the shape, which takes 30' "$out" || fail "$(grep '^# cold' "$out")"
grep -qE '^ +60 +60.00% +4-7 +#{40}$' "$out" || fail 'no bar of the 60 samples'
run 0 report -i "$dir/shape.data" --symfs "$dir/root" --histogram --limit 1 --by symbol,op
grep -qF '# hot, load: two peaks' "$out" || fail 'no histogram by columns'
! grep -qF '# cold' "$out" || fail '--limit does not limit the histograms'
run 2 report -i "$dir/shape.data" --histogram --summary
warns '--histogram and --summary exclude each other'
for option in '--columns count' '--sort mean' --ci '--limit 3'; do
	# shellcheck disable=SC2086 # words
	run 2 report -i "$dir/shape.data" --summary $option
	warns "report: --summary and ${option% *} exclude each other: remove one"
done
run 2 report -i "$dir/shape.data" --html "$dir/page" --ci
warns 'report: --html and --ci exclude each other: remove one'

begin "report: two threads say what one says, wherever pieces end"
for ((size = 1; size < 30; size++)); do
	chopped "$size" | perf_file chopped.data
	for options in '' --summary '--by pc,cpu' '--by cpu --events retired --sort cycles' "--filter total>5"; do
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
