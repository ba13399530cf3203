#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A pager for long output on a terminal: which one, when there is none, and the exit status.
# usage: pager.sh PERF-SPE FIXTURE; beside them is pty, the terminal

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
pty=$(dirname "$fixture")/pty
make_program
sym_file
raw_file none.spe </dev/null
mkdir "$dir/bin"
# A pager that shows that it was there, and with which LESS
for program in less mine; do
	# shellcheck disable=SC2016 # for the pager
	printf '#!/bin/sh\necho "%s with ${LESS-nothing}:"\ncat >"%s/paged"\nsed 3q "%s/paged"\necho END\n' \
		"$program" "$dir" "$dir" >"$dir/bin/$program"
	chmod +x "$dir/bin/$program"
done
printf '#!/bin/sh\nhead -n 1\n' >"$dir/bin/leaves"
chmod +x "$dir/bin/leaves"
PATH=$dir/bin:$PATH
unset PAGER LESS

# screen STEPS ARGUMENTS...: run perf-spe on the terminal
screen() {
	local steps=$1
	shift
	rm -f "$dir/paged"
	"$pty" "$perf_spe" "$@" >"$out" 2>"$err" <<<"$steps" || fail "on the terminal: $*"
}
unpaged() { [ ! -e "$dir/paged" ] || fail "a pager for $*"; }
data=(-i "$dir/sym.data" --symfs "$dir/root")

begin "pager: less with FRX, or PAGER"
for verb in stat annotate mem sharing layout advise dump export script; do
	words=("${data[@]}")
	[ "$verb" != dump ] || words=(-i "$dir/sym.data")
	screen 'see less with FRX:
see END' "$verb" "${words[@]}"
	[ -s "$dir/paged" ] || [ "$verb" = mem ] || fail "$verb: the pager gets nothing"
done
screen 'see less with FRX:
end 0' report --text "${data[@]}"
grep -q hot "$dir/paged" || fail 'the report is not in the pager'
screen 'see less with FRX:
end 0' help
PAGER=mine screen 'see mine with FRX:
end 0' stat "${data[@]}"
PAGER='mine | cat' LESS=S screen 'see mine with S:
end 0' stat "${data[@]}"

begin "pager: as wide as the terminal, by its columns"
PTY_COLUMNS=60 screen 'see END
end 0' report --text "${data[@]}"
# The heading names files.
[ "$(grep -v '^#' "$dir/paged" | wc -L)" -le 60 ] || fail 'rows are wider than the terminal'

begin "pager: sentences wrap at the width of the terminal"
cd "$here/../../../Documentation/examples" || exit 1
for words in 'advise walks' 'mem walks' 'sharing shared' 'layout apart'; do
	PTY_COLUMNS=80 screen 'see END
end 0' "${words% *}" -i "${words#* }.data" --symfs symfs
	[ -s "$dir/paged" ] || fail "$words: nothing in the pager"
	# Commands stay whole, to be pasted, and so do rows of tables.
	grep -E '^#|^[a-z0-9]|^   [a-z]' "$dir/paged" | grep -v 'cost .* count' >"$dir/sentences"
	[ "$(wc -L <"$dir/sentences")" -le 80 ] || fail "$words: $(awk 'length > 80' "$dir/sentences")"
done

begin "pager: messages wrap too, and a command in one stays whole on a line of its own"
none=(--filter 'comm == "nobody at all"' "${data[@]}")
wrapped() { PTY_LOG=$dir/log PTY_COLUMNS=60 PAGER=$1 screen 'end 0' stat "${none[@]}"; tr -d '\r' <"$dir/log" | sed -n '/^perf-spe: /,$p'; }
run 0 stat "${none[@]}"
cp "$err" "$dir/piped"
command=$(sed -n 's/.*, run: //p' "$err")
[ "${#command}" -gt 60 ] || fail "the command is too short for this test: $command"
for pager in cat less; do
	wrapped $pager >"$dir/messages"
	grep -qxF "    $command" "$dir/messages" || fail "$pager: the command is not on a line of its own: $(cat "$dir/messages")"
	[ "$(grep -vF "$command" "$dir/messages" | wc -L)" -le 60 ] || fail "$pager: $(cat "$dir/messages")"
	[ "$(paste -sd' ' <"$dir/messages" | tr -s ' ')" = "$(cat "$dir/piped")" ] || fail "$pager: other words: $(cat "$dir/messages")"
done

