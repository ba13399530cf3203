#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The commands on files that the fixture program writes.
# usage: cli.sh PERF-SPE FIXTURE

set -uo pipefail

perf_spe=$(realpath "$1")
fixture=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
out=$dir/out err=$dir/err
name='' bad=0

begin() {
	finish
	name=$1
	bad=0
}

finish() {
	if [ -n "$name" ] && [ "$bad" -eq 0 ]; then
		echo "ok $name"
	elif [ -n "$name" ]; then
		echo "FAIL $name"
	fi
	name=''
}

fail() {
	echo "  $1"
	sed 's/^/  stdout: /' "$out" 2>/dev/null | head -n 5
	sed 's/^/  stderr: /' "$err" 2>/dev/null | head -n 5
	bad=1
}

skip() {
	echo "skip $name: $1"
	name=''
}

# run STATUS ARGUMENTS...: the command must end with that status
run() {
	local want=$1 got=0
	shift
	"$perf_spe" "$@" >"$out" 2>"$err" || got=$?
	[ "$got" -eq "$want" ] || fail "status $got, not $want: $*"
}

says() { grep -qF -- "$1" "$out" || fail "no '$1' on standard output"; }
warns() { grep -qF -- "$1" "$err" || fail "no '$1' on standard error"; }
silent() { [ ! -s "$err" ] || fail "standard error is not empty"; }

perf_file() { "$fixture" perf "$dir/$1" || fail "fixture"; }
raw_file() { "$fixture" raw "$dir/$1" || fail "fixture"; }

# row OBJECT SYMBOL: its count
row() {
	tr -s ' ' <"$out" | awk -v want=" $1 $2" '!/^#/ &&
		substr($0, length($0) - length(want) + 1) == want { print $1 }'
}

count_is() {
	local got
	got=$(row "$1" "$2")
	[ "$got" = "$3" ] || fail "$1 $2 has ${got:-no} samples, not $3"
}

key_is() {
	grep -qx -- "$1: $2" "$out" ||
		fail "$1 is $(sed -n "s/^$1: //p" "$out"), not $2"
}

# ---------------------------------------------------------------- options

begin "cli: no verb, a wrong verb, help"
run 2
warns 'usage: perf spe VERB'
run 2 nonsense
warns "no verb 'nonsense'"
run 0 --help
says 'report'
run 0 dump --help
run 0 report --help
says '--symfs'

begin "cli: wrong options and arguments"
run 2 report --nonsense
run 2 report extra
warns 'extra'
run 2 report --sort colour
warns 'colour'
run 2 report --limit 0
run 2 dump extra
run 2 report -i one --raw two
warns 'one input'
run 2 dump -i one -i two
run 2 report --vmlinux one --kallsyms two
warns 'exclude each other'

begin "cli: perf.data is the default input"
(cd "$dir" && "$perf_spe" report >"$out" 2>"$err") && fail "no failure"
warns 'perf.data: No such file'

begin "cli: output that cannot be written is an error"
raw_file full.spe <<<'rec pc=0x1000 total=5'
if [ -w /dev/full ]; then
	"$perf_spe" dump --raw "$dir/full.spe" >/dev/full 2>"$err" && fail "status 0"
	warns 'cannot write'
else
	skip 'no /dev/full'
fi

# ------------------------------------------------------------------- dump

begin "dump: offset, bytes, text"
raw_file one.spe <<'END'
pad 18
rec pc=0x8000000000001000 issue=2 total=5 events=2 class=1 op=1 va=0x2000 ts=7
byte 24 99 01 00
END
run 0 dump --raw "$dir/one.spe"
cat >"$dir/want" <<'END'
00000000: 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 PADDING 16
00000010: 00 00 PADDING 2
00000012: b0 00 10 00 00 00 00 00 80 PC 0x1000 EL0 NON-SECURE
0000001b: 99 02 00 ISSUE-LATENCY 2
0000001e: 98 05 00 TOTAL-LATENCY 5
00000021: 52 02 00 EVENTS retired
00000024: 49 01 OP STORE GP-REG
00000026: b2 00 20 00 00 00 00 00 00 DATA-VA 0x2000 TAG=0x0
0000002f: 71 07 00 00 00 00 00 00 00 TIMESTAMP 7
00000038: 24 99 01 00 UNKNOWN header=0x24,0x99 payload=0x1
END
diff "$dir/want" "$out" >"$dir/diff" || fail "$(cat "$dir/diff")"
warns 'incomplete'

