#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The columns of the heap, and the command of record --heap.
# usage: heap.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

bin=$(dirname "$perf_spe")

# log PID PARENT ID START NAME: a log from standard input, beside a.data
log() {
	mkdir -p "$dir/a.data.heap"
	"$bin/heap-write" "$1" "$2" "$3" "$4" "$dir/a.data.heap/$5" || fail "heap-write"
}

# Timestamps are ns of perf's clock by this conversion.  Process 20 is forked from 10 at 500.
perf_file a.data <<'END'
conv 0 1 0
info 4
comm 10 10 1 1 prog
map 10 0x400000 0x10000 0 2 - /no/such/prog
fork 20 10 500
rec pc=0x400100 va=0x1000 ts=100 class=1 op=0 ctx1=10
rec pc=0x400100 va=0x1000 ts=210 class=1 op=0 ctx1=10
rec pc=0x400100 va=0x103f ts=250 class=1 op=0 ctx1=10
rec pc=0x400100 va=0x1040 ts=250 class=1 op=0 ctx1=10
rec pc=0x400100 va=0x1010 ts=310 class=1 op=0 ctx1=10
rec pc=0x400100 va=0x1010 ts=410 class=1 op=0 ctx1=10
rec pc=0x400100 va=0x1010 ts=600 class=1 op=0 ctx1=20
rec pc=0x400100 va=0x9000 ts=600 class=1 op=0 ctx1=20
rec pc=0x400100 va=0x1010 class=1 op=0 ctx1=10
rec pc=0x400100 va=0x9004 class=1 op=0 ctx1=20
auxtrace 0 0 10 0
END
# 0x1000 has 64 bytes from 200 to 300, and 32 bytes from 400 on.
log 10 0 7 1 10-0.heap <<'END'
alloc 200 0x1000 64 0x400204
free 300 0x1000
alloc 400 0x1000 32 0x400308
END
log 20 10 7 510 20-0.heap <<'END'
alloc 550 0x9000 16 0x40040c
END

# The rows as "va time size offset life site": by hand from the log.  The program's file is
# not there, so its sites have the addresses of the process.
columns=va,timestamp,heap_size,heap_offset,heap_life,heap_site
cat >"$dir/want" <<'END'
0x1000,100,,,,
0x1000,210,64,0x0,live,/no/such/prog+0x400204
0x103f,250,64,0x3f,live,/no/such/prog+0x400204
0x1040,250,,,,
0x1010,310,64,0x10,freed,/no/such/prog+0x400204
0x1010,410,32,0x10,live,/no/such/prog+0x400308
0x1010,600,32,0x10,inherited,/no/such/prog+0x400308
0x9000,600,16,0x0,live,/no/such/prog+0x40040c
0x1010,,,,,
0x9004,,16,0x4,unknown,/no/such/prog+0x40040c
END
begin "heap: export names the block of each address at its time"
run 0 export -f csv -F "$columns" -i "$dir/a.data"
tail -n +2 "$out" | tr -d '"\r' | diff "$dir/want" - >"$dir/diff" || { fail "other blocks"; cat "$dir/diff"; }

begin "heap: report by site, and filter"
run 0 report -i "$dir/a.data" --by heap_site --columns count,heap_site
body | finds -E '^ *3  /no/such/prog\+0x400204' || fail "not 3 samples of the first site"
run 0 report -i "$dir/a.data" --by heap_site --columns count,heap_site --filter 'heap_life == freed and heap_size >= 64'
body | finds -E '^ *1  /no/such/prog\+0x400204' || fail "not 1 sample"

