# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# Reads the list "suites": which programs run in which guest.  Sourced by check-guest and
# coverage.

shopt -s extglob

programs=() suite_jobs=() suite_guests=() suite_programs=()
declare -A lacks

# Reads the list.  Every pattern must name a program.
read_suites() {
	local job guests words word file
	mapfile -t programs < <(cd "$SPE_TOP/selftests/arm_spe" && grep -l HARNESS_MAIN ./*.c | sed 's|^./||; s|\.c$||')
	[ ${#programs[@]} -gt 0 ] || die "selftests/arm_spe has no program with TEST_HARNESS_MAIN"
	while read -r job guests words; do
		[[ $job != '#'* && -n $job ]] || continue
		[ -n "$words" ] || die "selftests/rig/lists/suites: the line '$job $guests' names no program"
		if [ "$job" = lacks ]; then
			word=${words%% *}
			[ "$word" != "$words" ] || die "selftests/rig/lists/suites: the line 'lacks $guests $word' has no reason"
			lacks["$guests $word"]=1
			words=$word
		else
			suite_jobs+=("$job") suite_guests+=("$guests") suite_programs+=("$words")
			file=$rig/jobs/check-$job.sh
			[ -r "$file" ] || die "selftests/rig/lists/suites names the job '$job', but $file does not exist"
		fi
		set -f
		for word in $words; do
			[ -n "$(programs_of "$word")" ] || die "selftests/rig/lists/suites: no program is called $word"
		done
		set +f
	done <"$rig/lists/suites"
}

programs_of() { # PATTERN
	local program
	for program in "${programs[@]}"; do
		# shellcheck disable=SC2053  # a pattern
		[[ $program != $1 ]] || echo "$program"
	done
}

# suites_of NAME JOB: prints the programs that run in a guest, each once.
suites_of() (
	set -f
	for i in "${!suite_jobs[@]}"; do
		# shellcheck disable=SC2053  # a pattern
		[[ $2 == "${suite_jobs[i]}" && $1 == ${suite_guests[i]} ]] || continue
		for word in ${suite_programs[i]}; do programs_of "$word"; done
	done | awk '!seen[$0]++' | xargs
)

# Fails if other programs ran in a guest than the list has for it.
judge_suites() { # NAME
	local ran
	ran=$(cd "$runs/$1/files" && find . -name '*.tap' | sed 's|^./||; s|\.tap$||' | sort | xargs)
	verdict "$1: the programs that selftests/rig/lists/suites lists have run, and no others" \
		[ "$ran" = "$(tr ' ' '\n' <<<"${plan_suites[$1]}" | sort | xargs)" ]
}
