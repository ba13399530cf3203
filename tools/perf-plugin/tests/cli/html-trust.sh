#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe report --html: the estimated totals, and whether the recording can be trusted.  The
# numbers are those that totals.sh and trust.sh compute by hand.
# usage: html-trust.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/trust.sh
. "$(dirname "$0")/lib/trust.sh"

# page FILE [OPTION...]: its page as one line in which a bar stands for tags
page() {
	run 0 report -i "$dir/$1" --html "$dir/p.html" "${@:2}"
	tr '\n' ' ' <"$dir/p.html" | sed 's/> *</></g; s/<[^>]*>/|/g; s/||*/|/g' >"$dir/text"
}
has() { grep -qF -- "$1" "$dir/text" || fail "no '$1' in the text"; }
lacks() { ! grep -qF -- "$1" "$dir/text" || fail "'$1' is in the text"; }

# See "totals: a healthy recording" and "totals: intervals of totals" in totals.sh.
begin "html-trust: a healthy recording, and its totals"
{ head_of 4096 0 $jitter; echo 'aux 0 0 1'; thousand; end_of; } | perf_file healthy.data
page healthy.data
silent
has '|Can this recording be trusted? yes|'
has '|Estimated totals: a sample stands for 4097 to 4224 operations|number of|about|95% CI|'
has '|operations|4.16 million|4.09 million to 4.23 million|'
# The loads are a phase: see totals.sh.
has '|loads|1.66 million|1.62 million to 1.71 million|'
has '|branches that were mispredicted|125 thousand|'
lacks 'stores that missed the first cache'
lacks 'Record instead'

begin "html-trust: a recording that misleads, and what to record instead"
{ head_of 1024 0 0; thousand; end_of; } | perf_file short.data
page short.data
has '|Can this recording be trusted? no, for the reasons below|'
has '|no|no jitter|each sample comes exactly 1025 operations after the one before'
has '|note|short period|1024 is below 2000'
has '|Record instead: |perf spe record --period 4096 -- COMMAND|'
run 0 stat -i "$dir/short.data"
verdict no

# The worst reason comes first, as in stat.
begin "html-trust: the order of reasons, and a filter"
page healthy.data --filter 'op == load'
has '|note|options|the options of this command keep 400 of 1000 samples'
has '|operations|1.66 million|'
page short.data
[[ $(<"$dir/text") == *'|no|no jitter'*'|note|short period'* ]] || fail 'the note comes first'

begin "html-trust: bytes alone have no totals"
raw_file raw.spe <<<'rec class=1 op=0 total=8'
run 0 report --raw "$dir/raw.spe" --html "$dir/p.html"
tr '\n' ' ' <"$dir/p.html" | sed 's/> *</></g; s/<[^>]*>/|/g; s/||*/|/g' >"$dir/text"
has '|Can this recording be trusted?'
lacks 'Estimated totals'

finish
