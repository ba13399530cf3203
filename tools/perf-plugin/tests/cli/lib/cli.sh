# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2034 # what is set here the cases use
#
# Functions for cli/TOPIC.sh PERF-SPE FIXTURE.  The scripts run perf-spe on files
# that the fixture program writes.

set -uo pipefail

perf_spe=$(realpath "$1")
fixture=$(realpath "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
out=$dir/out err=$dir/err
this_case=''
# Results must not depend on this machine's files and settings.
export PERF_BUILDID_DIR=$dir/no-cache DEBUGINFOD_CACHE_PATH=$dir/debuginfod
export PAGER=cat
unset DEBUGINFOD_URLS PERF_SPE_SYMFS NO_COLOR

# finds ARGUMENTS...: grep -q at the end of a pipe, which reads all of it.  grep -q ends at the first
# match, so that the command before it could end by a signal, and with pipefail the pipe would fail.
finds() {
	local rc=0
	grep -q "$@" || rc=$?
	cat >/dev/null
	return "$rc"
}

begin() {
	finish
	this_case=$1
	rm -f "$dir/failed"
}

finish() {
	if [ -n "$this_case" ] && [ ! -e "$dir/failed" ]; then
		echo "ok $this_case"
	elif [ -n "$this_case" ]; then
		echo "FAIL $this_case"
	fi
	this_case=''
}

# A file, not a variable: a part of a pipeline is a shell of its own.
fail() {
	echo "  $1"
	sed 's/^/  stdout: /' "$out" 2>/dev/null | head -n 5
	sed 's/^/  stderr: /' "$err" 2>/dev/null | head -n 5
	: >"$dir/failed"
}

skip() {
	echo "skip $this_case: $1"
	this_case=''
}

# find_arm: sets $arm to a compiler for AArch64
find_arm() {
	arm=$(command -v aarch64-linux-gnu-gcc || command -v aarch64-linux-gnu-gcc-12 || command -v gcc-12) &&
		echo 'int main;' | "$arm" -x c -c -o "$dir/try.o" - && readelf -h "$dir/try.o" | finds AArch64
}

# run STATUS ARGUMENTS...: run perf-spe, which must exit with STATUS
run() {
	local want=$1 got=0
	shift
	"$perf_spe" "$@" >"$out" 2>"$err" || got=$?
	[ "$got" -eq "$want" ] || fail "status $got, not $want: $*"
}

says() { grep -qF -- "$1" "$out" || fail "no '$1' on standard output"; }
# json EXPRESSION: of Python, true for the object d on standard output
json() { python3 -c 'import json,sys; d = json.load(open(sys.argv[1])); sys.exit(not eval(sys.argv[2]))' "$out" "$1" || fail "not $1"; }
warns() { grep -qF -- "$1" "$err" || fail "no '$1' on standard error"; }
# The report without its heading, which names the file
body() { grep -vE '^# +(command|host|cpus|pmu|file|duration) ' "$out"; }
silent() { [ ! -s "$err" ] || fail "standard error is not empty"; }

perf_file() { "$fixture" perf "$dir/$1" || fail "fixture"; }
raw_file() { "$fixture" raw "$dir/$1" || fail "fixture"; }

# A perf in $dir that only runs the command behind "--".  As perf does, it starts a process: with exec
# the command would have perf's locks.
perf_that_runs() {
	cat >"$dir/perf" <<'END'
#!/bin/bash
while [ "$1" != -- ]; do shift; done
shift
"$@"
END
	chmod +x "$dir/perf"
}

# row OBJECT SYMBOL: print the row's count.  A row of a report in a pipe is cost,
# symbol, object, share, mean, p50, p99, count and more (Documentation/perf-spe/reference/report.md).
row() {
	tr -s ' ' <"$out" | awk -v want="$2 $1 " '!/^#/ {
		sub(/^ [^ ]+ /, "")
		if (index($0, want) == 1) {
			split(substr($0, length(want) + 1), number, " ")
			print number[5]
		} }'
}

