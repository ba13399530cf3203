#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The short filters --time, --comm, --dso and --cpu.  Their meaning is that of perf's
# options of these names (perf-report(1)), which the expectations follow.
# usage: select.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
make_program

# 11 samples, one each 0.1 s from 1.0 s to 2.0 s; "total" counts them from 0.
{
	cat <<END
info 4
conv 0 1 0
comm 10 10 1000000000 1 first
comm 20 20 1000000000 1 it's
map 10 $map_prog 1000000000 $id /usr/bin/prog
map 20 0x7100000000 0x100000 0 1000000000 - /opt/prog
map 20 0x7200000000 0x100000 0 1000000000 - /usr/lib/libprog
switch 0 10 10 0 1000000000
switch 0 20 20 3 1000000000
END
	for i in {0..4}; do
		echo "rec pc=$(user "$(at "$hot")") total=$i ts=$((1000000000 + i * 100000000))"
	done
	echo 'auxtrace 0 0 -1 0'
	for i in {5..10}; do
		echo "rec pc=$(user $((i < 8 ? 0x7100000000 : 0x7200000000))) total=$i ts=$((1000000000 + i * 100000000))"
	done
	echo 'auxtrace 1 3 -1 0'
	echo 'switch 0 10 10 0 2000000000'
} | perf_file s.data

# keeps TOTALS OPTIONS...: export writes the samples with these totals
keeps() {
	local want=$1
	shift
	run 0 export -i "$dir/s.data" --symfs "$dir/root" -F total "$@"
	[ "$(sed 's/total=//' "$out" | paste -sd' ')" = "$want" ] || fail "$* keeps other samples than $want"
}

begin "select: time in seconds, both ends included"
keeps '2 3 4' --time 1.2,1.4
keeps '2 3' --time 1.199999999,1.399999999
keeps '0 1' --time ,1.1
keeps '9 10' --time 1.9,
keeps '0 1 5 9 10' --time ',1.15 1.5,1.5 1.9,'

begin "select: time in percent"
keeps '1' --time 10%/2
keeps '0 1' --time 0%-20%
keeps '9 10' --time 10%/10
keeps '0 3 4' --time 10%/1,30%-50%
keeps '0 1 2 3 4 5 6 7 8 9 10' --time 0%-100%

begin "select: patterns of names"
keeps '0 1 2 3 4' --comm 'f*'
keeps '5 6 7 8 9 10' --comm "i?'s"
keeps '0 1 2 3 4 5 6 7' --dso 'pro*'
keeps '8 9 10' --dso 'lib*'
keeps '8 9 10' --dso '*/lib/*'
keeps '' --dso '/lib/*'
keeps '0 1 2 3 4 5 6 7 8 9 10' --dso '*prog*,none'
keeps '8 9 10' --filter 'object like lib*'
keeps '0 1 2 3 4' --filter "comm like 'fi[r]st'"
keeps '' --filter "comm == 'f*'"

begin "select: the variable PERF_SPE_SYMFS"
run 0 report -i "$dir/s.data" --symfs "$dir/root"
cp "$out" "$dir/want"
PERF_SPE_SYMFS=$dir/root run 0 report -i "$dir/s.data"
cmp -s "$dir/want" "$out" || fail 'the variable has no effect'
says hot
PERF_SPE_SYMFS=$dir/none run 0 report -i "$dir/s.data" --symfs "$dir/root"
cmp -s "$dir/want" "$out" || fail 'the variable replaces --symfs'
PERF_SPE_SYMFS='' run 0 report -i "$dir/s.data"
PERF_SPE_SYMFS=$dir/none run 1 report -i "$dir/s.data"
warns "report: PERF_SPE_SYMFS=$dir/none: No such file or directory; name the folder"

begin "select: slices of a recording add up to the whole"
for i in {1..7}; do
	run 0 export -i "$dir/s.data" -F total --time "14.2857%/$i"
	cat "$out"
done >"$dir/slices"
[ "$(sed 's/total=//' "$dir/slices" | sort -n | paste -sd' ')" = '0 1 2 3 4 5 6 7 8 9 10' ] ||
	fail "$(paste -sd' ' "$dir/slices")"

