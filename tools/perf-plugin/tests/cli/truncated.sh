#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf.data files that are cut, or that perf record did not finish.  Offsets in the
# header are those of perf.data-file-format.txt of Linux: the section of the events
# is at 40, its size at 48, and the bits of the features at 72.
# usage: truncated.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
make_program

# Two buffers of two records, another event between them, and features behind.
text() {
	cat <<END
osrelease 9.9.9-test
text 3 box
cpus 4
buildid $id /usr/bin/prog
info 4
comm 10 10 1 1 prog
map 10 $map_prog 2 $id /usr/bin/prog
itrace 10 10 0 3
rec pc=$(user "$(at "$hot")") total=1 class=1 op=0 va=0x2000 ts=1
rec pc=$(user "$(at "$hot")") total=2 class=1 op=0 va=0x2040 ts=2
auxtrace 0 0 10 0
comm 11 11 4 1 other
rec pc=$(user "$(at "$hot")") total=3 class=1 op=1 va=0x2000 ts=3
rec pc=$(user "$(at "$hot")") total=4 class=1 op=1 va=0x2040 ts=4
auxtrace 1 1 10 0
comm 12 12 5 1 last
END
}
text | perf_file whole.data

number() { od -An -tu"${3:-8}" -j"$2" -N"${3:-8}" "$dir/$1" | tr -d ' '; }
# change FILE OFFSET BYTES...: in octal
change() {
	local file=$dir/$1 at=$2
	shift 2
	# shellcheck disable=SC2059 # the bytes are a format
	printf "$(printf '\\%s' "$@")" | dd of="$file" bs=1 seek="$at" conv=notrunc status=none
}
data=$(number whole.data 40)
data_size=$(number whole.data 48)
data_end=$((data + data_size))
size=$(stat -c %s "$dir/whole.data")
# The offsets of the events, by walking over their sizes, which are at 6 of each
events=() types=()
for ((at = data; at < data_end;)); do
	events+=("$at") types+=("$(number whole.data "$at" 4)")
	follows=0
	[ "${types[-1]}" -ne 71 ] || follows=$(number whole.data $((at + 8)))
	at=$((at + $(number whole.data $((at + 6)) 2) + follows))
done
mapfile -t buffers < <(for i in "${!events[@]}"; do [ "${types[i]}" -ne 71 ] || echo "${events[i]}"; done)

totals() { sed -n 's/.*total=\([0-9]*\).*/\1/p' "$out" | paste -sd' '; }
# recovers FILE TOTALS MESSAGE: export gives these samples, status 1, and the message
recovers() {
	run 1 export -i "$dir/$1" --symfs "$dir/root" -F total
	[ "$(totals)" = "$2" ] || fail "$1 gives '$(totals)', not '$2'"
	warns "$3"
}
hex() { printf '0x%x' "$1"; }

begin "truncated: the fixture is whole"
run 0 export -i "$dir/whole.data" --symfs "$dir/root" -F total
silent
[ "$(totals)" = '1 2 3 4' ] || fail "$(totals)"
[ "${#buffers[@]}" -eq 2 ] || fail "${#buffers[@]} buffers"

begin "truncated: the features behind the events are missing"
head -c "$data_end" "$dir/whole.data" >"$dir/a.data"
recovers a.data '1 2 3 4' "a.data: lost 4 of 4 features of the header, such as host, kernel and build ids, from offset $(hex "$data_end") on: the file ends at $(hex "$data_end"); copy the file again, or record again"
# The last feature alone is cut: the others, with the build id, are read.
head -c $((size - 1)) "$dir/whole.data" >"$dir/a.data"
recovers a.data '1 2 3 4' 'a.data: lost 1 of 4 features of the header'
run 1 report -i "$dir/a.data" --symfs "$dir/root"
count_is prog hot 4

begin "truncated: a feature's size is beyond the end"
cp "$dir/whole.data" "$dir/a.data"
change a.data $((data_end + 8)) 377 377 377 377 377 377 377 177
recovers a.data '1 2 3 4' "a.data: lost 1 of 4 features of the header"

# All events are there, and the message must not count bytes of them.
begin "truncated: a build id has a bad size"
cp "$dir/whole.data" "$dir/a.data"
at=$(grep -aobF -- /usr/bin/prog "$dir/a.data" | tail -n 1 | cut -d : -f 1)
change a.data $((at - 36 + 6)) 377 377
run 1 report -i "$dir/a.data" --symfs "$dir/root"
warns "a.data: damaged at offset $(hex $((at - 36))): a build id entry has a bad size; copy the file again, or record again"

begin "truncated: inside an event"
head -c $((buffers[1] + 20)) "$dir/whole.data" >"$dir/a.data"
recovers a.data '1 2' "a.data: damaged at offset $(hex "${buffers[1]}"): an event is incomplete: lost the last 20 of $((buffers[1] + 20 - data)) bytes of events"
warns "a.data: truncated: its events should end at $(hex "$data_end"), but the file ends at $(hex $((buffers[1] + 20)))"

