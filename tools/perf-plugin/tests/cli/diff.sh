#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe diff: what changed between recordings, and what of it is significant.
# usage: diff.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

# samples LOADS STORES BRANCHES CYCLES MISSES: so many samples; loads take CYCLES, or 2 more in
# every second one, and MISSES of them have an event
samples() {
	echo 'info 4'
	awk -v l="$1" -v s="$2" -v b="$3" -v c="$4" -v m="$5" 'BEGIN {
		for (i = 0; i < l; i++)
			print i * 7919 % 10007, "rec class=1 op=0 total=" c + i % 2 * 2 " events=" (i < m ? 10 : 2)
		for (i = 0; i < s; i++)
			print i * 7907 % 10007, "rec class=1 op=1 total=" 5 + i % 2 " events=2"
		for (i = 0; i < b; i++)
			print i * 7901 % 10007, "rec class=2 op=1 total=" 3 + i % 2 " events=2" }' |
		sort -n | cut -d' ' -f2-
	echo 'auxtrace 0 0 -1 0'
}
samples 400 300 300 10 100 | perf_file old.data
samples 404 298 298 10 104 | perf_file same.data
samples 400 300 300 12 200 | perf_file slow.data
samples 400 300 0 10 100 | perf_file gone.data

# cell ROW COLUMN: a cell of the row that begins with ROW
cell() { tr -s ' ' <"$out" | sed 's/^ //' | awk -v row="$1" -v n="$2" '$1 == row { print $n }'; }
is() { [ "$(cell "$1" "$2")" = "$3" ] || fail "$1, column $2 is $(cell "$1" "$2"), not $3"; }

begin "diff: recordings of the same program have no significant difference"
run 0 diff --by op "$dir/old.data" "$dir/same.data" --fail-on cost,share,mean
says '1000 and 1000 samples, 3 rows, 9 differences tested, 0 significant'
is load 5 40.00%
is load 6 40.40%
is load 7 '+1.0%'
! grep -q '%\*' "$out" || fail 'a star'

# The mean rises from 11 to 13 cycles, which is far above the standard error of the difference, 0.07.
begin "diff: a slower operation, with its events"
run 0 diff --by op --events l1d-refill "$dir/old.data" "$dir/slow.data"
is load 8 11.0
is load 9 13.0
is load 10 '+18.2%*'
is load 11 25.00%
is load 12 50.00%
is load 13 '+100.0%*'
is load 7 '+0.0%'
# 4400 of 7100 cycles become 5200 of 7900.  By hand, the standard error of each is 1.5%.
is load 2 61.97%
is load 3 65.82%
is load 4 '+6.2%'

begin "diff: --fail-on names a rise, and --least bounds it"
run 3 diff --by op "$dir/old.data" "$dir/slow.data" --fail-on mean
warns 'diff: --fail-on mean: load rose from 11.00 to 13.00, and its samples went from '
run 3 diff --by op "$dir/old.data" "$dir/slow.data" --fail-on mean=18
run 0 diff --by op "$dir/old.data" "$dir/slow.data" --fail-on mean=19
run 0 diff --by op "$dir/old.data" "$dir/slow.data" --fail-on mean --least 19
run 0 diff --by op "$dir/slow.data" "$dir/old.data" --fail-on mean
run 3 diff --by op --events l1d-refill "$dir/old.data" "$dir/slow.data" --fail-on l1d-refill=50

begin "diff: --fail-on compares nothing with a recording of which options keep no sample"
{ echo 'conv 0 1 0' && samples 400 300 300 12 200 | sed '/^rec/s/$/ ts=5000000000/'; } | perf_file five.data
{ echo 'conv 0 1 0' && samples 400 300 300 12 200 | sed '/^rec/s/$/ ts=9000000000/'; } | perf_file nine.data
run 1 diff --by op --filter 'time < 8000000000' "$dir/five.data" "$dir/nine.data" "$dir/five.data" --fail-on mean
warns "diff: --filter 'time < 8000000000' keeps none of the 1000 samples"
warns 'diff: --fail-on mean: no row has enough samples for a test'
run 1 diff --by op --cpu 7 "$dir/old.data" "$dir/slow.data" --fail-on mean
warns 'diff: --fail-on mean: no row has enough samples for a test'
run 0 diff --by op --cpu 7 "$dir/old.data" "$dir/slow.data"