count_is() {
	local got
	got=$(row "$1" "$2")
	[ "$got" = "$3" ] || fail "$1 $2 has ${got:-no} samples, not $3"
}

key_is() {
	grep -qx -- "$1: $2" "$out" ||
		fail "$1 is $(sed -n "s/^$1: //p" "$out"), not $2"
}

# Build a program with known functions, to be mapped as a loader would.
make_program() {
	prog=$dir/root/usr/bin/prog
	mkdir -p "${prog%/*}"
	cat >"$dir/prog.c" <<'END'
int hot(int x) { return x * 3; }
static int cold(int x) { return x + 1; }
int (*table[])(int) = { cold };
void _start(void) { hot(1); }
END
	${CC:-cc} -O0 -nostdlib -static -no-pie -Wl,--build-id=sha1 -o "$prog" "$dir/prog.c"
	hot=$(nm "$prog" | awk '$3 == "hot" { print $1 }')
	cold=$(nm "$prog" | awk '$3 == "cold" { print $1 }')
	read -r seg_off seg_addr < <(readelf -lW "$prog" |
		awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
	id=$(readelf -nW "$prog" | sed -n 's/.*Build ID: //p')
	map_prog="0x7000000000 0x100000 $seg_off"
}
# start_waits OPTION...: run a program that waits for a signal, linked with these options; sets its
# pid $waits, the $address of hot() in the file, and the $offset and $base of its code
start_waits() {
	cat >"$dir/waits.c" <<'END'
#include <unistd.h>
int hot(int x) { return x * 3; }
int main(void) { write(1, "ready\n", 6); return pause() + hot(0); }
END
	${CC:-cc} -O0 -no-pie -o "$dir/waits" "$dir/waits.c" "$@"
	address=$((0x$(nm "$dir/waits" | awk '$3 == "hot" { print $1 }')))
	read -r offset base < <(readelf -lW "$dir/waits" | awk '$1 == "LOAD" && /R E/ { print $2, $3; exit }')
	: >"$dir/waiting"
	"$dir/waits" >"$dir/waiting" &
	waits=$!
	until [ -s "$dir/waiting" ]; do sleep 0.1; done
}
# for_x86_64 FILE: say in the ELF header (e_machine, EM_X86_64 of elf(5)) that the program is for
# x86-64, whatever machine built it.  perf-spe infers ranges and hints from the code of AArch64
# programs alone: cases whose samples lie at addresses without an instruction need another one.
for_x86_64() { printf '\x3e\x00' | dd of="$1" bs=1 seek=18 conv=notrunc status=none; }
# at ADDRESS: its run-time address if the segment is mapped at 0x7000000000
at() { printf '0x%x' $((0x7000000000 + 0x$1 - seg_addr)); }
user() { printf '0x%x' $((0x8000000000000000 | $1)); }

# Write sym.data, a recording of the program with five samples.
sym_file() { sym_text | perf_file sym.data; }
sym_text() {
	cat <<END
info 4
comm 10 10 1 1 prog
map 10 $map_prog 2 $id /usr/bin/prog
itrace 10 10 0 3
rec pc=$(user "$(at "$hot")") total=5
rec pc=$(user "$(at "$hot")") total=5
rec pc=$(user "$(at "$cold")") total=5
rec pc=$(user 0x70000ffff0) total=5
rec pc=$(user 0x1234) total=5
auxtrace 0 -1 10 0
END
}

hex() { printf '0x%x' "$1"; }
# names FILE OPTION...: a line "KIND OBJECT SYMBOL OFFSET" of each sample, - for none
names() {
	local file=$1
	shift
	run 0 export -f csv -F data_kind,data_object,data_symbol,data_offset -i "$dir/$file" "$@"
	tail -n +2 "$out" | sed 's/[\r"]//g; s/,,/,-,/g; s/,,/,-,/g; s/,$/,-/; y/,/ /' >"$dir/names"
}
name_is() { # name_is LINE WANTED
	[ "$(sed -n "$1p" "$dir/names")" = "$2" ] || fail "sample $1 is '$(sed -n "$1p" "$dir/names")', not '$2'"
}
