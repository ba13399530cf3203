#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The heading of each report: what was recorded, where and when; and --cpu-model.
# The names of cores are those of the MIDRs in Arm's manuals: 0x410fd0c0 is the
# Neoverse N1, 0x410fd490 the Neoverse N2; code 0xe of both is DRAM.
# usage: heading.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
make_program

# text INFO: a recording of 2.5 seconds whose AUXTRACE_INFO is of this line
text() {
	cat <<END
osrelease 9.9.9-test
text 3 box
text 6 aarch64
text 8 Great-CPU
cpus 4
words 11 perf record -e arm_spe// -- ./prog
pmus 8 arm_spe_0 9 arm_spe_1
$1
comm 10 10 1000000000 1 prog
comm 10 11 1000000000 0 prog
map 10 $map_prog 1000000001 $id /usr/bin/prog
itrace 10 10 0 1500000000
rec pc=$(user "$(at "$hot")") total=1 class=1 op=0 va=0x2000 source=14
rec pc=$(user "$(at "$hot")") total=2 class=1 op=1 va=0x2040
auxtrace 0 0 10 0
switch 0 10 10 0 3500000000
END
}
heading() { sed -n '/^# [a-z]* \{3,\}/p' "$out"; }
# line NAME TEXT: the heading has this line
line() {
	grep -qxF -- "$(printf '# %-10s %s' "$1" "$2")" "$out" || fail "no '$1 $2': $(heading | tr '\n' ';')"
}

text 'midrs 4 0x413fd0c1 0x413fd0c1 0x413fd0c1 0x413fd0c1' | perf_file h.data

begin "heading: each report begins with what the file says of the recording"
for verb in report 'report --by op' stat mem sharing annotate; do
	# shellcheck disable=SC2086 # words
	run 0 $verb -i "$dir/h.data" --symfs "$dir/root"
	[ "$(head -n 1 "$out")" = '# command    perf record -e arm_spe// -- ./prog' ] || fail "$verb: $(head -n 1 "$out")"
	line command 'perf record -e arm_spe// -- ./prog'
	line host 'box, Linux 9.9.9-test, aarch64'
	line cpus '4 CPUs, Great-CPU: Neoverse N1'
	line pmu 'arm_spe_0'
	line file "$dir/h.data"
	line duration "2.500 s, from 1.000000 to 3.500000 s of perf's clock"
	if [ "$verb" = sharing ]; then
		warns 'sharing: all samples with an address are of one thread, and lines that one thread uses are not listed'
	else
		silent
	fi
done
for verb in mem report; do
	run 0 $verb -i "$dir/h.data" --html "$dir/h.html"
	for fact in '<dt>command</dt><dd>perf record -e arm_spe// -- ./prog</dd>' \
		'<dt>pmu</dt><dd>arm_spe_0</dd>' '<dt>duration</dt><dd>2.500 s, from 1.000000 to 3.500000 s of perf' \
		'<dt>host</dt><dd>box, Linux 9.9.9-test, aarch64</dd>' \
		"<dt>file</dt><dd>$dir/h.data</dd>"; do
		grep -qF "$fact" "$dir/h.html" || fail "the page of $verb has no $fact"
	done
done

begin "heading: what was lost is told above a table, and on standard error where nothing is above"
{
	text $'info 4\nnuma 0 0-1 1 2,3' | sed '/^auxtrace/d'
	echo "rec pc=$(user "$(at "$hot")") ctx1=10 class=2 op=1 events=2 target=$(user "$(at "$hot")") total=3 ts=5"
	printf '%s\n' 'auxtrace 0 0 10 0' 'aux 1 0 5' 'aux 12 0 6' 'lost 2'
} | perf_file lossy.data
lossy=(-i "$dir/lossy.data" --symfs "$dir/root")
for verb in report 'report --by op' stat mem sharing layout annotate advise tier; do
	# shellcheck disable=SC2086 # words
	"$perf_spe" $verb "${lossy[@]}" >"$out" 2>"$err"
	for line in '# AUX data: 1 time truncated, 1 partial, 1 with collisions' '# lost: 2 perf records'; do
		[ "$(grep -cxF "$line" "$out")" = 1 ] || fail "$verb has not once: $line"
	done
	! grep -q 'lost data' "$err" || fail "$verb tells it twice"
done
# told: standard error says it once, and how to know more
told() {
	warns ': the recording lost data: AUX data 1 time truncated, 1 partial, 1 with collisions; 2 perf records lost; to see what that costs, run: perf spe stat '
	[ "$(grep -c 'lost data' "$err")" = 1 ] || fail "not told once: $(cat "$err")"
}
for format in text csv jsonl folded speedscope firefox pprof otlp; do
	run 0 export "${lossy[@]}" -f "$format" -o "$dir/lossy.$format"
	told
	! grep -qa 'lost data' "$dir/lossy.$format" || fail 'it is among the rows'