begin "select: programs, files and CPUs"
keeps '0 1 2 3 4' --comm first
keeps '5 6 7 8 9 10' --comm "it's"
keeps '0 1 2 3 4 5 6 7 8 9 10' --comm "it's,first"
keeps '0 1 2 3 4 5 6 7' --dso prog
keeps '0 1 2 3 4' --dso /usr/bin/prog
keeps '5 6 7 8 9 10' --dso '/opt/prog,libprog'
keeps '0 1 2 3 4' --cpu 0
keeps '5 6 7 8 9 10' --cpu 1-3
keeps '0 1 2 3 4 5 6 7 8 9 10' --cpu 0,2-3
keeps '5 6 7 8 9 10' --filter "object ends 'prog' and comm ends \"'s\""

begin "select: several options hold together"
keeps '6 7' --comm "it's" --cpu 3 --dso prog --time 1.6, --filter 'total < 9 or total > 100'
keeps '5 6' --filter 'total < 6 or total == 6' --comm "it's"

begin "select: every verb that reads samples takes them"
for verb in report stat mem sharing annotate pgo export; do
	run 0 "$verb" --help
	for option in --time --comm --dso --cpu; do
		grep -q "^ *$option [A-Z]" "$out" || fail "$verb has no $option"
	done
done
run 0 stat -i "$dir/s.data" --time 1.2,1.4
says '# 3 samples'

# Of CPU 3 samples are at 1.5, 1.6 ... 2.0 s.
begin "select: rates are by the time of the windows, without what lies between them"
for windows in '1.5,1.6 1.9,2.0:0.200 20' '1.9,3 1.5,1.6:0.200 20' '1.5,1.7 1.6,1.8:0.300 13' '50%-70%,90%-100%:0.300 13' \
	'not (time > 1600000000 and time < 1900000000 and cpu == 3):0.200 20'; do
	option=--time
	[[ $windows != not* ]] || option=--filter
	run 0 stat -i "$dir/s.data" "$option" "${windows%:*}"
	read -r seconds each <<<"$(awk '$NF == 3 && $(NF - 1) == "CPU" { print $3, $4 }' "$out")"
	run 0 stat -i "$dir/s.data" "$option" "${windows%:*}" --csv=cpus
	[ "$(awk -F, '$1 == 3 { printf "%.3f", $6 }' "$out")" = "$seconds" ] || fail "other seconds for programs: $(cat "$out")"
	[ "$seconds $each" = "${windows#*:}" ] || fail "$windows has $each samples a second in $seconds s"
done
run 0 report -i "$dir/s.data" --symfs "$dir/root" --time '1,1.1 1.4,1.6 1.9,2' --html "$dir/s.html"
grep -q '<td[^>]*>CPU 3</td>.*>0.200</td></tr>' "$dir/s.html" || fail 'another time on the page'

begin "select: seconds in a filter of times are named"
run 0 stat -i "$dir/s.data" --filter 'time > 1'
warns 'stat: --filter: the column time has nanoseconds of perf'"'"'s clock, and 1 looks like seconds: give --time, which takes seconds, or 1000000000'
run 0 stat -i "$dir/s.data" --filter 'time > 1500000000'
silent
run 0 diff --by op --filter 'time > 1' "$dir/s.data" "$dir/s.data"
[ "$(grep -c 'looks like seconds' "$err")" -eq 1 ] || fail 'not once'

# 5 of 10 samples in 10 s are in its second half, and 10 of 20 in 40 s
begin "select: diff takes the same part of each recording"
for many in 10:1 20:2; do
	{
		printf '%s\n' 'info 4' 'conv 0 1 0' 'switch 0 10 10 0 1'
		for ((i = 1; i <= ${many%:*}; i++)); do echo "rec class=1 op=0 total=5 ts=$((i * ${many#*:} * 1000000000))"; done
		echo "switch 1 10 10 0 $((${many%:*} * ${many#*:} * 1000000000 + 1))"
		echo 'auxtrace 0 0 -1 0'
	} | perf_file "d${many%:*}.data"
done
run 0 diff --by op --time 50%-100% "$dir/d10.data" "$dir/d20.data"
says '# 5 and 10 samples'
run 0 diff --by op --time 8,10 "$dir/d10.data" "$dir/d20.data"
says '# 3 and 2 samples'

