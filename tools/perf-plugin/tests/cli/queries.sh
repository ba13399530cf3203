#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The SQL queries of the documents: each runs on the recording that the document exports, and
# prints what the document shows below it.  columnar.sh runs those that read Parquet and the
# agent's windows, fleet.sh that of perf spe fleet.
# usage: queries.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/page.sh
. "$(dirname "$0")/lib/page.sh"
top=$(cd "$here/../../.." && pwd)

# statements PAGE DIR: DIR/N.sql is query number N of the page, DIR/N.shown the block below it
statements() {
	mkdir "$2"
	awk -v to="$2" '
		!NF { what = what == "sql" ? "below" : ""; next }
		!/^    / { what = ""; next }
		{ sub(/^    /, "") }
		/^SELECT / && what != "sql" { n++; what = "sql" }
		what == "below" { what = "shown" }
		what { print >(to "/" n "." what) }' "$1"
}

begin "queries: each page that has some is one whose queries a test runs"
grep -rlw 'SELECT' "$top/README.md" "$top/Documentation" --include='*.md' --include='*.rst' | sort >"$out"
printf '%s\n' "$top"/Documentation/perf-spe/{guide.md,reference/{agent,export,fleet}.md} >"$dir/want"
cmp -s "$out" "$dir/want" || fail 'another page has a query: run it here'
[ "$(grep -c 'FROM samples' "$top/Documentation/perf-spe/reference/export.md")" = 0 ] || fail 'a query for SQLite: run it here'
[ "$(grep -c 'FROM read_parquet' "$top/Documentation/perf-spe/guide.md")" = 0 ] || fail 'a query for Parquet: columnar.sh does not run it'

guide=$top/Documentation/perf-spe/guide.md
statements "$guide" "$dir/queries"
blocks "$guide" "$dir/work" '## Ask a database'
begin "queries: the guide exports the recording that it asks"
ln -s "$top/Documentation" "$dir/work/Documentation"
command=$(sed 's/sqlite3 .*//' "$dir/work/1.command")
if ! command -v sqlite3 >/dev/null; then
	skip 'no sqlite3: install it'
elif ! ldd "$perf_spe" | finds libsqlite3; then
	skip 'this perf-spe was built without SQLite'
else
	run_block "$dir/work" "$command"
	[ "$(find "$dir/queries" -name '*.sql' | wc -l)" = "$(grep -c '^    SELECT' "$guide")" ] || fail 'a query has no file'
	for query in "$dir/queries"/*.sql; do
		begin "queries: $(head -n 1 "$query")"
		[ -s "${query%.sql}.shown" ] || fail 'the guide shows no answer'
		sqlite3 -header -column "$dir/work/spe.db" <"$query" 2>"$err" | sed 's/ *$//' >"$out"
		silent
		cmp -s "$out" "${query%.sql}.shown" || fail "$(diff "${query%.sql}.shown" "$out")"
	done
fi
finish
