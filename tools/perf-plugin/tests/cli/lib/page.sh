# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # what cli.sh sets
#
# Functions for scripts that run the commands of a document; source cli.sh first.

# blocks PAGE DIR [HEADING]: the page's blocks of code, or those of one section.  DIR/N.command is
# the command number N on one line, DIR/N.shown what the page shows below it without empty lines.
blocks() {
	mkdir "$2"
	awk -v to="$2" -v heading="${3:-}" '
		/^## / { on = $0 == heading }
		heading != "" && !on || !NF { next }
		!/^    / { what = ""; next }
		{ sub(/^    /, "") }
		/^perf spe / { n++; what = "command" }
		!/^perf spe / && what == "command" && last !~ /\\$/ { what = "shown" }
		{ last = $0; if (what) print >(to "/" n "." what) }' "$1"
	sed -i -z 's/\\\n *//g' "$2"/*.command
}

# run_block FOLDER TEXT: runs the command there, with this perf-spe
run_block() {
	(cd "$1" && bash -c "perf() { shift; '$perf_spe' \"\$@\"; }; $2") >"$out" 2>"$err" ||
		fail "this ended with status $?: $2"
}

# part FILE OF: the lines of FILE are in OF, one after the other.  Empty lines and white space
# at the end do not count.
part() {
	awk 'function line() { sub(/[ \r]+$/, ""); return $0 "\n" }
		!NF { next } FNR == NR { want = want line(); next } { got = got line() }
		END { exit !(want != "" && index("\n" got, "\n" want)) }' "$1" "$2"
}
