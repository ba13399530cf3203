#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# How the files that users get are hardened, as readelf tells it: position independent, read-only
# after relocation, all symbols bound at the start, no executable stack, with a stack protector,
# with _FORTIFY_SOURCE, and with marked targets of branches.
# usage: hardened.sh BUILD

set -uo pipefail

build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# has FILE PROPERTY
has() {
	case $2 in
	pie) readelf -dW "$1" | grep 'FLAGS_1.*PIE' ;;
	relro) readelf -lW "$1" | grep GNU_RELRO ;;
	now) readelf -dW "$1" | grep -E '(FLAGS_1.*NOW|BIND_NOW)' ;;
	stack) readelf -lW "$1" | grep -E 'GNU_STACK .* RW +0x' ;;
	protector) readelf -W --dyn-syms "$1" | grep 'UND __stack_chk_fail' ;;
	fortify) readelf -W --dyn-syms "$1" | grep -E 'UND __[a-z]+_chk(@|$)' ;;
	branches) readelf -nW "$1" | grep -E 'IBT, SHSTK|BTI, PAC' ;;
	esac >/dev/null
}

# What must hold of each file.  libarmspe.so alone has no file of the C library in it, and calls
# nothing that could be fortified.
table='
perf-spe           pie relro now stack protector fortify
libarmspe.so           relro now stack protector         branches
libarmspe-heap.so      relro now stack protector fortify
spe-filter.so          relro now stack protector fortify
'

while read -r file properties; do
	[ -n "$file" ] || continue
	if [ ! -e "$build/$file" ]; then
		echo "skip hardened: $file: not built"
		continue
	fi
	missing=''
	for property in $properties; do
		has "$build/$file" "$property" || missing+=" $property"
	done
	if [ -z "$missing" ]; then
		echo "ok hardened: $file: $properties"
	else
		echo "  missing:$missing"
		echo "FAIL hardened: $file: $properties"
	fi
done <<<"$table"

# Of the other files the linker can say it only where the C library and libgcc do, too; so look at
# what they are made of.
name='hardened: all objects of perf-spe and its libraries have marked targets of branches'
unmarked=0 objects=0
while read -r object; do
	# An earlier version of the tree may have left objects of other sources.
	source=$(grep -om1 '[^ ]*\.c\>' "${object%.o}.d" | head -n 1)
	(cd "$here/.." && [ -e "$source" ]) || continue
	objects=$((objects + 1))
	has "$object" branches || { unmarked=$((unmarked + 1)) && echo "  unmarked: $object"; }
done < <(find "$build/perf-plugin/"{cmd,lib,pic,heap,dl} -name '*.o')
if ! grep -E -- '-fcf-protection|-mbranch-protection' "$build/perf-plugin/config.mk" >/dev/null; then
	echo "skip $name: the compiler cannot mark them"
elif [ "$objects" -gt 100 ] && [ "$unmarked" -eq 0 ]; then
	echo "ok $name"
else
	echo "FAIL $name"
fi

# A packager's flags come later than ours, and ours must not be in their way.
try() { # try NAME MAKE-ARGUMENTS...
	local name="hardened: $1"
	shift
	if ${MAKE:-make} -s -C "$here/.." BUILD="$dir/try" "$@" "$dir/try/libarmspe.so" >"$dir/log" 2>&1; then
		echo "ok $name"
	else
		sed 's/^/  /' "$dir/log" | tail -n 5
		echo "FAIL $name"
	fi
}
try 'flags of a packager: other level of _FORTIFY_SOURCE' CFLAGS='-O2 -Wp,-U_FORTIFY_SOURCE -Wp,-D_FORTIFY_SOURCE=1'
try 'flags of a packager: no optimization' OPT= CFLAGS=-O0
try 'flags of a packager: no position independence' CFLAGS=-fno-pie LDFLAGS=-no-pie

# For arm64 in any case: the compiler of its own, or a cross compiler.
name='hardened: libarmspe.so for arm64 shows BTI and PAC'
arm=$(command -v aarch64-linux-gnu-gcc || command -v aarch64-linux-gnu-gcc-12) || arm=
if ! echo 'int x;' | ${arm:-false} -shared -nostdlib -x c -o "$dir/try.so" - -lc 2>/dev/null; then
	echo "skip $name: no compiler with a C library for arm64"
else
	try 'libarmspe.so for arm64' CC="$arm"
	if has "$dir/try/libarmspe.so" branches && readelf -hW "$dir/try/libarmspe.so" | grep AArch64 >/dev/null; then
		echo "ok $name"
	else
		readelf -nW "$dir/try/libarmspe.so" | sed 's/^/  /'
		echo "FAIL $name"
	fi
fi
