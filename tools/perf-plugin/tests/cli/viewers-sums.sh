#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe export for viewers: sums are those of report, whatever goes to a temporary file; and
# what a recording does not have is not made up.
# usage: viewers-sums.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/viewers.sh
. "$(dirname "$0")/lib/viewers.sh"
make_program

# A second of 1500 samples of 30 addresses, in 6 threads on 2 CPUs.  seq is the only source of
# variety, so that the recording is the same each time.
{
	echo 'midrs 2 0x413fd0c1 0x413fd0c1'
	for tid in 10 11 12 20 21 22; do echo "comm $((tid / 10 * 10)) $tid 1 1 p$((tid / 10))"; done
	echo "map 10 0x7000000000 0x1000 $seg_off 2 $id /usr/bin/prog"
	echo "map 20 0x7000000000 0x1000 $seg_off 2 $id /usr/bin/prog"
	echo 'conv 0 1 0'
	echo 'itrace 10 10 0 1000000'
	for cpu in 0 1; do
		for i in $(seq 750); do
			pc=$(user $((0x7000000000 + (i * 7 + cpu) % 30)))
			echo "rec pc=$pc total=$((i % 50 + 1)) events=$((i % 3 ? 2 : 10)) ctx1=$((i % 2 * 10 + 10 + i % 3)) ts=$((i * 1000000 + 1000000))"
		done
		echo "auxtrace $cpu $cpu 10 0"
	done
	echo 'itrace 10 10 0 760000000'
} | perf_file s.data
s=(-i "$dir/s.data" --symfs "$dir/root")
recording=("${s[@]}")

begin "viewers: report's sums"
run 0 report "${s[@]}" --columns count,cycles
samples=$(awk '!/^#/ { n += $1 } END { print n }' "$out")
cycles=$(awk '!/^#/ { n += $2 } END { print n }' "$out")
# 15 times 1 to 50, for each CPU; every third sample is a miss.
[ "$samples $cycles" = "1500 $((2 * 15 * 51 * 25))" ] || fail "$samples samples and $cycles cycles"
want="samples $samples
cycles $cycles
misses 500
period $((1500 * 1024))"

total() { awk '{ n += $NF } END { print n }'; }
sums_are() { [ "$1" = "$want" ] || fail "the sums are ${1//$'\n'/, }"; }

begin "viewers: folded has the sums"
sums_are "$(for value in samples cycles misses period; do
	echo "$value $("$perf_spe" export "${s[@]}" -f folded --value "$value" | total)"
done)"

begin "viewers: readers of other formats get the sums"
if [ -z "$modules" ]; then
	skip "no readers: $why"
else
	run 0 export "${s[@]}" -f speedscope -o "$dir/s.json"
	sums_are "$(node "$viewers/speedscope.mjs" "$modules" "$dir/s.json" |
		awk '{ if (!($1 in n)) name[++names] = $1; n[$1] += $2 } END { for (i = 1; i <= names; i++) print name[i], n[name[i]] }')"
	sums_are "$(for value in samples cycles misses period; do
		"$perf_spe" export "${s[@]}" -f firefox --value "$value" -o "$dir/s.fire" && echo "$value $(node "$viewers/firefox.mjs" "$dir/s.fire" | total)"
	done)"
	if built; then
		run 0 export "${s[@]}" -f pprof -o "$dir/s.pb.gz"
		node "$viewers/pprof.mjs" "$modules" "$dir/s.pb.gz" >"$out"
		sums_are "$(for value in samples cycles misses period; do echo "$value $(grep "^$value/" "$out" | total)"; done)"
		run 0 export "${s[@]}" -f perfetto -o "$dir/s.trace"
		protoc --decode=perfetto.protos.Trace --proto_path="$viewers" perfetto_trace.proto <"$dir/s.trace" | node "$viewers/perfetto.mjs" >"$out"
		sums_are "$(awk '/^event/ { n++; for (i = 0; i < 4; i++) sum[i] += $(NF - 3 + i) } END {
			print "samples", sum[0]; print "cycles", sum[1]; print "misses", sum[2]; print "period", sum[3] }' "$out")"
		[ "$(grep '^sample ' "$out" | total)" = 1500 ] || fail 'samples of threads'
	fi
fi

begin "viewers: times for the Firefox Profiler"
if [ -z "$modules" ]; then
	skip "no readers: $why"
else
	run 0 export "${s[@]}" -f firefox -o "$dir/s.fire"
	node "$viewers/firefox.mjs" "$dir/s.fire" times >"$out" 2>"$err" || fail 'not valid'
	# 1000 slices of the recording's 760 ms: each of the 750 times is in one of its own.  The
	# first, 2 ms, is in slice 2, and the last, 751 ms, in slice 988.
	[ "$(grep -c '^time .* 2$' "$out")" -eq 750 ] || fail 'other times'
	got=$(sed -n 's/^time \([0-9.]*\).*/\1/p' "$out" | sort -n | sed -n '1p;$p' | paste -sd ' ')
	[ "$got" = '1.52 750.88' ] || fail "the first and last times are $got"
fi

# 3 sums in memory instead of many thousands: runs of them are merged.
begin "viewers: sums in a temporary file change nothing"
for format in folded speedscope; do
	run 0 export "${s[@]}" -f "$format" -o "$dir/plain"
	PERF_SPE_SUMS=3 run 0 export "${s[@]}" -f "$format" -o "$dir/spilled"
	cmp -s "$dir/plain" "$dir/spilled" || fail "$format differs"
