# SPDX-License-Identifier: GPL-2.0-only
#
# The intervals in what "perf spe stat --ci", "mem --ci" and "sharing --ci" print, for
# check-intervals: lines "table|row|number  low  high  half", with half of the last digit printed.
# An interval without an upper limit has 1e30.

function interval(key, text, half,    limit) {
	gsub(/%/, "", text)
	if (text == "-") return
	if (sub(/^>=/, "", text)) { limit[1] = text; limit[2] = 1e30 }
	else if (split(text, limit, "-") != 2) exit 1
	printf "%s\t%s\t%s\t%s\n", key, limit[1], limit[2], half
}

function unit(word) { return word == "thousand" ? 1e3 : word == "million" ? 1e6 : 1 }
# Half of the last digit of "1.46" and the like
function half_of(text) { return sub(/^.*\./, "", text) ? 0.5 / 10 ^ length(text) : 0.5 }

# "  24.0 thousand  15.4 thousand to 35.8 thousand   loads"
function total(    i, low, high, half) {
	i = $2 == "thousand" || $2 == "million" ? 3 : 2
	low = $i * unit($(i + 1))
	if ($(++i) != "to") i++
	i++
	high = $i * unit($(i + 1))
	half = half_of($i) * unit($(i + 1))
	if (unit($(++i)) > 1) i++
	name = $i
	while (i < NF) name = name " " $(++i)
	printf "totals|%s|count\t%.9g\t%.9g\t%.9g\n", name, low, high, half
}

FNR == 1 { table = "" }
/^$/ { table = "" }
/^# estimated totals/ { table = "totals" }
/^# operations and/ { table = "operations" }
/^# data sources/ { table = "sources" }
/^# events,/ { table = "events" }
/^# latency,/ { table = "latency" }
/^# hottest pages/ { table = "pages" }
/^# lines by/ { table = "lines" }
/^virtual line / { line = $3; table = "accesses"; next }
/^#/ { next }

table == "totals" { total() }
table == "operations" || table == "sources" {
	interval(table "|" $11 "|count", $2, 0.5)
	interval(table "|" $11 "|share", $4, 0.005)
	interval(table "|" $11 "|mean", $6, 0.005)
	interval(table "|" $11 "|p50", $8, 0)
	interval(table "|" $11 "|p99", $10, 0)
}
table == "events" { interval("events|" $5 "|share", $3, 0.005) }
table == "latency" {
	interval("latency|" $13 "|mean", $3, 0.005)
	interval("latency|" $13 "|p50", $5, 0)
	interval("latency|" $13 "|p90", $7, 0)
	interval("latency|" $13 "|p99", $9, 0)
	interval("latency|" $13 "|p99.9", $11, 0)
}
table == "pages" {
	sub(/;/, "", $9)
	interval("pages|" $9 "|share", $4, 0.005)
	interval("pages|" $9 "|mean", $7, 0.005)
}
table == "lines" { interval("lines|" $10 "|share", $5, 0.005) }
table == "accesses" {
	interval("accesses of " line "|" $9 " " $10 " " $11 " " $NF "|share", $5, 0.005)
	interval("accesses of " line "|" $9 " " $10 " " $11 " " $NF "|mean", $8, 0.005)
}
