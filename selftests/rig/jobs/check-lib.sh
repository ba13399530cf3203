#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC3043  # busybox sh has local
#
# Shared by the check jobs in the guest: verdicts go to file descriptor 3 as
# TAP lines with a running number, everything else to files in /out.

number=0

verdict() { # "ok" or "not ok", NAME
	number=$((number + 1))
	echo "$1 $number $2" >&3
}

check() { # NAME COMMAND...
	local name="$1"
	shift
	echo "== $(cut -d ' ' -f 1 /proc/uptime) s, $name: $*" >>/out/check.txt
	if "$@" >>/out/check.txt 2>&1; then
		verdict ok "$name"
	else
		verdict 'not ok' "$name"
	fi
}

refuses() { # COMMAND...: it must fail
	if "$@"; then return 1; fi
}

# The driver's counters of losses, "NAME=SUM" a line, over all CPUs and PMUs.
loss_counters='truncated|partial|collisions|discarded|strays|outrun|unstarted|halted|retried|elsewhere'
count_losses() {
	cat /sys/kernel/debug/arm_spe_pmu/* 2>/dev/null | tr ' ' '\n' |
		awk -F = -v "names=^($loss_counters)\$" '$1 ~ names { n[$1] += $2 } END { for (i in n) print i "=" n[i] }'
}

# Begins to watch the counters of losses.
losses_begin() { count_losses >/tmp/losses.before; }

# The counters that grew must be those that the list "losses" (selftests/rig) has
# for this program, and all of those; "?" stands behind one that may or may not grow.
# Where the module was loaded anew its counters began at 0.
losses_end() { # PROGRAM
	count_losses >/tmp/losses.after
	[ -s /tmp/losses.after ] || return 0
	check "$1: counts the losses that it provokes, and no other" losses_are_listed "$1"
}

losses_are_listed() { # PROGRAM
	awk -F = -v "program=$1" '
		FILENAME ~ /before$/ { before[$1] = $2; next }
		FILENAME ~ /after$/ {
			growth = $2 - ($2 < before[$1] ? 0 : before[$1])
			if (growth) grew[$1] = growth
			next
		}
		{ split($0, word, /[ \t]+/) }
		word[1] != program { next }
		{
			for (i = 2; i in word; i++) {
				name = word[i]
				maybe = sub(/\?$/, "", name)
				listed[name] = 1
				if (!maybe && !(name in grew)) bad = bad " " name " did not grow,"
			}
		}
		END {
			for (name in grew) {
				printf "losses %s %s %d\n", program, name, grew[name]
				if (!(name in listed)) bad = bad " " name " grew by " grew[name] ","
			}
			if (bad) print "not as listed:" bad
			exit bad != ""
		}' /tmp/losses.before /tmp/losses.after /job/losses
}

# Runs one kselftest program and passes its cases on.  A program that ends
# before its plan is done, or with another status than its cases say, is a
# failure of its own.
kselftest() { # PROGRAM
	local log="/out/$1.tap" rc=0 plan seen failed line
	echo "== $(cut -d ' ' -f 1 /proc/uptime) s, kselftest $1" >>/out/check.txt
	losses_begin
	"/job/spe_$1" >"$log" 2>&1 || rc=$?
	plan=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' "$log")
	seen=0 failed=0
	while read -r line; do
		case $line in
		'ok '*)
			verdict ok "$1: ${line#ok * }"
			;;
		'not ok '*)
			verdict 'not ok' "$1: ${line#not ok * }"
			failed=$((failed + 1))
			;;
		*) continue ;;
		esac
		seen=$((seen + 1))
	done <"$log"
	if [ "$seen" != "${plan:-none}" ]; then
		verdict 'not ok' "$1: all of its cases ran ($seen of ${plan:-none}, status $rc)"
	elif [ "$rc" -ne 0 ] && [ "$failed" -eq 0 ]; then
		verdict 'not ok' "$1: ends with status 0 (it was $rc)"
	fi
	losses_end "$1"
}

kselftests() { # PROGRAM...
	local program
	for program in "$@"; do kselftest "$program"; done
}

# Stock perf's own dump of each recording, for the host: the host's perf may be
# older than the guest's and refuse the file.
dump_recordings() {
	local file
	for file in /out/*.data; do
		check "perf report -D of ${file##*/}" dump_recording "$file"
	done
}

dump_recording() { # FILE
	perf report -D -i "$1" >/tmp/dump 2>/tmp/dump.err || {
		cat /tmp/dump.err
		return 1
	}
	grep -E '^\.  [0-9a-f]{8}: |PERF_RECORD_AUX' /tmp/dump | gzip -1 >"${1%.data}.dump.gz"
}

# Stock perf's samples of a recording, for the host too: the fields that it shares
# with perf-spe.
script_recording() { # FILE
	perf script --ns --itrace=i1iMbfmta -i "$1" \
		-F hw:time,event,ip,addr,phys_addr,weight,data_src >/tmp/script 2>/tmp/script.err || {
		cat /tmp/script.err
		return 1
	}
	gzip -1 </tmp/script >"${1%.data}.script.gz"
}

