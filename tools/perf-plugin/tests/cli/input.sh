#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Input that is missing, foreign, damaged or hostile.
# usage: input.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
make_program
sym_file

# -------------------------------------------------------------- bad input

begin "bad input: missing, empty, a directory, a pipe"
run 1 dump --raw "$dir/none"
: >"$dir/empty"
run 1 dump --raw "$dir/empty"
warns 'empty'
run 1 report -i "$dir"
warns 'directory'
mkfifo "$dir/pipe"
run 1 report -i "$dir/pipe"
warns 'not a regular file'
run 1 dump --raw "$dir/pipe"
run 1 report -i "$dir/sym.data" --vmlinux "$dir/pipe"

begin "bad input: foreign files"
run 1 report -i "$prog"
warns 'not a perf.data file'
run 1 report --raw "$0"
warns 'it is no SPE data, or damaged'
run 1 dump --raw "$0"
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
printf '%s\n' 'pmus 8 arm_spe_0' 'comm 10 10 1 1 prog' | perf_file injected.data
run 1 report -i "$dir/injected.data"
warns "injected.data: no AUX data, as 'perf inject --itrace' leaves none: name the file"
perf_file pt.data <<<'info 1'
run 1 report -i "$dir/pt.data"
warns 'Intel PT'
perf_file noaux.data <<<'info 4'
run 1 report -i "$dir/noaux.data"
warns 'no AUX data, though an Arm SPE event was recorded: what was sampled executed nothing that its filters keep, or too little: record longer; -p and -t leave out children that already run: name them too, or give -a'
printf '2ELIFREP%0100d' 0 >"$dir/swapped.data"
run 1 report -i "$dir/swapped.data"
warns 'other byte order'
printf '2ELIFREP\0\0\0\0\0\0\0\020' >"$dir/swapped.pipe"
run 1 report -i - <"$dir/swapped.pipe"
warns 'other byte order'
printf 'PERFILE2\020\0\0\0\0\0\0\0' >"$dir/pipe.data"
run 1 report -i "$dir/pipe.data"
warns 'no Arm SPE data'

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
	[ ! -e "$dir/failed" ] || break
done

# ------------------------------------------------------------------ forms

run 0 report -i "$dir/sym.data" --symfs "$dir/root"
body >"$dir/sym.report"
[ "$(wc -l <"$dir/sym.report")" -gt 4 ] || fail "no report"
same_report() { body | cmp -s - "$dir/sym.report" || fail "another report than of the plain file"; }

begin "form: of a pipe"
{ sym_text; echo 'buildid 0123456789 /nothing'; } | "$fixture" pipe "$dir/pipe.data"
run 0 report -i "$dir/pipe.data" --symfs "$dir/root"
same_report
run 0 report -i - --symfs "$dir/root" <"$dir/pipe.data"
same_report
run 0 report -i - --symfs "$dir/root" < <(cat "$dir/pipe.data")
same_report

begin "form: of a pipe, truncated in many places"
size=$(stat -c %s "$dir/pipe.data")
for ((cut = 1; cut < size; cut += 3 + cut / 12)); do
	head -c "$cut" "$dir/pipe.data" >"$dir/trunc.data"
	"$perf_spe" report -i "$dir/trunc.data" >"$out" 2>"$err"
	[ $? -lt 2 ] || fail "status at $cut"
done

begin "form: compressed"
rc=0
sym_text | "$fixture" zstd "$dir/zstd.data" || rc=$?
if [ "$rc" -eq 77 ]; then
	skip "built without libzstd"
else
	run 0 report -i "$dir/zstd.data" --symfs "$dir/root"
	same_report
	begin "form: compressed, truncated or damaged in many places"
	size=$(stat -c %s "$dir/zstd.data") unpack=0
	for ((cut = 256; cut < size; cut += 3 + cut / 12)); do
		head -c "$cut" "$dir/zstd.data" >"$dir/trunc.data"
		run 1 report -i "$dir/trunc.data"
		cp "$dir/zstd.data" "$dir/bad.data"
		printf '\252' | dd of="$dir/bad.data" bs=1 seek="$cut" conv=notrunc status=none
		"$perf_spe" report -i "$dir/bad.data" >"$out" 2>"$err"
		status=$?
		[ "$status" -lt 2 ] || fail "status at $cut"
		grep -q 'cannot unpack' "$err" && unpack=$((unpack + 1)) && [ "$status" -eq 0 ] && fail "status 0 at $cut"
		[ ! -e "$dir/failed" ] || break
	done
	[ "$unpack" -gt 0 ] || fail 'every damage could be unpacked'
fi

