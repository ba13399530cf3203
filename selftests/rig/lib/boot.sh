# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# Boots the guests of the plan, two at a time, and judges them.  Sourced by check-guest.

# The driver for a guest.  Where Linux's own is built in, or a guest has ARM_SPE_BESIDE=y
# or ARM_SPE_STRICT=y, the name is arm_spe, otherwise arm_spe_pmu: jobs find it in ARM_SPE_NAME.  The file is
# arm_spe_pmu.ko in every guest.
module_of() { # NAME
	local folder=$SPE_BUILD/modules/${plan_kernel[$1]}
	[[ "${plan_variables[$1]} " != *' ARM_SPE_BESIDE=y '* ]] || folder+=-beside
	[[ "${plan_variables[$1]} " != *' ARM_SPE_STRICT=y '* ]] || folder+=-strict
	find "$folder" -maxdepth 1 -name 'arm_spe*.ko' -print -quit 2>/dev/null || true
}

# The variables for a guest's job, as NAME=VALUE lines.
environment_of() { # NAME
	local kernel=${plan_kernel[$1]} context=n word variable
	! grep -q '^CONFIG_PID_IN_CONTEXTIDR=y' "$SPE_BUILD/kernels/$kernel/.config" || context=y
	echo "DRIVER=${plan_driver[$1]}"
	echo "ARM_SPE_KERNEL_EL=${plan_level[$1]}"
	echo "ARM_SPE_CONTEXTIDR=$context"
	echo "ARM_SPE_NAME=$(basename "$(module_of "$1")" .ko)"
	echo "ARM_SPE_SUITES='${plan_suites[$1]}'"
	for word in ${plan_variables[$1]}; do
		variable=${word%%=*}
		echo "$variable=${!variable:-${word#*=}}"
	done
}

# The files for a guest: the test modules, the programs of its list, and whatever else the job
# and the libraries that it sources name.
payload_of() { # NAME
	local job=$rig/jobs/check-${plan_job[$1]}.sh file text library
	local -A known=()
	text=$(cat "$job")
	for _ in 1 2 3; do
		for library in "$rig"/jobs/*-lib.sh; do
			[[ -z ${known[$library]-} && $text == *". /job/${library##*/}"* ]] || continue
			known[$library]=1
			text+=$(cat "$library")
			echo "$library"
		done
	done
	for file in "$rig/lists/losses" "$SPE_BUILD"/guest/*; do
		[[ $text != *"/job/${file##*/}"* ]] || echo "$file"
	done
	for file in ${plan_suites[$1]}; do echo "$SPE_BUILD/guest/spe_$file"; done
	ls "$SPE_BUILD/test-modules/${plan_kernel[$1]}"/*.ko
	[ "${plan_job[$1]}" != shell ] || ls "$linux_tests"/test_arm_spe*.sh
}

# heeds_order NAME: our driver writes the registers of the buffer in an order that no PE may
# ignore.  Linux's own driver does not, and the job takeover runs both.
heeds_order() {
	[ "${plan_driver[$1]}" = ours ] && [ "${plan_job[$1]}" != takeover ]
}

# boot NAME: boots the guest and leaves its status and time in its folder for finish.
boot() {
	local name=$1 rc=0 start=$SECONDS input file arguments
	input=$(mktemp -d)
	environment_of "$name" >"$input/environment"
	cp "$(module_of "$name")" "$input/arm_spe_pmu.ko"
	# shellcheck disable=SC2206  # words
	arguments=(${plan_options[$name]} --add "$input/environment" --add "$input/arm_spe_pmu.ko")
	while read -r file; do arguments+=(--add "$file"); done < <(payload_of "$name")
	[ "${plan_level[$name]}" = 1 ] || arguments+=(--el2)
	! heeds_order "$name" || arguments+=(--ignore-writes)
	[ -n "${FRESH-}" ] || is_random "$name" || arguments+=(--reuse)
	"$rig/run-guest" --kernel "${plan_kernel[$name]}" --job "$rig/jobs/check-${plan_job[$name]}.sh" \
		--out "$runs/$name" --timeout 1200 "${arguments[@]}" 2>"$input/errors" || rc=$?
	mkdir -p "$runs/$name"
	mv "$input/errors" "$runs/$name/errors.txt"
	echo "$rc $((SECONDS - start))" >"$runs/$name/status"
	rm -rf "$input"
}

# A guest that draws random numbers is another one each time.
is_random() { # NAME
	[[ "${plan_variables[$1]} " == *'=random '* ]]
}

# finish NAME: waits for the guest and judges it; fails if the guest did not come to an
# end.
finish() {
	local name=$1 rc=2 seconds=0 kept=''
	until [ -s "$runs/$name/status" ]; do sleep 0.2; done
	read -r rc seconds <"$runs/$name/status"
	[ ! -s "$runs/$name/verdict.txt" ] || judge "$name"
	[ "$rc" -eq 2 ] || judge_suites "$name"
	! heeds_order "$name" || no_ignored_writes "$name"
	[ ! -e "$runs/$name/kept" ] || kept=', kept: the same guest has passed'
	verdict "$name: the guest came to its end ($seconds s$kept)" [ "$rc" -eq 0 ]
	[ "$rc" -eq 0 ] || sed 's/^/    /' "$runs/$name/errors.txt" || true
	[ "$rc" -ne 2 ]
}

# boot_one NAME: writes a status to the guest's folder even if boot fails.
boot_one() {
	# shellcheck disable=SC2064  # the name of now
	trap "[ -s '$runs/$1/status' ] || echo '2 0' >'$runs/$1/status'" EXIT
	boot "$1"
}

# Two guests run at any time, because one guest often keeps only one CPU busy.
boot_all() {
	local name running=0
	for name in "${names[@]}"; do
		if [ "$running" -eq "$SPE_JOBS" ]; then
			wait -n || true
			running=$((running - 1))
		fi
		boot_one "$name" &
		running=$((running + 1))
	done
	wait
}

# Judges guests in the order of the plan, while later ones run.  A guest that fails is booted
# again the next time.
run_plan() {
	local name before
	for name in "${names[@]}"; do
		mkdir -p "$runs/$name"
		rm -f "$runs/$name"/{status,kept}
	done
	boot_all &
	for name in "${names[@]}"; do
		before=$failed
		if finish "$name"; then ${plan_judge[$name]} "$name"; fi
		[ "$failed" -eq "$before" ] || rm -f "$runs/$name/content"
	done
	wait
}