begin "pager: diff leaves out what does not fit, and says so"
cd "$here/../../../Documentation/examples" || exit 1
for columns in 160 80 50; do
	PTY_COLUMNS=$columns screen 'end 0' diff --symfs symfs shared.data apart.data
	[ "$(grep -v '^#   ' "$dir/paged" | wc -L)" -le $columns ] || fail "$columns columns: $(awk -v m=$columns 'length > m' "$dir/paged")"
	cp "$dir/paged" "$dir/diff-$columns"
done
grep -q 'symbol  *old  *new  *change' "$dir/diff-160" || fail 'no old numbers in 160 columns'
grep -q 'no room' "$dir/diff-160" && fail 'a note in 160 columns'
grep -qx '  add_left   25.45%  -28.2%\*  39.73%   -8.4%     7.8  -58.8%\*' "$dir/diff-80" || fail '80 columns'
grep -q '^# the terminal has no room for the old numbers' "$dir/diff-80" || fail 'no note in 80 columns'
grep -qx '  add_left   25.45%  -28.2%\*  39.73%   -8.4% *' "$dir/diff-50" || fail 'half a number in 50 columns'

begin "pager: a heading stands above its numbers where names are cut"
for columns in 70 80 100 160; do
	PTY_COLUMNS=$columns screen 'see END
end 0' report --text --by data_symbol,type,field,symbol -i shared.data --symfs symfs
	[ "$(grep -v '^#' "$dir/paged" | wc -L)" -le $columns ] || fail "$columns columns: too wide"
	awk '/^# .*cost .*share/ { want = index($0, "share") + 4 }
		/^ .*%.*%/ { first = index($0, "%"); rows++; other += first + index(substr($0, first + 1), "%") != want }
		END { exit !(rows == 8 && !other) }' "$dir/paged" || fail "$columns columns: $(grep -A1 '^# .*cost' "$dir/paged")"
done

begin "pager: a line of source keeps its number where its path is cut"
PTY_COLUMNS=80 screen 'see END
end 0' report --text --by source_line,op -i branchy.data --symfs symfs
[ "$(grep -c '^ .*\.\.[a-z/]*/branchy\.c:[0-9]* ' "$dir/paged")" -gt 20 ] || fail "$(grep -m 3 branchy.c "$dir/paged")"

begin "pager: tables of fixed columns fit, and lose no word"
# words FILE: those of the tables; what stands below may be one that goes on
words() { tr -s ' \t\n' ' ' <"$1" | sed 's/ # / /g'; }
for line in 'stat walks' 'stat --ci shared' 'mem walks' 'mem --ci walks' 'mem --traffic walks' 'mem --physical shared' 'sharing shared' 'sharing --ci --types shared'; do
	read -ra options <<<"${line% *} -i ${line##* }.data --symfs symfs"
	for columns in 80 200; do
		PTY_COLUMNS=$columns screen 'see END
end 0' "${options[@]}"
		sed '/^# working set/,$d' "$dir/paged" >"$dir/fitted-$columns"
		[ "$(grep '^# ' "$dir/paged" | wc -L)" -le $columns ] || fail "$line: a heading is wider than $columns"
	done
	run 0 "${options[@]}"
	sed '/^# working set/,$d' "$out" >"$dir/piped"
	[ "$(wc -L <"$dir/fitted-80")" -le 80 ] || fail "$line: $(awk 'length > 80' "$dir/fitted-80")"
	[ "$(words "$dir/fitted-80")" = "$(words "$dir/piped")" ] || fail "$line: other words"
	[ "$(words "$dir/fitted-200")" = "$(words "$dir/piped")" ] || fail "$line: other words in 200 columns"
done
PTY_COLUMNS=80 screen 'see END
end 0' mem -i walks.data --symfs symfs
grep -qx '#    cost  count   share  stores  mean   KiB  addresses' "$dir/paged" || fail "no narrow heading: $(grep cost "$dir/paged")"
grep -qx '   99.90%    380  99.48%      33  35.1  1448  0x426000-0xc1f000 169 walks:' "$dir/paged" || fail "no narrow row: $(grep -A1 426000 "$dir/paged")"

begin "pager: layout fits, with fewer numbers where there is no room"
for columns in 80 119 120 200; do
	PTY_COLUMNS=$columns screen 'see END
