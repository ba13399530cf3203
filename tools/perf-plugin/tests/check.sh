#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs all tests.  Prints one line per case, and "N passed, N failed, N skipped"
# as the last line.
# usage: check.sh DIRECTORY-OF-PROGRAMS LIBRARY DIRECTORY-OF-COVERAGE [DIRECTORY-OF-FUZZERS]

set -uo pipefail

bin=$1
library=$2
coverage=$3
fuzzers=${4:-}
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
log=$dir/log
: >"$log"

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

covered() {
	local name="library: its unit tests execute 95% of its lines"
	if "$here/coverage" "$coverage/unit" "$coverage/libarmspe"; then
		echo "ok $name"
	else
		echo "FAIL $name"
	fi
}

# The library may call no external functions but memory functions.
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

# Compile as for a kernel module: kernel types, no C library, no vector registers.
kernel_build() {
	local name="library: builds as kernel code" stub=$dir/kernel
	mkdir -p "$stub/linux"
	cat >"$stub/linux/types.h" <<'END'
#pragma once
typedef _Bool bool;
enum { false, true };
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef unsigned long size_t, uintptr_t;
END
	echo '#define U32_MAX ((uint32_t)~0U)' >"$stub/linux/limits.h"
	cat >"$stub/linux/string.h" <<'END'
#include <linux/types.h>
void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);
END
	for file in "$here"/../libarmspe/*.c; do
		"${CC:-gcc}" -D__KERNEL__ -nostdinc -ffreestanding -mgeneral-regs-only \
			-std=gnu11 -O2 -Wall -Wextra -Werror -Wframe-larger-than=2048 \
			-isystem "$stub" -I"$here/../../../include" -c -o /dev/null "$file" ||
			{ echo "FAIL $name"; return; }
	done
	echo "ok $name"
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

# The header is the list of what is public.  The shared library exports these
# functions, each with a version node, and the man page names them.
public_names() {
	local name="library: exports and documents what its header declares"
	local headers=$here/../libarmspe/armspe.h declared exported named so
	so=$(dirname "$library")/libarmspe.so
	declared=$(sed -n '/^static inline/d; s/.*\b\(armspe_[a-z_0-9]*\)(.*/\1/p' \
		<(grep -vE '^ \*|^/\*|^	' "$headers") | sort -u)
	# Functions with their nodes; data and functions without a node remain visible.
	exported=$(nm -D --defined-only "$so" | awk '$2 == "T" && sub(/@@ARMSPE_[0-9.]+$/, "", $3) {
		print $3; next } !($2 == "A" && $3 ~ /^ARMSPE_[0-9.@A-Z_]+$/) { print $2, $3 }' | sort -u)
	named=$(grep -oE '\barmspe_[a-z_0-9]+\(' "$here/../man/libarmspe.3" | tr -d '(' |
		sort -u | grep -xF "$declared")
	if [ -n "$declared" ] && [ "$declared" = "$exported" ] &&
		[ "$declared" = "$named" ]; then
		echo "ok $name"
	else
		diff <(echo "$declared") <(echo "$exported") | sed 's/^/  exported: /'
		diff <(echo "$declared") <(echo "$named") | sed 's/^/  man page: /'
		echo "FAIL $name"
	fi
}

# A program needs libarmspe.so.MAJOR and the nodes of the functions that it calls.
soname() {
	local name="library: has the SONAME of its major version and the node ARMSPE_1.0" so major
	so=$(dirname "$library")/libarmspe.so
	major=$(sed 's/\..*//' "$here/../../../VERSION")
	if readelf -d "$so" | grep -qF "soname: [libarmspe.so.$major]" &&
		nm -D --defined-only "$so" | grep -q ' A ARMSPE_1\.0$'; then
		echo "ok $name"
	else
		readelf -dV "$so" | grep -E 'SONAME|Name:' | sed 's/^/  /'
		echo "FAIL $name"
	fi
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
			grep -qE "^\.B .*$option( |,|$)" "$dir/page" || { echo "  $verb: no $option" && bad=1; }
		done
	done < <("$spe" --help | sed -n 's/^  \([a-z]*\)  */\1 /p')
	[ -n "${option:-}" ] || bad=1
	if [ "$bad" -eq 0 ]; then echo "ok $name"; else echo "FAIL $name"; fi
}

