# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2034 # what is set here the cases use
#
# What trust.sh and totals.sh share: recordings of known operations, and checks of
# what stat says of them.  Each expected number is computed by hand from the samples that the
# case plants, as the comments say.

# shellcheck source-path=SCRIPTDIR source-path=SCRIPTDIR/lib source=cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/cli.sh"

r4p1=0x414fd0c1
jitter=0x10000
load_filter=0x200000000

# head_of PERIOD FREQUENCY CONFIG [MIDR]: the begin of a recording of CPU 0
head_of() {
	echo "midrs 1 ${4:-$r4p1}"
	echo "attr 8 $1 $2 $3 0 0 0 0"
	echo 'conv 0 1 0'
}
repeat() { for ((i = 0; i < $1; i++)); do echo "$2"; done; }
# 1000 operations: 400 loads, of which 100 missed the first cache, 200 stores, 150 branches,
# of which 30 were mispredicted
thousand() {
	repeat 300 'rec class=1 op=0 total=8 events=6'
	repeat 100 'rec class=1 op=0 total=80 events=0xe'
	repeat 200 'rec class=1 op=1 total=8 events=6'
	repeat 120 'rec class=2 op=1 total=8 events=2'
	repeat 30 'rec class=2 op=1 total=8 events=0x82'
	repeat 250 'rec class=0 op=0 total=8 events=2'
}
end_of() { echo 'auxtrace 0 0 -1 0'; }
# total NAME: the printed total of these operations
total() { sed -n "/^# estimated totals/,/^\$/ s/  $1\$//p" "$out" | sed 's/^ *//; s/ *$//; s/   */ | /g'; }
total_is() { [ "$(total "$1")" = "$2" ] || fail "total of $1 is '$(total "$1")', not '$2'"; }
verdict() { says "# can this recording be trusted? $1"; }
# found LEVEL TEXT: a line of this level has this text
found() { grep -E "^  $1 +" "$out" | finds -F -- "$2" || fail "no line '$1 ... $2'"; }
finds_not() { ! grep -qE "^  (note|care|no) .*$1" "$out" || fail "a line with '$1'"; }
# documented COMMAND-OR-HEADING: what a page of the reference shows from this line on is in the output
documented() {
	awk -v from="    $1" '$0 == from { on = 1 } on && !NF { exit } on && !/^    [$]/ { print substr($0, 5) }' \
		"$here"/../../../Documentation/perf-spe/reference/*.md >"$dir/shown"
	[ -s "$dir/shown" ] || fail "no page of Documentation/perf-spe/reference shows '$1'"
	grep -xF -f "$dir/shown" "$out" | diff "$dir/shown" - >"$dir/differs" || fail "not as the reference shows: $(cat "$dir/differs")"
}
