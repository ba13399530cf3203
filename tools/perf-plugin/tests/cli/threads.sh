#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Several threads read a recording: verbs print what they print with one thread.
# usage: threads.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source=lib/sharing.sh
. "$(dirname "$0")/lib/sharing.sh"

# 40 pieces of two CPUs.  Which access, name and object comes first differs from piece to piece.
{
	head_of
	for ((i = 0; i < 40; i++)); do
		cpu=$((i % 2))
		for ((j = 0; j < 7; j++)); do
			address=$(printf '0x%x' $((0x1000 + (i * 37 + j * 11) % 9 * 8)))
			ts=$((1000 + i * 20 + j))
			if (((i + j) % 3)); then
				echo "rec pc=$hot_pc ctx1=$((10 + cpu)) total=$((i * j % 50)) issue=$j xlat=$i" \
					"class=1 op=1 va=$address events=0x$((i % 4 + 2))a ts=$ts"
			else
				echo "rec pc=$cold_pc ctx1=$((10 + cpu)) total=$((i + j)) class=1 op=0" \
					"va=$address source=$((i % 5)) events=0x20a ts=$ts"
			fi
			echo "rec pc=$cold_pc ctx1=$((10 + cpu)) class=2 op=1 events=0x82 total=$j ts=$ts"
		done
		echo "auxtrace $cpu $cpu $((10 + cpu)) $((1000 * (i >> 1)))"
	done
} | perf_file many.data

# same VERB ARGUMENTS: prints of $input the same with 1, 2 and 5 threads; @ is a file that is written.
same() {
	local verb=$1 threads
	shift
	begin "threads: $verb $*"
	for threads in 1 2 5; do
		rm -f "$dir/file"
		PERF_SPE_THREADS=$threads run 0 "$verb" "${input[@]}" --symfs "$dir/root" "${@/@/$dir/file}"
		cat "$out" "$err" >"$dir/says$threads"
		if [ -e "$dir/file" ]; then
			cat "$dir/file" >>"$dir/says$threads"
		fi
		cmp -s "$dir/says1" "$dir/says$threads" || fail "$threads threads print something else"
	done
	[ -s "$dir/says1" ] || fail 'prints nothing'
}

input=(-i "$dir/many.data")
same stat
same stat --ci --filter 'total > 3'
same sharing --sides 100
same sharing --ci
same sharing --types --line 16
same mem --ci
same mem --latency --html @
same report --html @
same report --by op,subclass --events l1d-refill --ci
same advise --min-share 0 --min-samples 1
input=("$dir/many.data" "$dir/many.data")
same diff --events l1d-refill

finish