end 0' layout -i branchy.data --symfs symfs node
	[ "$(wc -L <"$dir/paged")" -le $columns ] || fail "$columns columns: $(awk -v m=$columns 'length > m' "$dir/paged")"
	[ "$(grep -cE '^ +[0-9.]+% .*(child\[2\]|key|hits);$' "$dir/paged")" -eq 3 ] || fail "$columns columns: $(grep ';' "$dir/paged")"
	cp "$dir/paged" "$dir/layout-$columns"
done
for columns in 80 119; do
	grep -q '^#.* read by' "$dir/layout-$columns" && fail "$columns columns: readers"
	grep -q '^# loads, stores, p99, readers and writers: a terminal of 120' "$dir/layout-$columns" || fail "$columns columns: no note"
done
grep -qE '^  50.00% +33 +7.0 +- +0 +16 +struct node' "$dir/layout-80" || fail "$(grep child "$dir/layout-80")"
run 0 layout -i branchy.data --symfs symfs node
for columns in 120 200; do
	[ "$(words "$dir/layout-$columns")" = "$(words "$out")" ] || fail "other words in $columns columns"
done

begin "pager: rows of evidence break between words"
PTY_COLUMNS=80 screen 'see END
end 0' advise -i callers.data --symfs symfs
grep -v '^ *\$ perf spe' "$dir/paged" | awk 'length > 80' >"$dir/got"
[ ! -s "$dir/got" ] || fail "$(cat "$dir/got")"
grep -qx '          255    172.8  load 0x400924 leaf at callers.c:26, uint8_t\[16777216\],' "$dir/paged" || fail "$(grep -A2 0x400924 "$dir/paged")"

begin "pager: annotate fits, with fewer numbers where there is no room"
source=(-i walks.data --symfs symfs --source-dir ../..)
for columns in 80 99 100 200; do
	PTY_COLUMNS=$columns screen 'see END
end 0' annotate down "${source[@]}"
	[ "$(expand "$dir/paged" | wc -L)" -le $columns ] || fail "$columns columns: $(expand "$dir/paged" | awk -v m=$columns 'length > m')"
	cp "$dir/paged" "$dir/listing-$columns"
done
for columns in 80 99; do
	grep -q p99 "$dir/listing-$columns" && ! grep -q '^# p99 and the issue latency: a terminal of 100 columns' "$dir/listing-$columns" && fail "$columns columns: p99"
	grep -q '^# p99 and the issue latency' "$dir/listing-$columns" || fail "$columns columns: no note"
done
run 0 annotate down "${source[@]}"
[ "$(words "$dir/listing-200")" = "$(words "$out")" ] || fail 'other words in 200 columns'
# With events, each instruction is still in one row.
for columns in 80 99; do
	PTY_COLUMNS=$columns screen 'see END
end 0' annotate down "${source[@]}" --events l1d-refill,tlb-walk
	grep -q $'^ *[0-9.]*%  .*: *ldr  *w[0-9]*, .x' "$dir/paged" || fail "$columns columns: the load is in two rows"
	[ "$(expand "$dir/paged" | wc -L)" -le $columns ] || fail "$columns columns: too wide"
	tr '\n' ' ' <"$dir/paged" | grep -q 'share, the means, p99: a terminal of 122 columns, a pipe or --csv has them' || fail 'no note'
done
# The view of report shifts text, and has all columns on any terminal.
PERF_SPE_COLUMNS=80 run 0 annotate down "${source[@]}"
says 'p99'

begin "pager: help fits the terminal, with the same words"
words() { tr -s ' \n' ' ' <"$1"; }
for verb in '' $("$perf_spe" help | awk '/^  [a-z]/ { print $1 }'); do
	for columns in 80 60 160; do
		# shellcheck disable=SC2086 # no word for all verbs
		PTY_COLUMNS=$columns screen 'end 0' help $verb
		# shellcheck disable=SC2086
		run 0 help $verb
		[ "$(words "$out")" = "$(words "$dir/paged")" ] || fail "$columns columns: other words in the help of ${verb:-perf spe}"
		[ "$(wc -L <"$dir/paged")" -le $columns ] || fail "$columns columns: $(awk -v m=$columns 'length > m' "$dir/paged")"
	done
done
# A description goes on where it begins.
PTY_COLUMNS=80 screen 'end 0' tier --help
grep -qx '                      its processor (such as graviton3), if the recording does' "$dir/paged" || fail "$(cat "$dir/paged")"

