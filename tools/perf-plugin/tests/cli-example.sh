#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The README's first command, on the recording in Documentation/examples: it must print
# what the README shows.
# usage: cli-example.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=cli-lib.sh
. "$(dirname "$0")/cli-lib.sh"
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

begin "example: the guide's command with --time prints what the guide shows"
guide=$top/Documentation/perf-spe/guide.md
sed -n '/^    perf spe report -i Documentation.examples/,/^$/s/^ *//p' "$guide" | tr -d '\\\n' >"$dir/command"
read -ra words <"$dir/command"
[ "${#words[@]}" -gt 8 ] || fail 'the guide has no command with the example'
run 0 "${words[@]:2}"
silent
body | grep -v '^# source_name' >"$dir/got"
awk '/^    perf spe report -i Documentation.examples/ { at = 1 } !NF && at { at++ }
	at == 2 && NF { sub(/^    /, ""); print } at == 3 { exit }' "$guide" >"$dir/shown"
grep -q ' walk ' "$dir/shown" || fail 'the guide shows no result'
cmp -s "$dir/shown" "$dir/got" || fail "$(diff "$dir/shown" "$dir/got")"

# What shared.c says of itself: two threads add to one line, the third function reads.
begin "example: the recording shows false sharing in the program shared"
run 0 sharing -i Documentation/examples/shared.data --symfs Documentation/examples/symfs
says 'no byte shared: false sharing?'
says 'shared add_left'
says 'shared add_right'

finish