begin "truncated: inside AUX data"
aux=$((buffers[1] + 48))
len=$(number whole.data $((buffers[1] + 8)))
for keep in $((len - 1)) $((len / 2)); do
	head -c $((aux + keep)) "$dir/whole.data" >"$dir/a.data"
	recovers a.data '1 2 3' "a.data: damaged at offset $(hex "${buffers[1]}"): of $len bytes of AUX data only $keep are in the file: lost $((len - keep)) byte$([ $((len - keep)) -eq 1 ] || echo s);"
done
head -c $((aux + 3)) "$dir/whole.data" >"$dir/a.data"
recovers a.data '1 2' 'only 3 are in the file'

begin "truncated: a broken event ends the file there"
cp "$dir/whole.data" "$dir/a.data"
change a.data $((events[-2] + 6)) 1 0		# the size of the second buffer's event
recovers a.data '1 2' "a.data: damaged at offset $(hex "${events[-2]}"): an event is smaller than its header: lost the last $((data_end - events[-2])) of $data_size bytes of events"

begin "truncated: perf record was killed before it wrote the size of the events"
for cut in "$data_end" $((buffers[1] + 20)); do
	head -c "$cut" "$dir/whole.data" >"$dir/a.data"
	change a.data 48 0 0 0 0 0 0 0 0
	recovers a.data "$([ "$cut" -eq "$data_end" ] && echo '1 2 3 4' || echo '1 2')" \
		"a.data: perf record did not finish: the header has neither the size of the events nor features"
	warns 'end perf record with SIGINT'
done

begin "truncated: nothing is left"
head -c $((buffers[0] + 20)) "$dir/whole.data" >"$dir/a.data"
run 1 report -i "$dir/a.data"
warns 'a.data: no AUX data is left before the damage'
grep -q 'record longer' "$err" && fail 'blames the recording'
head -c "$data" "$dir/whole.data" >"$dir/a.data"
run 1 report -i "$dir/a.data"
warns 'a.data: no Arm SPE data is left before the damage'
head -c 50 "$dir/whole.data" >"$dir/a.data"
run 1 report -i "$dir/a.data"
warns 'the header is incomplete'

begin "truncated: each verb prints what is left, and ends with status 1"
head -c $((aux + len / 2)) "$dir/whole.data" >"$dir/a.data"
for verb in 'report' 'report --by op' 'report --summary' 'stat' 'dump' 'mem' 'sharing' 'annotate hot' \
	'export -f csv' 'export -f jsonl' 'pgo prog'; do
	# shellcheck disable=SC2086 # words
	set -- $verb
	verb=$1
	shift
	run 1 "$verb" -i "$dir/a.data" "$@"
	warns 'damaged at offset'
	[ -s "$out" ] || [ "$verb" = pgo ] || [ "$verb" = annotate ] || fail "$verb prints nothing"
done
run 1 report -i "$dir/a.data" --symfs "$dir/root"
count_is prog hot 3

begin "truncated: from standard input, in the form of a pipe"
text | "$fixture" pipe "$dir/pipe.data"
size=$(stat -c %s "$dir/pipe.data")
head -c $((size - 60)) "$dir/pipe.data" >"$dir/a.data"
run 1 export -i - --symfs "$dir/root" -F total <"$dir/a.data"
[ "$(totals)" = '1 2 3' ] || fail "$(totals)"
warns 'of AUX data only'

# A reader of the report or the page does not see standard error.
begin "truncated: reports and the page say that a part is missing"
head -c "${buffers[1]}" "$dir/whole.data" >"$dir/a.data"
for verb in report "report --by comm" stat mem sharing advise annotate; do
	# shellcheck disable=SC2086 # words
	run 1 $verb -i "$dir/a.data" --symfs "$dir/root"
	says '# file: truncated or damaged, so a part of the recording is missing'
done
for page in "report $dir/a.data" "mem $dir/a.data" "diff $dir/whole.data $dir/a.data"; do
	rm -f "$dir/page.html"
	# shellcheck disable=SC2086 # words
	run 1 $page --symfs "$dir/root" --html "$dir/page.html"
	grep -q 'truncated or damaged, so a part of the recording is missing' "$dir/page.html" || fail "the page of $page does not say it"
	grep -qi 'nothing is missing\|nothing that perf' "$dir/page.html" && fail "the page of $page says that nothing is missing"
done
run 0 report -i "$dir/whole.data" --symfs "$dir/root" --html "$dir/page.html"
grep -q 'Nothing is missing' "$dir/page.html" || fail 'the page of the whole file does not say that nothing is missing'

finish
