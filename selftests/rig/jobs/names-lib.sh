#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC3043  # busybox sh has local
#
# Names of data addresses against what a program says of its own memory, and against
# stock perf.  Sourced by check-driver.sh, which has check().

# The program prints "KIND NAME FIRST LAST" for each block that it reads.  Every sample of a
# block must have that kind and name, each block must have samples, and in variables the
# offset must be the distance from FIRST.
# shellcheck disable=SC2016  # $ is awk's
names_agree() {
	/job/perf-spe export -i /out/names.data -f csv -F va,data_kind,data_object,data_symbol,data_offset \
		--filter 'symbol ~ touch_' | tr -d '"\r' >/tmp/names.csv || return 1
	awk -F '[ ,]' '
		function number(hex,  i, n) {
			sub(/^0x/, "", hex)
			for (i = 1; i <= length(hex); i++)
				n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
			return n
		}
		NR == FNR { kind[NR] = $1; name[NR] = $2; first[NR] = number($3); last[NR] = number($4); blocks = NR; next }
		FNR > 1 {
			va = number($1)
			for (i = 1; i <= blocks; i++) {
				if (va < first[i] || va > last[i])
					continue
				seen[i]++
				variable = kind[i] ~ /^(data|bss|rodata)$/
				if ($2 != kind[i] || (variable ? $4 : $3) != name[i] ||
				    (variable && number($5) != va - first[i])) {
					print "wrong: " $0 " in " kind[i] " " name[i]
					bad++
				}
			}
		}
		END {
			for (i = 1; i <= blocks; i++) {
				print kind[i], name[i] ": " seen[i] + 0 " samples"
				bad += !seen[i]
			}
			exit !(blocks == 9 && !bad)
		}' /tmp/blocks /tmp/names.csv
}

# perf names variables of .data and .rodata as NAME+0xOFFSET: what it finds, perf-spe must
# find too.  (Of .bss it says "anon".)
# shellcheck disable=SC2016  # $ is awk's
names_of_perf() {
	perf report -i /out/names.data --itrace=M --mem-mode --sort symbol_daddr,dso_daddr --stdio 2>/tmp/theirs.errors |
		awk '$3 ~ /^(initialized|constant)/ && $4 == "named" { sub(/\+0x0$/, "", $3); print $3 }' |
		sort -u >/tmp/theirs
	/job/perf-spe export -i /out/names.data -f csv -F data_symbol,data_offset | tr -d '"\r' |
		awk -F , '{ print $2 == "0x0" ? $1 : $1 "+" $2 }' | sort -u >/tmp/ours
	echo "$(wc -l </tmp/theirs) names of perf"
	[ -s /tmp/theirs ] || head -n 3 /tmp/theirs.errors
	[ -s /tmp/theirs ] && [ -z "$(awk 'NR == FNR { ours[$0]; next } !($0 in ours)' /tmp/ours /tmp/theirs | tee -a /proc/self/fd/2)" ]
}

record_named() {
	/job/perf-spe record --loads --user --period 512 -o /out/names.data -- /job/named 60000 /job/hot >/tmp/blocks
}

names_runs() {
	check 'perf spe record: a program that says where its memory is' record_named
	check 'perf spe export: names of data as the program says them' names_agree
	# perf makes samples of memory (--itrace=M) from 5.11 on.
	case $(perf --version) in
	'perf version 5.'*) ;;
	*) check 'perf spe export: the variables that stock perf names' names_of_perf ;;
	esac
}