begin "form: metadata of version 2, and with a bad number of CPUs"
sym_text | sed 's/^info 4/midrs 2 0x413fd0c1 0x410fd490/' | perf_file v2.data
run 0 report -i "$dir/v2.data" --symfs "$dir/root"
same_report
at=$(LC_ALL=C grep -aobP '\x02\x00{7}\x04\x00{7}\x08\x00{7}\x02' "$dir/v2.data" | cut -d: -f1)
printf '\377' | dd of="$dir/v2.data" bs=1 seek=$((at + 24)) conv=notrunc status=none
run 1 report -i "$dir/v2.data"
warns 'no room for them'

# ------------------------------------------------------------------- size

# Records have an odd length, so that every boundary cuts some of them.
begin "size: as many records in parts as in all"
echo 'rec pc=0x8000000000001000 total=7 op=1 events=2 ts=5' | raw_file one.spe
each=$(stat -c %s "$dir/one.spe")
cp "$dir/one.spe" "$dir/many.spe"
for ((i = 0; i < 20; i++)); do
	cat "$dir/many.spe" "$dir/many.spe" >"$dir/more.spe"
	mv "$dir/more.spe" "$dir/many.spe"
done
run 0 report --raw "$dir/many.spe" --summary
key_is records $((1 << 20))
key_is bytes $((each << 20))

# Reports decode in windows of 256 KiB: damage at 256 KiB crosses a boundary, at 100 KiB it does not.
begin "size: damage across a boundary is the same damage"
for lead in 100 256; do
	bytes=$(((lead << 10) / each * each - 3 * each))
	{
		head -c "$bytes" "$dir/many.spe"
		head -c 5000 /dev/zero | tr '\0' '\040'
		head -c $((each << 14)) "$dir/many.spe"
	} >"$dir/damage.spe"
	run 1 report --raw "$dir/damage.spe" --summary
	grep -E 'damaged' "$out" >"$dir/damage.$lead"
	key_is bytes $((bytes + 5000 + (each << 14)))
done
grep -qE ': 0$' "$dir/damage.256" && fail "no damage"
cmp -s "$dir/damage.100" "$dir/damage.256" || fail "$(paste "$dir/damage.100" "$dir/damage.256")"

# resident_is_below MIB STATUS ARGUMENTS...: what perf-spe keeps in memory, beside what ASan keeps of freed blocks
resident_is_below() {
	local limit=$1 status=$2 got resident
	shift 2
	read -r got resident < <(ASAN_OPTIONS=${ASAN_OPTIONS:-}:quarantine_size_mb=1 python3 -c '
import resource, subprocess, sys
run = subprocess.run(sys.argv[3:], stdout=open(sys.argv[1], "w"), stderr=open(sys.argv[2], "w"))
print(run.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)' "$out" "$err" "$perf_spe" "$@")
	[ "$got" = "$status" ] || fail "status $got"
	[ "$resident" -lt "$limit" ] || fail "$resident MiB were resident"
}

begin "size: a file of 320 MiB needs less than 256 MiB"
if ! command -v python3 >/dev/null; then
	skip "no python3 to measure memory"
else
	cp "$dir/one.spe" "$dir/large.spe"
	truncate -s 320M "$dir/large.spe"
	cat "$dir/one.spe" >>"$dir/large.spe"
	resident_is_below 256 0 report --raw "$dir/large.spe" --summary
	key_is records 2
	rm "$dir/large.spe"
fi

# Each piece ends inside a record, and the next one begins with damage, so that all of it is read at once.
begin "size: 120 MB in pieces, each of which completes a damaged record, need less than 90 MiB"
if ! command -v python3 >/dev/null; then
	skip "no python3 to measure memory"
else
	piece=$(
		printf 'byte%s\n' "$(printf ' 20%.0s' {1..16})"
		for ((i = 0; i < 8; i++)); do echo 'rec pc=0x401000 total=7 op=1 events=2 ts=5'; done
		printf 'pad 600000\nbyte b0 01 02\n'
	)
	raw_file piece.spe <<<"$piece"
	len=$(stat -c %s "$dir/piece.spe")
	{
		echo 'info 4'
		for ((i = 0; i < 200; i++)); do printf '%s\nauxtrace 0 -1 10 %d\n' "$piece" $((i * len)); done
	} | perf_file pieces.data
	resident_is_below 90 1 stat -i "$dir/pieces.data"
	warns 'skipped 8997 damaged bytes in 200 places'
	rm "$dir/pieces.data"
fi

# The dump blocks on its reader, which truncates the file before it reads.
begin "size: a file that becomes shorter is told"
"$perf_spe" dump --raw "$dir/many.spe" 2>"$err" | {
	read -r _
	: >"$dir/many.spe"
	cat >/dev/null
}
rc=${PIPESTATUS[0]}
[ "$rc" -eq 1 ] || fail "status $rc"
warns 'became shorter'

# What a reader that has read enough leaves: a closed pipe.  The output is larger than a pipe, or not.
begin "pipe: a reader that closes it is a normal end, for each verb"
for ((i = 0; i < 4000; i++)); do echo "rec pc=$(user 0x1234) total=$((i % 900)) class=1 op=0 va=$((i * 64))"; done >"$dir/recs"
{ sym_text | sed '$d'; cat "$dir/recs"; echo 'auxtrace 0 -1 10 0'; } | perf_file pipe.data
for verb in dump export 'export -f csv' 'export -f jsonl' 'export -f csv -o /dev/stdout' report stat annotate mem sharing \
	layout advise "diff $dir/pipe.data"; do
	case $verb in
	dump) input=(-i "$dir/pipe.data") ;;
	diff*) input=("$dir/pipe.data" --symfs "$dir/root") ;;
	*) input=(-i "$dir/pipe.data" --symfs "$dir/root") ;;
	esac
	for reader in 'head -c 1' true; do
		# shellcheck disable=SC2086 # words
		{
			[ "$reader" = true ] && sleep 0.1
			"$perf_spe" $verb "${input[@]}" 2>"$err"
			echo $? >"$dir/status"
		} | $reader >/dev/null
		[ "$(cat "$dir/status")" = 0 ] || fail "$verb | $reader: status $(cat "$dir/status")"
		! grep -q 'cannot write' "$err" || fail "$verb | $reader: a message"
	done
