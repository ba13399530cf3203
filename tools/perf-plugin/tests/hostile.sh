#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Files that ask for much time or memory: each verb ends within 10 s and 512 MiB, and completion
# within 1 s.  PERF-SPE is the program that users get, without sanitizers.
# All files end with N passed, N failed, N skipped; "short" reads a few of them.
# usage: hostile.sh PERF-SPE HOSTILE [short]

set -uo pipefail

perf_spe=$(realpath "$1")
hostile=$(realpath "$2")
short=${3:-}
seconds=10
kib=$((512 << 10))
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export PERF_BUILDID_DIR=$dir/no-cache HOME=$dir
unset DEBUGINFOD_URLS

# Those of the quick part have one case of each kind.
some=(cmdline-words elf-text-size elf-names demangle-doubles demangle-packs map-nested aux-samples-equal
	stack-forks pipe-ids elf-symtab-copies elf-debugdata comms-untimed)

# limited SECONDS ARGUMENTS...: perf-spe must end by itself, with a result or a message
limited() {
	local limit=$1 rc=0 begun took
	shift
	begun=$(date +%s%N)
	(
		ulimit -v "$kib" -c 0
		exec timeout --kill-after=1 "$limit" "$perf_spe" "$@"
	) >"$dir/out" 2>"$dir/err" </dev/null || rc=$?
	took=$((($(date +%s%N) - begun) / 1000000))
	[ "$took" -le "$slowest" ] || { slowest=$took slow=$1; }
	case $rc in
	0) ;;
	# Damage and missing data have a message each.
	1) [ -s "$dir/err" ] || { echo "  no message: $*" && bad=1; } ;;
	124 | 137) echo "  not within $limit s: $*" && bad=1 ;;
	*) echo "  status $rc: $*" && bad=1 ;;
	esac
	if grep -q 'out of memory' "$dir/err"; then
		echo "  not within $((kib >> 10)) MiB: $*"
		bad=1
	fi
}

verbs() {
	local data=$1 format
	shift
	limited $seconds report --text -i "$data" "$@"
	limited $seconds annotate -i "$data" "$@"
	[ -z "$short" ] || return 0
	limited $seconds stat -i "$data" "$@"
	limited $seconds mem -i "$data" "$@"
	limited $seconds sharing -i "$data" "$@"
	limited $seconds advise -i "$data" "$@"
	limited $seconds layout -i "$data" "$@"
	limited $seconds diff "$@" "$data" "$data"
	limited $seconds dump -i "$data"
	for format in csv parquet; do
		# Without Arrow's library there is a message.
		limited $seconds export -f "$format" -i "$data" "$@" -o "$dir/to"
		rm -rf "$dir/to"
	done
	for format in 'report --html' 'archive -o'; do
		# shellcheck disable=SC2086 # the verb and its option
		limited $seconds $format "$dir/to" -i "$data" "$@"
		rm -rf "$dir/to"
	done
}

completion() {
	local data=$1
	shift
	(
		cd "$dir/files" || exit
		ln -sf "$(basename "$data")" perf.data
	)
	cd "$dir/files" || exit
	limited 1 --complete report "$@" --comm ''
	limited 1 --complete annotate "$@" ''
	cd / || exit
}

passed=0 failed=0
mkdir "$dir/files"
while read -r name; do
	if [ -n "$short" ] && [[ " ${some[*]} " != *" $name "* ]]; then
		continue
	fi
	if ! "$hostile" "$dir/files" "$name"; then
		echo "FAIL hostile: $name: the program hostile"
		failed=$((failed + 1))
		continue
	fi
	bad=0 slowest=0 slow=''
	args=()
	[ ! -d "$dir/files/$name.symfs" ] || args=(--symfs "$dir/files/$name.symfs")
	verbs "$dir/files/$name.data" "${args[@]}"
	completion "$dir/files/$name.data" "${args[@]}"
	if [ "$bad" -eq 0 ]; then
		echo "ok hostile: $name (the slowest was $slow: $slowest ms)"
		passed=$((passed + 1))
	else
		echo "FAIL hostile: $name"
		failed=$((failed + 1))
	fi
	rm -rf "${dir:?}/files/$name".* "$dir/files/perf.data"
done < <("$hostile" --list)
[ -n "$short" ] || echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" -eq 0 ]
