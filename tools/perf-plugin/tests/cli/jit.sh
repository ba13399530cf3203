#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Symbols of code that was generated during the recording: by programs, which
# write /tmp/perf-PID.map, and by the kernel, which sends KSYMBOL events.
# usage: jit.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

# ------------------------------------------------------------------- maps

mkdir -p "$dir/root/tmp"
cat >"$dir/root/tmp/perf-10.map" <<'END'
70000100 40 Interpreter::run(int, char const*)
70000200 100 later
no line of a map
70000300 0 empty
70000400 fffffffffffffff0 around
END
printf '70000500 20 last without an end' >>"$dir/root/tmp/perf-10.map"

jit_text() {
	cat <<END
info 4
comm 10 10 1 1 java
comm 11 11 1 1 other
map 10 0x70000000 0x100000 0 2 - //anon
map 11 0x70000000 0x100000 0 2 - //anon
END
	for pc in 0x70000100 0x7000013f 0x70000140 0x70000210 0x70000300 0x70000410 0x70000510; do
		echo "rec pc=$(user $pc) total=1 ctx1=10"
	done
	echo "rec pc=$(user 0x70000100) total=1 ctx1=11"
	echo "auxtrace 0 0 -1 0"
}
jit_text | perf_file jit.data

begin "jit: symbols of the map that a process left"
run 0 report -i "$dir/jit.data" --symfs "$dir/root"
count_is perf-10.map 'Interpreter::run(int, char const*)' 2
count_is perf-10.map later 1
count_is perf-10.map 'last without an end' 1
# An address that is in no line of the map, and a process without a map
count_is anon '[no symbol]' 4
warns "code that 1 process made has no names (pid 11): let the compiler write $dir/root/tmp/perf-PID.map"
mkdir "$dir/bare"
# The first sample is of process 11.
jit_text | sed '1,/ctx1=10/s/ctx1=10/ctx1=11/' | perf_file order.data
run 0 report -i "$dir/order.data" --symfs "$dir/bare"
warns 'code that 2 processes made has no names (pid 10, 11): '

begin "jit: the map is a log: a later line replaces an earlier one"
cp "$dir/root/tmp/perf-10.map" "$dir/first.map"
printf '%s\n' '70000100 40 first' '70000000 1000 outer' '70000100 20 second' '70000200 20 third' \
	'70000210 100 fourth' '70000220 10 fifth' >"$dir/root/tmp/perf-10.map"
run 0 report -i "$dir/jit.data" --symfs "$dir/root"
count_is perf-10.map second 1
count_is perf-10.map outer 4
count_is perf-10.map fourth 2
mv "$dir/first.map" "$dir/root/tmp/perf-10.map"

begin "jit: the names of memory that code is made in"
for what in '[anon:v8]' /dev/zero '/dev/zero (deleted)' '/memfd:doublemapper' '/anon_hugepage' '[heap]' '[stack]' /SYSV0; do
	jit_text | sed "s|//anon|$what|" | perf_file names.data
	run 0 report -i "$dir/names.data" --symfs "$dir/root"
	count_is perf-10.map later 1
done

begin "jit: memory of hugetlb"
jit_text | sed 's|^map 10\(.*\)//anon|map-huge 10\1/dev/hugepages/code|' | perf_file names.data
run 0 report -i "$dir/names.data" --symfs "$dir/root"
count_is perf-10.map later 1

begin "jit: a pid that two programs had: the map is of the last that made code"
{
	printf '%s\n' 'info 4' 'conv 0 1 0'
	for time in 1 101; do
		echo "comm 10 10 $time 1 java$time"
		echo "map 10 0x70000000 0x100000 0 $((time + 1)) - //anon"
	done
	echo 'comm 10 10 201 1 sh'
	for time in 50 150; do echo "rec pc=$(user 0x70000210) total=1 ctx1=10 ts=$time"; done
	echo 'auxtrace 0 0 -1 0'
} | perf_file again.data
run 0 report -i "$dir/again.data" --symfs "$dir/root"
count_is perf-10.map later 1
count_is anon '[no symbol]' 1

