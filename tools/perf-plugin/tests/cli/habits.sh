#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What users of perf type first: a recording as an argument, perf's names of options, columns and
# verbs, "help" as the value of an option, and - for standard output.
# usage: habits.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
examples=$(cd "$here/../../../Documentation/examples" && pwd)
cp "$examples/shared.data" "$examples/callers.data" "$dir/"
cd "$dir" || exit 1
symfs=(--symfs "$examples/symfs")

# same ARGUMENTS... -- ARGUMENTS...: both print the same, with status 0
same() {
	local first=()
	while [ "$1" != -- ]; do first+=("$1"); shift; done
	shift
	run 0 "$@"
	[ -s "$out" ] || fail "$*: prints nothing"
	cp "$out" "$dir/want"
	run 0 "${first[@]}"
	cmp -s "$dir/want" "$out" || fail "${first[*]} differs from $*"
}

begin "habits: a recording is an argument of each verb, before or after its options"
for verb in advise annotate dump export layout mem report script sharing stat; do
	options=("${symfs[@]}")
	[ "$verb" != dump ] || options=()
	same "$verb" "${options[@]}" shared.data -- "$verb" "${options[@]}" -i shared.data
	same "$verb" shared.data "${options[@]}" -- "$verb" "${options[@]}" -i shared.data
done
"$perf_spe" report "${symfs[@]}" - <shared.data >"$dir/got" 2>"$err" || fail 'report -'
same report "${symfs[@]}" -i shared.data -- report "${symfs[@]}" shared.data
cmp -s <(grep -v '^# file' "$dir/got") <(grep -v '^# file' "$out") || fail 'standard input'

begin "habits: beside a recording, an argument keeps its meaning"
for words in 'add_left shared.data' 'shared.data add_left'; do
	# shellcheck disable=SC2086 # words
	same annotate "${symfs[@]}" $words -- annotate "${symfs[@]}" -i shared.data add_left
done
same report "${symfs[@]}" --callers callers.data -- report "${symfs[@]}" --callers -i callers.data
same report "${symfs[@]}" --callers callers.data main -- report "${symfs[@]}" --callers -i callers.data main
same pgo "${symfs[@]}" -f misses shared shared.data -- pgo "${symfs[@]}" -f misses -i shared.data shared
mkdir folder.perf
cp shared.data folder.perf/data
run 0 report "${symfs[@]}" folder.perf
says add_left

begin "habits: an argument that is no recording says why"
run 2 report missing.data
warns "report: unexpected argument 'missing.data': there is no such file"
echo text >text.data
run 2 stat text.data
warns "stat: unexpected argument 'text.data': it is not a perf.data file"
run 2 annotate mising.data add_left
warns "annotate: neither 'mising.data' nor 'add_left' is a recording: name one, or try 'perf-spe help annotate'"
run 2 report --callers mising.data main
warns "report: neither 'mising.data' nor 'main' is a recording"
for verb in annotate 'report --callers' layout pgo; do
	# shellcheck disable=SC2086 # words
	run 2 $verb mising.data
	warns "${verb%% *}: neither 'mising.data' nor 'perf.data' is a recording: name one"
done
run 2 annotate -i shared.data add_left main
warns "annotate: unexpected argument 'main': there is no such file"
run 2 sharing -i shared.data callers.data
warns "sharing: 'shared.data' and 'callers.data' are two inputs: keep one"
run 2 mem shared.data callers.data
warns "mem: 'shared.data' and 'callers.data' are two inputs: keep one"

begin "habits: a recording of another user says so"
user=()
[ "$(id -u)" -ne 0 ] || user=(setpriv --reuid=65534 --clear-groups)
if [ "$(id -u)" -eq 0 ] && ! command -v setpriv >/dev/null; then
	skip 'no setpriv'