begin "heap: no blocks of the program before an exec, or of another one that had the pid"
mkdir "$dir/exec.data.heap"
cp "$dir/a.data.heap/10-0.heap" "$dir/exec.data.heap/"
perf_file exec.data <<'END'
conv 0 1 0
info 4
comm 10 10 1 1 prog
map 10 0x400000 0x10000 0 2 - /no/such/prog
comm 10 10 700 1 static
map 10 0x400000 0x10000 0 701 - /no/such/static
rec pc=0x400100 va=0x1010 ts=600 class=1 op=0 ctx1=10
rec pc=0x400100 va=0x1010 ts=800 class=1 op=0 ctx1=10
fork 10 1 900
rec pc=0x400100 va=0x1010 ts=950 class=1 op=0 ctx1=10
auxtrace 0 0 10 0
END
run 0 export -f csv -F timestamp,heap_size -i "$dir/exec.data"
[ "$(tail -n +2 "$out" | tr -d '\r' | paste -sd ' ')" = '600,32 800, 950,' ] || fail "$(cat "$out")"

begin "heap: a child frees what it inherited, and gets other memory there"
mkdir -p "$dir/child.data.heap"
cp "$dir/a.data.heap/10-0.heap" "$dir/child.data.heap"
"$bin/heap-write" 20 10 7 510 "$dir/child.data.heap/20-0.heap" <<'END' || fail "heap-write"
free 650 0x1000
alloc 750 0x1000 16 0x40040c
END
perf_file child.data <<'END'
conv 0 1 0
info 4
comm 10 10 1 1 prog
map 10 0x400000 0x10000 0 2 - /no/such/prog
fork 20 10 500
rec pc=0x400100 va=0x1010 ts=600 class=1 op=0 ctx1=20
rec pc=0x400100 va=0x1010 ts=700 class=1 op=0 ctx1=20
rec pc=0x400100 va=0x1008 ts=800 class=1 op=0 ctx1=20
rec pc=0x400100 va=0x1018 ts=800 class=1 op=0 ctx1=20
auxtrace 0 0 10 0
END
run 0 export -f csv -F timestamp,heap_size,heap_life -i "$dir/child.data"
[ "$(tail -n +2 "$out" | tr -d '\r"' | paste -sd ' ')" = '600,32,inherited 700,32,freed 800,16,live 800,32,freed' ] ||
	fail "$(cat "$out")"

begin "heap: a program before an exec, and times that are not known"
cp -r "$dir/a.data.heap" "$dir/mono.data.heap"
rm "$dir/mono.data.heap/20-0.heap"
perf_file mono.data <<'END'
feature 29 1 0 0 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
conv 0 1 0
info 4
comm 10 10 1 1 prog
comm 10 10 500 1 static
rec pc=0x400100 va=0x1010 ts=600 class=1 op=0 ctx1=10
auxtrace 0 0 10 0
END
run 0 export -f csv -F heap_size -i "$dir/mono.data"
[ "$(tail -n +2 "$out" | tr -d '\r')" = '' ] || fail "$(cat "$out")"

begin "heap: other names of a recording"
mkdir "$dir/folder"
cp "$dir/a.data" "$dir/folder/data"
cp -r "$dir/a.data.heap" "$dir/folder.heap"
ln -s folder "$dir/link"
for name in folder folder/ folder/. link; do
	run 0 export -f csv -F heap_size -i "$dir/$name"
	grep -q '^64' "$out" || fail "$name has no heap"
done
cp -r "$dir/a.data.heap" "$dir/-.heap"
(cd "$dir" && "$perf_spe" export -f csv -F heap_size -i - <a.data 2>/dev/null) >"$out"
! grep -q '^64' "$out" || fail "standard input has a heap"

begin "heap: a log of another recording, and none at all"
perf_file b.data <<'END'
conv 0 1 0
info 4
words 11 perf record -- env PERF_SPE_HEAP_ID=8 ./prog
comm 10 10 1 1 prog
rec pc=0x400100 va=0x1000 ts=210 class=1 op=0 ctx1=10
auxtrace 0 0 10 0
END
run 0 export -f csv -F heap_site -i "$dir/b.data"
warns 'no names of heap blocks'
warns 'perf spe record --heap'
cp -r "$dir/a.data.heap" "$dir/b.data.heap"
run 0 export -f csv -F heap_site -i "$dir/b.data"
warns '2 logs belong to another recording and are not used'
echo garbage >"$dir/a.data.heap/3-0.heap"
run 0 export -f csv -F heap_site -i "$dir/a.data"
warns '3-0.heap: it is no log of a heap'
run 0 export -f csv -F va -i "$dir/a.data"
silent

begin "heap: record sets the variables for the command alone"
m=$dir/machine/sys/bus/event_source/devices/arm_spe_0
mkdir -p "$m/format" "$m/caps"
echo 0-3 >"$m/cpumask"
echo config:0 >"$m/format/ts_enable"
echo config:16 >"$m/format/jitter"
echo 1024 >"$m/caps/min_interval"
unset PERF LD_PRELOAD
run 0 record --root "$dir/machine" --print --heap -o "$dir/new.data" -- "$bin/allocate" plain
want="perf record -d -o $dir/new.data -e arm_spe_0/ts_enable=1,jitter=1/ -c 8192 -- env LD_PRELOAD=$bin/libarmspe-heap.so PERF_SPE_HEAP=$dir/new.data.heap PERF_SPE_HEAP_ID=ID $bin/allocate plain"
[ "$(sed 's/HEAP_ID=[0-9a-f]*/HEAP_ID=ID/' "$out")" = "$want" ] || fail "not: $want"
[ ! -e "$dir/new.data.heap" ] || fail "--print makes the folder"
# This perf runs what is after --, so the logs are those of a program.
perf_that_runs
for _ in 1 2 3; do
	PERF=$dir/perf run 0 record --root "$dir/machine" --heap -o "$dir/new.data" -- "$bin/allocate" plain
done
[ -d "$dir/new.data.heap.old" ] || fail "the folder before is gone"
logs=("$dir"/new.data.heap/*.heap)
"$bin/heap-text" "${logs[@]}" >"$dir/text" || fail "${#logs[@]} logs"
grep -q '^alloc .* 100 ' "$dir/text" || fail "no block of 100 bytes"

begin "heap: a recording whose program could not be followed"
mkdir -p "$dir/e.data.heap"
cp "$dir/b.data" "$dir/e.data"
run 0 export -f csv -F heap_site -i "$dir/e.data"
warns "no names of heap blocks: $dir/e.data.heap is empty"
warns 'linked statically'
warns 'record again'

# started PROGRAM: what record says before it starts it
started() { PERF=$dir/perf run 0 record --root "$dir/machine" --heap -o "$dir/new.data" -- "$@"; }
compile() { # OPTION...
	echo 'int main(void) { return 0; }' | ${CC:-cc} -x c "$@" -
}
begin "heap: record warns of a program that is linked statically"
if compile -static -o "$dir/static"; then
	started "$dir/static"
	warns "--heap cannot follow $dir/static, because it is linked statically: link it with the C library as a shared object"
	PATH=$dir:$PATH started static
	warns '--heap cannot follow static, because'
	compile -static-pie -o "$dir/static-pie" && started "$dir/static-pie"
	warns "--heap cannot follow $dir/static-pie, because it is linked statically"
else
	skip "no static C library"
fi

begin "heap: record does not warn of others"
compile -o "$dir/shared"
printf '#!/bin/sh\nexit 0\n' >"$dir/script"
chmod +x "$dir/script"
for program in shared script; do
	started "$dir/$program"
	! grep -q 'cannot follow' "$err" || fail "warns of $program"
done
# With the bit, but of the caller's own user, it changes nothing.
chmod u+s "$dir/shared"
started "$dir/shared"
! grep -q 'cannot follow' "$err" || fail "warns of the caller's own program"

begin "heap: record warns of a program that changes its user"
if chown 65534 "$dir/shared" 2>/dev/null; then
	chmod u+s,a+rx "$dir/shared"
	started "$dir/shared"
	warns "--heap cannot follow $dir/shared, because it changes its user or group when it starts: copy it without that bit"
else
	skip "only root can give a file to another user"
fi

begin "heap: record refuses what it cannot follow"
run 2 record --root "$dir/machine" --heap -a
warns '--heap needs a command to start'
run 2 record --root "$dir/machine" --heap -o - -- prog
warns 'give -o FILE'
finish
