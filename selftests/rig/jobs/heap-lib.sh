#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Blocks of the heap that perf-spe names, against what a program says of its own blocks
# (selftests/programs/blocks.c).  Sourced by check-driver.sh, which has check().

record_blocks() {
	/job/perf-spe record --heap --loads --user --period 512 -o /tmp/blocks.data -- \
		/job/blocks "${HEAP_ROUNDS:-60000}" >/tmp/said
}

# The program prints "FUNCTION,SITE,SIZE,LIFE,FIRST,BYTES" for the memory that each of its
# functions reads.  A sample of the function in that memory must have the block, and none if
# the line has no SITE.  No other sample has a block of the program's own.
# shellcheck disable=SC2016  # $ is awk's
blocks_agree() {
	/job/perf-spe export -i /tmp/blocks.data -f csv \
		-F symbol,va,heap_site,heap_size,heap_offset,heap_life | tr -d '"\r' >/tmp/blocks.csv || return 1
	awk -F , '
		function number(hex,  i, n) {
			sub(/^0x/, "", hex)
			for (i = 1; i <= length(hex); i++)
				n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
			return n
		}
		NR == FNR {
			site[$1] = $2; size[$1] = $3; life[$1] = $4; first[$1] = number($5); bytes[$1] = $6
			functions++
			next
		}
		FNR == 1 || $2 == "" { next }
		{ va = number($2) }
		($1 in site) && va >= first[$1] && va < first[$1] + bytes[$1] {
			seen[$1]++
			if ($3 != site[$1] || $4 != size[$1] || $6 != life[$1] ||
			    (site[$1] != "" && number($5) != va - first[$1])) {
				print "wrong: " $0 " of " site[$1] ", " size[$1] " bytes"
				bad++
			}
			next
		}
		# Nothing else in the program reads its blocks.
		$3 ~ /^make_/ && $6 != "freed" { print "not read by the program: " $0; bad++ }
		END {
			for (name in site) {
				print name, site[name] ": " seen[name] + 0 " samples"
				bad += seen[name] < 20
			}
			exit !(functions == 12 && !bad)
		}' /tmp/said /tmp/blocks.csv
}

# One function alone reads the large block.
mem_names_blocks() {
	/job/perf-spe mem -i /tmp/blocks.data --limit 1000 >/tmp/mem || return 1
	grep 'block from' /tmp/mem
	grep -E '1048576-byte block from make_large at blocks\.c:[0-9]+; by touch_large 100\.00%$' /tmp/mem
}

heap_runs() {
	check 'perf spe record --heap: a program that says where its blocks are' record_blocks
	check 'perf spe export: blocks of the heap as the program says them' blocks_agree
	check 'perf spe mem: pages of a block have its name' mem_names_blocks
}
