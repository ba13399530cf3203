# SPDX-License-Identifier: GPL-2.0-only
#
# How many intervals hold the truth: for check-intervals.  Reads the output of intervals-truth.awk,
# then for each session a line "session" and the output of intervals-tables.awk.  Prints lines
# "TABLE NUMBER n k nn nk kk": of n intervals k hold; and the sums over sessions of n^2, nk and k^2,
# as the intervals of one session are not independent of each other.
#
# Left out are rows of which a session has fewer than 20 samples on average, or 8 of an access;
# events of fewer than 5% of a row; and numbers that are equal for all operations, or means of samples
# that are all equal, because such an interval has no width.
#
# -v every=N: operations for each sample

BEGIN { FS = "\t" }

function what(key,    part) {
	split(key, part, "|")
	sub(/ of .*/, "", part[1])
	return part[1] " " part[3]
}

# A share of the shared lines is of the samples of those that the session shows as shared.
function judge_lines(    key, part, sum) {
	for (key in low) if (key ~ /^lines\|/ && key in truth) { split(key, part, "|"); sum += operations[key] }
	for (key in low) if (key ~ /^lines\|/ && key in truth) judge(key, 100 * operations[key] / sum)
}

function judge(key, want,    of, holds) {
	if (!unlike[key] || operations[key] < (key ~ /^accesses/ ? 8 : 20) * every) return
	of = what(key)
	if (of ~ / mean$/ && low[key] == high[key]) return
	if (of == "events share" && (want < 5 || want > 95)) return
	holds = want >= low[key] - half[key] && want <= high[key] + half[key]
	here[of]++; held[of] += holds
}

function session_end(    key, of) {
	for (key in low) {
		if (!(key in truth) || key ~ /^lines\|/) continue
		want = truth[key]
		# Counts and cycles are of samples, but totals are of operations.
		judge(key, key ~ /\|(count|cycles)$/ && key !~ /^totals/ ? want / every : want)
	}
	judge_lines()
	for (of in here) {
		n[of] += here[of]; k[of] += held[of]
		nn[of] += here[of] ^ 2; nk[of] += here[of] * held[of]; kk[of] += held[of] ^ 2
	}
	split("", low); split("", high); split("", half); split("", here); split("", held)
}

FNR == NR { truth[$1] = $2; operations[$1] = $3; unlike[$1] = $4; next }
$1 == "session" { session_end(); next }
{ low[$1] = $2; high[$1] = $3; half[$1] = $4 }

END {
	session_end()
	for (of in n) print of, n[of], k[of], nn[of], nk[of], kk[of]
}
