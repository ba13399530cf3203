#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs all tests: one line a case, and "N passed, N failed, N skipped" last.
# usage: check.sh DIRECTORY-OF-PROGRAMS LIBRARY

set -uo pipefail

bin=$1
library=$2
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
log=$dir/log
: >"$log"

# group NAME COMMAND...: a command that ends badly without a failed case,
# say killed by a sanitizer, is a failure of its own.
group() {
	local name=$1 rc=0 before after
	shift
	before=$(grep -c '^FAIL ' "$log")
	"$@" 2>&1 | tee -a "$log" || rc=$?
	after=$(grep -c '^FAIL ' "$log")
	if [ "$rc" -ne 0 ] && [ "$before" -eq "$after" ]; then
		echo "FAIL $name: ended with status $rc" | tee -a "$log"
	fi
}

# The library may need nothing but memory functions from outside.
freestanding() {
	local needs
	needs=$(nm -u "$library" | awk '$1 == "U" { print $2 }' |
		grep -vE '^(armspe_.*|mem(cpy|set|move|cmp)|_GLOBAL_OFFSET_TABLE_)$')
	if [ -z "$needs" ]; then
		echo "ok library: needs memory functions only"
	else
		echo "  needs: $needs"
		echo "FAIL library: needs memory functions only"
	fi
}

no_globals() {
	local found
	found=$(size -A "$library" | awk '$1 ~ /^\.(data|bss|tdata|tbss)$/ && $2 { print }')
	if [ -z "$found" ]; then
		echo "ok library: has no writable state"
	else
		echo "  writable: $found"
		echo "FAIL library: has no writable state"
	fi
}

plain_cxx() {
	local name="library: the header is C++ too"
	if ! command -v c++ >/dev/null; then
		echo "skip $name: no C++ compiler"
	elif echo '#include "armspe.h"' | c++ -x c++ -fsyntax-only -Wall -Wextra -Werror \
		-I"$here/../../../include" -I"$here/../libarmspe" -; then
		echo "ok $name"
	else
		echo "FAIL $name"
	fi
}

fuzz() {
	local rounds=2000 name="fuzz: 2000 mutated perf.data files"
	"$bin/fixture" perf "$dir/seed" <"$here/seed.txt" || return 1
	if "$bin/mutate" "$dir/seed" "$rounds" "$dir/mutant"; then
		echo "ok $name"
	else
		cp "$dir/mutant" "$bin/mutant.perf.data"
		echo "  the file is $bin/mutant.perf.data"
		echo "FAIL $name"
	fi
}

group library freestanding
group library no_globals
group library plain_cxx
group unit "$bin/unit"
for topic in dump report kernel input; do
	group "$topic" "$here/cli-$topic.sh" "$bin/perf-spe" "$bin/fixture"
done
group fuzz fuzz

passed=$(grep -c '^ok ' "$log")
failed=$(grep -c '^FAIL ' "$log")
skipped=$(grep -c '^skip ' "$log")
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
