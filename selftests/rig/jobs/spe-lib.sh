#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC3043  # busybox sh has local
#
# perf-spe on the machine it was built for: its verbs, names of data addresses, and blocks of
# the heap, against what the programs say of themselves and against stock perf.  Sourced by
# check-driver.sh, which has check() and perf-lib.sh.

# spe_says AWK VERB OPTION...: runs perf-spe on /out/named.data; the awk program decides
# by its exit status.
spe_says() { # AWK VERB OPTION...
	local program="$1" verb="$2"
	shift 2
	/job/perf-spe "$verb" -i /out/named.data "$@" >/tmp/said || return 1
	cat /tmp/said
	awk "$program" /tmp/said
}

# spe_top AWK OPTION...: the same for perf-spe top.
spe_top() { # AWK OPTION...
	local program="$1"
	shift
	/job/perf-spe top "$@" >/tmp/said || return 1
	cat /tmp/said
	awk "$program" /tmp/said
}

# A window of the agent: what its head says, and the sums of a program that runs.
# shellcheck disable=SC2016  # $ is awk's
agent_window() {
	local rc=0
	rm -rf /tmp/spool && mkdir /tmp/spool
	printf '%s\n' 'spool = /tmp/spool' 'window = 2' 'every = 3' 'period = 4096' 'budget = 100' >/tmp/agent.conf
	/job/hot 100000000 >/dev/null &
	/job/perf-spe agent --config /tmp/agent.conf --windows 1 || rc=$?
	kill $!
	cat /tmp/spool/*.jsonl >/tmp/said && [ "$rc" = 0 ] || return 1
	head -n 5 /tmp/said
	awk 'match($0, /"samples":[0-9]+/) { n = substr($0, RSTART + 10, RLENGTH - 10) + 0 }
		NR == 1 { all = n; next } { sum += n }
		/"object":"\/job\/hot"/ && /"symbol":"hot_loop"/ { hot += n }
		END { exit !(all > 0 && sum == all && hot > 0) }' /tmp/said
}

# A recording of all CPUs, in which CPU 1 goes offline and comes back.
record_offline() {
	# shellcheck disable=SC2016  # for the inner shell
	record_cpus -q -N -a -c 4096 -e arm_spe/ts_enable=1/u -o /tmp/offline.data -- sh -c '
		online=/sys/devices/system/cpu/cpu1/online
		taskset 2 /job/hot 100; echo 0 >$online && taskset 1 /job/hot 300; echo 1 >$online
		taskset 2 /job/hot 100'
}

# The same, but the machine suspends: the kernel takes the path to hibernation, in which CPU
# 1 goes offline and comes back, and returns without writing memory to disk (pm_test).
record_suspend() {
	# shellcheck disable=SC2016  # for the inner shell
	record_cpus -q -N -a -c 4096 -e arm_spe/ts_enable=1/u -o /tmp/suspend.data -- sh -c '
		taskset 2 /job/hot 100; taskset 1 /job/hot 100
		echo core >/sys/power/pm_test && echo disk >/sys/power/state || exit
		echo none >/sys/power/pm_test
		taskset 1 /job/hot 300; taskset 2 /job/hot 100'
}

# perf removes the events of the CPU and does not restore them, so the gap lasts to the end.
names_the_gap() { # RECORDING
	/job/perf-spe stat -i "$1" >/tmp/said || return 1
	cat /tmp/said
	grep -E '^# CPU 1 went offline: no samples of it after [0-9.]+, in the last [0-9.]+ seconds' /tmp/said &&
		refuses grep 'CPU 0 went offline' /tmp/said
}

# The counters, each with a number, by the guest's own user, who is root.
# shellcheck disable=SC2016  # $ is awk's
counters_are_printed() {
	/job/perf-spe stat --driver >/tmp/said || return 1
	cat /tmp/said
	awk '/^#/ || !NF { next } $1 !~ /^[0-9]+$/ { bad++ } { n++ } $2 == "bytes:" { bytes = $1 }
		END { exit !(n >= 35 && !bad && bytes > 0) }' /tmp/said
}

# perf-spe on the machine it was built for: it checks the machine, records by names of
# options, and must find what shared.c says about itself.
# shellcheck disable=SC2016  # $ is awk's
spe_runs() {
	check 'perf spe doctor: nothing is missing' /job/perf-spe doctor
	check 'perf spe record: what the machine lacks is refused' \
		refuses /job/perf-spe record --event impdef-63 -o /tmp/refused.data -- /job/shared 1
	check 'perf spe record: loads and stores, asked by name' \
		/job/perf-spe record --loads --stores --user --period 1024 --perf -N -o /out/named.data \
		-- /job/shared 200000
	check 'perf spe report: loads and stores, and nothing else' spe_says \
		'/^ /{ n++; bad += $NF != "load" && $NF != "store" } END { exit !(n == 2 && !bad) }' \
		report --by op --columns count,op --filter 'object ~ shared'
	check 'perf spe report: the three functions come first' spe_says \
		'/^ / && n < 3 { n++; good += $NF ~ /^(add_left|add_right|walk)$/ } END { exit good != 3 }' \
		report --columns cost,symbol
	check 'perf spe sharing: first the line of both threads, no byte shared' spe_says \
		'/ line 0x/ && !n++ { good = /2 sharers/ && /false sharing\?/ }
		n == 1 { left += / add_left$/; right += / add_right$/; other += / walk$/ }
		END { exit !(good && left >= 2 && right >= 2 && !other) }' sharing
	check 'perf spe stat --driver: every counter' counters_are_printed
	check 'perf record of all CPUs, of which one goes offline and comes back' record_offline
	check 'perf spe stat: names that CPU, and since when it is missing' names_the_gap /tmp/offline.data
	if [ -n "$(listed suspend)" ]; then
		check 'perf record of all CPUs of a machine that suspends' record_suspend
		check 'perf spe stat: names the CPU that lost its event' names_the_gap /tmp/suspend.data
	fi
	# With this interval top prints one table, when the command has ended.
	check 'perf spe top: a command, live' spe_top \
		'/^ / && n < 3 { n++; good += $NF ~ /^(add_left|add_right|walk)$/ } END { exit good != 3 }' \
		--columns cost,symbol --user --period 1024 --interval 3600 -- /job/shared 200000
	check 'perf spe top: all that runs, two tables' spe_top \
		'/ s, .* of a CPU/ { tables++ } /^ / { rows++ } END { exit !(tables == 2 && rows) }' \
		-a --by comm,cpu --period 4096 --interval 1 --iterations 2
	check 'perf spe agent: the sums of a window, with a program that runs' agent_window
	check 'perf spe mem: 64 pages, 4 lines at most on each' spe_says \
		'/^#/ { pages = /hottest/ || (pages && /count/); next }
		pages && NF > 6 { n++; bad += $6 > 4 } END { exit !(n > 32 && n <= 64 && !bad) }' \
		mem --limit 100 --filter 'symbol == walk'
}

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
# find too.  (Of .bss it says "anon".)  There is one more column if two threads ran at once.
# shellcheck disable=SC2016  # $ is awk's
names_of_perf() {
	perf report -i /out/names.data --itrace=M --mem-mode --sort symbol_daddr,dso_daddr --stdio 2>/tmp/theirs.errors |
		awk '{
			for (i = 1; i < NF; i++)
				if ($i ~ /^(initialized|constant)/ && $(i + 1) == "named") { sub(/\+0x0$/, "", $i); print $i }
		}' |
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

# perf-spe takes memory for a thread's stack if the thread begins within 100 ms.  On a busy host
# a virtual CPU may stand still for longer.
thread_began_soon() {
	perf script --show-mmap-events --show-task-events -i /out/names.data 2>/dev/null | awk '
		/PERF_RECORD_MMAP2/ && /rw-p \/\/anon/ { mapped = $4 + 0 }
		/PERF_RECORD_FORK/ { begun = $4 + 0 }
		END { print "the thread began " begun - mapped " s after its stack was mapped"
		      exit !(begun - mapped < 0.1) }'
}

record_named_soon() {
	local try
	for try in 1 2 3 4 5; do
		record_named || return 1
		if thread_began_soon; then return 0; fi
	done
	echo "no thread began soon in $try tries"
	return 1
}

names_runs() {
	check 'perf spe record: a program that says where its memory is' record_named_soon
	check 'perf spe export: names of data as the program says them' names_agree
	# perf makes samples of memory (--itrace=M) from 5.11 on.
	case $(perf --version) in
	'perf version 5.'*) ;;
	*) check 'perf spe export: the variables that stock perf names' names_of_perf ;;
	esac
}

# perf-spe preloads /job/libarmspe-heap.so, which lies beside it.
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
