#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Build a program of this folder, run it in QEMU, and print a line for each of its loads and
# stores that ran: PC, first address, the answers that are right, and what perf spe says from the
# instruction alone, which has no data address.  Tabs are between them.
# usage: one.sh PROGRAM COMPILER FLAGS PERF-SPE FIXTURE JUDGE DIRECTORY

set -euo pipefail
# Some of the commands below fail without a word.
trap 'echo "one.sh:$LINENO: status ${PIPESTATUS[*]}: $BASH_COMMAND" >&2' ERR

program=$1 compiler=$2 flags=$3 perf_spe=$4 fixture=$5 judge=$6 dir=$7
here=$(cd "$(dirname "$0")" && pwd)
cross=${CROSS:-aarch64-linux-gnu-}
datasym=tools/perf/tests/workloads/datasym.c
mkdir -p "$dir/root"
exe=$dir/root/$program
gcc=$(command -v "${cross}gcc" || command -v "${cross}gcc-12")

# perf_datasym includes a file of Linux's source, whose headers it replaces.
mkdir -p "$dir/linux/linux" "$dir/linux/workloads"
: >"$dir/linux/linux/compiler.h"
: >"$dir/linux/tests.h"
[ ! -e "$LINUX/$datasym" ] || cp "$LINUX/$datasym" "$dir/linux/workloads"

# shellcheck disable=SC2086 # both are words
$compiler $flags -Wall -Wextra -Werror -I "$dir/linux" \
	-c -o "$dir/$program.o" "$here/$program.c"
"$gcc" -static -Wl,--build-id=sha1 -o "$exe" "$dir/$program.o" "$dir/../witness.o"
"${cross}objdump" -d --no-show-raw-insn "$exe" >"$dir/listing"
# QEMU logs the program's own functions, and the calls that tell of objects.
ranges=$(awk 'NR == FNR { if (NF == 3 && $2 ~ /[tT]/) own[$3] = 1; next }
	NF == 4 && $4 in own && $3 ~ /[tT]/ { printf "0x%s+0x%s,", $1, $2 }
	$4 ~ /^witness_(object|forget)$/ { printf "0x%s+0x4,", $1 }' \
	<("${cross}nm" "$dir/$program.o") <("${cross}nm" -S "$exe"))
# QEMU 8.1 renamed -singlestep, and QEMU 10 has the new name only.
case $(qemu-aarch64-static -h) in
*-one-insn-per-tb*) step=-one-insn-per-tb ;;
*) step=-singlestep ;;
esac
qemu-aarch64-static "$step" -d cpu,nochain -dfilter "${ranges%,}" -D "$dir/log" "$exe" \
	>"$dir/table"
read -r constants size < <(readelf -SW "$exe" | sed -n 's/.* \.rodata *PROGBITS *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\) .*/\1 \2/p')
"$judge" "$dir/listing" "$dir/table" "$constants" "$size" <"$dir/log" >"$dir/truth"
[ -s "$dir/truth" ] || { echo "no load or store is in the $(wc -c <"$dir/log") bytes that QEMU logged" >&2 && false; }
rm "$dir/log"

id=$(readelf -nW "$exe" | sed -n 's/.*Build ID: //p')
read -r offset address size < <(readelf -lW "$exe" |
	awk '$1 == "LOAD" && $7 $8 ~ /E/ { print $2, $3, $5; exit }')
{
	printf 'info 4\ncomm 10 10 1 1 prog\n'
	echo "map 10 $address $size $offset 2 $id /$program"
	sed 's/^0\([0-9a-f]*\).*/rec pc=0x8\1 class=1 op=0/' "$dir/truth"
	echo 'auxtrace 0 -1 10 0'
} | "$fixture" perf "$dir/t.data"
"$perf_spe" export -i "$dir/t.data" --symfs "$dir/root" -f csv -F type,field |
	tail -n +2 | tr -d '"\r' | sed 's/^,$//' >"$dir/said"
paste "$dir/truth" "$dir/said"
