#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Filter expressions, and reports by columns.
# usage: filter.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
make_program

# Ten samples, each with another "total".
perf_file f.data <<END
midrs 2 0x413fd0c1 0x413fd0c1
comm 10 10 1 1 first
comm 20 20 1 1 second
map 10 $map_prog 2 $id /usr/bin/prog
rec pc=$(user "$(at "$hot")") total=1 class=1 op=0 va=0x1040 source=14 events=0xe
rec pc=$(user "$(at "$hot")") total=2 class=1 op=0 va=0x1048 source=0 events=0x6
rec pc=$(user "$(at "$hot")") total=3 class=1 op=0 va=0x2000 source=14 events=0x6
rec pc=$(user "$(at "$cold")") total=4 issue=1 class=1 op=1 va=0x1050 events=0x2
rec pc=$(user "$(at "$cold")") total=5 class=2 op=1 events=0x82
auxtrace 0 0 10 0
rec pc=0xa0ff800000001000 total=6 class=0 op=0 events=0x2
rec total=7 class=1 op=0 va=0x1040 events=0
rec total=8 class=1 op=1 va=0x1044
rec total=9
rec issue=3 class=2 op=0 events=0x1000
auxtrace 1 1 20 0
END

# leaves EXPRESSION TOTALS: the filter keeps the samples with these totals
leaves() {
	run 0 export -i "$dir/f.data" --symfs "$dir/root" -F total --filter "$1"
	if [ -s "$out" ]; then silent; else warns "export: --filter '$1' keeps none of the"; fi
	[ "$(sed 's/total=//' "$out" | paste -sd' ')" = "$2" ] || fail "$1 leaves other samples than $2"
}

begin "filter: numbers"
leaves 'total > 5' '6 7 8 9'
leaves 'total>=5 and total<7' '5 6'
leaves 'total <= 0x2' '1 2'
leaves 'total == 3 or total == 9' '3 9'
leaves 'total != 3' '1 2 4 5 6 7 8 9'
leaves 'va >= 0x1044 && va < 0x2000' '2 4 8'

begin "filter: texts, lists and events"
leaves 'op == load' '1 2 3 7'
leaves 'op != load' '4 5 6 8 9 '
leaves 'symbol == cold' '4 5'
leaves 'object ~ prog' '1 2 3 4 5'
leaves 'source_name == "dram"' '1 3'
leaves 'events has l1d-refill' '1'
leaves 'events has impdef-12' ''
leaves 'events ~ mispred' '5'
leaves "comm == 'second'" '6 7 8 9 '

begin "filter: an empty list, which is not the same as none"
leaves 'events == ""' '7'
leaves "events != ''" '1 2 3 4 5 6 '
run 0 export -i "$dir/f.data" --symfs "$dir/root" -f csv -F total,op_flags
leaves 'op_flags == ""' "$(tr -d '\r' <"$out" | sed -n 's/^\(.*\),""$/\1/p' | paste -sd' ')"
[ -s "$out" ] || fail 'no sample without a flag'

begin "filter: what a sample lacks compares as false"
leaves 'issue' '4 '
leaves 'not total' ''
leaves 'issue == 0' ''
leaves 'issue != 1' ''
leaves 'not issue != 1' '1 2 3 4 5 6 7 8 9'
leaves '!pc' '7 8 9 '

begin "filter: and binds before or, not before both"
leaves 'total == 1 or total == 2 and op == store' '1'
leaves '(total == 1 or total == 2) and op == store' ''
leaves 'not total > 3 and op == load' '1 2 3'
leaves '!(total > 3 || total < 2) && op==load' '2 3'
leaves 'op==load||op==store' '1 2 3 4 7 8'

begin "filter: the help lists the operators"
for verb in report export annotate mem; do
	run 0 "$verb" --help
	for word in == '!=' '<' '<=' '>' '>=' '~' ends has and or not; do
		sed -n '/--filter/,/--comm/p' "$out" | tr ',(;' '   ' | finds -F -- " $word " || sed -n '/--filter/,/--comm/p' "$out" | finds -E -- " $word(,| |\$)" || fail "$verb has no $word"
	done