begin "diff: --fail-on does not pass where no row has enough samples for a test"
samples 400 300 300 10 100 | sed 's/total=[0-9]*//' | perf_file untimed.data
run 0 diff --by op "$dir/untimed.data" "$dir/untimed.data" --fail-on share
run 1 diff --by op "$dir/old.data" "$dir/untimed.data" --fail-on cost,share,mean
for kind in cost mean; do
	warns "diff: --fail-on $kind: no row has enough samples for a test: record longer"
done
! grep -q -e '--fail-on share' "$err" || fail 'shares'
# Events that hardly any sample has are no lack.
samples 400 300 300 10 0 | perf_file hits.data
run 0 diff --by op --events l1d-refill "$dir/hits.data" "$dir/hits.data" --fail-on l1d-refill

# A function may become slower, and another faster, in the one row of all samples without a name.
begin "diff: --fail-on does not pass where the functions have no names"
nameless() { # CYCLES UNNAMED NAMED
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	echo "map 10 $map_prog 2 $id /usr/bin/prog"
	echo 'map 10 0x7101000000 0x1000 0 2 - /no/lib.so'
	for ((i = 0; i < $2; i++)); do echo "rec pc=$(user 0x7101000010) class=1 op=0 total=$1"; done
	for ((i = 0; i < $3; i++)); do echo "rec pc=$hot_pc class=1 op=0 total=10"; done
	echo 'auxtrace 0 0 10 0'
}
make_program
hot_pc=$(user "$(at "$hot")")
nameless 10 90 810 | perf_file few.data
nameless 10 100 800 | perf_file many.data
run 0 diff --symfs "$dir/root" "$dir/few.data" "$dir/few.data" --fail-on cost,share,mean
run 1 diff --symfs "$dir/root" "$dir/few.data" "$dir/many.data" --fail-on mean
warns "diff: --fail-on: 11.1% of $dir/many.data have no symbol that names the same in both recordings, and one that rose may be among them: give their files with --symfs, --vmlinux, --kallsyms or in an archive (of stripped files the debug files), or leave these samples out with --filter"
run 1 diff --symfs "$dir/root" "$dir/many.data" "$dir/few.data" --fail-on mean
warns "of $dir/many.data have no symbol"
run 0 diff --symfs "$dir/root" --filter symbol "$dir/few.data" "$dir/many.data" --fail-on cost,share,mean
run 0 diff --symfs "$dir/root" --by op "$dir/few.data" "$dir/many.data" --fail-on mean
run 1 diff "$dir/few.data" "$dir/few.data" --fail-on cost,share,mean
warns "100.0% of $dir/few.data have no symbol"
run 1 diff --symfs "$dir/root" --by source_line "$dir/few.data" "$dir/few.data" --fail-on share
warns "100.0% of $dir/few.data have no source_line that names the same in both recordings, and one that rose may be among them: compile the programs with -g"
run 0 diff "$dir/few.data" "$dir/few.data"
nameless 30 100 800 | perf_file slower.data
run 3 diff --symfs "$dir/root" "$dir/many.data" "$dir/slower.data" --fail-on mean
run 3 diff --symfs "$dir/root" "$dir/few.data" "$dir/many.data" "$dir/slower.data" --fail-on mean

# 9% of the samples have half of the cycles.
nameless 100 90 910 | perf_file slow-few.data
run 1 diff --symfs "$dir/root" "$dir/slow-few.data" "$dir/slow-few.data" --fail-on cost