else
	cp shared.data perf.data
	chmod 600 perf.data
	[ "${#user[@]}" -ne 0 ] || chmod 0 perf.data
	chmod 755 .
	for words in report 'report perf.data' 'annotate add_left perf.data' 'stat perf.data' 'diff perf.data perf.data' 'archive perf.data'; do
		# shellcheck disable=SC2086 # words
		"${user[@]}" "$perf_spe" $words >"$out" 2>"$err" && fail "$words: status 0"
		warns 'cannot read perf.data: Permission denied; become its owner or root'
	done
	rm perf.data
fi

begin "habits: perf's options work where they mean the same"
same report "${symfs[@]}" -i shared.data --stdio -- report "${symfs[@]}" -i shared.data --text
same report "${symfs[@]}" -i shared.data -d shared -C 0-9 -- report "${symfs[@]}" -i shared.data --dso shared --cpu 0-9
for verb in report annotate script stat sharing mem layout advise; do
	same "$verb" "${symfs[@]}" -i shared.data -C 0-9 -- "$verb" "${symfs[@]}" -i shared.data --cpu 0-9
done
run 0 archive "${symfs[@]}" -i shared.data -C 0 -o "$dir/c.tar"
same diff "${symfs[@]}" shared.data callers.data -s op -C shared,callers -d shared,callers -- \
	diff "${symfs[@]}" shared.data callers.data --by op --comm shared,callers --dso shared,callers
# A PMU of a made-up machine, as in record.sh
pmu=$dir/root/sys/bus/event_source/devices/arm_spe_0
mkdir -p "$pmu/caps" "$pmu/format"
echo 0-3 >"$pmu/cpumask"
echo 8 >"$pmu/type"
echo 1024 >"$pmu/caps/min_interval"
mkdir "$pmu/counters"
for f in load_filter:config:33 ts_enable:config:0 jitter:config:16; do
	echo "${f#*:}" >"$pmu/format/${f%%:*}"
done
record=(record --root "$dir/root" --print)
same "${record[@]}" -c 4096 true -- "${record[@]}" --period 4096 true
same "${record[@]}" --count=4096 true -- "${record[@]}" --period 4096 true
same "${record[@]}" -g -c 4096 true -- "${record[@]}" --stacks --period 4096 true
same "${record[@]}" --call-graph dwarf -c 4096 true -- "${record[@]}" --stacks=dwarf --period 4096 true
same "${record[@]}" -c 4096 --all-cpus -- "${record[@]}" --period 4096 -a
same "${record[@]}" -c 4096 --output x.data true -- "${record[@]}" --period 4096 -o x.data true
# Behind the command they are the command's.
run 0 "${record[@]}" --period 4096 cc -c -g x.c
says ' cc -c -g x.c'
"$perf_spe" "${record[@]}" -F 99 true >"$dir/want" 2>&1
"$perf_spe" "${record[@]}" --freq 99 true >"$out" 2>&1
cmp -s "$dir/want" "$out" || fail '-F differs from --freq'

begin "habits: perf's other options name what perf-spe has"
run 2 record -e arm_spe// true
warns "record: perf's option -e: perf-spe makes the SPE events itself"
run 2 record -d true
warns "record: perf's option -d, --data: addresses of data are always recorded"
run 2 record --data true
warns "record: perf's option -d, --data"
run 2 report --children
warns "report: perf's option --children: a row has its own samples only"
run 2 report -g
warns "report: perf's option -g, --call-graph: give --callers"
run 2 report --call-graph=caller
warns "report: perf's option -g, --call-graph: give --callers"
run 2 report -n
warns "report: perf's option -n, --show-nr-samples: the column count"
run 2 report --sort comm,dso,symbol
warns "report: --sort orders the rows, and 'comm,dso,symbol' is what rows can stand for: give --by comm,object,symbol, and --sort symbol to sort by that"
run 2 report --sort overhead
warns "report: --sort: unknown key 'overhead'; did you mean 'cost'?"
run 2 report --sort samples
warns "report: --sort: unknown key 'samples'; did you mean 'count'?"
run 2 report --by symbol --events l1d-refill --sort l1d-refill
warns "report: --sort: 'l1d-refill' is an event, and events are no keys; for the rows with most of its samples give --filter 'events has l1d-refill' --sort count"
run 2 report --columns overhead,symbol
warns "report: --columns: unknown column 'overhead'; did you mean 'cost'?"
# perf report's own default with all of its keys
run 2 report --sort overhead,comm,dso,sym
warns "report: --sort orders the rows, and 'comm,dso,sym' is what rows can stand for: give --by comm,object,symbol, and --sort symbol to sort by that"
# Words of other profilers
for pair in function:symbol thread:tid module:object binary:object instruction:pc cycles:total; do
	run 2 report --by "${pair%:*}"
	warns "report: --by: unknown column '${pair%:*}'; did you mean '${pair#*:}'?"