done

begin "filter: what is wrong is said where"
wrong() {
	run 2 export -i "$dir/f.data" --filter "$1"
	warns "$2"
}
wrong '' "cannot parse at the end: a column is missing: add one, for example 'total'"
wrong '> 3' "cannot parse at '> 3': a column is missing"
wrong 'total >' 'a value is missing: add a number or a word'
wrong 'time > 13.5' "column 'time' holds numbers, and '13.5' is none: give nanoseconds of perf's clock, such as 12500000000, or --time in seconds"
wrong 'total > many' "column 'total' holds numbers, and 'many' is none"
wrong 'total ~ 3' "column 'total' holds numbers: compare it with ==, !=, <, <=, > or >="
wrong 'op > load' "column 'op' holds text: compare it with ==, !=, ~, ends or like"
wrong 'events > retired' "column 'events' holds text: compare it with ==, !=, ~, ends, has or like"
wrong 'type has order' "column 'type' holds text: compare it with ==, !=, ~, ends or like"
wrong 'op == "load' 'a quote is not closed'
wrong '(total > 3' "')' is missing"
wrong 'total > 3 op == load' "at 'op == load': 'and' or 'or' is missing"
for pair in 'op = load:=='  'comm = xz:==' 'symbol =~ hot:~' 'total => 3:>=' 'total =< 3:<=' 'total <> 3:!=' \
	'op === load:==' 'total is 3:==' 'total > 3 & op == load:and' 'total > 3 | op == load:or' \
	'total > 3 AND op == load:and'; do
	wrong "${pair%:*}" ": did you mean '${pair##*:}'"
done
wrong 'op = load' "cannot parse at '= load': did you mean '=='?"
wrong 'op in load,store' "compare with each value, and join the comparisons by 'or'"
wrong 'symbol !~ hot' "write 'not' before the column, and '~'"
wrong 'events == l1d-refill' "column 'events' is a list of names, and '==' compares all of it: write \"events has l1d-refill\", or put a list of this name alone in quotes"
wrong 'events != retired' 'write "not events has retired"'
wrong 'op_flags == COND' 'write "op_flags has COND"'
wrong 'total == 99999999999999999999' "'99999999999999999999' is larger than 18446744073709551615"
wrong "$(printf '(%.0s' {1..1000})" 'brackets are nested too deeply'
run 2 export -i "$dir/f.data" --filter total --filter total
warns '--filter is given twice'

# The words are those of Documentation/perf-spe/reference/common.md and of the packets' names there.
begin "filter: an unknown column, and the nearest ones"
wrong 'tota > 100' "export: --filter: unknown column 'tota'; did you mean 'total'?"
wrong 'TOTAL > 100' "unknown column 'TOTAL'; did you mean 'total'?"
wrong 'op == load and lin' "unknown column 'lin'; did you mean 'cache_line' or 'source_line'?"
wrong 'nonsense > 3' "unknown column 'nonsense'; choose offset, cpu, pid, comm, process_comm, time, timestamp, pc, el, security,"
# Three letters of "lat" are in "translation" too.
wrong 'lat > 3' "unknown column 'lat'; did you mean 'total'?"
wrong 'latency > 3' "unknown column 'latency'; did you mean 'total'?"
wrong 'address == 3' "unknown column 'address'; did you mean 'va'?"
wrong 'node == 1' "unknown column 'node'; 'perf spe mem' prints the NUMA nodes of memory"
wrong 'el == kernel' "column 'el' holds numbers, and 'kernel' is none: give 0 for user space, 1 for the kernel, or 2 for"
wrong "$(printf 'x%.0s' {1..5000})" "unknown column 'xxxxxxxx"