done

begin "pipe: a file that the command also writes is there all the same"
for verb in 'mem --html' 'mem --svg' "diff $dir/pipe.data --html"; do
	rm -f "$dir/also"
	# shellcheck disable=SC2086 # words
	{
		sleep 0.1
		"$perf_spe" $verb "$dir/also" "$dir/pipe.data" --symfs "$dir/root" 2>"$err"
		echo $? >"$dir/status"
	} | true
	[ "$(cat "$dir/status")" = 0 ] || fail "$verb: status $(cat "$dir/status")"
	[ -s "$dir/also" ] || fail "$verb: no file"
done

begin "pipe: perf does not call it fatal"
if ! command -v perf >/dev/null; then
	skip 'no perf'
else
	mkdir -p "$dir/path" && ln -sf "$perf_spe" "$dir/path/perf-spe"
	PATH=$dir/path:$PATH perf spe dump -i "$dir/pipe.data" 2>"$err" | head -n 1 >"$out"
	rc=${PIPESTATUS[0]}
	[ -s "$out" ] || fail 'no line'
	[ "$rc" -eq 0 ] || fail "status $rc"
	! grep -q FATAL "$err" || fail 'perf says FATAL'
fi

# script(1) runs the command on a terminal and passes its output on.
begin "progress: on a terminal, taken away again, and nowhere else"
export PERF_SPE_PROGRESS=0
on_terminal() { script -qec "'$perf_spe' $*" "$out" >/dev/null 2>"$err" </dev/null || fail "status"; }
if ! command -v script >/dev/null; then
	skip 'no script (bsdutils) to make a terminal'
else
	on_terminal "report --text -i '$dir/sym.data'"
	says 'perf-spe: 100% of 0 MiB'
	tr '\r' '\n' <"$out" | awk '/% of/ { shown = 1; next }
		shown && !gone { gone = /^\033\[K/ } / hot$|samples|records/ && shown && !gone { early = 1 }
		END { exit !(gone && !early) }' || fail 'it is not taken away'
	on_terminal "export -i '$dir/sym.data'"
	grep -q '% of' "$out" && fail 'between rows'
	PERF_SPE_PROGRESS=60000 on_terminal "report --text -i '$dir/sym.data'"
	grep -q '% of' "$out" && fail 'before its time'
	run 0 report -i "$dir/sym.data"
	grep -q '% of' "$out" "$err" && fail 'without a terminal'
fi
unset PERF_SPE_PROGRESS

begin "input: a compressed recording names the program that unpacks it"
run 0 report -i "$dir/sym.data"
body >"$dir/plain"
for packer in gzip:zcat xz:xzcat bzip2:bzcat; do
	command -v "${packer%:*}" >/dev/null || continue
	"${packer%:*}" <"$dir/sym.data" >"$dir/packed one"
	run 1 report "$dir/packed one"
	warns "it is compressed; run, with the verb that you want: ${packer#*:} '$dir/packed one' | perf spe report -"
	"${packer#*:}" <"$dir/packed one" >"$dir/unpacked"
	run 0 report - <"$dir/unpacked"
	body | cmp -s - "$dir/plain" || fail 'another report'
done

finish
