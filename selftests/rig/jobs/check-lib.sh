#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC3043  # busybox sh has local
#
# Shared by the check jobs in the guest: verdicts go to file descriptor 3 as
# TAP lines with a running number, everything else to files in /out.

# shellcheck disable=SC1091  # in the guest
. /leftovers.sh

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
loss_counters='truncated|partial|collisions|discarded|bad_pointer|no_buffer|halted|retried|repositioned|throttles|samples_lost|busy_other|guests_changed'
count_losses() {
	cat /sys/kernel/debug/arm_spe_pmu/* 2>/dev/null | tr ' ' '\n' |
		awk -F = -v "names=^($loss_counters)\$" '$1 ~ names { n[$1] += $2 } END { for (i in n) print i "=" n[i] }'
}

# Begins to watch the counters of losses.
losses_begin() { count_losses >/tmp/losses.before; }

# The counters that grew must be those that the list "losses" (selftests/rig) has
# for this program, and all of those; "?" stands behind one that may or may not grow.
# "PROGRAM@stage2" has more of them, for guests where a hypervisor takes pages away.
# Where the module was loaded anew its counters began at 0.
losses_end() { # PROGRAM
	count_losses >/tmp/losses.after
	[ -s /tmp/losses.after ] || return 0
	check "$1: counts the losses that it provokes, and no other" losses_are_listed "$1"
}

losses_are_listed() { # PROGRAM
	awk -F = -v "program=$1" -v "stage2=${ARM_SPE_STAGE2:-n}" '
		FILENAME ~ /before$/ { before[$1] = $2; next }
		FILENAME ~ /after$/ {
			growth = $2 - ($2 < before[$1] ? 0 : before[$1])
			if (growth) grew[$1] = growth
			next
		}
		{ split($0, word, /[ \t]+/) }
		word[1] != program && !(stage2 == "y" && word[1] == program "@stage2") { next }
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

# Prints the driver's budget of time, or sets it; does nothing with a driver that has none.
# The tests fill small buffers with short periods and count records, on a host that may
# take the CPU away: a pause would make them fail.  strict_stress counts none, and without
# pauses a session of kernel code in a tiny buffer may leave a slow kernel no time.
budget() { # [PERCENT]
	local file="/sys/module/${ARM_SPE_NAME:-arm_spe_pmu}/parameters/cpu_time_max_percent"
	[ -e "$file" ] || return 0
	if [ $# -eq 0 ]; then cat "$file"; else echo "$1" >"$file"; fi
}

# Runs one kselftest program and passes its cases on.  A program that ends
# before its plan is done, or with another status than its cases say, is a
# failure of its own.
kselftest() { # PROGRAM
	local log="/out/$1.tap" rc=0 plan seen failed line percent given left pause paranoid
	pause=$(aux_pause)
	paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
	allow_aux_pause "$1"
	leftovers_begin kselftest
	echo "== $(cut -d ' ' -f 1 /proc/uptime) s, kselftest $1" >>/out/check.txt
	losses_begin
	percent=$(budget)
	case $1 in steady_budget | strict_stress) ;; *) budget 0 ;; esac
	[ "$1-$ARM_SPE_KERNEL_EL" != strict_guests-2 ] || expects 'PMSCR_EL12 was changed during a session'
	given=$(budget)
	"/job/spe_$1" >"$log" 2>&1 || rc=$?
	left=$(budget)
	[ -z "$percent" ] || budget "$percent"
	# A test of permissions cannot restore it: it is no longer root.
	echo "$paranoid" >/proc/sys/kernel/perf_event_paranoid
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
	# A case that loads the module anew would run the next ones with the default.
	[ "${left:-$given}" = "$given" ] ||
		verdict 'not ok' "$1: leaves the budget of time at $given percent (it is $left)"
	losses_end "$1"
	check "$1: leaves nothing in the kernel, and the module loads again" leaves_nothing "$pause"
}

kselftests() { # PROGRAM...
	local program
	for program in "$@"; do kselftest "$program"; done
}

# Of these programs, those that selftests/rig/lists/suites lists for this guest.
listed() { # PROGRAM...
	local program
	for program in "$@"; do
		case " $ARM_SPE_SUITES " in *" $program "*) echo "$program" ;; esac
	done
}

# The programs listed for this guest, in the list's order, without these.
others() { # PROGRAM...
	local program
	for program in $ARM_SPE_SUITES; do
		case " $* " in *" $program "*) ;; *) echo "$program" ;; esac
	done
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

# Where the CPU has what it takes (ARM_SPE_EBEP): sessions that would fall back to
# the interrupt are refused from here on.
by_exception() {
	[ "${ARM_SPE_EBEP:-n}" = n ] || check 'sessions may use the exception alone' \
		sh -c "echo exception >/sys/module/$ARM_SPE_NAME/parameters/delivery"
}

# The choice and its reason, as in sysfs: "CHOICE: REASON".
probe_line_has_delivery() {
	local text
	text=$(cat /sys/bus/event_source/devices/arm_spe_0/delivery)
	logged "events by ${text%%: *} (${text#*: })"
}

exceptions_came() { cat /sys/kernel/debug/arm_spe_pmu/* /tmp/counters 2>/dev/null | grep 'exceptions=[1-9]'; }

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
			if (block !~ /BUG: KCSAN/ || block ~ /\[arm_spe(_pmu)?\]/)
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

. /job/perf-lib.sh
