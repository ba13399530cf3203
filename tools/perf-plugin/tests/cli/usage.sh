#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Help, versions, and wrong verbs and options.
# usage: usage.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

mapfile -t verbs < <("$perf_spe" --help | sed -n 's/^  \([a-z]*\) .*/\1/p')
# one_line TEXT: standard error is this line
one_line() {
	[ "$(cat "$err")" = "perf-spe: $1" ] || fail "not '$1'"
	[ ! -s "$out" ] || fail 'standard output is not empty'
}

begin "usage: the version, in each way of asking"
version=$(cat "$here/../../../VERSION")
for way in --version version -V 'report --version' 'record --version' 'doctor --version' 'help --version'; do
	# shellcheck disable=SC2086 # words
	run 0 $way
	[ "$(cat "$out")" = "perf-spe $version" ] || fail "$way prints $(cat "$out")"
	silent
done

begin "usage: general help, in each way of asking"
for way in --help -h help 'help help'; do
	# shellcheck disable=SC2086 # words
	run 0 $way
	[ "$(head -n 1 "$out")" = 'usage: perf spe VERB [OPTIONS]' ] || fail "$way"
	silent
done

begin "usage: the help of each verb, in each way of asking"
[ "${#verbs[@]}" -ge 13 ] || fail "only ${#verbs[@]} verbs"
for verb in "${verbs[@]}"; do
	run 0 "$verb" --help
	cp "$out" "$dir/help"
	[[ $(head -n 1 "$out") == "usage: perf spe $verb "* ]] || fail "$verb: $(head -n 1 "$out")"
	for way in "help $verb" "$verb -h"; do
		# shellcheck disable=SC2086 # words
		run 0 $way
		cmp -s "$out" "$dir/help" || fail "$way differs from $verb --help"
		silent
	done
done

begin "usage: a wrong verb"
run 2 reprot
one_line "unknown verb 'reprot'; did you mean 'report'? try 'perf-spe help'"
run 2 help reprot
one_line "unknown verb 'reprot'; did you mean 'report'? try 'perf-spe help'"
run 2 nonsense
one_line "unknown verb 'nonsense': try 'perf-spe help'"
run 2
warns 'usage: perf spe VERB [OPTIONS]'

begin "usage: an unknown option, for each verb"
for verb in "${verbs[@]}"; do
	run 2 "$verb" --nonsense
	one_line "$verb: unknown option '--nonsense': try 'perf-spe help $verb'"
	run 2 "$verb" -Y
	one_line "$verb: unknown option '-Y': try 'perf-spe help $verb'"
done

begin "usage: options that are nearly right"
run 2 report --lmit 3
one_line "report: unknown option '--lmit'; did you mean '--limit'? try 'perf-spe help report'"
run 2 export --limit 3
one_line "export: unknown option '--limit'; end the command with | head, or keep fewer samples with --time or --filter; try 'perf-spe help export'"
run 2 diff -i x.data y.data
one_line "diff: perf's option -i, --input: give the recordings as arguments: perf spe diff OLD NEW; try 'perf-spe help diff'"
# Most verbs have these options, and export formats.
run 2 export --json
one_line "export: unknown option '--json'; give --format jsonl; try 'perf-spe help export'"
run 2 script --csv=rows
one_line "script: unknown option '--csv'; give --format csv; try 'perf-spe help script'"
run 2 stat --html x.html
one_line "stat: unknown option '--html'; give it to report, whose page has this too; try 'perf-spe help stat'"
# What is far, or means the opposite, is not proposed.
run 2 record --json
one_line "record: unknown option '--json': try 'perf-spe help record'"
run 2 report --no-source
one_line "report: unknown option '--no-source': try 'perf-spe help report'"
run 2 report --foo
one_line "report: unknown option '--foo': try 'perf-spe help report'"
run 2 mem --png=a.png --hieght=3
one_line "mem: unknown option '--hieght'; did you mean '--height'? try 'perf-spe help mem'"
run 2 export --fo csv --h x
one_line "export: option '--h' is short for several options; choose --host, --help, --header, --header-only: try 'perf-spe help export'"

begin "usage: a value that is missing, or too much"
run 2 report --limit
one_line "report: option '--limit' has no value: try 'perf-spe help report'"
run 2 dump -i
one_line "dump: option '-i' has no value: try 'perf-spe help dump'"
run 2 record --period
one_line "record: option '--period' has no value: try 'perf-spe help record'"
for option in batch heap-limit; do
	run 2 record --$option x
	one_line "record: --$option needs a positive whole number, not 'x'"
done
run 2 report --limit 1.5
one_line "report: --limit needs a positive whole number, not '1.5'"
run 2 report --limit 18446744073709551616
one_line "report: --limit 18446744073709551616 is too large: give at most 18446744073709551615"
run 2 report --summary=yes
one_line "report: option '--summary' takes no value: try 'perf-spe help report'"

begin "usage: an argument too many, or none"
for verb in "${verbs[@]}"; do
	case $verb in annotate | diff | fleet | layout | pgo | pmbsr | record | top) continue ;; esac
	run 2 "$verb" extra
	if [ "$verb" = doctor ] || [ "$verb" = agent ]; then
		one_line "$verb: unexpected argument 'extra': try 'perf-spe help $verb'"
	else
		one_line "$verb: unexpected argument 'extra': there is no such file; name a recording, or try 'perf-spe help $verb'"
	fi
done
run 2 pmbsr
one_line "pmbsr: no value given: add one, for example 0x94000001; try 'perf-spe help pmbsr'"

begin "usage: options of a command that record runs are the command's"
run 2 record -- 2>/dev/null
warns 'record: no command given'

finish
