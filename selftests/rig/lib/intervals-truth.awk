# SPDX-License-Identifier: GPL-2.0-only
#
# What all operations of a log of the SPE model have in common: for check-intervals, which
# compares intervals of perf spe with it.  Reads the symbols of the program (nm -n), then the log
# (spe-log=FILE), whose packets it decodes by section D18.2 of the Arm ARM.
#
# Prints lines "table|row|number  value  operations  unlike": "operations" is how many the row has,
# "unlike" is 1 if not all of them have the same value.

BEGIN {
	for (i = 0; i < 256; i++) byte[sprintf("%02x", i)] = i
	# Bits of the events packet, D18.2.6
	nr_events = split("retired l1d-access l1d-refill tlb-access tlb-walk not-taken mispredicted", event, " ")
}

function hex(text,    n, i) {
	for (i = 1; i < length(text); i += 2) n = n * 256 + byte[substr(text, i, 2)]
	return n + 0
}

# The number that SIZE little-endian bytes at AT of BYTES are; at most 5 of them, as awk's numbers hold
function payload(bytes, at, size,    n, i) {
	for (i = size > 5 ? 4 : size - 1; i >= 0; i--) n = n * 256 + byte[substr(bytes, at + 2 * i, 2)]
	return n + 0
}

# One operation more in a row, with a latency or without one (-1)
function add(table, row, latency,    key) {
	key = table "|" row
	count[key]++
	if (latency < 0) return
	timed[key]++
	cycles[key] += latency
	number[key, latency]++
	if (!(key in least) || latency < least[key]) least[key] = latency
	if (!(key in most) || latency > most[key]) most[key] = latency
}

function percentile(key, percent,    rank, value, below) {
	rank = timed[key] * percent / 100
	for (value = least[key]; value < most[key]; value++) {
		below += number[key, value]
		if (below >= rank) break
	}
	return value
}

function put(key, what, value, unlike) { printf "%s|%s\t%.9g\t%d\t%d\n", key, what, value, count[key], unlike }

function put_row(key, base,    unlike) {
	unlike = least[key] != most[key]
	put(key, "share", 100 * count[key] / count[base], count[key] != count[base])
	put(key, "count", count[key], count[key] != count[base])
	if (!timed[key]) return
	put(key, "mean", cycles[key] / timed[key], unlike)
	put(key, "p50", percentile(key, 50), unlike)
	put(key, "p90", percentile(key, 90), unlike)
	put(key, "p99", percentile(key, 99), unlike)
	put(key, "p99.9", percentile(key, 99.9), unlike)
	if (!cycles[base]) return
	put(key, "cost", 100 * cycles[key] / cycles[base], cycles[key] != cycles[base])
	put(key, "cycles", cycles[key], cycles[key] != cycles[base])
}

function symbol_of(pc,    low, high, middle) {
	low = 0; high = nr_symbols
	while (low < high) {
		middle = int((low + high) / 2)
		if (start[middle] <= pc) low = middle + 1
		else high = middle
	}
	return low ? name[low - 1] : "-"
}

FNR == NR {
	start[nr_symbols + 0] = hex(substr($1, length($1) - 9))
	name[nr_symbols++] = $3
	next
}

{
	bytes = $4
	pc = address = events = class = op = source = context = total = issue = translation = -1
	for (at = 1; at < length(bytes); at += 2 + 2 * size) {
		header = byte[substr(bytes, at, 2)]
		size = header < 2 ? 0 : 2 ^ (int(header / 16) % 4)
		if (header < 2) continue
		value = payload(bytes, at + 2, size)
		if (header == 176) pc = value			# 0xb0
		else if (header == 178) address = value		# 0xb2
		else if (header == 152) total = value		# 0x98
		else if (header == 153) issue = value		# 0x99
		else if (header == 154) translation = value	# 0x9a
		else if (header % 16 == 2 && header < 128) events = value	# 0x42, 0x52, 0x62, 0x72
		else if (header % 16 == 3 && header < 128) source = value	# 0x43, 0x53
		else if (header == 100) context = value		# 0x64
		else if (header >= 72 && header <= 74) { class = header - 72; op = value }
	}
	store = class == 1 && op % 2
	kind = class == 0 ? "other" : class == 2 ? "branch" : store ? "store" : "load"
	code = symbol_of(pc)
	add("all", "all", total)
	add("symbol", code, total)
	add("op", kind, total)
	add("operations", kind, total)
	add("tasks", context, total)
	add("latency", "total", total)
	add("latency", "issue", issue)
	if (translation >= 0) add("latency", "translation", translation)
	add("totals", "operations", -1)
	if (class == 1) add("totals", kind "s", -1)
	if (class == 2) add("totals", "branches", -1)
	for (i = 1; i <= nr_events; i++) {
		if (int(events / 2 ^ i) % 2 == 0) continue
		add("events", event[i], total)
		add("events of symbol " code, event[i], total)
		add("events of op " kind, event[i], total)
		if (event[i] == "l1d-refill" && class == 1) add("totals", kind "s that missed the first cache", -1)
		if (event[i] == "tlb-walk" && class == 1) add("totals", "loads and stores that needed a page table walk", -1)
		if (event[i] == "mispredicted") add("totals", "branches that were mispredicted", -1)
	}
	if (source >= 0 && kind == "load") {
		add("all", "sources", total)
		add("sources", source, total)
	}
	if (address < 0) next
	add("all", "memory", total)
	add("pages", sprintf("0x%x", address - address % 4096), total)
	line = sprintf("0x%x", address - address % 64)
	add("lines", line, total)
	add("accesses of " line, "+" address % 64 " " kind " " context " " code, total)
}

END {
	for (key in count) {
		split(key, part, "|")
		table = part[1]
		if (table == "all") continue
		base = table == "sources" ? "all|sources" : table == "pages" || table == "lines" ? "all|memory" : "all|all"
		if (table ~ /^accesses of /) base = "lines|" substr(table, 13)
		if (table ~ /^events of /) { base = substr(table, 11); sub(/ /, "|", base) }
		put_row(key, base)
	}
}
