# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# Counts verdicts and prints one line for each.  Sourced by check-guest.

passed=0 failed=0 skipped=0

pass() { passed=$((passed + 1)) && echo "ok $1"; }
skip() { skipped=$((skipped + 1)) && echo "ok $1"; }
fail() { failed=$((failed + 1)) && echo "not ok $1"; }

verdict() { # NAME COMMAND...
	local name=$1
	shift
	if "$@"; then pass "$name"; else fail "$name"; fi
}

# Prints what a kselftest program logged about a failed case, or the end of what the command of
# another check wrote to check.txt.
explain() { # DIR "PROGRAM: CASE"
	local log=$1/files/${2%%: *}.tap
	if [ -r "$log" ] && grep -qF " ${2#*: } " "$log"; then
		awk -v name="${2#*: }" '
			index($0, "RUN  ") && index($0, " " name " ") { on = 1; next }
			on && /^(not )?ok / { exit }
			on { print "    " $0 }' "$log" | head -n 12
	elif [ -r "$1/files/check.txt" ]; then
		awk -v name=" s, $2: " '
			/^== / { on = index($0, name); next }
			on { print "    " $0 }' "$1/files/check.txt" | tail -n 12
	fi
}

# Passes on a guest's verdicts, line by line.  The guest numbers its lines, so a missing
# line is noticed.
judge() { # NAME
	local dir=$runs/$1 line rest expected=0
	while read -r line; do
		case $line in
		'ok '* | 'not ok '*)
			expected=$((expected + 1))
			rest=${line#not }
			rest=${rest#ok }
			[ "${rest%% *}" = "$expected" ] ||
				fail "$1: verdict number $expected is missing (found ${rest%% *})"
			expected=${rest%% *}
			rest=${rest#* }
			;;
		esac
		case $line in
		'ok '*'# SKIP'*) judge_skip "$1" "$rest" ;;
		'ok '*) pass "$1: $rest" ;;
		'not ok '*)
			fail "$1: $rest"
			explain "$dir" "$rest"
			;;
		'LEFT '*'left behind' | 'LEFT rmmod:'* | 'LEFT insmod:'* | 'LEFT unreferenced object'*)
			fail "$1: after the job: ${line#LEFT }"
			;;
		'LEFT '*) ;;
		'END '*) ;;
		*) fail "$1: cannot parse this line as a verdict: $line" ;;
		esac
	done <"$dir/verdict.txt"
	[ "$expected" -gt 0 ] || fail "$1: gave no verdict"
}