# Build a program in C and in C++ with nothing but pkg-config's flags.
installed() {
	local name="library: installed, found by pkg-config" root=$dir/root flags lang
	command -v pkg-config >/dev/null || { echo "skip $name: no pkg-config"; return; }
	${MAKE:-make} -s -C "$here/.." BUILD="$(realpath "$(dirname "$library")")" \
		PREFIX=/usr DESTDIR="$root" install || { echo "FAIL $name"; return; }
	cat >"$dir/use.c" <<'END'
#include <armspe.h>
#include <stdlib.h>
int main(void)
{
	static const uint8_t bytes[] = { 0x48, 0, 0x01 };
	size_t size = armspe_decoder_size();
	void *memory = aligned_alloc(ARMSPE_DECODER_ALIGN, size);
	struct armspe_decoder *dec = armspe_decoder_init(memory, size);
	struct armspe_record rec;
#ifdef LOOK_INSIDE
	return (int)sizeof(*dec);
#endif
	if (!dec)
		return 2;
	armspe_decoder_feed(dec, bytes, sizeof(bytes), 0);
	return armspe_record_next(dec, &rec) != ARMSPE_OK;
}
END
	flags=$(PKG_CONFIG_PATH=$root/usr/lib/pkgconfig pkg-config \
		--define-variable=prefix="$root/usr" --cflags --libs libarmspe)
	for lang in c c++; do
		# shellcheck disable=SC2086 # flags are words
		if ! "${CC:-cc}" -x "$lang" "$dir/use.c" -x none -o "$dir/use" $flags ||
			! LD_LIBRARY_PATH=$root/usr/lib "$dir/use"; then
			echo "FAIL $name"
			return
		fi
	done
	# shellcheck disable=SC2086 # flags are words
	if "${CC:-cc}" -DLOOK_INSIDE -fsyntax-only "$dir/use.c" $flags 2>/dev/null; then
		echo "  the installed header shows what is inside a decoder"
		echo "FAIL $name"
		return
	fi
	echo "ok $name"
}

fuzz() {
	local form=$1 rounds=$2 name="fuzz: $2 mutated files of the $1 form" rc=0
	"$bin/fixture" "$form" "$dir/seed" <"$here/seed.txt" || rc=$?
	if [ "$rc" -eq 77 ]; then
		echo "skip $name: built without libzstd"
		return
	fi
	if "$bin/mutate" "$dir/seed" "$rounds" "$dir/mutant"; then
		echo "ok $name"
	else
		cp "$dir/mutant" "$bin/mutant.perf.data"
		echo "  the file is $bin/mutant.perf.data"
		echo "FAIL $name"
	fi
}

# Cut each form of the file at each byte, from where the events begin in this form.
cuts() {
	local form=$1 from=$2 name="truncated: the $1 form, cut at each byte" rc=0
	"$bin/fixture" "$form" "$dir/seed" <"$here/seed.txt" || rc=$?
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
	for target in packets stream perfdata filter; do
		[ -n "$fuzzers" ] || echo "skip libFuzzer: $target: no clang with libFuzzer"
	done
	[ -z "$fuzzers" ] ||
		"$here/../fuzz/run" "$fuzzers" "$bin/fixture" -runs=4000 -seed=1
}

group library freestanding
group library no_globals
group library plain_cxx
group library kernel_build
group library public_names
group library soname
group man pages
group man pages_lint
group library installed
group unit "$bin/unit"
group coverage covered
for topic in dlfilter perf dump report html html-trust tui tui-calls top top-stacks export viewers viewers-sums viewers-stacks partition kernel kernel-match demangle inline stacks unwind stripped missing jit input truncated usage heading doctor record filter select stat trust totals ci advise diff data data-kernel data-reports sharing sharing-pairs mem picture pmbsr annotate pgo pgo-code pgo-misses completion example recipes; do
	group "$topic" "$here/cli-$topic.sh" "$bin/perf-spe" "$bin/fixture"
done
for form in perf pipe zstd; do
	group truncated cuts "$form" 16
done
group fuzz fuzz perf 1000
group fuzz fuzz pipe 500
group fuzz fuzz zstd 500
group libFuzzer fuzzers

passed=$(grep -c '^ok ' "$log")
failed=$(grep -c '^FAIL ' "$log")
skipped=$(grep -c '^skip ' "$log")
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