# After all else: kexec, with sessions on every CPU; the host judges the console.
kexec_at_the_end() {
	{
		echo '#!/bin/busybox sh'
		echo "insmod /job/arm_spe_pmu.ko $*"
		echo 'exec /job/kexec /job/after.image'
	} >/last
	chmod +x /last
}

no_complaint() {
	refuses grep -nE 'WARNING|BUG:|Oops|Call trace|[Ss]purious|(Unknown|Unexpected).*PMBSR|irq.*nobody cared'
}

# A warning of the driver that this guest's tests provoke: a pattern.
expects() { # PATTERN
	echo "$1" >>/tmp/expected
}

# What the driver itself logs at the level of warnings or above is a complaint,
# but for what the tests provoke, and that must be there.  Each module that is not
# the kernel's own is logged as one.
driver_is_quiet() {
	local rc=0 pattern
	dmesg -r | sed -nE 's/^<[0-4]>(.*(arm_spe|arm,spe|spe-pmu).*)$/\1/p' |
		grep -v 'loading out-of-tree module taints kernel' >/tmp/warnings
	[ -e /tmp/expected ] || : >/tmp/expected
	while read -r pattern; do
		grep -qE "$pattern" /tmp/warnings || {
			echo "the driver did not warn: $pattern"
			rc=1
		}
	done </tmp/expected
	if [ -s /tmp/expected ]; then
		grep -vE -f /tmp/expected /tmp/warnings && rc=1
	else
		cat /tmp/warnings
		[ ! -s /tmp/warnings ] || rc=1
	fi
	return "$rc"
}

# How many records a recording holds, by stock perf.
count_records() { # FILE
	perf report -D -i "$1" 2>/dev/null | grep -cE '^\.  [0-9a-f]+: .* (TS [0-9]+|END) *$'
}

sampled() { # FILE: what a program did
	local count
	count=$(count_records "$1")
	echo "$count records"
	[ "$count" -ge 100 ]
}

# perf of Linux 7 refuses -F for this PMU by itself, whatever the driver can: that
# is a case of its own, which no driver can pass or fail.  A fast host runs the
# program in a third of a second of guest time: some 700 records.
record_frequency() {
	if perf record -N -F 2000 -e arm_spe// -o /out/frequency.data -- /job/hot 20000 2>/tmp/frequency.err; then
		check 'perf record takes -F, and there are records' sampled /out/frequency.data
	else
		check 'perf record takes -F, or never asks the kernel' \
			grep 'Frequency is not supported' /tmp/frequency.err
	fi
}

# In a kernel with kmemleak: twice, since a first scan only suspects.
no_leak() {
	local kmemleak=/sys/kernel/debug/kmemleak
	echo scan >$kmemleak && sleep 6 && echo scan >$kmemleak && cat $kmemleak >/out/kmemleak.txt
	cat /out/kmemleak.txt
	[ ! -s /out/kmemleak.txt ]
}

# Where the CPU has what it takes (ARM_SPE_EBEP): sessions that would fall back to
# the interrupt are refused from here on.
by_exception() {
	[ "${ARM_SPE_EBEP:-n}" = n ] || check 'sessions may use the exception alone' \
		sh -c 'echo exception >/sys/module/arm_spe_pmu/parameters/delivery'
}

# The choice and its reason, as in sysfs: "CHOICE: REASON".
probe_line_has_delivery() {
	local text
	text=$(cat /sys/bus/event_source/devices/arm_spe_0/delivery)
	logged "events by ${text%%: *} (${text#*: })"
}