begin "dump: damaged and cut bytes are shown and fail"
raw_file bad.spe <<'END'
rec pc=0x1000 total=5
byte 20 20 01
rec pc=0x2000 total=5
byte b0 11 22
END
run 1 dump --raw "$dir/bad.spe"
says '0000000f: 20 20 01 DAMAGED'
says '00000021: b0 11 22 CUT'
warns '3 damaged bytes in 1 places'

begin "dump: agrees with perf report -D"
perf_file agree.data <<'END'
info 4
comm 10 10 0 0 prog
rec pc=0x8000000000001000 issue=2 total=5 events=2 class=1 op=1 va=0x2000 ts=7
pad 37
rec pc=0xa0ff800000001000 total=4095 events=0xffff class=2 op=3 target=0x1 align=64
rec ctx1=10 ctx2=11 pa=0x80000000fb24ebc0 source=13 class=0 op=0x1c
auxtrace 0 0 -1 0
rec pc=0x8000000000003000 xlat=1 total=5 ts=9
auxtrace 1 1 -1 0
END
run 0 dump -i "$dir/agree.data"
if command -v perf >/dev/null && perf --version >/dev/null 2>&1; then
	perf report -D -i "$dir/agree.data" 2>/dev/null |
		sed -nE 's/^\.  ([0-9a-f]{8}:)  (([0-9a-f]{2} )+) *[A-Z].*/\1 \2/p' >"$dir/perf"
	sed -nE 's/^([0-9a-f]{8}: ([0-9a-f]{2} )+).*/\1/p' "$out" >"$dir/ours"
	[ "$(wc -l <"$dir/perf")" -ge 20 ] || fail "perf printed few packets"
	diff "$dir/perf" "$dir/ours" >"$dir/diff" || fail "$(head -n 5 "$dir/diff")"
else
	skip "no perf on this machine"
fi

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