begin "select: what keeps no sample is named"
run 0 report -i "$dir/s.data" --comm nobody
warns "report: --comm 'nobody' keeps none of the 11 samples: change or remove it; to see the values that there are, run: perf spe report --by comm -i $dir/s.data"
# lists OPTION VALUE VERB: the command that the message tells shows the values that there are
echo 'ffff800008000000 T _text' >"$dir/kallsyms"
lists() {
	local words
	run 0 report -i "$dir/s.data" --symfs "$dir" --kallsyms "$dir/kallsyms" --no-demangle "$1" "$2"
	warns "report: $1 '$2' keeps none of the 11 samples: change or remove it; to see the values that there are, run: perf spe $3 -i $dir/s.data --symfs $dir --kallsyms $dir/kallsyms --no-demangle"
	read -ra words < <(sed -n 's/.*, run: perf spe //p' "$err")
	run 0 "${words[@]}"
}
lists --dso nothing 'report --by object'
lists --cpu 77 'report --by cpu'
lists --time 70000,70001 stat
for format in csv folded speedscope; do
	run 0 export -i "$dir/s.data" -f "$format" --comm nobody
	warns "export: --comm 'nobody' keeps none of the 11 samples: change or remove it"
done
run 0 report -i "$dir/s.data" --comm first --cpu 3
warns "report: --comm 'first' and --cpu '3' keep none of the 11 samples: change or remove one of them"

begin "select: wrong usage"
for time in '' 5 1.2,x 10%/11 10%/0 10% '10%/2,' 101%/1 1.2,1.3,1.4 0%-10%,5 '99999999999999999999,'; do
	run 2 report -i "$dir/s.data" --time "$time"
	warns "report: --time needs FROM,TO in seconds, A%-B% or A%/N, such as 12.5,13 or 10%-20% or 10%/2, not '$time'"
done
for time in 3,2 20%-10% 10%-10% '1.2,1.3 2,1'; do
	run 2 report -i "$dir/s.data" --time "$time"
	warns "report: --time: a window of '$time' does not end after it begins: give the earlier time first"
done
for cpu in '' x 3-1 1,,2 -1 70000 1- ; do
	run 2 report -i "$dir/s.data" --cpu="$cpu"
	warns "report: --cpu needs a list of CPUs, such as 0-3,7, not '$cpu'"
done
run 2 report --comm a,,b
warns "report: --comm has an empty name: separate names by one ','"
run 2 report --comm ''
warns "report: --comm has an empty name: separate names by one ','"
run 2 report --dso "a'b\"c"
warns "report: --dso: 'a'b\"c' has both kinds of quotes"
run 2 report --comm a --comm b
warns "report: --comm is given twice: join the names with ','"
{
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	echo 'rec total=1 ts=5'
	echo 'auxtrace 0 0 10 0'
} | perf_file n.data
run 1 report -i "$dir/n.data" --time 10%/2
warns "report: --time: the samples of $dir/n.data have no time, as the recording does not relate timestamps"

# perf record --per-thread: the events have no times, but the samples have.
begin "time: of a recording whose events have no times"
{
	printf '%s\n' 'untimed' 'info 4' 'conv 0 1 0' 'comm 10 10 0 1 prog' 'map 10 0x400000 0x1000 0 0 - /bin/prog'
	for ((i = 1; i <= 9; i++)); do echo "rec pc=$(user 0x400100) ts=$((i * 1000000000))"; done
	echo 'auxtrace 0 -1 10 0'
} | perf_file per-thread.data
run 0 report -i "$dir/per-thread.data" --time 3,5 --summary
key_is records_with_pc 3
run 0 report -i "$dir/per-thread.data" --time '2,2 7,' --summary
key_is records_with_pc 4
run 1 report -i "$dir/per-thread.data" --time 50%/1
warns "report: --time 50%/1: the recording's events have no times, so its length is unknown: give FROM,TO in seconds"
raw_file n.spe <<<'rec total=1 ts=5'
run 1 report --raw "$dir/n.spe" --time 10%/2
warns "report: --time: the samples of $dir/n.spe have no time without perf.data: remove --time"
run 1 diff --time 10%/2 "$dir/s.data" "$dir/n.data"
warns "diff: --time: the samples of $dir/n.data have no time"

finish