done
for word in overhead samples count mean; do
	run 2 report --by $word
	warns "report: --by: unknown column '$word'; a row of report has it, a sample does not: --columns and --sort of report take it"
done
run 2 diff --sort mean
warns "diff: --by: unknown column 'mean'; a row of report has it, a sample does not: --columns and --sort of report take it"
# An event is no column.
for option in 'report --by mispredicted' 'export --fields mispredicted' 'stat --filter mispredicted'; do
	# shellcheck disable=SC2086 # words
	run 2 $option
	warns "unknown column 'mispredicted'; it is an event: --filter 'events has mispredicted' keeps its samples, and 'perf spe report --events help' lists those that rows can count"
done
# The second list would replace the first one.
for option in 'report --by op --by pid' 'report --by op --events retired --events l1d-refill' 'report --columns count --columns cost' \
	'diff --by op --by pid' 'annotate --events retired --events l1d-refill'; do
	# shellcheck disable=SC2086 # words
	run 2 $option
	warns 'is given twice: give one list, such as --'
done
run 2 annotate --events retired,retired
warns "annotate: --events lists 'retired' twice: remove one"
# hint VERB OPTION... -- TEXT: perf's option is refused with this hint
hint() {
	local words=()
	while [ "$1" != -- ]; do words+=("$1"); shift; done
	run 2 "${words[@]}"
	warns "${words[0]}: perf's option "
	warns "$2"
}
for verb in report annotate script stat; do
	hint "$verb" -v -- '-v, --verbose: messages are always complete; remove it'
	hint "$verb" -q -- '-q, --quiet: for numbers without a heading give --'
	hint "$verb" -x , -- 'for comma-separated values give '
done
hint annotate -x , -- "-x: for comma-separated values give --csv"
hint report --field-separator=, -- '-t, --field-separator: for comma-separated values give --csv'
hint report -p 170 -- "for the samples of a process give --filter 'pid == N'"
hint report -U -- "-U, --hide-unresolved: give --filter symbol"
hint report -D -- "-D, --dump-raw-trace: 'perf spe dump' prints the packets"
hint script -D -- "'perf spe dump' prints the packets"
hint report --header -- "--header: remove it; 'perf spe stat' prints how the recording was made"
hint script --header-only -- "--header-only: remove it; 'perf spe stat' prints how the recording was made"
for verb in report script annotate; do
	hint "$verb" --itrace=i1000 -- "--itrace: each sample is decoded, once; to keep some give --filter"
done
hint report --stats -- "--stats: 'perf spe stat' prints totals"
hint report --tasks -- '--tasks: give --by pid,comm'
hint report -T -- '-T, --threads: give --by pid,tid'
hint report --total-period -- '--total-period: '
hint report --hierarchy -- '--hierarchy: give --by with several columns'
hint report --group -- '--group: give --events for columns of events'
for verb in report annotate; do
	hint "$verb" --force -- "-f, --force: perf-spe reads files of any owner; remove it; for a format give --csv or --json"
	hint "$verb" -f -- "-f, --force: perf-spe reads files of any owner; remove it; for a format give --csv or --json"
done
for verb in report annotate stat sharing mem layout diff tier top; do
	hint "$verb" --format=csv -- '--format: give --csv or --json'