begin "pager: the reasons of stat and the shapes of histograms wrap"
PTY_COLUMNS=80 screen 'see END
end 0' stat -i shared.data --symfs symfs
sed '1,/can this recording be trusted/d; /record instead/d' "$dir/paged" | sed '/^$/,$d' >"$dir/reasons"
grep -q '^        ' "$dir/reasons" || fail 'no reason wraps'
[ "$(wc -L <"$dir/reasons")" -le 80 ] || fail "$(cat "$dir/reasons")"
PTY_COLUMNS=80 screen 'see END
end 0' report --text --histogram -i shared.data --symfs symfs
grep -q '^# .*highest at' "$dir/paged" || fail 'no shape'
[ "$(sed '1,/^# histograms/d' "$dir/paged" | grep '^# ' | wc -L)" -le 80 ] || fail 'a shape is wider than the terminal'

begin "pager: none"
screen 'see tasks and their total latency
end 0' --no-pager stat "${data[@]}"
unpaged --no-pager
screen 'end 0' stat --no-pager "${data[@]}"
unpaged 'stat --no-pager'
for none in '' cat; do
	PAGER=$none screen 'end 0' stat "${data[@]}"
	unpaged "PAGER=$none"
done
PTY_TERM=dumb screen 'end 0' stat "${data[@]}"
unpaged 'a dumb terminal'
run 0 stat "${data[@]}"
unpaged 'a pipe'
# shellcheck disable=SC2016 # for the shell on the terminal
"$pty" sh -c '"$0" stat "$@" | cat' "$perf_spe" "${data[@]}" >"$out" 2>"$err" <<<'end 0' || fail 'a pipe on a terminal'
unpaged 'a pipe on a terminal'
# Without less in PATH
mkdir "$dir/few"
ln -s "$(command -v sh)" "$dir/few/"
rm -f "$dir/paged"
PATH=$dir/few "$pty" "$perf_spe" stat "${data[@]}" >"$out" 2>"$err" <<<'end 0' || fail 'without less'
unpaged 'no less'

begin "pager: one that is not there loses no output"
for none in no-such-pager '  ' "$dir/no-such-pager -R"; do
	PAGER=$none screen 'see tasks and their total latency
end 0' stat "${data[@]}"
	unpaged "PAGER=$none"
done
# The message stands above the output, which fits on the screen here.
PAGER='  no-such-pager -R' screen "see the pager '  no-such-pager -R' was not found: correct PAGER
end 0" report --text "${data[@]}"
# What only a shell understands
PAGER='LESS=x mine' screen 'see END
end 0' stat "${data[@]}"

begin "pager: the exit status is that of the verb"
screen 'see unexpected argument
end 2' stat no-such-file
screen 'see No such file
end 1' annotate -i "$dir/no-such-file"
screen 'end 3' advise --fail-on recording "${data[@]}"
# The user leaves the pager before the end, while output is small or large
PAGER=leaves screen 'end 3' advise --fail-on recording "${data[@]}"
{
	echo 'info 4'
	for ((i = 0; i < 30000; i++)); do echo "rec pc=$(user 0x1234) total=5"; done
	echo 'auxtrace 0 -1 10 0'
} | perf_file long.data
PAGER=leaves screen 'end 0' dump -i "$dir/long.data"
PAGER=leaves screen 'end 0' export -i "$dir/long.data"

# PTY_LOG has all that the terminal got, in order.
begin "pager: messages come after what the pager showed"
after() {
	local steps=$1
	shift
	rm -f "$dir/log"
	PTY_LOG=$dir/log screen "$steps" "$@"
	tr -d '\r' <"$dir/log" | grep -oE 'with FRX:|END|perf-spe: .* keeps none' | sed 's/:.* keeps/: keeps/' | paste -sd' '
}
none=(--filter 'total > 99999' "${data[@]}")
[ "$(after 'end 0' stat "${none[@]}")" = 'with FRX: END perf-spe: keeps none' ] || fail 'stat'
# A message comes although the user leaves the pager.
[ "$(PAGER=leaves after 'end 0' stat "${none[@]}")" = 'perf-spe: keeps none' ] || fail 'a pager that was left'
# shellcheck disable=SC2016 # for the shell on the terminal
ERR=$dir/messages "$pty" sh -c '"$0" stat "$@" 2>"$ERR"' "$perf_spe" "${none[@]}" >"$out" 2>"$err" <<<'end 0' || fail 'standard error to a file'
grep -q 'keeps none' "$dir/messages" || fail 'no message in the file'

begin "pager: binary output is refused as on a terminal"
screen 'see not for a terminal
end 1' export -f pprof "${data[@]}"

finish
