# SPDX-License-Identifier: GPL-2.0-only
#
# Edges: how often the branches of a program went where, and how well a profile knows it.
# An edge is a branch instruction and the instruction behind it in time.
#
#   awk -f edges.awk -v what=count CODE LOG         "FROM TO COUNT" lines from QEMU's log of
#                                                 one instruction a line (-d exec,nochain)
#   awk -f edges.awk -v what=repeat -v times=N ONE TWO    the counts of N rounds, from those of
#                                                 one round and of two rounds
#   awk -f edges.awk -v what=overlap CODE TRUTH PROFILE   the edge overlap of BOLT's
#                                                 pre-aggregated PROFILE, in percent
#   awk -f edges.awk -v what=taken CODE TRUTH       "BRANCHES TAKEN": both executed
#
# CODE is what objdump -d prints.  The edge overlap of two profiles is the sum over all
# edges of the smaller of the two shares that the edge has of its profile: 100% for equal
# profiles, 0 for profiles without a common edge.  llvm-profdata overlap defines it so
# for counters (LLVM, "llvm-profdata overlap"; ProfOStream's CountPercentage).

function pad(hex) {
	sub(/^0x/, "", hex)
	return substr("0000000000000000", 1, 16 - length(hex)) tolower(hex)
}

function hex_value(hex,   i, v) {
	v = 0
	for (i = 1; i <= length(hex); i++)
		v = v * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
	return v
}

# The instruction behind @address
function behind(address) { return sprintf("%016x", hex_value(address) + 4) }

FNR == 1 { file++ }

# CODE: addresses and mnemonics of branches, in order
(what == "count" || what == "overlap" || what == "taken") && file == 1 {
	if ($1 ~ /^[0-9a-f]+:$/) {
		i = $2 ~ /^[0-9a-f]+$/ && length($2) == 8 ? 3 : 2
		if ($i ~ /^(b|bl|br|blr|ret|b\..*|bc\..*|cbz|cbnz|tbz|tbnz|braa|brab|braaz|brabz|blraa|blrab|blraaz|blrabz|retaa|retab)$/) {
			address = pad(substr($1, 1, length($1) - 1))
			branch[address] = ++nr
			order[nr] = address
		}
	}
	next
}

what == "count" {
	split($0, part, "/")
	if (before in branch)
		edges[before " " part[2]]++
	before = part[2]
	next
}

what == "repeat" {
	if (file == 1)
		one[$1 " " $2] = $3
	else
		edges[$1 " " $2] = one[$1 " " $2] + (times - 1) * ($3 - one[$1 " " $2])
	next
}

what == "taken" {
	all += $3
	if ($2 != behind($1))
		taken += $3
	next
}

# TRUTH
what == "overlap" && file == 2 {
	truth[$1 " " $2] = $3
	true_sum += $3
	next
}

function profile_edge(from, to, count) {
	profile[from " " to] += count
	profile_sum += count
}

# The first branch at or behind @address
function first_branch(address,   low, high, middle) {
	low = 1
	high = nr + 1
	while (low < high) {
		middle = int((low + high) / 2)
		if (order[middle] < address)
			low = middle + 1
		else
			high = middle
	}
	return low
}

# PROFILE: a range passes all branches before its end without taking them.
what == "overlap" && $1 == "B" { profile_edge(pad($2), pad($3), $4) }
what == "overlap" && $1 == "F" {
	last = pad($3)
	for (i = first_branch(pad($2)); i <= nr && order[i] < last; i++)
		profile_edge(order[i], behind(order[i]), $4)
}

END {
	if (what == "count" || what == "repeat")
		for (edge in edges)
			print edge, edges[edge]
	if (what == "taken")
		printf "%d %d\n", all, taken
	if (what == "overlap") {
		if (!true_sum || !profile_sum) {
			print "0.00"
			exit 1
		}
		for (edge in truth) {
			a = truth[edge] / true_sum
			b = profile[edge] / profile_sum
			sum += a < b ? a : b
		}
		printf "%.2f\n", 100 * sum
	}
}