done
run 0 export "${lossy[@]}" --partition -f csv -o "$dir/parts"
told
for format in bolt autofdo profgen misses; do
	run 0 pgo "${lossy[@]}" prog -f "$format"
	told
done
run 0 export -i "$dir/h.data" --symfs "$dir/root" -o "$dir/whole.csv"
silent

begin "heading: no line for what the file does not say"
printf 'rec total=5 class=2 op=0' | raw_file s.spe
run 0 stat --raw "$dir/s.spe"
[ "$(heading | cut -d' ' -f2)" = file ] || fail "$(heading)"
run 0 stat -i - <"$dir/h.data"
line command 'perf record -e arm_spe// -- ./prog'
heading | finds '^# file' && fail 'standard input has no name'
run 0 report -i "$dir/h.data" --summary
[ -z "$(heading)" ] || fail 'a heading among keys'
run 0 export -i "$dir/h.data"
[ -z "$(heading)" ] || fail 'a heading among rows'

# perf inject to a pipe writes the features of its own machine.
begin "heading: the core of a recording whose CPUID is not a MIDR_EL1"
for id in 0x410fd0c0 AuthenticAMD,26,2,1; do
	printf '%s\n' 'info 4' "text 9 $id" 'rec pc=0x8000000000001000 total=1' 'auxtrace 0 0 -1 0' | perf_file id.data
	run 0 report "$dir/id.data"
	case $id in 0x*) says '# cpus       Neoverse N1' ;; *) ! grep '^# cpus' "$out" || fail "$id" ;; esac
done

begin "heading: names that are empty"
{ printf 'info 4\ntext 3 box\nfeature 6 01 00 00 00 00\n'; printf 'rec pc=0x8000000000001000 total=1\nauxtrace 0 0 -1 0\n'; } |
	perf_file empty.data
run 0 report -i "$dir/empty.data"
grep -qxE '# host +box' "$out" || fail 'not the host alone'

begin "heading: several kinds of cores"
text 'midrs 5 0x413fd0c1 0x410fd490 0x6d0fd490 0x480fd010 0x990fd8e0' | perf_file two.data
run 0 stat -i "$dir/two.data"
line cpus '4 CPUs, Great-CPU: Neoverse N1, Neoverse N2, Azure Cobalt 100, TSV110, part 0xd8e of implementer 0x99'

# A CPU that came online later is not in AUXTRACE_INFO.
begin "heading: a CPU that the recording does not list is taken for what all others are"
text 'midrs 2 0x413fd0c1 0x413fd0c1' | sed 's/^auxtrace 0 0 /auxtrace 0 7 /' | perf_file late.data
run 0 stat -i "$dir/late.data"
line cores 'the file does not say which core CPU 7 is: taken for Neoverse N1, as all that it names are alike'
run 0 export -i "$dir/late.data" -F source_name,core
says 'source_name=dram core=Neoverse N1'
run 0 stat -i "$dir/h.data"
heading | finds '^# cores' && fail 'no CPU is missing'
text 'midrs 2 0x413fd0c1 0x410fd490' | sed 's/^auxtrace 0 0 /auxtrace 0 7 /' | perf_file late2.data
run 0 export -i "$dir/late2.data" -F source,source_name,core
says 'source=14'
grep -q 'source_name' "$out" && fail 'two kinds of cores, and it chose one'
run 0 stat -i "$dir/late2.data"
line cores 'the file does not say which core CPU 7 is, and names several kinds: source_name is empty there; name the core with --cpu-model'

begin "heading: why source_name is empty, and how to name the core"
text 'info 4' | perf_file none.data
for verb in stat sharing advise 'report --by source_name' 'mem --filter !source_name'; do
	# shellcheck disable=SC2086 # words
	run 0 $verb -i "$dir/none.data" --symfs "$dir/root"
	says '# source_name is empty: the recording does not say which cores it is of; name the core, for example --cpu-model neoverse-n1'
done
run 0 report --by op,core -i "$dir/none.data"
says '# core and source_name are empty: the recording does not say which cores it is of; name the core'
for verb in report 'report --by op' mem annotate layout; do
	# shellcheck disable=SC2086 # words
	"$perf_spe" $verb -i "$dir/none.data" --symfs "$dir/root" >"$out" 2>"$err"
	grep -q 'source_name' "$out" && fail "$verb has no such column"