begin "filter: a value that the column never has"
wrong 'events has ""' "column 'events' is never ''"
wrong 'op == ""' "column 'op' is never ''"
wrong 'op == laod' "export: --filter: column 'op' is never 'laod'; did you mean 'load'?"
wrong 'op != LOAD' "column 'op' is never 'LOAD'; did you mean 'load'?"
wrong 'op == jump' "column 'op' is never 'jump'; choose load, store, branch or other"
wrong 'op == sotre' "column 'op' is never 'sotre'; did you mean 'store'?"
wrong 'op ~ xyz' "column 'op' never contains 'xyz'; choose load, store, branch or other"
wrong 'events has l1d' "column 'events' is never 'l1d'; did you mean 'l1d-access' or 'l1d-refill'?"
wrong 'events has retierd' "did you mean 'retired'?"
wrong 'events == "retired|tlb"' "column 'events' is never 'tlb'; did you mean 'tlb-access' or 'tlb-walk'?"
wrong 'events has l1d-miss' "column 'events' is never 'l1d-miss'; did you mean 'l1d-refill'?"
wrong 'events has llc-refill' "did you mean 'llc-miss'?"
wrong 'events has tlb-miss' "did you mean 'tlb-walk'?"
wrong 'events has l1-miss' "did you mean 'l1d-refill'?"
wrong 'events has branch-misses' "did you mean 'mispredicted'?"
wrong 'events has impdef-1' "column 'events' is never 'impdef-1'; did you mean 'impdef-12'"
wrong 'events has impdef-64' "did you mean 'impdef-14'"
wrong 'events has nonsense' 'choose exception, retired, l1d-access,'
wrong 'events has nonsense' 'smcu, reserved-N or late-prefetch'
wrong 'subclass == gp-reg' "column 'subclass' is never 'gp-reg'; did you mean 'GP-REG'?"
wrong 'op_flags has CON' "column 'op_flags' is never 'CON'; did you mean 'COND'?"
wrong 'security == nonsecure' "did you mean 'non-secure'?"
wrong 'pa_space == relm' "did you mean 'realm'?"
wrong 'source_name == drum' "column 'source_name' is never 'drum'; did you mean 'dram'?"
wrong 'core == "Neoverse N3"' "did you mean 'Neoverse N1'"

begin "filter: values that a column can have, and texts that only a recording knows"
leaves 'op ~ oa and total < 3' '1 2'
leaves 'events == "retired|l1d-access" and total < 3' '2'
leaves 'events ~ "retired|l1d-access" and total < 3' '1 2'
leaves 'events ~ "d|l1d-access" and total < 3' '1 2'
leaves 'op_flags has COND' '5'
leaves 'subclass == GP-REG and total == 1' '1'
leaves 'source_name == l2-modified' ''
leaves 'core == "Neoverse N1" and total == 1' '1'
leaves 'core == HIP12' ''
leaves 'events == "retired"' '4 6'
leaves 'events has retired and total < 2' '1'
leaves 'comm == nobody' ''
leaves 'symbol ~ nothing' ''

begin "filter: samples that the filter drops are not missing from the recording"
# blames VERB TEXT OPTIONS...: the verb names the filter, and does not ask to record again
blames() {
	local verb=$1 status=$2
	shift 2
	run "$status" "$verb" -i "$dir/f.data" --symfs "$dir/root" "$@" --filter 'total > 99'
	warns "$verb: --filter 'total > 99' keeps none of the 10 samples: change or remove it; to see the values that there are, run: perf spe report --by total -i "
	grep -q 'record\|below' "$err" && fail "$verb asks for another recording"
}
blames report 0
blames report 0 --by op
blames stat 0
blames mem 0
blames sharing 0
blames annotate 1
blames annotate 1 hot
blames pgo 1 prog
for verb in mem sharing; do
	run 0 "$verb" -i "$dir/f.data" --filter 'op == branch'
	warns "$verb: no sample that --filter 'op == branch' keeps has a "
	grep -q 'record again' "$err" && fail "$verb asks for another recording"
done
run 1 annotate -i "$dir/f.data" --symfs "$dir/root" hot --filter 'total == 4'
warns "annotate: no sample that --filter 'total == 4' keeps is in hot"
run 1 annotate -i "$dir/f.data" --symfs "$dir/root" --filter 'total == 9'
warns "annotate: no sample that --filter 'total == 9' keeps has a symbol"

