# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# Reads guests.list and makes the plan: names[], and for each name its judge, kernel,
# driver, level, job, options, job variables and programs.  Sourced by check-guest and
# coverage, after suites.sh.

names=()
declare -A plan_judge plan_kernel plan_driver plan_level plan_job plan_options plan_variables plan_suites

has() { # WORD LIST-WITH-COMMAS
	[[ ,$2, == *,"$1",* ]]
}

# add_guest NAME JUDGE KERNEL DRIVER LEVEL JOB [OPTION...]
add_guest() {
	local name=$1 word
	# shellcheck disable=SC2053  # a pattern is what --only takes
	[[ $name == $only ]] || return 0
	[ -z "${plan_job[$name]:-}" ] || die "guests.list describes the guest $name twice"
	declare -F "judge_${2//-/_}" >/dev/null ||
		die "guests.list: the guest $name has the judge '$2', but lib/judge.sh has no such function"
	[ -r "$rig/jobs/check-$6.sh" ] || die "guests.list: the guest $name has the job '$6', but jobs/check-$6.sh does not exist"
	names+=("$name")
	plan_judge[$name]=judge_${2//-/_} plan_kernel[$name]=$3 plan_driver[$name]=$4
	plan_level[$name]=$5 plan_job[$name]=$6 plan_options[$name]='' plan_variables[$name]=''
	plan_suites[$name]=$(suites_of "$name" "$6")
	for word in "${@:7}"; do
		word=${word//'{dts}'/$rig/dts}
		word=${word//'{guest}'/$SPE_BUILD/guest}
		if [[ $word =~ ^[A-Z_][A-Z0-9_]*= ]]; then
			plan_variables[$name]+=" $word"
		else
			plan_options[$name]+=" $word"
		fi
	done
}

add_guests() { # KERNEL GUEST JUDGE JOB DRIVERS LEVELS [OPTION...]
	local level driver name
	for level in ${6//,/ }; do
		for driver in ${5//,/ }; do
			name=${2//'{level}'/$level}
			name=${name//'{driver}'/$driver}
			add_guest "$1-$name" "$3" "$1" "$driver" "$level" "$4" "${@:7}"
		done
	done
}

# plan_guests SET KERNEL: adds the guests of a kernel, in the order of the list.
plan_guests() {
	local set kernels guest judge job drivers levels options
	while read -r set kernels guest judge job drivers levels options; do
		if [[ $set == "$1" ]] && has "$2" "$kernels"; then
			# shellcheck disable=SC2086  # words
			add_guests "$2" "$guest" "$judge" "$job" "$drivers" "$levels" $options
		fi
	done < <(grep -v '^#' "$rig/lists/guests.list")
}

print_plan() {
	local name
	for name in "${names[@]}"; do
		echo "$name: ${plan_judge[$name]} check-${plan_job[$name]}.sh ${plan_driver[$name]} ${plan_kernel[$name]} EL${plan_level[$name]}${plan_variables[$name]}${plan_options[$name]}"
	done
}
