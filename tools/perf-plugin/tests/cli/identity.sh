#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Whose a record is: ids and names that change, whatever the order of the events in the file.
# usage: identity.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

rec() { echo "rec pc=$(user 0x400100) ts=$1 ctx1=${2:-0} events=0x2 total=3"; }
code() { echo "map $1 0x400000 0x1000 0 $2 - $3"; }
# owners FIELDS: of each sample in the order of the file
owners() { "$perf_spe" export -i "$dir/a.data" -f csv -F "$1" 2>"$err" | tr -d '\r"' | tail -n +2; }
expect() { # FIELDS LINE...
	local fields=$1 got
	shift
	got=$(owners "$fields")
	[ "$got" = "$(printf '%s\n' "$@")" ] || fail "$fields: $(tr '\n' ' ' <<<"$got")"
}

# What "perf record -k mono" writes: the feature CLOCK_DATA
mono() { echo 'feature 29 1 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0'; }
# trusts LEVEL TEXT: the trust section of stat and of a page says so
trusts() {
	run 0 report --html "$dir/page.html" -i "$dir/a.data"
	tr '\n' ' ' <"$dir/page.html" | sed 's/> *</></g; s/<[^>]*>/|/g; s/||*/|/g' |
		grep -qF -- "|$1|${2/: /|}" || fail "no '$1 $2' on the page"
	run 0 stat -i "$dir/a.data"
	grep -qE "^  $1 +$2" "$out" || fail "no '$1 $2' in stat"
}

