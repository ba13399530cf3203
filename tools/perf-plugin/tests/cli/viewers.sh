#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe export for viewers: each format is read by a program that is not ours, and has the
# stacks and sums that the description below gives by hand.
# usage: viewers.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/viewers.sh
. "$(dirname "$0")/lib/viewers.sh"

# leaf() is inlined into hot(); tools of binutils say where, and in which lines.
prog=$dir/root/usr/bin/prog
mkdir -p "${prog%/*}"
cat >"$dir/prog.c" <<'END'
volatile int sink;
static inline __attribute__((always_inline)) int leaf(int x)
{
	return x * 3 + sink;
}
__attribute__((noinline)) int hot(int x)
{
	int y = leaf(x);

	sink = y;
	return y;
}
int cold(int x) { return x + 1; }
void _start(void) { hot(1); cold(2); }
END
${CC:-cc} -O2 -g -nostdlib -static -no-pie -Wl,--build-id=sha1 -o "$prog" "$dir/prog.c"
read -r seg_off seg_addr < <(readelf -lW "$prog" | awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
id=$(readelf -nW "$prog" | sed -n 's/.*Build ID: //p')
functions() { addr2line -f -i -e "$prog" "0x$1" | sed 's/ (discriminator.*//; s/.*\///'; }
inlined='' cold=$(nm "$prog" | awk '$3 == "cold" { print $1 }')
read -r hot size < <(nm -S "$prog" | awk '$4 == "hot" { print $1, $2 }')
for ((at = 0x$hot; at < 0x$hot + 0x$size; at++)); do
	printf -v address %x "$at"
	case $(functions "$address" | paste -sd ' ') in
	'leaf prog.c:4 hot prog.c:8') inlined=$address ;;
	'hot prog.c:10') own=$address ;;
	esac
done
cold_line=$(functions "$cold" | tail -n 1)

# Misses are l1d-refill (bit 3), llc-miss (9) and l2d-miss (20) of D18.2.6; a TLB walk (5) is
# none.  Sums of what follows, by hand:
#	                samples    cycles   misses  operations
#	leaf                 3     5 + 7 + 9     2        3072
#	hot                  1     30            0        1024
#	cold                 2     100           1        2048
#	[no symbol]          2     11 + 13       0        2048
{
	cat <<END
midrs 2 0x413fd0c1 0x413fd0c1
comm 10 10 1 1 prog
comm 10 11 1 0 prog
comm 20 20 1 1 a;b"c
map 10 0x7000000000 0x1000 $seg_off 2 $id /usr/bin/prog
map 20 0x7000000000 0x1000 $seg_off 2 $id /usr/bin/prog
conv 0 1 0
itrace 10 10 0 3
rec pc=$(user "$(at "$inlined")") total=5 issue=2 xlat=1 class=1 op=0 va=0x1040 events=0x0a ctx1=10 ts=1000
rec pc=$(user "$(at "$inlined")") total=7 issue=3 class=1 op=0 va=0x1040 events=0x202 ctx1=10 ts=2000
rec pc=$(user "$(at "$own")") total=30 class=1 op=1 events=0x22 ctx1=11 ts=3000
rec pc=$(user "$(at "$cold")") total=100 class=1 op=1 events=0x100002 ctx1=11 ts=4000
auxtrace 0 0 10 0
rec pc=$(user "$(at "$inlined")") total=9 events=2 ctx1=20 ts=5000
rec pc=$(user "$(at "$cold")") events=2 ctx1=20 ts=6000
rec pc=0xa0ff800000001000 total=11 class=2 op=1 ctx1=20 ts=7000
rec total=13 ts=8000 ctx1=20
auxtrace 1 1 20 0
itrace 20 20 1 9000
END
} | perf_file v.data
v=(-i "$dir/v.data" --symfs "$dir/root")
recording=("${v[@]}")

begin "viewers: the program has an inlined function"
[[ -n $inlined && -n ${own:-} ]] || fail 'the compiler made another program'

# stacks WRITE: the stacks with all values; WRITE prints PROCESS THREAD OBJECT FRAMES... NUMBERS
stacks() {
	"$1" 'prog 10' 10 prog "hot@8 leaf@4" 2 12 2 2048
	"$1" 'prog 10' 11 prog "hot@10" 1 30 0 1024
	"$1" 'prog 10' 11 prog "cold@${cold_line#*:}" 1 100 1 1024
	"$1" "a${semicolon}b\"c 20" 20 prog "hot@8 leaf@4" 1 9 0 1024
	"$1" "a${semicolon}b\"c 20" 20 prog "cold@${cold_line#*:}" 1 0 0 1024
	"$1" "a${semicolon}b\"c 20" 20 '[kernel]' '[no_symbol]' 1 11 0 1024
	"$1" "a${semicolon}b\"c 20" 20 '[unknown]' '[no_symbol]' 1 13 0 1024
}