begin "jit: a file of a jitdump that a later mprotect() covers"
prog=$dir/root/tmp/jitted-10-1.so
echo 'void made(void) { }' | ${CC:-cc} -O2 -nostdlib -shared -x c -o "$prog" -
read -r at < <(nm "$prog" | awk '$3 == "made" { print $1 }')
covered() { # PATH [MEMORY]
	printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 20 20 1 1 node'
	echo "map 20 0x60000000 0x100000 0 5 - //anon"
	echo "map 20 0x60000000 0x8000 0 10 - $1"
	echo "map 20 0x60000000 0x200000 0 20 - ${2-//anon}"
	for time in 15 25; do echo "rec pc=$(user $((0x60000000 + 0x$at))) total=1 ctx1=20 ts=$time"; done
	echo "rec pc=$(user 0x60010000) total=1 ctx1=20 ts=30"
	echo 'auxtrace 0 0 -1 0'
}
covered /tmp/jitted-10-1.so | perf_file jitted.data
run 0 report -i "$dir/jitted.data" --symfs "$dir/root"
count_is jitted-10-1.so made 2
count_is anon '[no symbol]' 1

begin "jit: a program that moved its code to huge pages"
cp "$prog" "$dir/root/tmp/server"
covered /tmp/server | perf_file moved.data
run 0 export -i "$dir/moved.data" --symfs "$dir/root" -f csv -F object,symbol
says '"/tmp/server","made"'
says '"/tmp/server (moved)","made"'
says '"//anon",'
covered /tmp/server /memfd:code | perf_file memfd.data
run 0 report -i "$dir/memfd.data" --symfs "$dir/root"
count_is memfd:code '[no symbol]' 2
# Where the file has no segment, it never was its code.
covered /tmp/server | sed 's/0x60000000 0x8000 0 10/0x60000000 0x80000 0 10/' | perf_file hole.data
run 0 report -i "$dir/hole.data" --symfs "$dir/root"
count_is anon '[no symbol]' 1

begin "jit: another machine's recording has no map here"
run 0 report -i "$dir/jit.data"
count_is anon '[no symbol]' 8

begin "jit: a map that is no file, an empty one"
mkdir -p "$dir/fifo/tmp" "$dir/empty/tmp"
mkfifo "$dir/fifo/tmp/perf-10.map"
: >"$dir/empty/tmp/perf-10.map"
run 0 report -i "$dir/jit.data" --symfs "$dir/fifo"
warns 'not a regular file'
count_is anon '[no symbol]' 8
run 0 report -i "$dir/jit.data" --symfs "$dir/empty"
count_is anon '[no symbol]' 8

# ----------------------------------------------------------------- kernel

kernel() { printf '0x%x' $((0xa000000000000000 | $1 & 0xffffffffffffff)); }
at_time() { echo "rec pc=$(kernel "$1") total=1 ts=$2"; }

begin "kernel: code that it made, at its time"
cat >"$dir/kallsyms" <<'END'
ffff800008000000 T _text
ffff800009000000 t bpf_prog_of_later	[bpf]
ffff800009001000 t stays
END
perf_file bpf.data <<END
info 4
conv 0 1 0
ksym 0xffff800009000000 0x100 10 bpf_prog_first
ksym-gone 0xffff800009000000 0x100 20 bpf_prog_first
ksym 0xffff800009000000 0x80 30 bpf_prog_second
ksym-ool 0xffff800009002000 0x80 30 kprobe_insn_page
$(at_time 0xffff800009000010 15)
$(at_time 0xffff800009000010 35)
$(at_time 0xffff800009000010 16)
$(at_time 0xffff800009000090 35)
$(at_time 0xffff800009000010 25)
$(at_time 0xffff800009001000 35)
$(at_time 0xffff800009002000 35)
auxtrace 0 0 -1 0
END
run 0 report -i "$dir/bpf.data" --kallsyms "$dir/kallsyms"
count_is '[bpf]' bpf_prog_first 2
count_is '[kernel]' '[no symbol]' 2
count_is '[kernel]' kprobe_insn_page 1
count_is '[bpf]' bpf_prog_second 1
count_is '[kernel]' stays 1

begin "kernel: an event of it that is too short"
{ echo 'info 4'; echo 'event 17 8'; echo "rec pc=0x1000 total=1"; echo 'auxtrace 0 0 -1 0'; } | perf_file short.data
run 1 report -i "$dir/short.data"
warns 'KSYMBOL event is too short'

finish