exceptions_came() { cat /sys/kernel/debug/arm_spe_pmu/* | grep 'exceptions=[1-9]'; }

logged() { dmesg | grep -F "$1"; }

dmesg_is_clean() { dmesg | no_complaint && driver_is_quiet; }

# In a debug kernel.
lockdep_watches() { grep -E '^ *debug_locks: +1$' /proc/lockdep_stats; }

# The kernel's first line is still there: none was overwritten.
log_is_whole() { dmesg | head -n 1 | grep 'Booting Linux'; }

# Races of the kernel's own with itself are left out, the others are not.
debug_kernel_is_silent() {
	dmesg | awk '
		{ line = $0; sub(/^\[[^]]*\] /, "", line) }
		line ~ /^=+$/ && !inside { inside = 1; block = line "\n"; next }
		line ~ /^=+$/ {
			block = block line "\n"
			if (block !~ /BUG: KCSAN/ || block ~ /\[arm_spe_pmu\]/)
				printf "%s", block
			inside = 0
			next
		}
		inside { block = block line "\n"; next }
		{ print line }
		END { if (inside) printf "%s", block }' >/out/judged.txt
	no_complaint </out/judged.txt && driver_is_quiet &&
		refuses grep -nE 'UBSAN|KASAN|kmemleak: [0-9]+ new|INFO: (task|rcu)|DEBUG_LOCKS' /out/judged.txt
}

# perf record of CPUs.  Where perf finds nothing to read, and the program has ended
# just then, it ends without having disabled the events: what they hold is never
# published.  So they are disabled while the program still runs.
# shellcheck disable=SC2016  # for the inner shell
record_cpus() { # OPTION... -- COMMAND...
	local left=$# arg
	[ -p /tmp/control ] || mkfifo /tmp/control /tmp/ack
	while [ $left -gt 0 ]; do
		arg="$1" left=$((left - 1))
		shift
		set -- "$@" "$arg"
		[ "$arg" != -- ] || set -- "$@" sh -c \
			'"$@"; rc=$?; echo disable >/tmp/control; read -r _ </tmp/ack; exit $rc' sh
	done
	perf record --control fifo:/tmp/control,/tmp/ack "$@"
}

# Stock perf in the ways that people use it.  The files are decoded again on
# the host and compared there, byte for byte, with dump_recordings().
perf_runs() {
	losses_begin
	check 'perf list shows the PMU' sh -c 'perf list pmu 2>/dev/null | grep -q arm_spe_0//'
	check 'perf record of a task' \
		perf record -q -N -c 2048 -e arm_spe// -o /out/task.data -- /job/hot 2000
	check 'perf script names the hot function' \
		sh -c 'perf script --itrace=i1i -i /out/task.data -F ip,sym 2>/dev/null | grep -q hot_loop'
	check 'perf record of all CPUs' \
		record_cpus -q -N -a -c 4096 -e arm_spe/ts_enable=1,pa_enable=1/ -o /out/system.data -- /job/hot 1000
	check 'perf record of CPU 1' \
		record_cpus -q -N -C 1 -c 4096 -e arm_spe/ts_enable=1/ -o /out/cpu1.data -- taskset 2 /job/hot 1000
	check 'perf record of loads and stores with a latency' \
		perf record -q -N -c 1024 -e arm_spe/load_filter=1,store_filter=1,min_latency=2,jitter=1/u \
		-o /out/filter.data -- /job/hot 2000
	check 'perf record of mispredicted branches in the kernel and outside' \
		perf record -q -N -c 1024 -e arm_spe/branch_filter=1,event_filter=0x80,ts_enable=1/ \
		-o /out/branch.data -- /job/hot 1000
	if [ "$DRIVER" = ours ]; then
		record_frequency
	else
		check 'perf record refuses -F' \
			refuses perf record -q -F 1000 -e arm_spe// -o /tmp/f.data -- /job/hot 1
	fi
	# A snapshot in the middle of a run, asked for by the program itself.
	# shellcheck disable=SC2016  # for the inner shell
	check 'perf record takes a snapshot' \
		perf record -q -N -S -m ,128K -c 2048 -e arm_spe/ts_enable=1/ -o /out/snapshot.data \
		-- sh -c '/job/hot 3000; kill -USR2 $PPID; /job/hot 3000'
	losses_end perf
}

# What perf-spe says of /out/named.data; AWK decides by its status.
spe_says() { # AWK VERB OPTION...
	local program="$1" verb="$2"
	shift 2
	/job/perf-spe "$verb" -i /out/named.data "$@" >/tmp/said || return 1
	cat /tmp/said
	awk "$program" /tmp/said
}

# The same of what runs now
spe_top() { # AWK OPTION...
	local program="$1"
	shift
	/job/perf-spe top "$@" >/tmp/said || return 1
	cat /tmp/said
	awk "$program" /tmp/said
}

# perf-spe where it was built for: it asks this machine what it has, records by
# names, and finds what shared.c says of itself.
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
		report --by op --filter 'object ~ shared'
	check 'perf spe report: the three functions come first' spe_says \
		'/^ / && n < 3 { n++; good += $NF ~ /^(add_left|add_right|walk)$/ } END { exit good != 3 }' report
	check 'perf spe sharing: first the line of both threads, no byte shared' spe_says \
		'/ line 0x/ && !n++ { good = /2 sharers/ && /false sharing\?/ }
		n == 1 { left += / add_left$/; right += / add_right$/; other += / walk$/ }
		END { exit !(good && left >= 2 && right >= 2 && !other) }' sharing
	# One table, when the command has ended, however long that takes
	check 'perf spe top: a command, live' spe_top \
		'/^ / && n < 3 { n++; good += $NF ~ /^(add_left|add_right|walk)$/ } END { exit good != 3 }' \
		--user --period 1024 --interval 3600 -- /job/shared 200000
	check 'perf spe top: all that runs, two tables' spe_top \
		'/ s, .* of a CPU/ { tables++ } /^ / { rows++ } END { exit !(tables == 2 && rows) }' \
		-a --by comm,cpu --period 4096 --interval 1 --iterations 2
	check 'perf spe mem: 64 pages, 4 lines at most on each' spe_says \
		'/^#/ { pages = /hottest/ || (pages && /count/); next }
		pages && NF > 5 { n++; bad += $5 > 4 } END { exit !(n > 32 && n <= 64 && !bad) }' \
		mem --limit 100 --filter 'symbol == walk'
}
