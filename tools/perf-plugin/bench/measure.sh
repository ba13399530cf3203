# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154 # the scripts that source it set and use these
#
# Sourced by end-to-end and exports, after `bench` (the folder of the programs) and
# `recording` are set.
# Makes $dir, a folder for recordings and exported files, and removes it at the end.

runs=${E2E_RUNS:-3}
mib=${E2E_MIB:-1024}
part=$((mib >= 16 ? mib / 8 : 2))
dir=$(mktemp -d -p "$bench" data.XXXXXX)
trap 'rm -rf "$dir"' EXIT

# The kernel's symbols, if they lie beside the recording; perf takes the same option.
symbols=()
[ ! -e "${recording%/*}/kallsyms" ] || symbols=(--kallsyms "${recording%/*}/kallsyms")

# need MIB: end if the disk of $dir has less
need() {
	local free
	free=$(df --output=avail -m "$dir" | tail -n 1)
	[ "$free" -ge "$1" ] && return
	echo "bench: $dir has $free MiB free and needs $1: free some, or set E2E_MIB lower" >&2
	exit 1
}

# The first two CPUs that this shell may use
mapfile -t cpus < <(taskset -cp $$ | sed 's/.*: //' | tr , '\n' |
	awk -F - '{ for (i = $1; i <= ($2 == "" ? $1 : $2); i++) print i }' | head -n 2)
one=${cpus[0]} two=$(IFS=,; echo "${cpus[*]}")

# Real-time priority keeps other programs from the CPUs, so that elapsed times are the
# command's own.  Only root may use it.
steady=()
! chrt -r 1 true 2>/dev/null || steady=(chrt -r 1)

say_machine() {
	local how='with real-time priority, so other programs change them little'
	[ "${#steady[@]}" -gt 0 ] || how='elapsed ones need an idle machine (root would get real-time priority)'
	echo "# load $(cut -d ' ' -f 1 /proc/loadavg), ${#cpus[@]} of $(nproc --all) CPUs used; times: $how"
	[ "$mib" -ge 1024 ] || echo "# E2E_MIB=$mib: the goals are for 1024 MiB and more"
}

# timed CPUS COMMAND...: print its CPU time and elapsed time in seconds.  All programs with real-time
# priority together get 0.95 of each second (sched_rt_runtime_us), so a pause comes before each.
timed() {
	local TIMEFORMAT='%U %S %R' on=$1 failed=0
	shift
	[ "${#steady[@]}" = 0 ] || sleep 1
	{ time taskset -c "$on" "${steady[@]}" "$@" >/dev/null 2>"$dir/err" </dev/null || failed=1; } \
		2>"$dir/time"
	[ "$failed" = 0 ] || {
		echo "bench: $* failed: $(tail -n 1 "$dir/err")" >&2
		return 1
	}
	awk '{ print $1 + $2, $3 }' "$dir/time"
}

median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

# column N FILE: the median of a column
column() { awk -v n="$1" '{ print $n }' "$2" | median; }

# ratio A B FILE: the median of column A divided by column B, line by line
ratio() { awk -v a="$1" -v b="$2" '{ print $a / ($b > 0 ? $b : 0.001) }' "$3" | median; }

# verdict RESULT GOAL: ", goal GOAL: met" or missed; nothing without a goal
verdict() {
	[ -z "$2" ] || awk -v r="$1" -v g="$2" 'BEGIN { printf ", goal %g: %s", g, (r >= g ? "met" : "missed") }'
}

# at_most RESULT GOAL: the same where less is better
at_most() {
	[ -z "$2" ] || awk -v r="$1" -v g="$2" 'BEGIN { printf ", goal at most %g: %s", g, (r <= g ? "met" : "missed") }'
}