# A program with known functions, mapped as a loader would
prog=$dir/root/usr/bin/prog
mkdir -p "${prog%/*}"
cat >"$dir/prog.c" <<'END'
int hot(int x) { return x * 3; }
static int cold(int x) { return x + 1; }
int (*table[])(int) = { cold };
void _start(void) { hot(1); }
END
${CC:-cc} -O0 -nostdlib -static -no-pie -Wl,--build-id=sha1 -o "$prog" "$dir/prog.c"
hot=$(nm "$prog" | awk '$3 == "hot" { print $1 }')
cold=$(nm "$prog" | awk '$3 == "cold" { print $1 }')
read -r seg_off seg_addr < <(readelf -lW "$prog" |
	awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
id=$(readelf -nW "$prog" | sed -n 's/.*Build ID: //p')
# at ADDRESS: where it is when the segment is mapped at 0x7000000000
at() { printf '0x%x' $((0x7000000000 + 0x$1 - seg_addr)); }
user() { printf '0x%x' $((0x8000000000000000 | $1)); }
map_prog="0x7000000000 0x100000 $seg_off"

begin "report: symbols of a mapped program below --symfs"
perf_file sym.data <<END
info 4
comm 10 10 1 1 prog
map 10 $map_prog 2 $id /usr/bin/prog
itrace 10 10 0 3
rec pc=$(user "$(at "$hot")") total=5
rec pc=$(user "$(at "$hot")") total=5
rec pc=$(user "$(at "$cold")") total=5
rec pc=$(user 0x70000ffff0) total=5
rec pc=$(user 0x1234) total=5
auxtrace 0 -1 10 0
END
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

# ----------------------------------------------------------------- kernel

cat >"$dir/kallsyms" <<'END'
ffff800008000000 T _text
ffff800008001000 T do_idle
ffff800008001000 t $x
ffff800008002000 t schedule
ffff800008003000 D jiffies
ffff800001000000 t helper	[nf_tables]
END
kernel() { printf '0x%x' $((0xa000000000000000 | $1 & 0xffffffffffffff)); }
begin "kernel: symbols from kallsyms"
perf_file kernel.data <<END
info 4
kmap 0xffff800008000000 0x10000000 0xffff800008000000 [kernel.kallsyms]_text
rec pc=$(kernel 0xffff800008001004) total=1
rec pc=$(kernel 0xffff800008002004) total=1
rec pc=$(kernel 0xffff800001000004) total=1
auxtrace 0 0 -1 0
END
run 0 report -i "$dir/kernel.data" --kallsyms "$dir/kallsyms"
count_is '[kernel]' do_idle 1
count_is '[kernel]' schedule 1
count_is '[nf_tables]' helper 1

begin "kernel: a summary opens no symbols"
run 0 report -i "$dir/kernel.data" --summary --kallsyms "$dir/none" --symfs "$dir/none"
silent
key_is records 3

begin "kernel: of a weak and a global name the well known one"
cat >"$dir/weak-kallsyms" <<'END'
ffff800008000000 T _text
ffff800008001000 T __memset
ffff800008001000 W memset
ffff800008002000 t clear_local
ffff800008002000 T __pi_clear
END
run 0 report -i "$dir/kernel.data" --kallsyms "$dir/weak-kallsyms"
count_is '[kernel]' memset 1
count_is '[kernel]' __pi_clear 1

begin "kernel: kallsyms of another boot"
perf_file reboot.data <<END
info 4
kmap 0xffff900008000000 0x10000000 0xffff900008000000 [kernel.kallsyms]_text
rec pc=$(kernel 0xffff900008001004) total=1
rec pc=$(kernel 0xffff900001000004) total=1
auxtrace 0 0 -1 0
END
run 0 report -i "$dir/reboot.data" --kallsyms "$dir/kallsyms"
count_is '[kernel]' do_idle 1
count_is '[kernel]' '[no symbol]' 1

begin "kernel: without symbols, the addresses"
run 0 report -i "$dir/kernel.data"
count_is '[kernel]' '[no symbol]' 3

begin "kernel: a vmlinux that randomization moved"
cat >"$dir/k.S" <<'END'
.globl _text
.globl do_work
.text
_text:
.skip 64
.type do_work, %function
do_work:
.skip 32
.size do_work, 32
END
if ${CC:-cc} -nostdlib -static -Wl,-Ttext=0xffffffff80000000,-e,_text -o "$dir/vmlinux" "$dir/k.S" 2>"$err"; then
	perf_file slide.data <<END
info 4
kmap 0xffff800010000000 0x10000000 0xffff800010000000 [kernel.kallsyms]_text
rec pc=$(kernel 0xffff800010000044) total=1
auxtrace 0 0 -1 0
END
	run 0 report -i "$dir/slide.data" --vmlinux "$dir/vmlinux"
	count_is '[kernel]' do_work 1
else
	fail 'cannot link the test kernel'
fi

begin "kernel: a release's vmlinux and kallsyms below --symfs"
mkdir -p "$dir/sysroot/boot" "$dir/sysroot2/proc"
cp "$dir/vmlinux" "$dir/sysroot/boot/vmlinux-9.9.9-test"
cp "$dir/kallsyms" "$dir/sysroot2/proc/kallsyms"
{
	echo 'osrelease 9.9.9-test'
	echo 'info 4'
	echo 'kmap 0xffff800010000000 0x10000000 0xffff800010000000 [kernel.kallsyms]_text'
	echo "rec pc=$(kernel 0xffff800010000044) total=1"
	echo 'auxtrace 0 0 -1 0'
} | perf_file release.data
run 0 report -i "$dir/release.data" --symfs "$dir/sysroot"
count_is '[kernel]' do_work 1
run 0 report -i "$dir/kernel.data" --symfs "$dir/sysroot2"
count_is '[kernel]' schedule 1

begin "kernel: symbol files that cannot be used"
echo 'not kallsyms' >"$dir/bad-kallsyms"
run 1 report -i "$dir/kernel.data" --kallsyms "$dir/bad-kallsyms"
warns 'line 1'
echo '0000000000000000 T _text' >"$dir/zero-kallsyms"
run 1 report -i "$dir/kernel.data" --kallsyms "$dir/zero-kallsyms"
warns 'kptr_restrict'
printf 'ffff800008000000 T _text\n\0ffff800008001000 T do_idle\n' >"$dir/nul-kallsyms"
run 1 report -i "$dir/kernel.data" --kallsyms "$dir/nul-kallsyms"
warns 'zero bytes'
run 1 report -i "$dir/kernel.data" --kallsyms /dev/zero
warns 'too large'
mkdir -p "$dir/sysroot3"
printf 'ffff800008000000 T _text\nnonsense\n' >"$dir/sysroot3/kallsyms"
run 0 report -i "$dir/kernel.data" --symfs "$dir/sysroot3"
warns 'line 2'
count_is '[kernel]' '[no symbol]' 3
run 1 report -i "$dir/kernel.data" --kallsyms "$dir/none"
run 1 report -i "$dir/kernel.data" --vmlinux "$dir/kallsyms"
warns 'not an ELF file'
run 1 report -i "$dir/kernel.data" --symfs "$dir/none"

# ---------------------------------------------------------------- streams

begin "stream: a record cut by the end of a buffer is completed"
perf_file cut.data <<'END'
info 4
rec pc=0x8000000000001000 total=1
byte b0 00 20 00 00 00
auxtrace 0 0 -1 0
rec pc=0x8000000000005000 total=1
auxtrace 1 1 -1 0
byte 00 00 80 98 01 00 48
auxtrace 0 0 -1 21
byte 00 01
rec pc=0x8000000000003000 total=1
auxtrace 0 0 -1 28
END
run 0 report -i "$dir/cut.data" --summary
silent
key_is records 4
key_is damaged_bytes 0
key_is incomplete_bytes 0
run 0 report -i "$dir/cut.data"
count_is '[unknown]' 0x2000 1

begin "stream: dump tells a cut packet where it ends"
run 0 dump -i "$dir/cut.data"
silent
sed -n '/0000000f: b0/,$p' "$out" >"$dir/got"
cat >"$dir/want" <<'END'
0000000f: b0 00 20 00 00 00 CUT
# AUX buffer 1, CPU 1, thread -1, offset 0x0, 15 bytes
00000000: b0 00 50 00 00 00 00 00 80 PC 0x5000 EL0 NON-SECURE
00000009: 98 01 00 TOTAL-LATENCY 1
0000000c: 48 00 OP OTHER
0000000e: 01 END
# AUX buffer 0, CPU 0, thread -1, offset 0x15, 7 bytes
00000000: 00 00 80 PC 0x2000 EL0 NON-SECURE (continued)
00000003: 98 01 00 TOTAL-LATENCY 1
00000006: 48 CUT
# AUX buffer 0, CPU 0, thread -1, offset 0x1c, 17 bytes
00000000: 00 OP OTHER (continued)
00000001: 01 END
00000002: b0 00 30 00 00 00 00 00 80 PC 0x3000 EL0 NON-SECURE
0000000b: 98 01 00 TOTAL-LATENCY 1
0000000e: 48 00 OP OTHER
00000010: 01 END
END
diff "$dir/want" "$dir/got" >"$dir/diff" || fail "$(cat "$dir/diff")"

begin "stream: pieces of one byte are one stream"
{
	echo 'info 4'
	n=0
	for byte in 00 b0 00 20 00 00 00 00 00 80 98 01 00 48 00 00 01 00; do
		echo "byte $byte"
		echo "auxtrace 0 0 -1 $((n++))"
	done
} | perf_file bytes.data
run 0 report -i "$dir/bytes.data" --summary
silent
key_is records 1
key_is padding_bytes 3
run 0 dump -i "$dir/bytes.data"
says '00000000: 80 PC 0x2000 EL0 NON-SECURE (continued)'
[ "$(grep -c '^0' "$out")" -eq 18 ] || fail 'one line a byte'

begin "stream: damage that begins in a cut record"
{
	echo 'info 4'
	echo 'byte b0 00 20 00 00 00 00 00 80 20'
	echo 'auxtrace 0 0 -1 0'
	echo 'byte 20'
	for ((n = 0; n < 3000; n++)); do echo 'byte 02'; done
	echo 'byte b0 00 20 00 00 00 00 00 80 48 00'
	echo 'byte 01'
	echo 'rec pc=0x8000000000003000 total=1'
	echo 'auxtrace 0 0 -1 10'
} | perf_file damaged-cut.data
run 1 report -i "$dir/damaged-cut.data" --summary
key_is records 1
key_is damaged_bytes 3023
warns '3023 damaged bytes in 1 places'
run 1 dump -i "$dir/damaged-cut.data"
says '00000000: 20 02 02 02 02 02 02 02 02 02 02 02 02 02 02 02 DAMAGED'
says '00000bc5: b0 00 30'

begin "dump: padding lines as perf has them, at any alignment"
{
	for n in 1 2 3; do echo "rec pc=0x8000000000001000 total=$n align=128"; done
} | raw_file align.spe
run 0 dump --raw "$dir/align.spe"
for at in 0000000f 0000008f 0000010f; do
	grep -qE "^$at: (00 ){16}PADDING 16\$" "$out" || fail "padding at $at"
done
[ "$(grep -c 'PADDING 16$' "$out")" -eq 21 ] || fail 'runs are cut into 16 bytes'

begin "stream: behind a gap it is not"
perf_file gap.data <<'END'
info 4
byte b0 00 20 00 00 00 00 00 80 98 01
auxtrace 0 0 -1 0
rec pc=0x8000000000003000 total=1
auxtrace 0 0 -1 4096
END
run 1 report -i "$dir/gap.data" --summary
key_is records 1
key_is incomplete_bytes 11

begin "stream: flags and losses are counted"
perf_file flags.data <<'END'
info 4
aux 1
aux 8
aux 13
lost 7
rec pc=0x8000000000003000 total=1
auxtrace 0 0 -1 0
END
run 0 report -i "$dir/flags.data" --summary
key_is aux_events 3
key_is aux_truncated 2
key_is aux_partial 1
key_is aux_collision 2
key_is lost 7
run 0 report -i "$dir/flags.data"
says '2 times truncated'

# -------------------------------------------------------------- bad input

begin "bad input: missing, empty, a directory, a pipe"
run 1 dump --raw "$dir/none"
: >"$dir/empty"
run 1 dump --raw "$dir/empty"
warns 'empty'
run 1 report -i "$dir"
warns 'directory'
run 1 report -i -
warns 'standard input'
mkfifo "$dir/pipe"
run 1 report -i "$dir/pipe"
warns 'not a regular file'
run 1 dump --raw "$dir/pipe"
run 1 report -i "$dir/sym.data" --vmlinux "$dir/pipe"

begin "bad input: foreign files"
run 1 report -i "$prog"
warns 'not a perf.data file'
run 1 report --raw "$here/cli.sh"
warns 'is this SPE data?'
run 1 dump --raw "$here/cli.sh"
run 1 report --raw "$dir/sym.data"
warns 'use -i'

begin "bad input: not one whole record"
printf 'rec pc=0x8000000000001000 total=1' | raw_file rec.spe
for ((cut = 1; cut < 15; cut++)); do
	head -c "$cut" "$dir/rec.spe" >"$dir/part.spe"
	run 1 report --raw "$dir/part.spe"
	warns 'no SPE record'
done
printf 'America/Los_Angeles\n' >"$dir/text"
run 1 report --raw "$dir/text"

begin "bad input: perf.data of other kinds"
perf_file nospe.data <<<'comm 10 10 1 1 prog'
run 1 report -i "$dir/nospe.data"
warns 'no Arm SPE data'
perf_file pt.data <<<'info 1'
run 1 report -i "$dir/pt.data"
warns 'Intel PT'
perf_file noaux.data <<<'info 4'
run 1 report -i "$dir/noaux.data"
warns 'no AUX data'
printf 'info 4\nevent 81 8\n' | perf_file zstd.data
run 1 report -i "$dir/zstd.data"
warns 'compressed'
printf '2ELIFREP%0100d' 0 >"$dir/swapped.data"
run 1 report -i "$dir/swapped.data"
warns 'other byte order'
printf 'PERFILE2\020\0\0\0\0\0\0\0' >"$dir/pipe.data"
run 1 report -i "$dir/pipe.data"
warns 'pipe form'

begin "bad input: lists of event ids that overlap"
for attrs in 1 40; do
	printf '%s\n' "attrs $attrs 2000" 'info 4' 'comm 10 10 1 1 prog' \
		'rec pc=0x8000000000003000 total=1' 'auxtrace 0 -1 10 0' | perf_file ids.data
	run $((attrs > 1)) report -i "$dir/ids.data" --summary
done
warns 'event ids overlap'

begin "bad input: an event too small, an event too long"
for field in '\001\000' '\377\377'; do
	cp "$dir/sym.data" "$dir/size.data"
	# shellcheck disable=SC2059 # the field is the format
	printf "$field" | dd of="$dir/size.data" bs=1 seek=$((104 + 8 + 128 + 16 + 6)) \
		conv=notrunc status=none
	run 1 report -i "$dir/size.data"
	warns 'at offset 0x'
done

begin "bad input: perf.data truncated at every byte"
size=$(stat -c %s "$dir/sym.data")
for ((cut = 1; cut < size; cut += 1 + cut / 40)); do
	head -c "$cut" "$dir/sym.data" >"$dir/trunc.data"
	run 1 report -i "$dir/trunc.data"
	[ -s "$err" ] || fail "no message at $cut"
	[ "$bad" -eq 0 ] || break
done

finish