# Names of functions of stripped files are addresses, at which another build has another function.
begin "diff: --fail-on compares no addresses of two builds"
stripped() { # FOLDER OPTION...: a recording of a program whose two functions have 20 and 10 cycles
	local folder=$1 address
	shift
	make_program
	${CC:-cc} -O0 -nostdlib -static -no-pie -Wl,--build-id=sha1 "$@" -o "$prog" "$dir/prog.c"
	id=$(readelf -nW "$prog" | sed -n 's/.*Build ID: //p')
	address=$(nm "$prog" | awk '$3 == "hot" { print $1 }')
	mkdir -p "$dir/$folder/usr/bin"
	strip -o "$dir/$folder/usr/bin/prog" "$prog"
	{
		echo 'info 4'
		echo 'comm 10 10 1 1 prog'
		echo "map 10 $map_prog 2 $id /usr/bin/prog"
		for ((i = 0; i < 400; i++)); do echo "rec pc=$(user "$(at "$address")") class=1 op=0 total=20"; done
		echo 'auxtrace 0 0 10 0'
	} | perf_file "$folder.data"
	run 0 archive --symfs "$dir/$folder" -o "$dir/$folder.tar" "$dir/$folder.data"
}
stripped first
run 0 diff "$dir/first.tar" "$dir/first.tar" --fail-on cost,share,mean
stripped second -DANOTHER -g
run 1 diff "$dir/first.tar" "$dir/second.tar" --fail-on cost,share,mean
warns "100.0% of $dir/first.tar have no symbol that names the same in both recordings"

begin "diff: a row that is in one recording only"
run 0 diff --by op "$dir/old.data" "$dir/gone.data"
is branch 5 30.00%
is branch 6 0.00%
is branch 7 '-100.0%*'
run 0 diff --by op "$dir/gone.data" "$dir/old.data"
is branch 7 'new*'

# By hand: the old program spends 6 of 10 samples in a, the new one 2 of 10; a has 10 and b 30 cycles.
# Numbers of processes and folders of files differ.
begin "diff: a flame graph of both recordings, by names"
if command -v jq >/dev/null; then
	for side in 'flame-old 10 /one/prog 6 4' 'flame-new 20 /two/prog 2 8'; do
		read -r file pid path a b <<<"$side"
		{
			printf '%s\n' 'info 4' 'conv 0 1 0' "comm $pid $pid 1 1 walker" "map $pid 0x400000 0x10000 0 2 - $path"
			for ((i = 0; i < a; i++)); do echo "rec pc=$(user 0x400100) ctx1=$pid total=10 class=1 op=0 ts=$((10 + i))"; done
			for ((i = 0; i < b; i++)); do echo "rec pc=$(user 0x400104) ctx1=$pid total=30 class=1 op=0 ts=$((30 + i))"; done
			echo "auxtrace 0 0 $pid 0"
		} | perf_file "$file.data"
	done
	run 0 diff --by op --html "$dir/d.html" "$dir/flame-old.data" "$dir/flame-new.data"
	awk '/id="flame-data"/ { on = 1; sub(/.*id="[^"]*">/, "") } on { print } /<\/script>/ { on = 0 }' "$dir/d.html" | sed 's|</script>.*||' >"$dir/flame.json"
	jq -r '. as $d | .names as $n | [range(0; .nodes | length; 6) as $i | "\(.nodes[$i]) \($n[.nodes[$i + 1]]) \(.nodes[$i + 4]) \(.nodes[$i + 5]) \(.old[$i / 6] | join(" "))"] | .[]' \
		"$dir/flame.json" >"$dir/flame" 2>>"$err"
	printf '%s\n' '0 all 10 260 10 180' '1 walker 10 260 10 180' '2 prog 10 260 10 180' '3 [no symbol] 10 260 10 180' >"$dir/want"
	cmp -s "$dir/want" "$dir/flame" || fail "$(diff "$dir/want" "$dir/flame")"
	run 0 diff --by op --html "$dir/d.html" "$dir/flame-old.data" "$dir/flame-new.data" "$dir/flame-old.data"
	! grep -qF 'so no cells match' "$dir/d.html" || fail 'a note that no cells match'
	grep -qF 'id="flame-1-data"' "$dir/d.html" || fail 'no flame graph of the second new recording'
	grep -qF 'tested difference' "$dir/d.html" || grep -qF 'Nothing changed that is more than chance' "$dir/d.html" || fail 'no verdict'