done
hint annotate -l -- '-l, --print-line: lines of source are printed where their files are found; remove it'
hint annotate -P -- '-P, --full-paths: '
hint annotate --objdump=x -- '--objdump: set the variable OBJDUMP'
hint annotate --percent-type local-period -- '--percent-type: share is of the samples of the function'
hint annotate --stdio2 -- '--stdio2: the output is always text; remove it'
hint mem -t load -- "-t, --type: give --filter 'op == load' or 'op == store'"
hint stat -e cycles -- "-e, --event: perf-spe prints what a recording has"
hint report --mem-mode -- '--mem-mode: give --by data_symbol'
for verb in sharing mem layout advise diff tier top; do
	hint "$verb" -v -- '-v, --verbose: messages are always complete; remove it'
done
for verb in layout advise diff tier; do hint "$verb" --stdio -- '--stdio: the output is always text; remove it'; done
for verb in sharing mem diff; do hint "$verb" -f -- '-f, --force: perf-spe reads files of any owner; remove it; for a format give --csv or --json'; done
hint top -K -- '-K, --hide_kernel_symbols: give --user'
hint top -U -- '-U, --hide_user_symbols: give --kernel'
hint top -z -- '-z, --zero: a table has the samples of its interval only'
hint top --stdio -- '--stdio: in a pipe the output is text; add | cat instead'
hint top -n -- '-n, --show-nr-samples: the column count has the numbers of samples; for the number of tables give --iterations N'
hint top --symbols=x -- "--symbols: give --filter 'symbol =="
hint diff -o 1 -- '-o, --order: the row whose cost changed most comes first'
hint diff -S x -- "-S, --symbols: give --filter 'symbol =="
hint diff --pid 1 -- "--pid: give --filter 'pid == N'"
hint diff --tid 1 -- "--tid: give --filter 'tid == N'"
hint diff -t , -- '-t, --field-separator: for comma-separated values give --csv'
hint sharing -c tid -- '-c, --coalesce: accesses of a line are always apart'
hint sharing -d lcl -- '-d, --display: lines with most accesses that another cache answered'
hint sharing --stats -- "--stats: 'perf spe stat' prints totals"
hint sharing -g caller -- "-g, --call-graph: 'perf spe report --callers' prints callers"
for verb in sharing mem; do hint "$verb" -s symbol -- "-s, --sort: for other rows give 'perf spe report --by' columns"; done
hint mem -x , -- '-x, --field-separator: for comma-separated values give --csv'
hint diff -c delta -- '-c, --compute: cost, share and mean are always compared'
hint script -s x.py -- '-s, --script: write rows with -f csv'
hint report --percent-limit 5 -- '--percent-limit: give --limit N for the first N rows'
hint report --max-stack 3 -- '--max-stack: '
hint report -w 10,20 -- '-w, --column-widths: '
hint report --inline -- '--inline: '
hint report --symbol-filter=x -- "--symbol-filter: give --filter 'symbol ~ TEXT'"
hint report --percentage relative -- '--percentage: shares are of the samples that filters keep; remove it'
for verb in report annotate; do
	hint "$verb" -M intel -- '-M, --disassembler-style: '
	hint "$verb" --prefix /src -- '--prefix: give --source-dir OLD=NEW'
done
for words in '--delay 100' '-D 100' -v -q '--cgroup x' -i; do
	# shellcheck disable=SC2086 # words
	hint record $words true -- ': put --perf before each of its words, to pass it on to perf record'
done
run 0 "${record[@]}" --period 4096 --perf -D --perf 100 true
says ' -D 100 '
run 2 c2c
warns "unknown verb 'c2c': 'perf spe sharing' prints"
for words in 'inject:each verb decodes' "kvm:'perf spe record -a --guests' samples" "buildid-list:'perf buildid-list' prints" \
	"flamegraph:'perf spe report --html' draws one"; do
	run 2 "${words%%:*}"
	warns "unknown verb '${words%%:*}': ${words#*:}"