begin "report: filtered"
run 0 report -i "$dir/f.data" --symfs "$dir/root" --filter 'op == load'
says '# 4 records, 3 with an address, 2 symbols'
says '# of 10 records'
count_is prog hot 3
count_is '[unknown]' '[no address]' 1

# by COLUMNS ROW...: the table has these rows; blanks are squeezed
by() {
	local columns=$1
	shift
	run 0 report -i "$dir/f.data" --symfs "$dir/root" --by "$columns" --sort symbol \
		--columns "count,share,$columns"
	silent
	printf '%s\n' "$@" >"$dir/want"
	grep -v '^#' "$out" | tr -s ' ' | sed 's/^ //' >"$dir/got"
	cmp -s "$dir/want" "$dir/got" || fail "$(diff "$dir/want" "$dir/got")"
}

begin "report: by one column, by two"
by op '2 20.00% branch' '4 40.00% load' '2 20.00% other' '2 20.00% store'
by source_name '2 20.00% dram' '1 10.00% l1d' '7 70.00% -'
by cache_line '5 50.00% 0x1040' '1 10.00% 0x2000' '4 40.00% -'
by comm,op '1 10.00% first branch' '3 30.00% first load' '1 10.00% first store' \
	'1 10.00% second branch' '1 10.00% second load' '2 20.00% second other' '1 10.00% second store'

# Counted by sort and uniq from what export writes, sample by sample
begin "report: by five columns, and by eight"
for columns in comm,cpu,op,source_name,page symbol,object,comm,op,total,cpu,tid,cache_line; do
	run 0 export -i "$dir/f.data" --symfs "$dir/root" -f csv --fields "$columns"
	sed 1d "$out" | tr -d '"\r' | sort | uniq -c |
		sed 's/^ *//; s/ /,/; :a; s/,,/,-,/; ta; s/,$/,-/' | sort >"$dir/want"
	run 0 report -i "$dir/f.data" --symfs "$dir/root" --by "$columns" --columns "count,$columns"
	grep -v '^#' "$out" | sed 's/^ *//; s/  */,/g' | sort >"$dir/got"
	[ "$(wc -l <"$dir/want")" -gt 6 ] || fail 'too few rows to compare'
	cmp -s "$dir/want" "$dir/got" || fail "$(diff "$dir/want" "$dir/got")"
done

begin "report: by columns, latencies and event rates"
run 0 report -i "$dir/f.data" --by op --events retired,l1d-refill --filter 'op == load'
grep -qE '^ +100\.00% +load +100\.00% +75\.00% +25\.00% +3\.2 +2 +7 +4 +13 +- +-$' "$out" || fail 'row'
says ' op      share  retired  l1d-refill   mean'

begin "report: by columns, order and limit"
run 0 report -i "$dir/f.data" --by cpu --limit 1 --sort mean
says '# 1 more row'
grep -qE '^ +[0-9.]+% +1 +50\.00% ' "$out" || fail 'CPU 1 has the larger mean'

begin "report: by columns, wrong usage"
run 2 report --by nothing
warns "report: --by: unknown column 'nothing'; choose offset, cpu,"
run 2 report --by symbl
warns "report: --by: unknown column 'symbl'; did you mean 'symbol'?"
run 2 report --by op --events retried
warns "report: --events: unknown event 'retried'; did you mean 'retired'?"
run 2 report --sort cyles
warns "report: --sort: unknown key 'cyles'; did you mean 'cycles'?"
run 2 export --fields op,subclas
warns "export: --fields: unknown column 'subclas'; did you mean 'subclass'?"
run 2 report --by op,cpu,pid,tid,comm,el,pc,va,page
warns "report: --by takes at most 8 columns, and 'page' is more: remove it"
run 2 report --by op,cpu,op
warns "report: --by lists 'op' twice: remove one"
run 2 report --by op --events nothing
run 2 report --events retired
run 2 report --by op --summary

finish
