# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# Compares the cases that guests skip with the list "skips".  Sourced by check-guest.

skip_guests=() skip_cases=() skip_reasons=() skip_used=()

# Fails for a skipped case that the list "skips" does not have.
judge_skip() { # NAME "PROGRAM: CASE # SKIP REASON"
	local i case=${2%% # SKIP*} case_reason=${2#*# SKIP}
	for i in "${!skip_guests[@]}"; do
		# shellcheck disable=SC2053  # patterns
		if [[ $1 == ${skip_guests[i]} && $case == ${skip_cases[i]} && $case_reason == *"${skip_reasons[i]}"* ]]; then
			skip_used[i]=1
			skip "$1: $2"
			return
		fi
	done
	fail "$1: skipped, and selftests/rig/lists/skips does not list it: $2"
}

# Reads lines of three fields, separated by tabs: guests, cases, reason.
read_skips() {
	local guests cases reason
	while IFS=$'\t' read -r guests cases reason; do
		[[ $guests != '#'* && -n $guests ]] || continue
		[ -n "$reason" ] || die "selftests/rig/lists/skips: the line '$guests $cases' has no reason"
		skip_guests+=("$guests") skip_cases+=("$cases") skip_reasons+=("$reason") skip_used+=('')
	done <"$rig/lists/skips"
}

# Whether a booted guest that the line is for runs the program of the line's case.
skip_had_a_chance() { # INDEX
	local name
	for name in "${names[@]}"; do
		# shellcheck disable=SC2053  # a pattern
		[[ $name == ${skip_guests[$1]} ]] || continue
		[[ " ${plan_suites[$name]} " != *" ${skip_cases[$1]%%:*} "* ]] || return 0
	done
	return 1
}

# Fails for a line whose program ran in its guests without skipping the case.  Only a run
# of all guests of a set, check or long, can tell.
judge_unused_skips() {
	local i
	[ "$only ${kernels[*]}" = "* $("$SPE_TOP/tools/setup/kernel/kernel-list" check | xargs)" ] || return 0
	for i in "${!skip_guests[@]}"; do
		[ -z "${skip_used[i]}" ] || continue
		skip_had_a_chance "$i" || continue
		fail "selftests/rig/lists/skips: no guest has skipped ${skip_guests[i]}: ${skip_cases[i]}"
	done
}
