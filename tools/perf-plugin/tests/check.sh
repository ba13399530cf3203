#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs all tests.  Prints one line per case, and "N passed, N failed, N skipped"
# as the last line.
# usage: check.sh DIRECTORY-OF-PROGRAMS LIBRARY DIRECTORY-OF-COVERAGE SEEDS-OF-FUZZERS
#	[DIRECTORY-OF-FUZZERS]

set -uo pipefail

bin=$1
library=$2
coverage=$3
seeds=$4
fuzzers=${5:-}
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
log=$dir/log
: >"$log"

# shellcheck source-path=SCRIPTDIR source=library.sh
. "$here/library.sh"

# group NAME COMMAND...: run the tests of a group.  If the command fails without a
# failed case, for example because a sanitizer kills it, that counts as a failure.
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

# Neither mandoc nor groff has anything to warn of.
pages_lint() {
	local name="man: mandoc and groff accept the pages" page bad=0
	command -v mandoc >/dev/null || { echo "skip $name: no mandoc: install it"; return; }
	for page in "$dir"/pages/usr/share/man/man[13]/*.[13]; do
		mandoc -Tlint "$page" || bad=1
		! command -v groff >/dev/null || groff -ww -man -Tutf8 -z "$page" 2>"$dir/groff" || bad=1
		[ ! -s "$dir/groff" ] || { cat "$dir/groff"; bad=1; }
	done
	[ -e "${page:-}" ] || bad=1
	if [ "$bad" -eq 0 ]; then echo "ok $name"; else echo "FAIL $name"; fi
}

# Each verb must have a man page with its summary and its options.
pages() {
	local name="man: a page for each verb, with what its --help says" root=$dir/pages
	local verb summary page option spe bad=0
	spe=$(realpath "$(dirname "$library")/perf-spe")
	${MAKE:-make} -s -C "$here/.." BUILD="$(dirname "$spe")" PREFIX=/usr DESTDIR="$root" install ||
		{ echo "FAIL $name"; return; }
	while read -r verb summary; do
		page=$root/usr/share/man/man1/perf-spe-$verb.1
		sed 's/\\-/-/g' "$page" >"$dir/page" || bad=1
		grep -qxF "perf-spe-$verb - $summary" "$dir/page" || { echo "  $verb: no summary" && bad=1; }
		for option in $("$spe" "$verb" --help | grep -oE '^ +(-., )?--[a-z0-9-]+' | grep -oE -- '--.*'); do
			grep -qE "^\.B .*$option([[ ,]|$)" "$dir/page" || { echo "  $verb: no $option" && bad=1; }
		done
	done < <("$spe" --help | sed -n 's/^  \([a-z]*\)  */\1 /p')
	[ -n "${option:-}" ] || bad=1
	if [ "$bad" -eq 0 ]; then echo "ok $name"; else echo "FAIL $name"; fi
}

# The same inputs on every run; a failure names its number, and how to see it again.
fuzz() {
	local kind=$1 count=$2 name="fuzz: all verbs read $2 wrong $1"
	if "$bin/fuzz-verbs" "$seeds" "$kind" 0 "$count"; then
		echo "ok $name"
	else
		echo "FAIL $name"
	fi
}

# Cut each form of the file at each byte, from where the events begin in this form.
cuts() {
	local form=$1 from=$2 name="truncated: the $1 form, cut at each byte" rc=0
	"$bin/fixture" "$form" "$dir/seed" <"$here/fixture/seed.txt" || rc=$?
	if [ "$rc" -eq 77 ]; then
		echo "skip $name: built without libzstd"
	elif "$bin/cut" "$dir/seed" "$from" "$dir/part"; then
		echo "ok $name"
	else
		echo "FAIL $name"
	fi
}

# Run each libFuzzer target for a fixed number of inputs.
fuzzers() {
	local target
	for target in "$here"/../fuzz/*.c; do
		[ -n "$fuzzers" ] || echo "skip libFuzzer: $(basename "$target" .c): no clang with libFuzzer"
	done
	[ -z "$fuzzers" ] ||
		"$here/../fuzz/run" "$fuzzers" "$bin/fixture" -runs=4000 -seed=1
}

# What needs what another one made
library_and_man() {
	group library freestanding
	group library no_globals
	group library plain_cxx
	group library kernel_build
	group library public_names
	group library soname
	group man pages
	group man pages_lint
	group library installed
}

cpus=$(nproc) begun=0 shown=0

# show: the output of jobs that have ended, in the order in which they began
show() {
	while [ "$shown" -lt "$begun" ] && [ -e "$dir/$((shown + 1))/ended" ]; do
		shown=$((shown + 1))
		cat "$dir/$shown/out"
		cat "$dir/$shown/log" >>"$log"
	done
}

run_job() { # FOLDER COMMAND...
	local dir=$1 log=$1/log
	shift
	: >"$log"
	"$@" >"$dir/out" 2>&1
	touch "$dir/ended"
}

# job COMMAND...: run it as soon as a CPU is free, with a folder and a log of its own
job() {
	while [ "$(jobs -rp | wc -l)" -ge "$cpus" ]; do
		wait -n
		show
	done
	begun=$((begun + 1))
	mkdir "$dir/$begun"
	run_job "$dir/$begun" "$@" &
}

# The longest first
job group histories "$bin/histories" 10000
job group hostile "$here/hostile.sh" "$(dirname "$library")/perf-spe" \
	"$(dirname "$library")/perf-plugin/hostile" short
job group types "$here/types/run" "$bin/perf-spe" "$bin/fixture" datasym inlined
job group libFuzzer fuzzers
job group fuzz fuzz recordings 1000
job group fuzz fuzz programs 1000
job library_and_man
job group hardened "$here/hardened.sh" "$(dirname "$library")"
job group unit "$bin/unit"
job group coverage covered
for form in perf pipe zstd; do
	job group truncated cuts "$form" 16
done
for script in "$here"/cli/*.sh; do
	job group "$(basename "$script" .sh)" "$script" "$bin/perf-spe" "$bin/fixture"
done
wait
for ((n = shown + 1; n <= begun; n++)); do
	[ -e "$dir/$n/ended" ] || echo "FAIL job $n: something ended its shell" | tee -a "$dir/$n/out" >>"$dir/$n/log"
	touch "$dir/$n/ended"
done
show

passed=$(grep -c '^ok ' "$log")
failed=$(grep -c '^FAIL ' "$log")
skipped=$(grep -c '^skip ' "$log")
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