done
text 'midrs 1 0x410fd8e0' | perf_file other.data
run 0 stat -i "$dir/other.data"
says '# source_name is empty where MIDR_EL1 is 0x410fd8e0 (Neoverse N3): perf-spe does not know its data sources; if a known core has the same ones, name it, for example --cpu-model neoverse-n1'
run 0 stat -i "$dir/h.data"
grep -q 'source_name' "$out" && fail 'says that a known core is not'
text 'info 4' | sed 's/ source=14//' | perf_file nosource.data
run 0 stat -i "$dir/nosource.data"
grep -q 'source_name' "$out" && fail 'no sample has a source'
run 0 report --by core -i "$dir/nosource.data"
says '# core and source_name are empty: the recording does not say which cores it is of; name the core'
run 0 report --by op --filter 'not core' -i "$dir/other.data"
says '# core and source_name are empty where MIDR_EL1 is 0x410fd8e0 (Neoverse N3)'
run 0 report --filter 'source_name == dram' -i "$dir/other.data"
says '# source_name is empty where MIDR_EL1 is 0x410fd8e0 (Neoverse N3)'
warns "--filter 'source_name == dram' keeps none"
run 0 report --filter 'source_name == l1d' -i "$dir/h.data"
grep -q ' empty' "$out" && fail 'says of a filter that a known core is not'
run 0 report --by core -i "$dir/none.data" --cpu-model neoverse-n1
run 0 report --by core -i "$dir/h.data"
grep -q ' empty' "$out" && fail 'says that a known core is not'

begin "cpu-model: names data sources where the recording does not name the core"
run 0 export -i "$dir/none.data" -F source,source_name,core
says 'source=14'
grep -q 'dram\|Neoverse' "$out" && fail 'the core is not known'
for model in neoverse-n1 'Neoverse N1' NEOVERSE-N2; do
	run 0 export -i "$dir/none.data" -F source_name --cpu-model "$model"
	says 'source_name=dram'
done
run 0 export -i "$dir/none.data" -F core --cpu-model neoverse-n1
says 'core=Neoverse N1'
# Processors, by the sources in cpu_model.c
while read -r processor core; do
	run 0 export -i "$dir/none.data" -F core --cpu-model "$processor"
	says "core=$core"
done <<'END'
graviton2 Neoverse N1
graviton3 Neoverse V1
Graviton4 Neoverse V2
altra Neoverse N1
altra-max Neoverse N1
grace Neoverse V2
axion Neoverse V2
cobalt-100 Azure Cobalt 100
ampereone AmpereOne
END
run 0 export -i "$dir/none.data" -F core --cpu-model 'Altra Max'
says 'core=Neoverse N1'
run 2 export -i "$dir/none.data" -F core --cpu-model kunpeng920
warns 'kunpeng920 has the core TSV110, and no public document names its data sources: remove --cpu-model'
run 2 export -i "$dir/none.data" -F core --cpu-model gravitn3
warns "did you mean 'graviton3'"
run 0 export --cpu-model help
says 'graviton3           the processor with the core Neoverse V1'
run 0 export -i "$dir/none.data" -F core --cpu-model neoverse-n1
says 'core=Neoverse N1'
run 0 stat -i "$dir/none.data" --cpu-model neoverse-n1
grep -qE '^ +1 +100\.00% .* 14 dram$' "$out" || fail 'no dram'
line cpus '4 CPUs, Great-CPU: Neoverse N1 by --cpu-model'
grep -q 'source_name' "$out" && fail 'says that it is empty'
# Code 14 is no source of AmpereOne: the option wins over the recording.
run 0 export -i "$dir/h.data" -F source_name --cpu-model ampereone
grep -q dram "$out" && fail 'the recorded core wins'
printf 'rec class=1 op=0 source=14' | raw_file s.spe
run 0 export --raw "$dir/s.spe" -F source_name --cpu-model hip12
run 0 export --raw "$dir/s.spe" -F source_name --cpu-model neoverse-v1
says 'dram'
# A snoop that only the source tells: a peer's cache, on the Neoverse N1
text 'info 4' | sed 's/source=14/source=9 ctx1=11/; s/class=1 op=1 va=0x2040/class=1 op=1 va=0x2008/' | perf_file peer.data
run 0 sharing -i "$dir/peer.data"
says '1 load, 1 store, 0 snooped'
run 0 sharing -i "$dir/peer.data" --cpu-model neoverse-n1
says '1 load, 1 store, 1 snooped'

begin "cpu-model: wrong names"
run 2 stat --cpu-model neoverse-n3
warns "stat: --cpu-model: unknown core 'neoverse-n3'; did you mean 'neoverse-n1', 'neoverse-n2' or 'neoverse-v3'?"
run 2 stat --cpu-model pentium
warns "unknown core 'pentium'; choose neoverse-n1, neoverse-v1, cortex-x1,"
run 2 top --cpu-model neoverse-n1
warns "unknown option '--cpu-model'"

finish
