#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The README's first command, on the recording in Documentation/examples: it must print
# what the README shows.
# usage: example.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/page.sh
. "$(dirname "$0")/lib/page.sh"
top=$(cd "$here/../../.." && pwd)

begin "example: the README's first command prints what the README shows"
sed -n 's/^    \$ build\/perf-spe //p' "$top/README.md" | head -n 1 >"$dir/command"
read -ra words <"$dir/command"
[ "${#words[@]}" -gt 3 ] || fail 'README.md has no command of build/perf-spe'
cd "$top" || exit 1
run 0 "${words[@]}"
silent
body >"$dir/got"
sed -n '/^    \$ build\/perf-spe /,/^$/{/^    \$/d;s/^    //p}' "$top/README.md" >"$dir/shown"
[ "$(grep -c add_ "$dir/shown")" -ge 2 ] || fail 'the README shows no result'
cmp -s "$dir/shown" <(grep -v '^# source_name' "$dir/got") || fail "$(diff "$dir/shown" "$dir/got")"

# The page shows the picture, which the recording of the examples gives.
begin "example: the guide's number beside the picture of mem is the picture's"
run 0 mem -i Documentation/examples/shared.data --latency --svg "$dir/shared.svg"
most=$(sed -n '/working set/,$p' "$dir/shared.svg" | grep -oE '>[0-9.]+ [KM]iB</text>' | tr -d '>' | sed 's|</text||')
grep -qF "from a few KiB to ${most:-?}:" "$top/Documentation/perf-spe/guide.md" || fail "the picture has ${most:-no number}"

