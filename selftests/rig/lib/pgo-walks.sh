# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# Loads that miss caches: what perf spe pgo says of walks.c, against its source and its code.
# Sourced by check-pgo.

walks_source=$SPE_TOP/selftests/programs/walks.c

# miss FUNCTION COLUMN: of the function's only load
miss() {
	awk -F, -v f="\"$1\"" -v column="$2" '
		NR == 1 { sub(/\r$/, ""); for (i = 1; i <= NF; i++) if ($i == column) at = i; next }
		$2 == f { sub(/\r$/, ""); print $at }' "$dir/loads-walks.misses"
}

# The line of the function's load is the one that reads memory.
line_of() { awk -v f="$1" '$0 ~ "uint64_t " f "[(]" { on = 1 } on && /= memory[.]/ { print NR; exit }' "$walks_source"; }

walk_is() { # FUNCTION STRIDE
	local got want
	got="$(miss "$1" line) $(miss "$1" stride)"
	want="$(line_of "$1") $2"
	echo "    $1(): misses $(miss "$1" misses), latency $(miss "$1" latency), stride $(miss "$1" stride), regular $(miss "$1" regular)"
	[ "$got" = "$want" ] || {
		echo "    line and stride are $got, not $want"
		return 1
	}
}

# loop_length FUNCTION: instructions of its only loop, from the disassembly
loop_length() {
	llvm-objdump-19 -d --no-show-raw-insn --disassemble-symbols="$1" "$dir/walks" | awk '
		/^ *[0-9a-f]+:/ { at = $1; sub(/:$/, "", at); order[at] = ++n
			for (i = 2; i <= NF; i++) { to = $i; sub(/^0x/, "", to)
				if ($2 ~ /^(b|cb|tb)/ && to in order) print n - order[to] + 1 } }'
}

# As many strides as the loop makes in the load's mean latency, at one instruction a cycle:
# within one stride, because counts are sampled.
hint_is() { # FUNCTION STRIDE
	local address hint
	address=$(miss "$1" address)
	hint=$(awk -F, -v at="${address#0x}" '$1 == at && $3 == "t0" { print $2 }' "$dir/loads-walks.prefetch")
	awk -v f="$1" -v hint="$hint" -v stride="$2" -v latency="$(miss "$1" latency)" -v loop="$(loop_length "$1")" 'BEGIN {
		times = hint / stride; line = 64 / (stride < 0 ? -stride : stride); want = latency / loop
		if (want < line) want = line
		printf "    %s(): %s bytes ahead, %g strides; %g cycles take %g rounds of %d instructions\n", f, hint, times, latency, latency / loop, loop
		exit !(loop > 0 && times == int(times) && times >= want - 1 && times <= want + 2) }'
}

# AutoFDO writes a hint as the target of a call, with the distance as an unsigned number.
hints_are_read() {
	local function hint
	create_llvm_prof --profiler=prefetch --format=text --profile="$dir/loads-walks.prefetch" \
		--binary="$dir/walks" --out="$dir/walks.prof" >"$dir/walks-autofdo.log" 2>&1 || return 1
	for function in records down; do
		hint=$(awk -F, -v at="$(miss $function address)" '"0x" $1 == at { print $2 }' "$dir/loads-walks.prefetch")
		printf -v hint %u "$hint"
		awk -v f="$function:" -v hint="__prefetch_t0_0:$hint" '
			/^[^ ]/ { on = index($0, f) == 1 } on && index($0, hint) { found = 1 } END { exit !found }' "$dir/walks.prof" || {
			echo "    create_llvm_prof does not find $function with $hint"
			return 1
		}
	done
}

check_walks() {
	verdict 'pgo: clang builds the program that walks' pgo_program walks walks
	verdict 'pgo: a guest records the program that walks' record loads spe=on '' 3 walks
	verdict 'pgo: writes misses' profile loads walks misses
	verdict 'pgo: writes prefetch' profile loads walks prefetch
	verdict 'pgo: the stride of records of 192 bytes' walk_is records 192
	verdict 'pgo: the stride of words, downwards' walk_is down -4
	verdict 'pgo: random accesses have no stride' walk_is table ''
	verdict 'pgo: messages of different sizes have no stride' walk_is messages ''
	verdict 'pgo: the hint for records' hint_is records 192
	verdict 'pgo: the hint for words' hint_is down -4
	verdict 'pgo: only walks have hints' [ "$(wc -l <"$dir/loads-walks.prefetch")" = 2 ]
	by_autofdo 'pgo: create_llvm_prof reads the hints' hints_are_read
}
