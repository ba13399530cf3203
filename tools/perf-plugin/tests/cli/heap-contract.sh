#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The library that record --heap preloads keeps malloc's contract, also beside other allocators, and
# its logs have a limit and an end.
# usage: heap-contract.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

bin=$(dirname "$perf_spe")
# Allocators that are linked in and those of sanitizers exclude each other.
library=$(realpath "$bin/../../..")/libarmspe-heap.so
[ -e "$library" ] || library=$bin/libarmspe-heap.so
logs=$dir/logs

build() { # PROGRAM ARGUMENT...
	local program=$1
	shift
	${CC:-cc} -O1 -fno-builtin -D_GNU_SOURCE -w -o "$dir/$program" "$here/programs/heap_owner.c" "$@" -pthread 2>"$err"
}

# follow PROGRAM ARGUMENT...: it must end well
follow() {
	local program=$1 rc=0
	shift
	rm -rf "$logs"
	mkdir "$logs"
	PERF_SPE_HEAP=$logs PERF_SPE_HEAP_ID=1f2e LD_PRELOAD=$library \
		timeout 60 "$dir/$program" "$@" >"$out" 2>"$err" || rc=$?
	[ "$rc" -eq 0 ] || fail "$program $*: status $rc"
}

begin "heap contract: malloc() and free() are no cancellation points"
build glibc || fail 'cannot build the program'
follow glibc cancel
says 'done'

begin "heap contract: malloc() and free() keep errno"
follow glibc errno
says 'done'

begin "heap contract: the C library's allocator"
follow glibc plain
says 'done'

begin "heap contract: an allocator of the program's own"
build own -DOWN || fail 'cannot build the program'
"$dir/own" >"$out" || fail 'it does not run alone'
follow own plain
says 'done'

# linked WHAT PACKAGE LIBRARY ARGUMENT...
linked() {
	local what=$1 package=$2 file=$3
	shift 3
	begin "heap contract: $what"
	if [ ! -e "$(${CC:-cc} -print-file-name="$file")" ]; then
		skip "no $file: install $package, if it has that file"
		return
	fi
	build linked "$@" || fail "cannot build the program"
	"$dir/linked" >"$out" || fail 'it does not run alone'
	follow linked plain
	says 'done'
	follow linked cancel
	says 'done'
}
linked 'shared jemalloc' libjemalloc-dev libjemalloc.so -Wl,--no-as-needed -ljemalloc
linked 'static jemalloc' libjemalloc-dev libjemalloc.a -l:libjemalloc.a -ldl -lm -lstdc++
linked 'shared tcmalloc' libgoogle-perftools-dev libtcmalloc_minimal.so -Wl,--no-as-needed -ltcmalloc_minimal
linked 'static tcmalloc' libgoogle-perftools-dev libtcmalloc_minimal.a -Wl,--whole-archive -l:libtcmalloc_minimal.a \
	-Wl,--no-whole-archive -lstdc++ -lm
linked 'shared mimalloc' libmimalloc-dev libmimalloc.so -Wl,--no-as-needed -lmimalloc
linked 'static mimalloc' libmimalloc-dev libmimalloc.a -Wl,--whole-archive -l:libmimalloc.a -Wl,--no-whole-archive

# A perf that runs the command, and ends before a daemon that the command leaves
mkdir -p "$dir/machine/sys/bus/event_source/devices/arm_spe_0/format"
printf '0-3\n' >"$dir/machine/sys/bus/event_source/devices/arm_spe_0/cpumask"
printf 'config:0\n' >"$dir/machine/sys/bus/event_source/devices/arm_spe_0/format/ts_enable"
printf 'config:16\n' >"$dir/machine/sys/bus/event_source/devices/arm_spe_0/format/jitter"
perf_that_runs
record() { PERF=$dir/perf run 0 record --root "$dir/machine" --heap -o "$dir/new.data" "$@"; }
bytes() { du -sb "$1" 2>/dev/null | cut -f 1; }

begin "heap contract: a limit of all logs together"
record --heap-limit 1 -- "$dir/glibc" many 200000
[ "$(bytes "$dir/new.data.heap")" -le $((1100 << 10)) ] || fail "$(bytes "$dir/new.data.heap") bytes"
run 2 record --heap-limit 1 -- prog
warns '--heap-limit limits the logs of --heap: add --heap'

begin "heap contract: a daemon logs no more when the recording has ended"
rm -rf "$dir/new.data.heap"*
cat >"$dir/daemon" <<END
#!/bin/bash
"$dir/glibc" live "$dir/go" 100000 </dev/null >/dev/null 2>&1 &
sleep 0.5
END
chmod +x "$dir/daemon"
record -- "$dir/daemon"
before=$(find "$dir/new.data.heap" -name '*.heap' -exec stat -c %s {} + | awk '{ n += $1 } END { print n }')
touch "$dir/go"
for ((i = 0; i < 200; i++)); do
	pgrep -f "$dir/glibc live" >/dev/null || break
	sleep 0.05
done
after=$(find "$dir/new.data.heap" -name '*.heap' -exec stat -c %s {} + | awk '{ n += $1 } END { print n }')
# What it had begun it may fill.
[ "$after" -le $((before + 65536)) ] || fail "$before bytes became $after"

begin "heap contract: FILE.heap.old is no link that is followed, and only own files go"
rm -rf "$dir/new.data.heap"*
mkdir "$dir/victim"
touch "$dir/victim/notes.heap" "$dir/victim/1-0.heap"
record -- "$dir/glibc" many 1
ln -s victim "$dir/new.data.heap.old"
PERF=$dir/perf run 1 record --root "$dir/machine" --heap -o "$dir/new.data" -- "$dir/glibc" many 1
warns "cannot keep the logs of the last recording as $dir/new.data.heap.old"
[[ -e $dir/victim/notes.heap && -e $dir/victim/1-0.heap ]] || fail 'a file behind the link is gone'
rm "$dir/new.data.heap.old"
mkdir "$dir/new.data.heap.old"
touch "$dir/new.data.heap.old/notes.heap" "$dir/new.data.heap.old/1-0.heap"
PERF=$dir/perf run 1 record --root "$dir/machine" --heap -o "$dir/new.data" -- "$dir/glibc" many 1
[ -e "$dir/new.data.heap.old/notes.heap" ] || fail 'a file that is no log is gone'
rm -rf "$dir/new.data.heap.old"
record -- "$dir/glibc" many 1
[ -d "$dir/new.data.heap.old" ] || fail 'the logs before are gone'
finish