else
	skip 'no jq'
fi

begin "diff: several new recordings"
run 0 diff --by op "$dir/old.data" "$dir/same.data" "$dir/slow.data"
[ "$(grep -c '^# new ' "$out")" = 2 ] || fail 'not two tables'

# Of 700 and 700 samples 400 and 400 are loads: p is 1.  The order of columns is documented.
begin "diff: comma-separated values"
run 0 diff --csv --by op "$dir/old.data" "$dir/slow.data"
[ "$(head -n 1 "$out")" = $'new_file,op,number,old,new,change_percent,p,significant,incomparable\r' ] || fail 'another heading'
[ "$(wc -l <"$out")" = 10 ] || fail 'not 3 numbers of 3 rows'
grep -qx "\"$dir/slow.data\",\"load\",\"share\",40,40,0,1,false,"$'\r' "$out" || fail 'no share of loads'
grep -qE '"load","mean",11,13,18\.18181818,[0-9.e-]*,true,.$' "$out" || fail 'no mean of loads'

if command -v python3 >/dev/null; then
	begin "diff: the same as JSON"
	python3 -c 'import csv, json, subprocess, sys
run = lambda form: subprocess.check_output([sys.argv[1], "diff", form, "--by", "op", *sys.argv[2:]]).decode()
of, rows = json.loads(run("--json")), list(csv.DictReader(run("--csv").splitlines()))
assert (of["format"], of["verb"], of["old_file"]) == (1, "diff", sys.argv[2]) and len(rows) == 9
for a, b in zip(of["changes"], rows, strict=True):
    assert list(a) == list(b) and a["op"] == b["op"] and a["new"] == float(b["new"]), a
    assert b["significant"] == str(a["significant"]).lower() and a["incomparable"] is None, a
' "$perf_spe" "$dir/old.data" "$dir/slow.data" 2>"$err" || fail 'they differ'
fi

begin "diff: a page"
run 0 diff --html "$dir/d.html" --by op "$dir/old.data" "$dir/slow.data"
grep -qF '<strong><span>+18.2%*</span></strong>' "$dir/d.html" || fail 'no change on the page'
grep -qF 'slow.data' "$dir/d.html" || fail 'no file name'
grep -qF 'A star marks a change that is too large to come from sampling' "$dir/d.html" || fail 'the star is not explained'

begin "diff: a filter holds for all recordings"
run 0 diff --by op --filter 'op == load' "$dir/old.data" "$dir/slow.data"
says '400 and 400 samples, 1 row'

begin "diff: by symbol"
make_program
sym_file
run 0 diff --symfs "$dir/root" "$dir/sym.data" "$dir/sym.data"
is hot 7 '+0.0%'

# The build id of the old recording is another one, as after a build in the same place.
begin "diff: a program whose symbols one recording alone has"
of_code() { sym_text | sed '/^rec\|^auxtrace/d'; for ((i = 0; i < 100; i++)); do echo "rec pc=$(user "$(at "$hot")") total=$((5 + i % 2))"; done; echo 'auxtrace 0 -1 10 0'; }
of_code | perf_file new.data
of_code | sed "s/$id/${id//[0-9a-f]/b}/" | perf_file old.data
run 0 diff --symfs "$dir/root" "$dir/old.data" "$dir/new.data"
says '# symbols    none of /usr/bin/prog in old, unlike new, so rows without a name or of one recording alone are not tested'
says '0 differences tested'
warns "diff: $dir/old.data has no symbols of /usr/bin/prog, and $dir/new.data has: make an archive of each"
run 1 diff --symfs "$dir/root" "$dir/new.data" "$dir/old.data" --fail-on share --html "$dir/d.html"
grep -qF 'No row has enough samples to compare: 0 differences tested' "$dir/d.html" || fail 'the verdict of the page'
says '# symbols    none of /usr/bin/prog in new, unlike old'
run 0 diff --symfs "$dir/root" --by object "$dir/old.data" "$dir/new.data" --fail-on share
says ' 3 differences tested, 0 significant'
! grep -q 'has no symbols of' "$err" || fail 'symbols'
run 0 diff --symfs "$dir/root" "$dir/new.data" "$dir/new.data" --fail-on share
says ' 3 differences tested, 0 significant'

