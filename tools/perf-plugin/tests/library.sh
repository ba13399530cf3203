# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # check.sh sets library, coverage, here and dir
#
# Functions of check.sh that test the files libarmspe.a and libarmspe.so, and what is installed
# with them.  Each prints one line for its case.

covered() {
	local name="library: its unit tests execute 95% of its lines"
	if "$here/coverage" 95 "$coverage" libarmspe "$coverage/unit"; then
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
	if grep -qF "soname: [libarmspe.so.$major]" <<<"$(readelf -d "$so")" &&
		grep -q ' A ARMSPE_1\.0$' <<<"$(nm -D --defined-only "$so")"; then
		echo "ok $name"
	else
		readelf -dV "$so" | grep -E 'SONAME|Name:' | sed 's/^/  /'
		echo "FAIL $name"
	fi
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