# Every command of the guide with a recording of the examples runs, in a folder of its own, and prints
# what the guide shows below it.
guide=$top/Documentation/perf-spe/guide.md
blocks "$guide" "$dir/work"
ln -s "$top/Documentation" "$dir/work/"
mkdir "$dir/work/selftests"
cp -rp "$top/selftests/programs" "$dir/work/selftests/"
shows=0
mapfile -t commands < <(grep -lF Documentation/examples "$dir/work"/*.command | sort -V)
for command in "${commands[@]}"; do
	begin "example: the guide: $(sed -E 's/-i Documentation.* --symfs [^ ]* ?//; s/ +$//' "$command")"
	run_block "$dir/work" "$(cat "$command")"
	shown=${command%.command}.shown
	# queries.sh has those
	if [ ! -e "$shown" ] || grep -q 'sqlite' "$command"; then continue; fi
	shows=$((shows + 1))
	body | grep -v '^# source_name' >"$dir/got"
	case $(cat "$command") in
	# Of these the guide shows a part.
	*'spe stat '* | *'spe mem '* | *'spe advise '* | *'spe sharing '*) part "$shown" "$dir/got" ;;
	*) cmp -s "$shown" "$dir/got" ;;
	esac || fail "$(diff "$shown" "$dir/got")"
done
begin "example: the guide shows results of all its sections"
[ "$shows" -ge 10 ] || fail "the guide shows $shows results"

begin "example: make example records what the guide says"
job=$top/selftests/rig/jobs/example.sh
for program in hot callers; do
	said=$(sed -n "s,^    perf spe record \(.*\) -- \./$program \(.*\)\$,\1|\2,p" "$guide")
	grep -qF -- "record ${said%|*} --perf -N -o /out/$program.data -- ./$program ${said#*|}" "$job" ||
		fail "the guest does not record $program with: $said"
done

# What callers.c says of itself: its two functions call leaf() equally often, and thrash() misses.
begin "example: the page, speedscope's file and the folded stacks have the same cycles of callers"
cycles() { # cycles CALLER: of leaf() below it, by awk
	awk -v below=";$1;leaf;" 'index($0, below) { n += $NF } END { print n + 0 }' "$dir/work/callers.folded"
}
[ "$(cycles thrash)" -gt $((2 * $(cycles stay))) ] || fail "thrash has $(cycles thrash) cycles, stay $(cycles stay)"
if command -v jq >/dev/null; then
	sed -n '/id="flame-data"/,/<\/script>/p' "$dir/work/callers.html" | sed 's/.*id="flame-data">//; s/<\/script>.*//' |
		jq -r '.names as $n | [range(0; .nodes | length; 6) as $i | .nodes[$i:$i + 6]] | .[] | "\($n[.[1]]) \(.[5])"' |
		awk '$1 == "leaf" { print above, $2 } { above = $1 }' >"$out"
	says "thrash $(cycles thrash)"
	says "stay $(cycles stay)"
	jq -r '.shared.frames as $f | .profiles[.activeProfileIndex] | [.samples, .weights] | transpose | .[] |
		"\(.[0] | map($f[.].name) | join(";")); \(.[1])"' "$dir/work/callers.speedscope.json" >"$out"
	for caller in thrash stay; do
		[ "$(awk -v below=";$caller;leaf;" 'index($0, below) { n += $NF } END { print n + 0 }' "$out")" = "$(cycles $caller)" ] ||
			fail "speedscope's file has other cycles of $caller"
	done
fi

# What shared.c says of itself: two threads add to one line, the third function reads.
begin "example: the recording shows false sharing in the program shared"
run 0 sharing -i Documentation/examples/shared.data --symfs Documentation/examples/symfs
says 'no byte shared: false sharing?'
says 'shared add_left'
says 'shared add_right'


# The recordings' programs were compiled from what selftests/programs has now: perf-spe compares
# them, and so does a compiler in "make example".
begin "example: annotate shows the lines of each program from its source"
for program in Documentation/examples/symfs/job/*; do
	what=${program##*/}
	run 0 annotate -i "Documentation/examples/$what.data" --symfs Documentation/examples/symfs
	silent
	source=$(grep -oE 'selftests/programs/[a-z]+\.c$' "$out" | head -n 1)
	[ -n "$source" ] || fail "$what: no source"
	sed -nE 's/^ +([0-9]+)\t(.*)$/\1\t\2/p' "$out" | sort -u >"$dir/got"
	[ "$(wc -l <"$dir/got")" -ge 3 ] || fail "$what: few lines"
	while IFS= read -r row; do
		line=${row%%$'\t'*} text=${row#*$'\t'}
		[ "$(sed -n "${line}p" "$source")" = "$text" ] || fail "$what: line $line of $source is not '$text'"
	done <"$dir/got"
done

# Lines with code or declarations, from readelf, of the programs that are here
begin "example: the source lines that documents quote are those of the sources"
for program in Documentation/examples/symfs/job/*; do
	readelf --debug-dump=decodedline "$program" 2>/dev/null | awk '$1 ~ /\.c$/ { print $1 ":" $2 }'
	readelf --debug-dump=info "$program" 2>/dev/null | awk -v f="${program##*/}.c" '/DW_AT_decl_line/ { print f ":" $NF }'
done | sed 's/^apart/shared/' | sort -u >"$dir/lines"
mapfile -t pages < <(find README.md Documentation -name '*.md' -o -name '*.rst')
grep -ohE '\b(shared|apart|walks|branchy|callers|hot)\.c:[0-9]+' "${pages[@]}" | sort -u >"$dir/quoted"
[ "$(wc -l <"$dir/quoted")" -ge 8 ] || fail 'the documents quote few lines'
comm -23 "$dir/quoted" "$dir/lines" >"$out"
[ ! -s "$out" ] || fail "no code or declaration is at: $(paste -sd' ' "$out")"
grep -ohE '^ {4,}.* [0-9]+	.*' "${pages[@]}" | sed -E 's/^.* ([0-9]+)	(.*)$/\1\t\2/' | sort -u >"$dir/quoted"
[ "$(wc -l <"$dir/quoted")" -ge 3 ] || fail 'the documents quote few texts of lines'
while IFS= read -r row; do
	line=${row%%$'\t'*} text=${row#*$'\t'}
	for source in selftests/programs/*.c; do
		[ "$(sed -n "${line}p" "$source")" = "$text" ] && continue 2
	done
	fail "no program has this in line $line: $text"
done <"$dir/quoted"
finish