# The line is in the last frame only.
fold() {
	local frames=${4//@[0-9]* /;}
	frames=${frames/@/;prog.c:}
	local number=$((5 + value))
	[ "${!number}" -eq 0 ] || echo "$1;thread $2;$3;${frames//_/ } ${!number}"
}
begin "viewers: folded, each value"
semicolon=:
value=0
for option in samples cycles misses period; do
	run 0 export "${v[@]}" -f folded --value "$option"
	stacks fold >"$dir/want"
	same "$out"
	value=$((value + 1))
done

begin "viewers: speedscope's importer reads folded stacks"
if need; then
	run 0 export "${v[@]}" -f folded --value cycles -o "$dir/v.folded"
	value=1
	stacks fold | sed 's/\(.*\) \([0-9]*\)$/v.folded \2 \1/' >"$dir/want"
	node "$viewers/speedscope.mjs" "$modules" "$dir/v.folded" >"$out" 2>"$err" || fail 'not read'
	same "$out"
fi

scope() {
	local frames=${4//@+([0-9])/} number
	for value in 0 1 2 3; do
		number=$((5 + value))
		[ "${!number}" -eq 0 ] || echo "${names[value]} ${!number} $1;thread $2;$3;$(tr ' _' '; ' <<<"$frames")"
	done
}
names=(samples cycles misses period)
shopt -s extglob
begin "viewers: speedscope's importer reads a profile for each value"
if need; then
	semicolon=';'
	run 0 export "${v[@]}" -f speedscope -o "$dir/v.speedscope.json"
	stacks scope >"$dir/want"
	node "$viewers/speedscope.mjs" "$modules" "$dir/v.speedscope.json" >"$out" 2>"$err" || fail 'not read'
	same "$out"
	grep -q '"name":"leaf","file":"[^"]*prog.c","line":2' "$dir/v.speedscope.json" || fail 'no line of leaf()'
	run 0 export "${v[@]}" -f speedscope --value misses
	grep -q '"activeProfileIndex":2' "$out" || fail 'another value is shown first'
fi

frames() { sed 's/@\([0-9]*\)/@prog.c:\1/g; s/ /;/g; s/_/ /g' <<<"$1"; }
path() { [ "$1" = prog ] && echo /usr/bin/prog || echo "$1"; }
proto() {
	local number units=(count cycles count operations)
	for value in 0 1 2 3; do
		number=$((5 + value))
		[ "${!number}" -eq 0 ] ||
			echo "${names[value]}/${units[value]} $1 $2 $(path "$3") $(frames "$4") ${!number}"
	done
}
begin "viewers: pprof-format reads pprof's profile"
if need protobuf; then
	run 0 export "${v[@]}" -f pprof --value cycles -o "$dir/v.pb.gz"
	{ stacks proto; echo 'first cycles, period 1024'; } >"$dir/want"
	pprof_format "$dir/v.pb.gz"
fi

begin "viewers: protobuf's decoder reads it with pprof's published schema"
if need protobuf; then
	pprof_schema "$dir/v.pb.gz"
fi

begin "viewers: OpenTelemetry's classes read its profiles, by the rules for senders"
if need_otlp; then
	run 0 export "${v[@]}" -f otlp --value cycles --recorded 2026-01-31T23:59:58Z --host '"h'$'\xff' -o "$dir/v.otlp"
	otlp "$dir/v.otlp"
	grep -qF "('host.name', '\"h�')" "$dir/head" || fail "another host: $(cat "$dir/head")"
	read -r time duration _ <"$dir/head"
	[ $((time + duration)) -eq 1769903998000000000 ] || fail "another time: $time $duration"
	touch -d @1700000000 "$dir/v.data"
	run 0 export "${v[@]}" -f otlp -o "$dir/v.otlp"
	sed -i 's/^first cycles/first samples/' "$dir/want"
	otlp "$dir/v.otlp"
	read -r time duration _ <"$dir/head"
	[ $((time + duration)) -eq 1700000000000000000 ] || fail "not the file's time: $time $duration"
	# The recording begins at 1; two windows of 1000 ns begin at 2000.
	from=$time
	for windows in "--time=0.000002,0.000003 0.000005,0.000006" "--filter=time >= 2000 and time < 3000 or time > 5000 and time <= 6000"; do
		run 0 export "${v[@]}" -f otlp "$windows" -o "$dir/t.otlp"
		read -r time duration _ < <(PYTHONPATH=$classes /usr/bin/python3 "$viewers/otlp.py" "$dir/t.otlp" | sed -n 's/^time //p')
		[ "$((time - from)) $duration" = '1999 2000' ] || fail "$windows begins at $((time - from)) and lasts $duration ns"
	done
	run 0 export -i - "${v[@]:2}" -f otlp -o "$dir/v.otlp" <"$dir/v.data"
	otlp "$dir/v.otlp"
	grep -q '^0 ' "$dir/head" || fail "a time of what came from a pipe: $(cat "$dir/head")"
fi

begin "viewers: OpenTelemetry's rules hold for programs that differ, and look the same"
if need_otlp; then
	printf '%s T %s\n' ffff800000000000 _text ffff800000001000 $'f\xff' ffff800000002000 $'f\xfe' >"$dir/v.kallsyms"
	{
		printf '%s\n' 'attr 8 1024 0 1 0 0 0 0' 'info 4' 'conv 0 1 0' 'comm 1 1 1 1 same' 'comm 10 10 1 1 same'
		printf '%s\n' 'comm 10 10 15 1 same' 'fork 10 1 25' $'comm 10 10 35 1 x\xff' $'comm 10 10 45 1 x\xfe'
		for ts in 10 20 30 40 50; do
			echo "rec pc=$(user 0x500) ctx1=10 total=5 events=2 ts=$ts"
			echo "rec pc=0xc0ff800000001000 ctx1=10 total=5 events=2 ts=$ts"
			echo "rec pc=0xc0ff800000002000 ctx1=10 total=5 events=2 ts=$ts"
		done
		echo 'auxtrace 0 0 -1 0'
	} | perf_file same.data
	run 0 export -i "$dir/same.data" --kallsyms "$dir/v.kallsyms" -f otlp -o "$dir/v.otlp"
	PYTHONPATH=$classes /usr/bin/python3 "$viewers/otlp.py" "$dir/v.otlp" >"$out" 2>"$err" || fail "not read: $(tail -n 1 "$err")"
	says 'cycles/cycles same 10 10 [unknown] [no symbol] 15'
	says 'cycles/cycles same 10 10 [kernel] f� 30'
fi

begin "viewers: speedscope's importer reads it too"
if need protobuf; then
	node "$viewers/speedscope.mjs" "$modules" "$dir/v.pb.gz" >"$out" 2>"$err" || fail 'not read'
	# It takes the value that is shown first, and of each instruction the outermost function.
	printf 'v.pb.gz %s\n' '51 hot' '100 cold' '24 [no symbol]' >"$dir/want"
	same "$out"
fi

fire() {
	local number=$((5 + value))
	[ "${!number}" -eq 0 ] || echo "$1;thread $2 $(path "$3") $(frames "$4") ${!number}"
}
begin "viewers: a profile as the Firefox Profiler documents it, each value"
if need; then
	value=0
	for option in samples cycles misses period; do
		run 0 export "${v[@]}" -f firefox --value "$option" -o "$dir/v.json"
		stacks fire >"$dir/want"
		node "$viewers/firefox.mjs" "$dir/v.json" >"$out" 2>"$err" || fail 'not valid'
		same "$out"
		value=$((value + 1))
	done
fi

begin "viewers: protobuf's decoder reads a Perfetto trace"
if need protobuf; then
	run 0 export "${v[@]}" -f perfetto -o "$dir/v.perfetto"
	silent
	perfetto "$dir/v.perfetto"
	cat >"$dir/want" <<END
process 10 prog
process 20 a;b"c
thread 10 10 prog
thread 10 11 prog
thread 20 20 a;b"c
event SPE samples of CPU 0 leaf 2 12 2 2048
event SPE samples of CPU 0 hot 1 30 0 1024
event SPE samples of CPU 0 cold 1 100 1 1024
event SPE samples of CPU 1 leaf 1 9 0 1024
event SPE samples of CPU 1 cold 1 0 0 1024
event SPE samples of CPU 1 [no symbol] 2 24 0 2048
counter total latency of CPU 0 cycles 4 142
counter issue latency of CPU 0 cycles 2 5
counter translation latency of CPU 0 cycles 1 1
counter total latency of CPU 1 cycles 3 33
sample 0 10 10 /usr/bin/prog hot@prog.c:8;leaf@prog.c:4 2
sample 0 10 11 /usr/bin/prog hot@prog.c:10 1
sample 0 10 11 /usr/bin/prog cold@$cold_line 1
sample 1 20 20 /usr/bin/prog hot@prog.c:8;leaf@prog.c:4 1
sample 1 20 20 /usr/bin/prog cold@$cold_line 1
sample 1 20 20 [kernel] [no symbol] 1
sample 1 20 20 [unknown] [no symbol] 1
from 1000 to 8000 ns
END
	same "$out"
fi
finish