# Settings of SPE's events are those of perf: 0x10001 is ts_enable and jitter, bit 33 load_filter.
plain='attr 8 1024 0 0x10001 0 0 0 0'
# other NAME LINE...: the slower program, recorded with these lines
other() {
	{ printf '%s\n' "${@:2}" && samples 400 300 300 12 200; } | perf_file "$1.data"
}
{ echo "$plain" && samples 400 300 300 10 100; } | perf_file base.data
# refused NAME LINE: nothing has a star between the two, and LINE says why
refused() {
	local line
	run 0 diff --by op "$dir/base.data" "$dir/$1.data"
	says "$2"
	says 'so no change is marked'
	says '0 differences tested, 0 significant'
	! grep -q '%\*' "$out" || fail 'a star'
	is load 10 '+18.2%'
	line=${2#'# '}
	warns "diff: cannot compare $dir/base.data with $dir/$1.data because of ${line%%  *}: record both alike"
	run 1 diff --by op "$dir/base.data" "$dir/$1.data" --fail-on mean
	run 0 diff --csv --by op "$dir/base.data" "$dir/$1.data"
	grep -qE '"load","mean",11,13,18\.18181818,,,".+".$' "$out" || fail 'a test in the values, or no reason'
	run 0 diff --by op --html "$dir/d.html" "$dir/base.data" "$dir/$1.data"
	! grep -q '%\*<' "$dir/d.html" || fail 'a star on the page'
	grep -qF 'so no change is marked' "$dir/d.html" || fail 'no reason on the page'
}

begin "diff: recordings with other filters"
other filter 'attr 8 1024 0 0x200010001 0 0 0 0'
refused filter '# filters    none in old; load_filter in new'
{ echo 'attr 8 1024 0 0x10001 0 30 0 0' && samples 400 300 300 12 200; } | perf_file latency.data
refused latency '# filters    none in old; min_latency=30 in new'
other user "$plain" 'exclude 0 1'
refused user '# filters    none in old; no kernel in new'
other three 'attr 8 1024 0 0x600010001 0 0 0 0' 'exclude 0 1'
refused three '# filters    none in old; load_filter, store_filter, no kernel in new'

begin "diff: recordings of other targets"
{ echo 'words 11 perf record -e arm_spe// -- prog' && echo "$plain" && samples 400 300 300 10 100; } | perf_file base.data
other all 'words 11 perf record -ae arm_spe// -- sleep 1' "$plain"
refused all '# targets    a command in old; all CPUs in new'
other cpus 'words 11 perf record --cpu=1-2 -a -e arm_spe// -- prog' "$plain"
refused cpus '# targets    a command in old; some CPUs: 1-2 in new'
other running 'words 11 perf record -e arm_spe// -p 17,18' "$plain"
refused running '# targets    a command in old; processes that ran already in new'
other threads 'words 11 perf record -e arm_spe// --tid 17 -- prog -a' "$plain"
refused threads '# targets    a command in old; threads that ran already in new'
other command 'words 11 perf record -e arm_spe// other -a -C 1' "$plain"
run 0 diff --by op "$dir/base.data" "$dir/command.data"
is load 10 '+18.2%*'
for words in '-e arm_spe//' '--max-size 1G -a -- prog' '--all-cpus -e arm_spe// sleep 1'; do
	other everything "words 11 perf record $words" "$plain"
	refused everything '# targets    a command in old; all CPUs in new'
done
other user 'words 11 perf record -u 1000 -e arm_spe//' "$plain"
refused user '# targets    a command in old; processes that ran already in new'
{ echo 'words 11 perf record -C 3,0-2 -a' && echo "$plain" && samples 400 300 300 10 100; } | perf_file list.data
other range 'words 11 perf record -C 0-3 -- sleep 1' "$plain"
run 0 diff --by op "$dir/list.data" "$dir/range.data"
is load 10 '+18.2%*'
# Without a command line nothing is known.
other unknown "$plain"
run 0 diff --by op "$dir/base.data" "$dir/unknown.data"
is load 10 '+18.2%*'

begin "diff: recordings of other PMUs or cores"
{ echo 'pmus 8 arm_spe_0' && echo "$plain" && samples 400 300 300 10 100; } | perf_file base.data
other pmu 'pmus 8 arm_spe_1' "$plain"
refused pmu '# pmus       arm_spe_0 in old; arm_spe_1 in new'
other type 'pmus 9 arm_spe_0' 'attr 9 1024 0 0x10001 0 0 0 0'
run 0 diff --by op "$dir/base.data" "$dir/type.data"
is load 10 '+18.2%*'
{ echo "$plain" && samples 400 300 300 10 100 | sed 's/^info 4/midrs 1 0x410fd0c1/'; } | perf_file base.data
{ echo "$plain" && samples 400 300 300 12 200 | sed 's/^info 4/midrs 1 0x410fd490/'; } | perf_file core.data
refused core '# cores      Neoverse N1 in old; Neoverse N2 in new'
{ echo "$plain" && samples 400 300 300 12 200 | sed 's/^info 4/midrs 2 0x413fd0c0 0x413fd0c0/'; } | perf_file revision.data
run 0 diff --by op "$dir/base.data" "$dir/revision.data"
is load 10 '+18.2%*'
other nocore "$plain"
refused nocore '# cores      Neoverse N1 in old; unknown in new'

begin "diff: recordings with another interval"
{ echo "$plain" && samples 400 300 300 10 100; } | perf_file base.data
other period 'attr 8 4096 0 0x10001 0 0 0 0'
run 0 diff --by op "$dir/base.data" "$dir/period.data" --fail-on share
says '# interval   1024 in old; 4096 in new: shares and means do not depend on it'
is load 10 '+18.2%*'
silent
other period 'attr 8 4096 0 0x10001 0 0 0 0' 'aux 8'
refused period '# interval   1024 in old; 4096 in new: samples were lost in collisions'
other period 'attr 8 1024 0 1 0 0 0 0'
refused period '# interval   1024 in old; 1024 without jitter in new: without jitter a loop'
other period 'attr 8 1000 1 0x10001 0 0 0 0'
refused period '# interval   1024 in old; 1000 samples per second in new: it changed while perf recorded'
other period 'attr 8 1024 0 0x10001 0 0 0 0' 'attr 8 4096 0 0x10001 0 0 0 0'
refused period '# interval   1024 in old; 1024 and 4096 in new: CPUs with a short one'

other newest "$plain" 'aux 2'
refused newest '# interval   1024 in both: one recording has only the newest records before each snapshot'

# The 1000 samples come every 10 ms, and after the 500th there are none for GAP ms: of 9.99 s and 3 s
# more, 3.01 are 23.2%.
begin "diff: a recording that lost much"
{ echo "$plain" && samples 400 300 300 10 100; } | perf_file base.data
# gap MS LINE...: the slower program, with this gap, recorded with these lines
gap() {
	{ printf '%s\n' "$plain" 'conv 0 1 0' "${@:2}" && samples 400 300 300 12 200; } |
		awk -v gap="$1" '/^rec/ { $0 = $0 " ts=" (++n * 10 + (n > 500 ? gap : 0)) "000000" } { print }' | perf_file gap.data
}
gap 3000 'aux 1 0 5100000000'
refused gap '# losses     new: the buffer was full 1 time, so about 23.2% of the time has no samples'
warns 'record both alike and without losses'
run 0 diff --json --by op "$dir/gap.data" "$dir/base.data"
json '{c["incomparable"] for c in d["changes"]} == {"losses: old: the buffer was full 1 time, so about 23.2% of the time has no samples"}'
run 0 diff --csv --by op "$dir/gap.data" "$dir/gap.data"
says ',"losses: old: the buffer was full 1 time, so about 23.2% of the time has no samples; new: the buffer was full 1 time, so'
PERF_SPE_THREADS=2 run 0 diff --by op "$dir/base.data" "$dir/gap.data"
says '23.2% of the time'
# The options leave out the gap.
run 0 diff --by op --time 0,5.001 "$dir/gap.data" "$dir/gap.data"
says ', 0 significant'
! grep -q 'so no change is marked' "$out" || fail 'a gap that is left out'
# Of 1000 samples 60 may be cut, which is more than 5%.
mapfile -t partial < <(for ((i = 1; i <= 60; i++)); do echo "aux 4 0 $i"; done)
gap 0 "${partial[@]}"
refused gap '# losses     new: 60 AUX records may end in a cut sample: at most 6.00% of the samples'
# An AUX record was cut, and the next samples come 3 s later
gap 3000 'aux 4 0 5100000000'
refused gap '# losses     new: AUX data was cut 1 time, and about 23.2% of the time has no samples'
# 0.31 s of 10.29 are 3.0%, and one full buffer without times: stat says "with care" of both.
gap 300 'aux 1 0 5100000000'
run 0 diff --by op "$dir/base.data" "$dir/gap.data"
is load 10 '+18.2%*'
other full "$plain" 'aux 1 0 5'
run 0 diff --by op "$dir/base.data" "$dir/full.data"
is load 10 '+18.2%*'

begin "diff: the heading of each recording"
{ printf '%s\n' 'text 3 box' "$plain" && samples 400 300 300 10 100; } | perf_file base.data
other host 'text 3 other-box' "$plain"
run 0 diff --by op --html "$dir/d.html" "$dir/base.data" "$dir/host.data"
says '#   host       box'
says '#   host       other-box'
printf '%s\n' 'recording</dt><dd>old' 'host</dt><dd>box' "file</dt><dd>$dir/base.data" \
	'recording</dt><dd>new' 'host</dt><dd>other-box' "file</dt><dd>$dir/host.data" >"$dir/want"
sed '/<\/header>/q' "$dir/d.html" | grep -oE '(recording|host|file)</dt><dd>[^<]*' >"$dir/got"
cmp -s "$dir/want" "$dir/got" || fail "the page's header: $(diff "$dir/want" "$dir/got")"
# An interval that does not matter is no reason.
{ printf '%s\n' 'attr 8 4096 0 0x200010001 0 0 0 0' && samples 400 300 300 12 200; } | perf_file both.data
run 0 diff --by op "$dir/base.data" "$dir/both.data"
says '# interval   1024 in old; 4096 in new: shares'
warns "diff: cannot compare $dir/base.data with $dir/both.data because of filters: record both alike"
run 0 diff --json --by op "$dir/base.data" "$dir/both.data"
json '{c["incomparable"] for c in d["changes"]} == {"filters: none in old; load_filter in new"}'
# The commas within a text do not end it.
{ printf '%s\n' 'midrs 1 0x410fd0c1' "$plain" && samples 400 300 300 10 100 | sed 's/^info 4//'; } | perf_file base.data
{ printf '%s\n' 'midrs 1 0x410fd490' 'attr 8 1024 0 0x600010001 0 0 0 0' && samples 400 300 300 10 100 | sed 's/^info 4//'; } | perf_file both.data
run 0 diff --json --by op "$dir/base.data" "$dir/both.data"
json '{c["incomparable"] for c in d["changes"]} == {"filters: none in old; load_filter, store_filter in new; cores: Neoverse N1 in old; Neoverse N2 in new"}'

begin "diff: what each recording is and lost, in the values and on the page"
{ printf '%s\n' 'text 3 box' "$plain" && samples 400 300 300 10 100; } | perf_file base.data
other lost 'text 3 other-box' "$plain" 'aux 1 0 5' 'aux 12 0 6' 'lost 2'
run 0 diff --json --by op "$dir/base.data" "$dir/lost.data" "$dir/base.data"
json '[[*r.values()] for r in d["losses"]] == [["'"$dir"'/base.data", False, 0, 0, 0, 0], ["'"$dir"'/lost.data", False, 1, 1, 1, 2], ["'"$dir"'/base.data", False, 0, 0, 0, 0]]'
json '[*d["losses"][0]] == ["file", "damaged", "aux_truncated", "aux_partial", "aux_collision", "lost"]'
json '[r["text"] for r in d["recording"] if r["name"] == "host" and "lost.data" in r["file"]] == ["other-box"]'
json 'd["offline_cpus"] == []'
run 0 diff --csv=losses --by op "$dir/base.data" "$dir/lost.data"
says "\"$dir/lost.data\",false,1,1,1,2"
run 0 diff --csv=recording --by op "$dir/base.data" "$dir/lost.data"
says "\"$dir/lost.data\",\"host\",\"other-box\""
run 0 diff --by op --html "$dir/d.html" "$dir/base.data" "$dir/lost.data"
sed '/<\/header>/q' "$dir/d.html" >"$dir/head"
for line in 'AUX data: 1 time truncated, 1 partial, 1 with collisions' 'lost: 2 perf records'; do
	[ "$(grep -cF ">$line</p>" "$dir/head")" = 1 ] || fail "the page's header has not once: $line"
done

# A command of 120 characters, and a share that becomes a hundred times as large
begin "diff: on a terminal of 80 columns no line is longer"
{ echo "words 11 perf record$(printf ' --option-%d' {1..10})" && echo "$plain" && samples 2 498 500 10 100; } | perf_file long.data
{ echo "$plain" && samples 200 398 402 10 100; } | perf_file more.data
on_80() { (cd "$dir" && printf 'end 0\nprint\n' | PTY_COLUMNS=80 "$(dirname "$fixture")/pty" "$perf_spe" diff --by op "$@" long.data more.data) >"$out" 2>"$err" || fail 'pty'; }
on_80 --events l1d-refill,llc-miss
says llc-miss
says 'no room for the old numbers, share and mean:'
on_80
says '--option-10'
is load 7 '+9900%*'
sed -i "s, *$,," "$out"
[ "$(awk 'length($0) > most { most = length($0) } END { print most }' "$out")" -lt 80 ] || fail 'a line that is longer'

begin "diff: what all recordings lack is said once"
for column in vm pod; do
	run 0 diff --by $column "$dir/old.data" "$dir/same.data" "$dir/slow.data"
	[ "$(grep -c 'are empty' "$err")" = 1 ] || fail "$column: $(cat "$err")"
done
echo 'ffff800080000000 T guest_function' >"$dir/kallsyms"
run 0 diff --guest-kallsyms "$dir/kallsyms" --by symbol "$dir/old.data" "$dir/same.data"
[ "$(grep -c 'not using the files of guests' "$err")" = 1 ] || fail "$(cat "$err")"

begin "diff: wrong usage"
run 2 diff "$dir/old.data"
warns 'name two recordings or more'
run 2 diff --fail-on speed "$dir/old.data" "$dir/slow.data"
warns "'speed' is neither cost, share, mean nor an event"
run 2 diff --fail-on mean=x "$dir/old.data" "$dir/slow.data"
warns "needs a number of percent behind '='"
run 1 diff "$dir/old.data" "$dir/none.data"
[ ! -s "$out" ] || fail 'a table of one recording'

finish
