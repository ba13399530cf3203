#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Options, perf spe dump, and streams of several pieces.
# usage: dump.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

perf=${PERF:-perf}

# ---------------------------------------------------------------- options

begin "cli: no verb, a wrong verb, help"
run 2
warns 'usage: perf spe VERB'
run 2 nonsense
warns "unknown verb 'nonsense'"
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
warns 'are two inputs: keep one, with -i or --raw'
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
	warns 'cannot write to standard output: No space left on device; free space'
	for _ in {1..1000}; do echo 'rec pc=0x1000 total=5'; done | raw_file more.spe
	"$perf_spe" dump --raw "$dir/more.spe" >/dev/full 2>"$err" && fail "status 0"
	grep -qE '^perf-spe: cannot write to standard output: (a part was lost|No space left on device); free space' "$err" || fail 'another reason'
	# A message comes first, as the file of these records has no process.
	"$perf_spe" report --raw "$dir/more.spe" --by cgroup >/dev/full 2>"$err" && fail "status 0"
	grep -qE '^perf-spe: cannot write to standard output: (a part was lost|No space left on device); free space' "$err" || fail 'another reason after a message'
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

begin "dump: each packet of the format's reference is what the reference says"
packets=0
while IFS=$'\t' read -r bytes text; do
	packets=$((packets + 1))
	# Put it between another packet and an End packet, so that it is in a record.
	case $text in
	END | TIMESTAMP*) last='' ;;
	*) last=01 ;;
	esac
	# shellcheck disable=SC2001,SC2059  # the format is the bytes
	printf "$(sed 's/../\\x&/g' <<<"9e0000$bytes$last")" >"$dir/packet.spe"
	run 0 dump --raw "$dir/packet.spe"
	[[ $(sed -n 2p "$out") == *" $text" ]] || fail "$bytes is not $text"
done < <(awk -F '`' '$2 ~ /^[0-9a-f][0-9a-f]( [0-9a-f][0-9a-f])*$/ && $3 == " | " {
	gsub(" ", "", $2); print $2 "\t" $4 }' "$here/../../../Documentation/perf-spe/packets.md")
[ "$packets" -gt 45 ] || fail "the reference has $packets packets"

begin "dump: damaged and cut bytes are shown and fail"
raw_file bad.spe <<'END'
rec pc=0x1000 total=5
byte 20 20 01
rec pc=0x2000 total=5 events=2
byte b0 11 22
END
run 1 dump --raw "$dir/bad.spe"
says '0000000f: 20 20 01 DAMAGED'
says '00000024: b0 11 22 CUT'
warns '3 damaged bytes in 1 place'

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
if "$perf" --version >/dev/null 2>&1; then
	"$perf" report -D -i "$dir/agree.data" 2>/dev/null |
		sed -nE 's/^\.  ([0-9a-f]{8}:)  (([0-9a-f]{2} )+) *[A-Z].*/\1 \2/p' >"$dir/perf"
	sed -nE 's/^([0-9a-f]{8}: ([0-9a-f]{2} )+).*/\1/p' "$out" >"$dir/ours"
	[ "$(wc -l <"$dir/perf")" -ge 20 ] || fail "perf printed few packets"
	diff "$dir/perf" "$dir/ours" >"$dir/diff" || fail "$(head -n 5 "$dir/diff")"
else
	skip "no perf on this machine"
fi

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
	echo 'rec pc=0x8000000000003000 total=1 events=2'
	echo 'auxtrace 0 0 -1 10'
} | perf_file damaged-cut.data
run 1 report -i "$dir/damaged-cut.data" --summary
key_is records 1
key_is damaged_bytes 3023
warns '3023 damaged bytes in 1 place'
run 1 dump -i "$dir/damaged-cut.data"
says '00000000: 20 02 02 02 02 02 02 02 02 02 02 02 02 02 02 02 DAMAGED'
says '00000bc5: b0 00 30'

# ring FLAGS: records of 45 bytes and padding, of which newer ones have replaced the first $from bytes
ring() {
	printf '%s\n' 'info 4' "aux $1"
	tail -c +$((from + 1)) "$dir/whole.spe" | od -An -v -tx1 | sed 's/^/byte/'
	echo "auxtrace 0 0 -1 $((4096 + from))"
}

# PERF_AUX_FLAG_OVERWRITE is 2.  All but the timestamp's last bytes, which are padding, is the first
# record's rest: also one that begins at a packet, at 9, 14, 17, 20, 23, 25, 34 and 36, and one without an
# end, at 37 and 38.
begin "stream: a snapshot that begins inside a record"
for n in 1 2 3 4; do
	echo "rec pc=0x800000000040010$n ctx1=513 issue=1 total=$n events=0x12 class=1 va=0x7f0171$n source=1 ts=$((n * 1000)) align=64"
done | raw_file whole.spe
for ((from = 1; from < 64; from++)); do
	ring 2 | perf_file ring.data
	run 0 report -i "$dir/ring.data" --summary
	key_is damaged_bytes 0
	key_is records 3
	[ "$from" -gt 36 ] || key_is incomplete_bytes $((45 - from))
done
from=3
ring 2 | perf_file ring.data
run 0 dump -i "$dir/ring.data"
says '00000000: 40 00 00 00 00 80 64 01 02 00 00 99 01 00 98 01 CUT'
warns 'of 1 incomplete record, as the data begins or ends inside'
# At a record nothing is cut, and no other buffer begins inside of one.
from=0
ring 2 | perf_file ring.data
run 0 report -i "$dir/ring.data" --summary
silent
key_is records 4
key_is incomplete_bytes 0
from=9
ring 0 | perf_file ring.data
run 0 report -i "$dir/ring.data" --summary
key_is records 4

begin "stream: a piece behind damage up to the last one's end"
{
	printf '%s\n' 'info 4' 'byte 20 20' 'auxtrace 0 0 -1 0'
	tail -c +4 "$dir/whole.spe" | od -An -v -tx1 | sed 's/^/byte/'
	echo 'auxtrace 0 0 -1 2'
} | perf_file lost.data
run 1 report -i "$dir/lost.data" --summary
key_is records 3
key_is damaged_bytes 2

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

finish
