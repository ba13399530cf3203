#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Documentation/perf-spe/recipes.md: each command runs, and prints what the page shows below it.
# usage: recipes.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/page.sh
. "$(dirname "$0")/lib/page.sh"
top=$(cd "$here/../../.." && pwd)
page=$top/Documentation/perf-spe/recipes.md
job=$top/selftests/rig/jobs/example.sh

blocks "$page" "$dir/work"

begin "recipes: ten questions, each with an answer"
[ "$(grep -c '^## [0-9]*\. ' "$page")" = 10 ] || fail 'the page has not 10 questions'
unanswered=$(awk '/^## / { if (q && !shown) print q; q = $0; shown = 0 } /^    [^ p]|^      / { shown = 1 }
	END { if (!shown) print q }' "$page")
[ -z "$unanswered" ] || fail "no answer: $unanswered"

for command in "$dir/work"/*.command; do
	text=$(cat "$command") shown=${command%.command}.shown
	case $text in
	*' record '*)
		begin "recipes: make example runs: $text"
		sed -n 's,^.*\./perf-spe record,perf spe record,p' "$job" |
			sed 's, --perf -N -o /out/[a-z]*\.data,,; s, ;;$,,' >"$dir/got"
		grep -qxF -- "$text" "$dir/got" || fail 'make example records with other commands'
		continue
		;;
	esac
	begin "recipes: ${text%% >*}"
	run_block "$top/Documentation/examples" "$text"
	body | grep -v '^# source_name' >"$dir/got"
	[ -e "$shown" ] || fail 'the page shows no output'
	part "$shown" "$dir/got" || fail "$(diff "$shown" "$dir/got")"
done

# What the sources of the programs say, in place of perf-spe
of() { grep -lF -- "$1" "$dir/work"/*.command | sed 's/command$/shown/'; } # what the command with this text prints

begin "recipes: the loads of walks.c are in the interval of question 1"
loads=$(awk 'BEGIN { print 2 * (8 * (int(2 ^ 23 / 192) + (2 ^ 23 - 512) / 264) + 2 ^ 23 / 4 + 2 ^ 23 / 64) }')
awk -v n="$loads" '$NF == "loads" { seen = $3 * 1e6 < n && n < $6 * 1e6 } END { exit !seen }' "$(of 'stat -i')" ||
	fail "$loads loads are not in: $(grep ' loads$' "$(of 'stat -i')")"

# down() reads 4 bytes of a line of 64: 6.25% of 252 samples miss; three standard errors are 4.6%.
begin "recipes: every load of records() misses, and one of 16 of down()"
awk '$2 == "records" { r = $4 == "100.00%" } $2 == "down" { d = $4 + 0 > 1.7 && $4 + 0 < 10.9 } END { exit !(r && d) }' \
	"$(of 'l1d-refill')" || fail 'other shares of misses'

begin "recipes: the strides of walks.c"
awk -F, '$2 == "\"records\"" { r = $8 } $2 == "\"down\"" { d = $8 } $2 ~ /table|messages/ && $8 != "" { other = 1 }
	END { exit !(r == 192 && d == -4 && !other) }' "$(of 'pgo -i')" || fail 'other strides'

# callers.c calls leaf() equally often from both; half of the samples within three standard errors.
begin "recipes: both callers of callers.c have half of the samples"
for caller in thrash stay; do
	awk -v f=$caller '$NF == f { seen = $2 > 46.5 && $2 < 53.5 } END { exit !seen }' "$(of '--callers leaf')" ||
		fail "$caller has another share"
done

finish