done
run 0 export "${s[@]}" -f firefox -o "$dir/s.fire"
PERF_SPE_SUMS=3 run 0 export "${s[@]}" -f firefox -o "$dir/s.few"
if [ -n "$modules" ]; then
	node "$viewers/firefox.mjs" "$dir/s.fire" >"$dir/plain"
	# Times become coarser, and then the rest goes to the file.
	node "$viewers/firefox.mjs" "$dir/s.few" times >"$dir/spilled" 2>"$err" || fail 'not valid'
	[ "$(grep -c '^time' "$dir/spilled")" -eq 1 ] || fail 'there are still several times'
	diff "$dir/plain" <(grep -v '^time' "$dir/spilled") >/dev/null || fail 'firefox differs'
fi

begin "viewers: no place for a temporary file"
PERF_SPE_SUMS=3 TMPDIR=$dir/nowhere run 1 export "${s[@]}" -f folded -o "$dir/plain"
warns 'cannot use a temporary file: No such file or directory; name a folder with free space in the variable TMPDIR'

begin "viewers: --filter keeps some of the samples"
run 0 export "${s[@]}" -f folded --filter 'total > 40'
[ "$(total <"$out")" = $((2 * 15 * 10)) ] || fail 'other samples'

begin "viewers: a recording without an interval or times"
echo "rec pc=$(user 0x1234) total=5" | raw_file r.raw
r=(--raw "$dir/r.raw")
run 0 export "${r[@]}" -f speedscope
says '"name":"cycles","unit":"none","startValue":0,"endValue":5,'
! grep -q '"name":"period"' "$out" || fail 'the operations are made up'
for format in folded firefox; do
	run 1 export "${r[@]}" -f "$format" --value period
	warns 'export: --value period: the recording has no fixed interval between samples; choose samples, cycles or misses'
done
run 0 export "${r[@]}" -f folded
printf '[unknown process];[unknown thread];[unknown];[no symbol] 1\n' | cmp -s - "$out" || fail 'other stacks'
if built; then
	run 1 export "${r[@]}" -f perfetto -o "$dir/r.trace"
	warns 'export: --format perfetto leaves out 1 sample without a time: record with timestamps'
	run 0 export "${r[@]}" -f pprof -o "$dir/r.pb.gz"
	! gzip -dc "$dir/r.pb.gz" | finds -a period || fail 'the operations are made up'
fi

begin "viewers: a frequency is no interval"
{
	echo 'attr 8 4000 1 1 0 0 0 0'
	echo 'info 4'
	echo 'rec pc=0x8000000000001234 total=5'
	echo 'auxtrace 0 -1 10 0'
} | perf_file f.data
run 1 export -i "$dir/f.data" -f folded --value period
warns 'no fixed interval'

begin "viewers: names that are no UTF-8"
if ! built || [ -z "$modules" ]; then
	skip 'no writer or reader of protobuf'
else
	{
		printf 'info 4\ncomm 10 10 1 1 b\xffd\nconv 0 1 0\n'
		echo 'rec pc=0x8000000000001234 total=5 ts=5'
		echo 'auxtrace 0 -1 10 0'
	} | perf_file u.data
	run 0 export -i "$dir/u.data" -f pprof -o "$dir/u.pb.gz"
	gzip -dc "$dir/u.pb.gz" | protoc --decode=perftools.profiles.Profile \
		--proto_path=/usr/share/gocode/src/github.com/google/pprof/proto profile.proto >"$out" 2>"$err" || fail 'not read'
	silent
	says 'b\357\277\275d'
	run 0 export -i "$dir/u.data" -f perfetto -o "$dir/u.trace"
	protoc --decode=perfetto.protos.Trace --proto_path="$viewers" perfetto_trace.proto <"$dir/u.trace" >"$out" 2>"$err" || fail 'not read'
	silent
fi

begin "viewers: a pid of two programs"
perf_file two.data <<'END'
conv 0 1 0
info 4
comm 10 10 1 1 one
comm 10 10 50 1 two
rec pc=0x400100 ts=20 ctx1=10
rec pc=0x400100 ts=60 ctx1=10
auxtrace 0 0 10 0
END
if built; then
	run 0 export -i "$dir/two.data" -f perfetto -o "$dir/two.trace"
	warns '1 process id named several programs one after the other'
else
	skip 'no writer of protobuf'
fi

begin "viewers: options that do not go together"
bad() { # bad MESSAGE ARGUMENTS...
	run 2 export "${s[@]}" "${@:2}"
	warns "$1"
}
bad "export: --value: unknown value 'time'; choose samples, cycles, misses or period" -f folded --value time
bad "export: --value: unknown value 'cyclse'; did you mean 'cycles'?" -f folded --value cyclse
bad "export: --format: unknown format 'perfeto'; did you mean 'perfetto'?" -f perfeto
bad 'export: --format folded has no columns: remove --fields' -f folded -F pc
bad 'export: --partition is for rows, and --format pprof has none' -f pprof --partition -o "$dir/parts" --host h
bad 'export: --value is for profiles, and --format csv has rows' -f csv --value cycles
bad 'export: --format perfetto holds all values of each sample: remove --value' -f perfetto --value cycles -o "$dir/p"
bad "unknown format 'flame'; choose text, csv, jsonl, sqlite, parquet, arrow, folded, pprof, otlp, firefox, speedscope or perfetto" -f flame

begin "viewers: a file that cannot be written"
for format in folded speedscope firefox pprof otlp perfetto; do
	case $format in pprof | otlp | perfetto) built || continue ;; esac
	run 1 export "${s[@]}" -f "$format" -o "$dir/no/folder"
	warns "export: cannot create $dir/no/folder: No such file or directory; create its folder, or name another file"
	run 1 export "${s[@]}" -f "$format" -o /dev/full
	warns 'export: cannot write /dev/full: No space left on device; free space on its disk, or name another file'
done
finish
