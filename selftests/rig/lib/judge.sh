# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# What the host compares after each guest: the column JUDGE of guests.list.  Each
# function takes the guest's name.  Sourced by check-guest.

judge_none() { :; }

judge_no_faults() { no_faults "$1"; }

judge_faults() { saw_faults "$1"; }

judge_tools() { compare_tools "$1"; }

judge_recordings() {
	compare_tools "$1"
	no_faults "$1"
}

# Protected KVM unmaps pages of the host while the unit writes: kvm.c counts the faults.
judge_protected() {
	compare_tools "$1"
	no_faults "$1" stage2_fault
}

judge_records() {
	compare_records "$1"
	compare_samples "$1" task
	compare_filters "$1"
}

# Each record of the model is a sample of perf with the record's fields, but for what perf and the
# driver say that they have lost.
judge_samples() {
	local dir=$runs/$1 key value written files
	local -A is=([samples]=0 [lost]=0 [alike]=0 [wrong]=0) counted=([samples]=0 [samples_lost]=1)
	mapfile -t files < <(sed "s|.*|$dir/files/&.dump.gz|" "$dir/files/order")
	"$rig/judge/judge-samples" "$SPE_BUILD/values" "$dir/model.log" "${files[@]}" >"$dir/samples" || true
	while read -r key value; do
		if [ "$key" = wrong ]; then is[wrong]=$((is[wrong] + 1)); else is[$key]=$value; fi
	done <"$dir/samples"
	written=$(sum_of "$dir/model.json" .records)
	no_faults "$1"
	verdict "$1: at least 1000 samples (${is[samples]})" [ "${is[samples]}" -ge 1000 ]
	verdict "$1: they are the records of their CPUs, byte for byte and in order" [ "${is[wrong]}" -eq 0 ]
	grep '^wrong' "$dir/samples" | sed 's/^/    /' || true
	verdict "$1: and all have the fields of their records (${is[alike]})" [ "${is[alike]}" -eq "${is[samples]}" ]
	# perf counts other events as lost too, such as those of new tasks.
	verdict "$1: stored (${is[samples]}) and lost, as perf says (${is[lost]}): not less than written ($written)" \
		[ $((is[samples] + is[lost])) -ge "$written" ]
	verdict "$1: the small ring has lost some (${is[lost]})" [ "${is[lost]}" -gt 0 ]
	[ "${plan_driver[$1]}" = ours ] || return 0
	while read -r key value; do counted[$key]=$value; done <"$dir/files/counters"
	verdict "$1: handed to perf (${counted[samples]}) and lost by the driver (${counted[samples_lost]}) = written" \
		[ $((counted[samples] + counted[samples_lost])) -eq "$written" ]
}

# perf record --filter has kept the records above a latency, and no others.
judge_filter() {
	local dir=$runs/$1 key value least above written
	local -A is=([samples]=0 [lost]=0 [alike]=0)
	"$rig/judge/judge-samples" "$SPE_BUILD/values" "$dir/model.log" "$dir/files/small-filter.dump.gz" >"$dir/samples" || true
	while read -r key value; do is[$key]=$value; done <"$dir/samples"
	least=$(<"$dir/files/least")
	read -r above written < <(awk '$2 != "-" { print $4 }' "$dir/model.log" | "$SPE_BUILD/values" | tr -d '\r' |
		awk -F, -v least="$least" '{ above += $7 > least; all++ } END { print above + 0, all + 0 }')
	no_faults "$1"
	verdict "$1: all samples are records of the model, with their fields (${is[samples]})" \
		[ "${is[alike]}/$(grep -c '^wrong' "$dir/samples")" = "${is[samples]}/0" ]
	verdict "$1: samples (${is[samples]}) = records of more than $least cycles, out of $written" \
		[ "${is[samples]}" -eq "$above" ]
	verdict "$1: at least 100 records are above, and 100 are not" \
		[ $((above < written - above ? above : written - above)) -ge 100 ]
}

# What BPF programs have added up in the kernel is what the model's records say.
judge_users() {
	local dir=$runs/$1 name result text
	no_faults "$1"
	"$rig/judge/judge-bpf" "$SPE_BUILD/values" "$dir/model.log" "$dir/files" >"$dir/bpf" || true
	while read -r name result text; do
		verdict "$1: $name.txt: the tables are those of the records ($text)" [ "$result" = ok ]
	done <"$dir/bpf"
	verdict "$1: four programs have printed tables" [ "$(wc -l <"$dir/bpf")" -eq 4 ]
}

