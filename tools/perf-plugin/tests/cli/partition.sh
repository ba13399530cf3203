#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe export --partition writes every row once, in the folder of its host and
# hour.
# usage: partition.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

# A tick is a second of perf's clock: two samples each in six hours, out of
# order, so that an hour's file is closed and the hour comes back; the last is
# of the recording's end, and one has no time.
hours() {
	local hour
	printf 'info 4\nconv 0 1000000000 0\n'
	for hour in 5 4 3 2 1 0 5 0 1 2 3 4; do
		echo "rec pc=0x8000000000001000 total=$((10 + hour)) ts=$((hour * 3600 + 7))"
	done
	echo 'rec pc=0x8000000000001000 total=99'
	echo 'auxtrace 0 0 10 0'
}
{ echo 'text 3 web/1'; hours; } | perf_file host.data
hours | perf_file nameless.data
part() { run "$1" export -i "$dir/host.data" --partition --recorded 2026-03-01T05:30:00Z -o "$dir/fleet" "${@:2}"; }
files() { find "$dir/fleet" -type f 2>/dev/null | LC_ALL=C sort; }

begin "partition: every row once, by host and hour"
part 0 -f csv -F total
silent
for hour in 0 1 2 3 4 5; do
	cat "$dir/fleet/host=web%2F1/date=2026-03-01/hour=0$hour/"*.csv >"$out"
	got=$(tr -d '\r' <"$out" | grep -v total | LC_ALL=C sort | paste -sd,)
	want=$((10 + hour)),$((10 + hour))
	[ "$hour" -lt 5 ] || want=$want,99
	[ "$got" = "$want" ] || fail "hour $hour has $got, not $want"
done
[ "$(files | sed 's/.*-\(....\)\..*/\1/' | LC_ALL=C sort -u | wc -l)" -eq "$(files | wc -l)" ] ||
	fail "numbers are there twice: $(files)"
files | grep -v '/spe-[0-9a-f]\{16\}-[0-9]\{4\}\.csv$' && fail "another name"

begin "partition: the hour is that of the day before where midnight lies between"
rm -rf "$dir/fleet"
part 0 -f csv -F total --recorded 2026-03-01T02:10:00Z
[ "$(find "$dir/fleet" -name 'hour=21' -path '*date=2026-02-28*' | wc -l)" -eq 1 ] ||
	fail "$(files)"

begin "partition: a recording is there once"
files >"$dir/before"
find "$dir/fleet" -type f -exec cksum {} + | LC_ALL=C sort >"$dir/sums"
part 1 -f csv -F total --recorded 2026-03-01T02:10:00Z
warns 'this recording was exported before'
find "$dir/fleet" -type f -exec cksum {} + | LC_ALL=C sort | cmp -s - "$dir/sums" ||
	fail "the files are others"
{ echo 'text 3 web/1'; hours; echo 'lost 1'; } | perf_file another.data
run 0 export -i "$dir/another.data" --partition --recorded 2026-03-01T02:10:00Z -o "$dir/fleet" -f csv
[ "$(files | wc -l)" -gt "$(wc -l <"$dir/before")" ] || fail "another recording has no files"

begin "partition: all of a recording or nothing"
rm -rf "$dir/fleet"
part 0 -f csv -F total
# Keep only the last file: it must make the next export fail.
last=$(files | tail -n 1)
find "$dir/fleet" -type f ! -path "$last" -delete
part 1 -f csv -F total
[ "$(files)" = "$last" ] || fail "$(files)"

begin "partition: each format"
for format in text csv jsonl sqlite; do
	rm -rf "$dir/fleet"
	part 0 -f "$format" -F pc,total
	[ "$(files | wc -l)" -gt 5 ] || fail "$format: $(files)"
	grep -q . <(files | grep -v "\.\(txt\|csv\|jsonl\|db\)$") && fail "$format: $(files)"
done

begin "partition: the host and the time that are named"
rm -rf "$dir/fleet"
run 1 export -i "$dir/nameless.data" --partition -o "$dir/fleet"
warns 'does not name its host'
run 0 export -i "$dir/nameless.data" --partition --host .. -o "$dir/fleet" --recorded 2026-03-01T05:30:00Z
files | finds "^$dir/fleet/host=\.\./date=2026-03-01/hour=05/" || fail "$(files)"
touch -d 2025-07-08T09:10:11Z "$dir/host.data"
run 0 export -i "$dir/host.data" --partition -o "$dir/fleet"
files | finds 'host=web%2F1/date=2025-07-08/hour=09/' || fail "$(files)"
run 1 export -i - --partition -o "$dir/fleet" <"$dir/host.data"
warns '--recorded TIME'

begin "partition: without a clock all is of the recording's end"
rm -rf "$dir/fleet"
hours | grep -v conv | { echo 'text 3 h'; cat; } | perf_file clockless.data
run 0 export -i "$dir/clockless.data" --partition -o "$dir/fleet" --recorded 2026-03-01T05:30:00Z
[ "$(files | wc -l)" -eq 1 ] || fail "$(files)"
[ "$(wc -l <"$(files)")" -eq 13 ] || fail "not 13 rows"
printf 'rec pc=0x8000000000001000 total=7' | raw_file x.spe
run 0 export --raw "$dir/x.spe" --partition --host raw -o "$dir/fleet"
files | finds '/host=raw/' || fail "$(files)"

begin "partition: times that no clock has reached"
rm -rf "$dir/fleet"
perf_file late.data <<END
info 4
text 3 h
conv 0 1 0
rec pc=0x8000000000001000 total=1 ts=$((0x7fffffffffffffff - 3600000000000))
rec pc=0x8000000000001000 total=2 ts=0x7fffffffffffffff
rec pc=0x8000000000001000 total=3 ts=0x8000000000000010
auxtrace 0 0 -1 0
END
run 0 export -i "$dir/late.data" --partition -o "$dir/fleet" --recorded 2026-03-01T05:30:00Z -f csv -F total
[ "$(files | grep -o 'hour=[0-9]*' | sort | xargs)" = 'hour=04 hour=05' ] || fail "$(files)"

begin "partition: wrong usage"
run 2 export -i "$dir/host.data" --partition
warns 'add --output FOLDER'
run 2 export -i "$dir/host.data" --host web2
warns 'need --partition'
for time in yesterday 2026-03-01 2026-03-01T05:30:00 '2026-03-01T05:30:00Z '; do
	run 2 export -i "$dir/host.data" --partition -o "$dir/fleet" --recorded "$time"
	warns 'needs a UTC time'
done
echo mine >"$dir/file"
run 1 export -i "$dir/host.data" --partition -o "$dir/file"
warns 'Not a directory'
[ "$(cat "$dir/file")" = mine ] || fail "a file that was there is gone"

begin "partition: timestamps that are none end in a message, and leave nothing"
rm -rf "$dir/fleet"
{ printf 'text 3 web\ninfo 4\nconv 0 1000000000 0\n'
	for ((i = 0; i < 4200; i++)); do echo "rec total=1 ts=$((i * 3600))"; done
	echo 'auxtrace 0 0 10 0'; } | perf_file wild.data
run 1 export -i "$dir/wild.data" --partition -o "$dir/fleet" -F total
warns 'more than 4096 files'
[ -z "$(files)" ] || fail "$(files | wc -l) files are left"

finish