begin "identity: a fork that execs at the same address, events in any order"
{
	printf '%s\n' 'info 4' 'conv 0 1 0'
	echo 'comm 12 12 50 1 two' && code 12 51 /bin/two
	echo 'fork 12 10 40'
	echo 'comm 10 10 1 1 one' && code 10 2 /bin/one
	rec 10 10 && rec 45 12 && rec 60 12 && rec 61 10
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
expect pid,comm,object '10,one,/bin/one' '12,one,/bin/one' '12,two,/bin/two' '10,one,/bin/one'

begin "identity: a pid and a tid that are used again"
{
	printf '%s\n' 'info 4' 'conv 0 1 0'
	echo 'comm 10 10 1 1 one' && code 10 2 /bin/one
	echo 'comm 20 20 1 1 two' && code 20 2 /bin/two
	echo 'thread 10 77 10 5'
	rec 10 77 && rec 11 10
	echo 'fork 10 20 30'
	echo 'thread 20 77 20 31'
	rec 40 77 && rec 41 10
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
expect pid,tid,comm,object '10,77,one,/bin/one' '10,10,one,/bin/one' '20,77,two,/bin/two' \
	'10,10,two,/bin/two'

begin "identity: names of threads, and one that changes"
{
	printf '%s\n' 'info 4' 'conv 0 1 0'
	echo 'comm 10 10 1 1 server' && code 10 2 /bin/server
	echo 'thread 10 11 10 5' && echo 'comm 10 11 20 0 io-1'
	rec 10 11 && rec 30 11 && rec 31 10
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
expect tid,comm,process_comm '11,server,server' '11,io-1,server' '10,server,server'
run 0 report -i "$dir/a.data" --comm io-1
says '1 record'

begin "identity: without times, only what was always so"
{
	echo 'info 4'
	echo 'comm 10 10 1 1 one' && code 10 2 /bin/one
	echo 'comm 10 10 20 1 two' && code 10 21 /bin/two
	echo 'comm 30 30 1 1 other' && code 30 2 /bin/other
	echo "rec pc=$(user 0x400100) ctx1=10" && echo "rec pc=$(user 0x400100) ctx1=30"
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
expect pid,comm,object '10,,[unknown]' '30,other,/bin/other'

begin "identity: perf in a pid namespace, whose ids other threads have outside"
{
	printf '%s\n' 'info 4' 'conv 0 1 0'
	echo 'comm 3 3 1 1 other' && code 3 2 /bin/other
	echo 'comm 5 5 1 1 work' && code 5 2 /bin/work
	rec 10 3 && rec 11 3
	echo 'auxtrace 0 -1 5 0'
} | perf_file a.data
expect pid,comm,object '5,work,/bin/work' '5,work,/bin/work'
run 0 report -i "$dir/a.data"
says '# ids '
trusts care 'ids: perf ran in a pid namespace'

begin "identity: snapshots that overlap count each byte once"
{
	printf '%s\n' 'info 4' 'comm 10 10 1 1 one'
	for va in 1 2 3; do echo "rec va=$va class=1 op=0 events=2 align=64"; done
	echo 'auxtrace 0 -1 10 0'
	for va in 2 3 4; do echo "rec va=$va class=1 op=0 events=2 align=64"; done
	echo 'auxtrace 0 -1 10 64'
} | perf_file a.data
expect va 0x1 0x2 0x3 0x4
run 0 report -i "$dir/a.data"
says '# copies     128 bytes'
trusts note 'copies: 128 bytes of records are in more than one snapshot'

# Linux's own driver tells the end of a snapshot as a place in the buffer, here of four records, so that
# perf's offsets of whole buffers are below its size.  They are the same after any number of laps.
begin "identity: snapshots whose offsets are places in the buffer"
# snapshot OFFSET VA...
snapshot() {
	for va in "${@:2}"; do echo "rec va=$va class=1 op=0 events=2 align=64"; done
	echo "auxtrace 0 0 -1 $1"
}
# places VA...: the records of the snapshots on standard input
places() {
	{ printf '%s\n' 'info 4' 'comm 10 10 1 1 one' 'aux 2' && cat; } | perf_file a.data
	expect va "$@"
}
{ snapshot 128 1 2 3 4 && snapshot 0 5 6 7 8; } | places 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8
{ snapshot 128 1 2 3 4 && snapshot 128 5 6 7 8; } | places 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8
{ snapshot 128 1 2 3 4 && snapshot 128 1 2 3 4; } | places 0x1 0x2 0x3 0x4
{ snapshot 64 1 2 3 4 && snapshot 128 2 3 4 5 && snapshot 0 4 5 6 7; } | places 0x1 0x2 0x3 0x4 0x5 0x6 0x7
{ snapshot 0 1 2 3 && snapshot 64 2 3 4 5 && snapshot 192 8 9 10 11; } |
	places 0x1 0x2 0x3 0x4 0x5 0x8 0x9 0xa 0xb

begin "identity: times of a clock that samples do not have (perf record -k mono)"
{
	mono
	printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 one'
	code 10 2 /bin/one
	rec 10 10
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
run 0 report -i "$dir/a.data"
says '# clock      events use CLOCK_MONOTONIC, but samples use the clock of perf'
trusts care 'clock: events use CLOCK_MONOTONIC, but samples use the clock of perf'
says '# record instead'

# timeless CASE LINE...: two samples at 0x400100 of process 10, whose times are unknown
timeless() {
	{
		mono
		printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 one' "${@:2}"
		rec 10 10 && rec 60 10
		echo 'auxtrace 0 0 10 0'
	} | perf_file a.data
	begin "identity: of an unknown time, $1"
}
timeless 'mappings of several files are no answer' "$(code 10 2 /bin/one)" "$(code 10 50 /lib/other.so)"
expect pid,object '10,[unknown]' '10,[unknown]'
warns '2 samples have no object: several were at the address over time'
# It reads the recording more than once.
run 0 report -i "$dir/a.data" --html "$dir/a.html"
warns '2 samples have no object: several were at the address over time'
timeless 'mappings of one file are' "$(code 10 2 /bin/one)" 'map 10 0x3ff000 0x9000 0xfffffffffffff000 50 - /bin/one'
expect pid,object '10,/bin/one' '10,/bin/one'
timeless 'a mapping that is inherited counts too' 'comm 9 9 1 1 nine' "$(code 9 2 /bin/nine)" 'fork 10 9 30' "$(code 10 40 /bin/one)"
expect object '[unknown]' '[unknown]'
timeless 'code that a compiler made at a file'"'"'s address is no answer' "$(code 10 2 /bin/one)" "$(code 10 50 //anon)"
mkdir -p "$dir/jit/tmp" && echo '400000 1000 compiled' >"$dir/jit/tmp/perf-10.map"
run 0 export -i "$dir/a.data" --symfs "$dir/jit" -f csv -F object,symbol
! grep -q compiled "$out" || fail 'a name'
timeless 'code that a compiler made is' "$(code 10 50 //anon)"
run 0 export -i "$dir/a.data" --symfs "$dir/jit" -f csv -F symbol
[ "$(grep -c compiled "$out")" = 2 ] || fail 'no name'

begin "identity: an event that came late is no answer if a later one differs"
{
	printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 one'
	code 10 50 /bin/one && code 10 60 /lib/other.so
	rec 10 10 && rec 55 10 && rec 65 10
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
expect object '[unknown]' /bin/one /lib/other.so

begin "identity: of an unknown time, memory and programs of the kernel"
{
	mono
	printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 one'
	echo 'dmap 10 10 0x500000 0x1000 0 2 3 /file-a' && echo 'dmap 10 10 0x500000 0x1000 0 50 3 /file-b'
	echo 'dmap 10 10 0x600000 0x1000 0 2 0 //anon' && echo 'dmap 10 10 0x600000 0x1000 0 3 3 //anon'
	echo 'dmap 10 10 0x700000 0x1000 0 2 3 /file-c'
	for va in 0x500010 0x600010 0x700010; do echo "rec va=$va class=1 op=0 ts=55 ctx1=10 events=2 total=3"; done
	echo 'ksym 0xffff800001000000 64 2 bpf_a' && echo 'ksym 0xffff800001000000 64 50 bpf_b'
	echo 'ksym 0xffff800002000000 64 50 bpf_c'
	echo "rec pc=0xa0ff800001000010 ts=55 ctx1=10 events=2" && echo "rec pc=0xa0ff800002000010 ts=55 ctx1=10 events=2"
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
expect data_kind,data_object 'unknown,' 'anonymous,[anon]' 'file,/file-c' ',' ','
expect object,symbol ',' ',' ',' '[unknown],' '[bpf],bpf_c'

begin "identity: no context switch was recorded: a thread may not run any more"
{
	printf '%s\n' 'info 4' 'conv 0 1 0'
	for i in 10 20; do echo "comm $i $i 1 1 p$i" && code $i 2 /bin/p$i; done
	echo 'itrace 10 10 0 5'
	for i in $(seq 20 40); do rec "$i" 20; done
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
run 0 report -i "$dir/a.data" --by pid --columns count,pid
[ "$(grep -v '^#' "$out" | tr -s ' ')" = ' 21 20' ] || fail 'other processes'
! grep -q '^# ids' "$out" || fail 'the ids are called foreign'

begin "identity: two containers with two files of one name"
mkdir -p "$dir/root/bin"
echo 'void one(void) { }' | ${CC:-cc} -O2 -nostdlib -shared "-Wl,--build-id=0x$(printf %040d 1)" -x c -o "$dir/root/bin/app" -
echo 'void two(void) { }' | ${CC:-cc} -O2 -nostdlib -shared "-Wl,--build-id=0x$(printf %040d 2)" -x c -o "$dir/two" -
at=$(nm "$dir/two" | awk '$3 == "two" { print $1 }')
{
	printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 one' 'comm 20 20 1 1 two'
	echo "map 10 0x400000 0x8000 0 2 $(printf %040d 1) /bin/app"
	echo "map 20 0x400000 0x8000 0 2 $(printf %040d 2) /bin/app"
	for i in 10 20 10; do echo "rec pc=$(user $((0x400000 + 0x$at))) ts=30 ctx1=$i"; done
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
run 0 export -i "$dir/a.data" --symfs "$dir/root" -f csv -F pid,object,symbol
says '10,"/bin/app","one"'
says '20,"/bin/app",'
! grep -q two "$out" || fail 'the other file has its symbols'
warns 'whose build id differs from the recorded one: /bin/app'
mv "$dir/two" "$dir/root/bin/app"
run 0 export -i "$dir/a.data" --symfs "$dir/root" -f csv -F pid,object,symbol
says '20,"/bin/app","two"'
! grep -q one "$out" || fail 'the first file has its symbols'

# Without build ids only inodes tell that two files had one name.
inodes() { # INODE INODE [TIME]
	printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 0 0 one' 'comm 20 20 0 0 two'
	echo "map 10 0x400000 0x8000 0 ${3-2} inode:$1 /bin/app"
	echo "map 20 0x400000 0x8000 0 2 inode:$2 /bin/app"
	for i in 10 20 10; do echo "rec pc=$(user $((0x400000 + 0x$at))) ts=30 ctx1=$i"; done
	echo 'auxtrace 0 0 10 0'
}

begin "identity: two files of one name, of which nothing is known but their inodes"
for pair in 8:1:5:7,8:1:6:7 8:1:5:7,8:1:5:9 0:45:5:0,0:46:5:0 8:1:5:7,8:2:5:7; do
	inodes "${pair%,*}" "${pair#*,}" | perf_file a.data
	run 0 export -i "$dir/a.data" --symfs "$dir/root" -f csv -F pid,object,symbol
	! grep -q '"two"' "$out" || fail "$pair: a name is guessed"
	warns '1 name is of several files, one after the other or in several containers, and nothing tells them apart, so their code has no symbols: /bin/app; record with --buildid-mmap'
done

# perf reads the build id of each when it ends, from the file that has the name then.
begin "identity: two files of one name, and a build id for each that is the last one's"
{
	for _ in 1 2; do echo "buildid $(printf %040d 2) /bin/app"; done
	inodes 0:2:910:5 0:27:53:6
} | perf_file a.data
run 0 export -i "$dir/a.data" --symfs "$dir/root" -f csv -F pid,object,symbol
! grep -q '"two"' "$out" || fail "a name is guessed"
warns '1 name is of several files'

begin "identity: two files of one name, one of which this machine has"
own=$(stat -c 'inode:%Hd:%Ld:%i:0' "$dir/root/bin/app")
{
	printf '%s\n' "osrelease $(uname -r)" "text 6 $(uname -m)"
	inodes 8:1:1:0 0:0:0:0 | sed "s|inode:0:0:0:0|$own|; s|/bin/app|$dir/root/bin/app|"
} | perf_file a.data
run 0 export -i "$dir/a.data" -f csv -F pid,object,symbol
says "20,\"$dir/root/bin/app\",\"two\""
[ "$(grep -c '"two"' "$out")" = 1 ] || fail 'the other file has its symbols'

begin "identity: one file, which perf and the kernel describe in different words"
while read -r one two time; do
	inodes "$one" "$two" "$time" | perf_file a.data
	run 0 export -i "$dir/a.data" --symfs "$dir/root" -f csv -F pid,object,symbol
	says '10,"/bin/app","two"'
	says '20,"/bin/app","two"'
done <<<'8:1:5:7 8:1:5:7 2
8:1:5:0 8:1:5:7 0
0:45:9:0 8:1:5:7 0
0:45:9:0 0:33:5:7 0'

begin "identity: nothing tells which process ran"
{
	printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 one' 'fork 12 10 5'
	code 10 2 /bin/one
	echo "rec pc=$(user 0x400100) ts=20"
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
run 0 report -i "$dir/a.data"
says '# owners     neither contexts nor context switches were recorded'
{ printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 one' && rec 20 && echo 'auxtrace 0 0 10 0'; } | perf_file a.data
run 0 report -i "$dir/a.data"
! grep -q '^# owners' "$out" || fail 'there is only one process'

begin "identity: a thread that executes a program keeps its id in CONTEXTIDR for a while"
{
	printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 one' 'thread 10 11 10 5'
	code 10 2 /bin/one
	echo 'comm 10 10 30 1 two' && code 10 31 /bin/two
	rec 20 11 && rec 40 11 && rec 50 10
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
expect pid,tid,comm,object '10,11,one,/bin/one' '10,10,two,/bin/two' '10,10,two,/bin/two'

begin "identity: events without times (perf record --per-thread)"
{
	echo 'untimed'
	printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 0 0 perf' && code 10 0 /usr/bin/perf
	echo 'comm 10 10 0 1 one' && code 10 0 /bin/one
	rec 20 10
	echo 'comm 10 10 0 0 renamed' && echo 'thread 10 11 10 25' && echo 'comm 10 11 0 0 other'
	rec 30 10 && rec 40 11
	echo 'auxtrace 0 -1 10 0'
} | perf_file a.data
expect pid,comm,object '10,,/bin/one' '10,,/bin/one' '10,,/bin/one'
run 0 report -i "$dir/a.data"
says '# clock      events have no times, so processes'
run 0 export -i "$dir/a.data" -f csv -F time
[ "$(grep -c '^[0-9.]' "$out")" -eq 3 ] || fail 'the samples have times'


# credits FIELDS EXPECTED...: what the recording on standard input says of its samples
credits() {
	local fields=$1
	shift
	perf_file c.data
	run 0 export -i "$dir/c.data" --symfs "$dir/root" -f csv -F "$fields"
	printf '%s\n' "$@" | sort >"$dir/want"
	tail -n +2 "$out" | tr -d '\r"' | sort | cmp -s - "$dir/want" || fail "$(cat "$out")"
}
sample() { # PC TIME [MORE]
	echo "rec pc=$(user "$1") total=1 ${2:+ts=$2} ${3-}"
}
head='info 4
conv 0 1 0'

begin "identity: a sample before its mapping is unknown, and only that one"
{
	printf '%s\n' "$head" 'comm 10 10 1 1 one' 'map 10 0x400000 0x1000 0 50 - /bin/one'
	for time in 60 10 61 11; do sample 0x400100 $time ctx1=10; done
	echo 'auxtrace 0 0 10 0'
} | credits time,object 60,/bin/one '10,[unknown]' 61,/bin/one '11,[unknown]'

begin "identity: threads that take turns, and samples without times"
{
	printf '%s\n' "$head" 'comm 10 10 1 1 parent' 'map 10 0x400000 0x1000 0 2 - /bin/parent' \
		'switch 0 10 10 0 3' 'fork 20 10 10' 'switch 1 10 10 0 15' 'switch 0 20 20 0 15' \
		'comm 20 20 16 1 child' 'map 20 0x400000 0x1000 0 17 - /bin/child'
	sample 0x400100
	sample 0x400100 20
	echo 'auxtrace 0 0 10 0'
} | credits pid,comm,object ',,[unknown]' 20,child,/bin/child

begin "identity: contexts that name no thread of the recording"
{
	printf '%s\n' "$head" 'comm 5 5 1 1 work' 'map 5 0x400000 0x1000 0 2 - /bin/work' 'comm 3 3 1 1 other' \
		'map 3 0x500000 0x1000 0 2 - /bin/other'
	for time in 10 11 12 13 14 15 16 17 18; do sample 0x400100 $time ctx1=7000; done
	sample 0x400100 20 ctx1=3
	echo 'auxtrace 0 0 5 0'
} | perf_file c.data
run 0 report -i "$dir/c.data" --by pid,object --columns count,pid,object
says '     10  5    /bin/work'
says '# ids        perf ran in a pid namespace of its own'
says '# owners '

begin "identity: the same behind 40 KiB of records with much padding"
{
	printf '%s\n' "$head" 'comm 5 5 1 1 work' 'map 5 0x400000 0x1000 0 2 - /bin/work'
	for i in {1..100}; do sample 0x400100 10; echo 'pad 400'; done
	for time in 11 12 13 14 15 16 17 18 19; do sample 0x400100 $time ctx1=7000; done
	echo 'auxtrace 0 0 5 0'
} | perf_file c.data
run 0 report -i "$dir/c.data" --by pid,object --columns count,pid,object
says '# ids        perf ran in a pid namespace of its own'

begin "identity: programs outside perf's pid namespace, which the kernel gives no id"
{
	printf '%s\n' "$head" 'comm 5 5 0 0 perf' 'map 5 0x400000 0x1000 0 0 - /usr/bin/perf' 'fork 0 0 2' \
		'comm 0 0 5 1 nginx' 'map 0 0x400000 0x1000 0 6 - /bin/nginx' 'comm 0 0 7 1 mysqld' \
		'map 0 0x600000 0x1000 0 8 - /bin/mysqld' 'wide 1 5 5 0 10 0 0' 'wide 1 0 0 0 50 0 0' 'wide 1 0 0 0 90 5 5'
	sample 0x400100 20
	sample 0x600100 61
	sample 0x400100 95
	echo 'auxtrace 0 0 -1 0'
} | credits pid,comm,object ',,[unknown]' ',,[unknown]' 5,perf,/usr/bin/perf

begin "identity: guessed owners, of a program that is gone, and of threads"
{
	printf '%s\n' "$head" 'comm 10 10 1 1 old' 'map 10 0x7000000 0x1000 0 2 - /bin/old' 'comm 10 10 30 1 new' \
		'map 10 0x400000 0x1000 0 31 - /bin/new' 'comm 10 10 60 0 renamed'
	sample 0x7000100 20
	sample 0x7000100 50
	sample 0x400100 51
	sample 0x400100 70
	echo 'auxtrace 0 0 10 0'
} | credits time,comm,object 20,old,/bin/old '50,new,[unknown]' 51,new,/bin/new 70,renamed,/bin/new
{
	printf '%s\n' "$head" 'comm 10 10 1 1 server' 'map 10 0x400000 0x1000 0 2 - /bin/server' 'thread 10 11 10 3' \
		'comm 10 11 4 0 io-1'
	sample 0x400100 20
	echo 'auxtrace 0 0 10 0'
} | credits pid,tid,comm,object 10,,,/bin/server

begin "identity: perf-PID.map of another process that had the pid"
mkdir -p "$dir/root/tmp"
echo '70000000 1000 compiled' >"$dir/root/tmp/perf-12.map"
{
	printf '%s\n' "$head" 'comm 12 12 1 1 java' 'comm 10 10 1 1 zygote' 'map 12 0x70000000 0x100000 0 2 - //anon' \
		'map 10 0x70000000 0x100000 0 2 - //anon' 'fork 12 10 30'
	sample 0x70000110 10 ctx1=12
	sample 0x70000110 40 ctx1=12
	echo 'auxtrace 0 0 -1 0'
} | credits time,symbol 10,compiled 40,

begin "identity: JIT code where a library was unloaded"
{
	printf '%s\n' "$head" 'comm 30 30 1 1 js' "map 30 0x400000 0x8000 0 2 $(printf %040d 2) /bin/app" \
		'map 30 0x400000 0x10000 0 50 - //anon'
	sample $((0x400000 + 0x$at)) 20 ctx1=30
	sample $((0x400000 + 0x$at)) 60 ctx1=30
	echo 'auxtrace 0 0 -1 0'
} | credits time,object,symbol 20,/bin/app,two 60,//anon,

begin "identity: modules that were loaded anew after the recording"
cat >"$dir/kallsyms" <<'END'
ffff800008000000 T _text
ffff800001000000 t xfs_fn	[xfs]
ffff800001010000 t nvme_fn	[nvme_core]
END
{
	printf '%s\n' "$head" 'kmap 0xffff800008000000 0x1000000 0xffff800008000000 [kernel.kallsyms]_text' \
		'kmap 0xffff800001000000 0x4000 0 [nvme]' 'kmap 0xffff800001010000 0x4000 0 /lib/modules/1/nvme-core.ko.xz'
	echo 'rec pc=0xa0ff800001000010 total=1 ts=10'
	echo 'rec pc=0xa0ff800001010010 total=1 ts=10'
	echo 'auxtrace 0 0 -1 0'
} | perf_file c.data
run 0 export -i "$dir/c.data" --kallsyms "$dir/kallsyms" -f csv -F object,symbol
says '"[nvme]",'
says '"[nvme_core]","nvme_fn"'
! grep -q xfs "$out" || fail 'a module that was not there has the sample'

begin "identity: libraries in turns at one address, and their data"
for name in a b; do
	echo "int pad_${name}[4096] = { 1 }; int var_${name}[64] = { 2 }; int fn_${name}(void) { return var_${name}[1] + pad_${name}[1]; }" |
		${CC:-cc} -O1 -nostdlib -shared -fPIC "-Wl,--build-id=0x$(printf %040d $((0x$name)))" -x c -o "$dir/root/lib$name.so" -
done
read -r offset address < <(readelf -lW "$dir/root/liba.so" | awk '$1 == "LOAD" && /R E/ { print $2, $3; exit }')
var=$((0x7000000000 + 0x$(nm "$dir/root/liba.so" | awk '$3 == "var_a" { print $1 }')))
library() { echo "map 10 $((0x7000000000 + address)) 0x1000 $((offset)) $2 $(printf %040d $((0x$1))) /lib$1.so"; }
access() { echo "rec pc=$(user 0x1000) total=1 ts=$1 ctx1=10 class=1 op=0 va=$(printf 0x%x "$var")"; }
{
	printf '%s\n' "$head" 'comm 10 10 1 1 one'
	library a 10
	library b 50
	echo 'map 10 0x7000000000 0x100000 0 80 - /lib/none.so'
	for time in 20 60 5 90 21; do access $time; done
	echo 'auxtrace 0 0 10 0'
} | credits time,data_object,data_symbol 20,/liba.so,var_a 60,/libb.so,var_b 5,, 90,/lib/none.so, 21,/liba.so,var_a

begin "identity: viewers name a thread by its last name"
{
	printf '%s\n' "$head" 'comm 10 10 1 1 program' 'map 10 0x400000 0x1000 0 2 - /bin/one' 'thread 10 11 10 5' \
		'comm 10 11 20 0 worker-io'
	sample 0x400100 10 ctx1=11
	sample 0x400100 30 ctx1=11
	echo 'comm 10 10 60 1 other'
	echo 'auxtrace 0 0 10 0'
} | perf_file c.data
run 0 export -i "$dir/c.data" -f folded
says 'worker-io'

begin "identity: no call stack of the program before an exec"
fn=$((0x7000000000 + 0x$(nm "$dir/root/liba.so" | awk '$3 == "fn_a" { print $1 }')))
{
	printf '%s\n' 'attr 8 1024 0 1 0 0 0 0' 'attr 0 1000 0 0 0 0 0 0' 'parts 0x20 0' "$head" 'comm 10 10 1 1 one' \
		'map 10 0x400000 0x1000 0 2 - /bin/one'
	library a 2
	printf '%s\n' 'owner 1' "calls 10 10 0 1000 0xfffffffffffffe00 $fn 0x400100" 'owner 0' 'comm 10 10 2000 1 two' \
		'map 10 0x400000 0x1000 0 2001 - /bin/two'
	library a 2001
	sample "$fn" 1500 ctx1=10
	sample "$fn" 2500 ctx1=10
	echo 'auxtrace 0 0 10 0'
} | credits time,symbol,caller 1500,fn_a,/bin/one 2500,fn_a,

begin "identity: an unknown owner, before and after an exec, whatever the order of the records"
for order in '20 60' '60 20'; do
	{
		printf '%s\n' "$head" 'comm 10 10 1 1 old' 'map 10 0x400000 0x1000 0 2 - /bin/old' \
			'comm 10 10 50 1 new' 'map 10 0x600000 0x1000 0 51 - /bin/new'
		for time in $order; do sample 0x400100 "$time"; done
		echo 'auxtrace 0 0 -1 0'
	} | credits time,pid,object 20,,/bin/old '60,,[unknown]'
done

begin "identity: some contexts name no thread of the recording"
{
	printf '%s\n' "$head" 'comm 5 5 1 1 work' 'map 5 0x400000 0x1000 0 2 - /bin/work' 'fork 6 5 5' \
		'comm 6 6 6 1 kid' 'map 6 0x600000 0x1000 0 7 - /bin/kid'
	for time in 10 11 12; do sample 0x400100 $time ctx1=5; done
	sample 0x600100 30 ctx1=7000
	echo 'auxtrace 0 0 5 0'
} | credits time,pid,comm,object 10,5,work,/bin/work 11,5,work,/bin/work 12,5,work,/bin/work '30,,,[unknown]'

begin "identity: kernel symbols hold only in the mapping that the recording has there"
cat >"$dir/kallsyms" <<'END'
ffff800008000000 T _text
ffff800008001000 T kfn
ffff800008003000 T __inittext_end
ffff800001020000 t c_fn	[xfs]
END
{
	printf '%s\n' "$head" 'kmap 0xffff800008000000 0x4000 0xffff800008000000 [kernel.kallsyms]_text' \
		'kmap 0xffff800001020000 0x4000 0 [xfs]' 'kmap 0xffff800009100000 0x4000 0 /lib/modules/1/nvme.ko'
	for pc in 8001010 9100010 1020010 1026010; do printf 'rec pc=0xa0ff80000%s total=1 ts=10\n' "$(printf %07x $((0x$pc)))"; done
	echo 'auxtrace 0 0 -1 0'
} | perf_file c.data
run 0 export -i "$dir/c.data" --kallsyms "$dir/kallsyms" -f csv -F object,symbol
[ "$(tail -n +2 "$out" | tr -d '\r"' | paste -sd ' ')" = '[kernel],kfn /lib/modules/1/nvme.ko, [xfs],c_fn [kernel],' ] ||
	fail "$(cat "$out")"

begin "identity: a build id in one mapping of a name, an inode in the other"
for order in '20 60' '60 20'; do
	{
		printf '%s\n' "$head" 'comm 10 10 1 1 one'
		library a 10
		library a 50 | sed 's| 50 [^ ]* | 50 inode:8:1:6:7 |'
		for time in $order; do sample "$fn" "$time" ctx1=10; done
		echo 'auxtrace 0 0 10 0'
	} | credits time,symbol 20,fn_a 60,
done

begin "identity: threads of a guessed owner, after an exec"
{
	printf '%s\n' "$head" 'comm 10 10 0 0 perf' 'comm 10 10 5 1 server' 'map 10 0x400000 0x1000 0 6 - /bin/server' \
		'thread 10 11 10 7' 'comm 10 11 8 0 io-1'
	sample 0x400100 20
	echo 'auxtrace 0 0 10 0'
} | credits pid,tid,comm,object 10,,,/bin/server

begin "identity: data of a library where a compiler's code is now"
{
	printf '%s\n' "$head" 'comm 10 10 1 1 one'
	library a 10
	echo "map 10 $((0x7000000000 + address)) 0x2000 0 50 - //anon"
	access 20
	access 60
	echo 'auxtrace 0 0 10 0'
} | credits time,data_object,data_symbol 20,/liba.so,var_a 60,,

# The kernel tells a loss when it next has room: since the event before it, anyone may have run.
begin "identity: lost context switches"
{
	printf '%s\n' "$head" 'comm 10 10 1 1 one' 'comm 20 20 1 1 two' 'switch 0 10 10 0 5' 'switch 0 20 20 1 6' \
		'lost 7 0 90' 'switch 0 20 20 0 100'
	for time in 4 80 95 110; do sample 0x400100 $time; done
	echo 'auxtrace 0 0 -1 0'
	sample 0x400100 80
	echo 'auxtrace 1 1 -1 0'
} | credits time,pid,comm 4,, 80,, 95,, 110,20,two 80,20,two

# No event tells their name; perf and ps call them so.
begin "identity: the idle threads are called swapper"
{
	printf '%s\n' "$head" 'comm 10 10 1 1 one' 'switch 0 10 10 0 5' 'switch 0 0 0 0 50'
	for time in 10 60 70; do sample 0x400100 $time; done
	echo 'auxtrace 0 0 -1 0'
} | credits time,pid,comm 10,10,one 60,0,swapper 70,0,swapper

# aux_events N: SPE records can be in samples of N events
aux_events() {
	echo 'attr 8 1024 0 1 0 0 0 0'
	for _ in $(seq "$1"); do printf '%s\n' 'attr 0 1000 0 1 0 0 0 0' 'parts 0x100000 0'; done
	printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 one' 'comm 20 20 1 1 two'
}
newest() { for time in "$@"; do sample 0x400100 "$time" events=2; done; }

# perf record --per-thread: each thread has an AUX area of its own, and takes it from CPU to CPU.
begin "identity: AUX samples of two threads on one CPU"
{
	aux_events 2
	printf '%s\n' 'per-thread 1 10' 'per-thread 2 20' 'owner 1'
	newest 11 12 && echo 'auxsample 10 10 0 13 0'
	echo 'owner 2' && newest 21 && echo 'auxsample 20 20 0 22 0'
	echo 'owner 1'
	newest 11 12 23
	echo 'auxsample 10 10 1 24 0'
} | credits time,pid,comm 11,10,one 12,10,one 21,20,two 23,10,one

begin "identity: AUX samples of two sizes from one AUX area"
{
	aux_events 2
	echo 'owner 1' && newest 13 14 && echo 'auxsample 10 10 0 15 0'
	echo 'owner 2'
	newest 11 12 13 14 16
	echo 'auxsample 10 10 0 17 0'
} | credits time 13 14 11 12 16

begin "identity: perf inject wrote the mode of a compiler's file"
for mode in 0x81a4 0x81a0 0x8180; do
	{
		printf '%s\n' "$head" 'comm 10 10 1 1 java' 'map 10 0x7000000000 0x100000 0 2 - //anon' \
			"dmap 10 10 0x7000001000 0x1000 0x1000 10 $mode /tmp/jitted-10-0.so"
		sample 0x7000001010 20 ctx1=10
		echo 'auxtrace 0 0 10 0'
	} | credits object /tmp/jitted-10-0.so
done

begin "identity: times of another counter"
{
	printf '%s\n' "$head" 'comm 10 10 1000 1 one' 'map 10 0x400000 0x1000 0 1001 - /bin/one' \
		'comm 10 10 2000 1 two' 'map 10 0x400000 0x1000 0 2001 - /bin/two' 'aux 0 0 3000'
	for time in 101500 102500; do sample 0x400100 $time ctx1=10; done
	echo 'auxtrace 0 0 -1 0'
} | credits time,pid,object ',10,[unknown]' ',10,[unknown]'
run 0 report -i "$dir/c.data"
says '# clock      samples have the times of the physical counter'
cp "$dir/c.data" "$dir/a.data"
trusts care 'clock: samples have the times of the physical counter'

begin "identity: a thread that executes a program takes the id of its process"
{
	printf '%s\n' "$head" 'comm 10 10 1 1 one' 'thread 10 11 10 3' 'comm 10 10 50 1 two'
	sample 0x400100 20 ctx1=11
	for time in 60 61 62; do sample 0x400100 $time ctx1=10; done
	echo 'auxtrace 0 -1 11 0'
} | credits tid,comm 11,one 10,two 10,two 10,two
run 0 report -i "$dir/c.data"
! grep -q '^# ids' "$out" || fail 'a pid namespace'
begin "identity: and so it does where only switches tell the thread"
{
	printf '%s\n' "$head" 'comm 10 10 1 1 one' 'thread 10 11 10 3' 'switch 0 10 11 0 4' 'comm 10 10 50 1 two'
	sample 0x400100 20
	sample 0x400100 60
	echo 'auxtrace 0 0 -1 0'
} | credits tid,comm 11,one 10,two

# The table doubles its room when 128 threads are known.
begin "identity: a thread that perf did not know executes a program, beside 127 others"
{
	printf '%s\n' 'info 4' 'conv 0 1 0'
	for i in $(seq 1001 1127); do echo "comm $i $i 1 0 other"; done
	echo 'comm 500 501 20 1 two'
	rec 30 500
	echo 'auxtrace 0 0 -1 0'
} | perf_file a.data
expect tid,comm 500,two

# Samples with callers are in the file by CPU, not by time.
begin "identity: a caller in a library that is mapped later"
for order in '1000 1200 2000 2200' '2200 2000 1200 1000'; do
	{
		printf '%s\n' 'attr 8 1024 0 1 0 0 0 0' 'attr 0 1000 0 0 0 0 0 0' 'parts 0x20 0' "$head" 'comm 10 10 1 1 one'
		library a 2
		library b 1500 | sed "s/ $((0x7000000000 + address)) / $((0x7100000000 + address)) /"
		echo 'owner 1'
		for time in $order; do echo "calls 10 10 0 $time 0xfffffffffffffe00 $fn $((fn + 0x100000004))"; done
		echo 'owner 0'
		for time in 1100 2100; do sample $((fn)) $time ctx1=10; done
		echo 'auxtrace 0 0 -1 0'
	} | credits time,stack '1100,fn_a|[unknown]' '2100,fn_a|fn_b'
done
# A sample of an unknown process has a file if all processes of that time have it at the address.
begin "identity: an unknown process before and after a program begins"
{
	printf '%s\n' "$head" 'comm 10 10 1 1 one' 'map 10 0x400000 0x1000 0 50 - /bin/one' 'switch 0 10 10 0 5' \
		'switch 1 10 10 0 6'
	for time in 30 70; do sample 0x400100 $time; done
	echo 'auxtrace 0 0 -1 0'
} | credits time,pid,object '30,,[unknown]' 70,,/bin/one
# PERF_RECORD_MISC_PROC_MAP_PARSE_TIMEOUT is bit 12.
begin "identity: mappings that perf did not read to the end"
{
	printf '%s\n' "$head" 'comm 10 10 0 0 one' 'misc 0x1000' 'map 10 0x400000 0x1000 0 0 - /bin/one'
	sample 0x700000 20 ctx1=10
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
run 0 report -i "$dir/a.data"
says '# mappings   perf did not read all mappings of 1 process, so code in the others is unknown'
trusts care 'mappings: perf did not read all mappings of 1 process'
begin "identity: what a process inherited over more than 256 forks"
{
	printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 one' && code 10 2 /bin/one
	for n in $(seq 300); do
		echo "fork $((10 + n)) $((9 + n)) $((100 + n))"
		echo "map $((10 + n)) 0x500000 0x1000 0 $((100 + n)) - /bin/two"
	done
	rec 1000 266 && rec 1001 267 && rec 1002 310
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
expect pid,object '266,/bin/one' '267,[unknown]' '310,[unknown]'
run 0 report -i "$dir/a.data"
warns '2 samples have no object: what their process inherited over more than 256 forks is not followed; begin the recording when the process already runs'

# programs OF-THE-LAST: 600 that have the same code, but for the last one
programs() {
	printf '%s\n' 'info 4' 'conv 0 1 0'
	for n in $(seq 600); do
		echo "comm $n $n 1 1 one" && code "$n" 2 /bin/one
	done
	echo 'comm 601 601 1 1 last' && code 601 2 "$1"
	echo 'comm 601 601 50 1 other'
	rec 20 && rec 60
	echo 'auxtrace 0 0 -1 0'
}
begin "identity: code that more than 512 programs have, one of which took the sample"
programs /bin/one | perf_file a.data
expect pid,object ',/bin/one' ',/bin/one'
run 0 report -i "$dir/a.data"
! grep -q 'no object' "$err" || fail 'a doubt'

begin "identity: more than 512 programs with different code"
programs /bin/two | perf_file a.data
expect pid,object ',[unknown]' ',[unknown]'
run 0 report -i "$dir/a.data"
warns '2 samples have no object: more than 512 programs, or mappings of the address, come into question, and so many are not compared; record fewer processes, or with context switches and timestamps'

begin "identity: more than 512 mappings of an address, and only the time would tell which"
{
	printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 one' && code 10 2 /bin/one
	for n in $(seq 600); do echo "dmap 10 10 0x700000 0x1000 0 $((10 + n)) 3 /data"; done
	echo "rec pc=$(user 0x400100) va=0x700010 ctx1=10 class=1 op=0"
	echo 'auxtrace 0 0 10 0'
} | perf_file a.data
run 0 export -i "$dir/a.data" -f csv -F data_object
warns 'some data addresses have no object: more than 512 programs, or mappings of the address, come into question'
finish