done
run 2 mem record true
warns "mem: perf's 'mem record': give perf spe record --loads --stores"
run 2 mem report -i shared.data
warns "mem: perf's 'mem report': give perf spe mem FILE"
run 2 script -F ip,sym
warns "unknown column 'ip'; did you mean 'pc'? perf calls it 'ip'"
run 2 report --by dso
warns "unknown column 'dso'; did you mean 'object'?"
run 2 report --filter 'sym == x'
warns "unknown column 'sym'; did you mean 'symbol'?"

# lists OPTION WORD: "help" as its value prints the word and needs no recording
lists() {
	# shellcheck disable=SC2086 # words
	run 0 $1 help
	grep -q "^$2\b" "$out" || fail "$1: no $2"
	silent
}
begin "habits: help as a value lists the values"
lists 'report --by' cache_line
lists 'diff --by' symbol
lists 'export --fields' pc
lists 'script -F' pc
lists 'report --filter' total
lists 'report --events' l1d-refill
lists 'record --event' l1d-refill
lists 'record --data-source' dram
lists 'report --sort' mean
lists 'report -s' mean
lists 'report --columns' 'cost  *share of all'
lists 'stat --cpu-model' neoverse-v1
lists 'export --format' csv
lists 'pgo -f' bolt
lists 'advise -f' json
lists 'export --value' cycles
lists 'advise --threshold' tlb-walks
lists 'advise --fail-on' recording
lists 'diff --fail-on' mean
# Each name has a meaning behind it.
begin "habits: help for columns and events says what they mean"
for words in 'report --by' 'script -F' 'export --filter' 'report --events' 'record --event' 'record --not-event'; do
	# shellcheck disable=SC2086 # words
	run 0 $words help
	grep -qvE '^[a-zA-Z0-9_-]+  *[^ ].*[^ ]$' "$out" && fail "$words: $(grep -vE '^[a-zA-Z0-9_-]+  *[^ ].*[^ ]$' "$out")"
	[ "$(wc -L <"$out")" -le 80 ] || fail "$words: a line is too long"
done
run 0 export --fields help
[ "$(wc -l <"$out")" -gt 50 ] || fail 'columns are missing'
run 0 report --events help
says 'smcu                an SME unit that CPUs share executed it'
[ "$(grep -c . "$out")" -eq 24 ] || fail "$(grep -c . "$out") events"

begin "habits: help of other options"
run 0 record --stacks=help
says dwarf
# A thread or file may have this name.
run 0 report -i shared.data "${symfs[@]}" --comm help
warns 'keeps none'
run 0 --complete report --by he
says help

begin "habits: the verbs stand below the questions that they answer"
run 0 help
says 'Which code takes the time?'
[ "$(sed -n '/^Which data/,/^$/p' "$out" | awk '/^  / { print $1 }' | paste -sd' ')" = 'mem sharing tier layout' ] ||
	fail 'the verbs of data'

begin "habits: - is standard output"
for words in 'export -f csv -o' 'export -f folded -o' 'pgo -f misses shared -o' 'mem --svg' 'mem --html' 'report --html'; do
	# shellcheck disable=SC2086 # words
	run 0 $words "$dir/file" -i shared.data "${symfs[@]}"
	# shellcheck disable=SC2086 # words
	run 0 $words - -i shared.data "${symfs[@]}"
	cmp -s "$dir/file" "$out" || fail "$words - differs from a file"
done
run 0 diff --html "$dir/file" shared.data shared.data "${symfs[@]}"
run 0 diff --html - shared.data shared.data "${symfs[@]}"
cmp -s "$dir/file" "$out" || fail 'diff --html - differs from a file'
[ ! -e ./- ] || fail 'there is a file with the name -'
run 2 mem --svg - --html - -i shared.data
warns 'standard output can have one of'
run 2 diff --csv --html - shared.data shared.data
warns 'exclude each other'
run 2 export -f sqlite -o - -i shared.data
warns 'cannot go to standard output'
run 2 export --partition -o - -i shared.data
warns '--partition has no folder'

finish