# Each record that the model wrote is a sample in a window of the agent.
judge_agent() {
	local dir=$runs/$1 heads samples written damaged file wrong=''
	heads=$(cat "$dir"/files/spool/*.jsonl | jq -s '[.[] | select(.format)]') || heads='[]'
	samples=$(jq '[.[].samples] | add' <<<"$heads")
	damaged=$(jq '[.[].lost.damaged_bytes] | add' <<<"$heads")
	written=$(sum_of "$dir/model.json" .records)
	no_faults "$1"
	verdict "$1: the windows ($(jq length <<<"$heads")) have as many samples ($samples) as the model wrote records ($written)" \
		[ "$samples" = "$written" ]
	verdict "$1: and no damaged bytes ($damaged)" [ "$damaged" = 0 ]
	for file in "$dir"/files/spool/*.jsonl; do
		jq -se '.[0].raw_rows == ([.[0].samples, 1000] | min) and .[0].raw_rows == ([.[] | .rows // [] | length] | add)' \
			"$file" >/dev/null || wrong+=" ${file##*/}"
	done
	verdict "$1: each window has a raw row for each sample, at most 1,000${wrong:+, but not$wrong}" [ -z "$wrong" ]
	verdict "$1: the sums of the windows have all of them" jq -se \
		'([.[] | select(.format) | .samples] | add) == ([.[] | select(.format | not) | .samples] | add)' \
		"$dir"/files/spool/*.jsonl
}

# The same, and what 10,000 processes cost: with the usual limit of memory no window ends early.
judge_agent_hour() {
	local heads
	judge_agent "$1"
	heads=$(cat "$runs/$1"/files/spool/*.jsonl | jq -s '[.[] | select(.format)]') || heads='[]'
	verdict "$1: no window ended early" jq -e 'any(.cut) | not' <<<"$heads"
	verdict "$1: raw rows are of more than 1,000 processes" jq -se '[.[] | .rows // [] | .[].pid] | unique | length > 1000' \
		"$runs/$1"/files/spool/*.jsonl
}

# The next kernel finds every unit at rest (selftests/programs/after.S).  These guests
# have no 52-bit addresses (arm64.nolva): with them Linux 6.12 crashes during kexec in
# trans_pgd_create_copy(), with any driver.  Without EL2, PMSCR_EL1.PCT reads as
# "physical" and may be set: no Exception level is sampled even so.
judge_kexec() {
	local said
	said=$(tr -d '\r' <"$runs/$1/console.txt" | grep '^after kexec: ' || true)
	no_faults "$1"
	verdict "$1: kexec with sessions on every CPU leaves the unit off (${said:-nothing said})" \
		grep -qE '^after kexec: el=0{15}[12] pmscr=0{14}[04]0 guests=0{16} pmblimitr=0{16} written=0{16}$' <<<"$said"
}

# The crash kernel finds the unit at rest (selftests/programs/kdump.c): it samples no
# Exception level, its buffer is disabled, and it writes nothing.
judge_kdump() {
	local first last
	first=$(tr -d '\r' <"$runs/$1/console.txt" | grep -o 'spe_state first: .*' || true)
	last=$(tr -d '\r' <"$runs/$1/console.txt" | grep -o 'spe_state last: .*' || true)
	no_faults "$1"
	verdict "$1: the crash kernel finds the unit off (${first:-nothing said})" \
		grep -qE ' pmscr=([0-9a-f]*[048c]) guests=0 pmblimitr=([0-9a-f]*[02468ace]) ' <<<"$first"
	verdict "$1: nothing is written while its user space runs (${last:-nothing said})" \
		grep -qF " $(grep -o 'pmbptr=.*' <<<"${first:-none}")" <<<"$last"
}

judge_isolated() {
	compare_tools "$1"
	judge_kexec "$1"
}

# Callers that perf-spe names are those that the model's log tells.
judge_stacks() {
	local dir=$runs/$1 file=$runs/$1/files/stacks.data key value
	local -A is=([samples]=0 [judged]=0 [stacks]=0 [wrong]=100 [share]=0 [truth]=100)
	no_faults "$1"
	"$rig/judge/judge-stacks" "$spe" "$SPE_BUILD/values" "$SPE_BUILD/guest/callers" "$dir/model.log" "$file" \
		>"$dir/stacks" || true
	while read -r key value; do is[$key]=$value; done <"$dir/stacks"
	verdict "$1: the log tells the caller of at least 1000 samples (${is[judged]} of ${is[samples]})" \
		[ "${is[judged]}" -ge 1000 ]
	verdict "$1: at least 95% of the program's samples have a stack (${is[stacks]}%)" \
		holds "${is[stacks]} >= 95"
	verdict "$1: at most 1% of those have a wrong caller (${is[wrong]}%)" holds "${is[wrong]} <= 1"
	verdict "$1: thrash() causes at least 90% of leaf()'s misses (${is[truth]}%)" holds "${is[truth]} >= 90"
	verdict "$1: it gets its share within 3 points (${is[share]}%)" \
		holds "${is[share]} - ${is[truth]} <= 3 && ${is[truth]} - ${is[share]} <= 3"
}

# Records of two virtual machines are those of the model's log, and perf-spe says of each what it is.
judge_guests() {
	local dir=$runs/$1 result text
	no_faults "$1"
	compare_decoded "$1"
	"$rig/judge/judge-guests" "$spe" "$dir/values.model" "$dir/files" >"$dir/guests" || true
	while read -r result text; do
		verdict "$1: $text" [ "$result" = ok ]
	done <"$dir/guests"
	verdict "$1: all of that was judged ($(wc -l <"$dir/guests"))" [ "$(wc -l <"$dir/guests")" -eq 11 ]
}

# Each sample belongs to what the recorded programs say that they did.
judge_identity() {
	local situation result text
	no_faults "$1"
	"$rig/judge/judge-identity" "$spe" "$SPE_BUILD/guest" "$runs/$1/files" >"$runs/$1/identity"
	while read -r situation result text; do
		verdict "$1: $situation: $text" [ "$result" = ok ]
	done <"$runs/$1/identity"
	verdict "$1: at least 40 situations ($(grep -c ' records' "$runs/$1/identity"))" \
		[ "$(grep -c ' records' "$runs/$1/identity")" -ge 40 ]
}

holds() { awk "BEGIN { exit !($1) }"; }
