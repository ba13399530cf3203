#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe pgo: branches and ranges of one program.
# usage: pgo.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
make_program
for_x86_64 "$prog"
base=$((0x$hot))
here() { user "$(at "$(printf %x $((base + $1)))")"; }
x() { printf %x $((base + $1)); }

{
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	echo "map 10 $map_prog 2 $id /usr/bin/prog"
	echo "map 10 0x8000000000 0x1000 0 2 - /usr/bin/other"
	# From +4 back to 0, three times, once mispredicted; all from +0 on
	for events in 2 2 0x82; do
		echo "rec pc=$(here 4) class=2 op=1 events=$events target=$(here 0) prev=$(here 0)"
	done
	# Not taken; away to another file; into the kernel
	echo "rec pc=$(here 4) class=2 op=1 events=0x42 target=$(here 8) prev=$(here 2)"
	echo "rec pc=$(here 6) class=2 op=2 events=2 target=$(user 0x8000000010)"
	echo "rec pc=$(here 7) class=2 op=0 events=2 target=0xa0ff800008000000"
	# A sample that is not a branch, and one whose range would go backwards
	echo "rec pc=$(here 3) class=0 op=0 prev=$(here 1)"
	echo "rec pc=$(here 3) class=0 op=0 prev=$(here 5)"
	echo "rec pc=$(user 0x8000000010) class=2 op=0 target=$(here 0)"
	echo 'auxtrace 0 -1 10 0'
} | perf_file b.data
profile() { run 0 pgo -i "$dir/b.data" --symfs "$dir/root" "$@"; }
is() {
	printf '%s\n' "$@" >"$dir/want"
	cmp -s "$dir/want" "$dir/text" || fail "$(diff "$dir/want" "$dir/text")"
}
mkdir -p "$dir/root/usr/bin"
cp "$prog" "$dir/root/usr/bin/other"

begin "pgo: for BOLT"
profile prog
silent
cp "$out" "$dir/text"
# A sample stands for the 1024 operations of the fixture's interval.
is "F $(x 0) $(x 4) 3072" "F $(x 2) $(x 4) 1024" "B $(x 4) $(x 0) 3072 1024"

begin "pgo: the program by its path in the folder of --symfs"
(cd "$dir" && "$perf_spe" pgo -i b.data --symfs root root/usr/bin/prog >path 2>path.err) || fail "$(cat "$dir/path.err")"
cmp -s "$dir/path" "$dir/text" || fail "$(diff "$dir/path" "$dir/text")"

begin "pgo: of a file that branches alone reach there is no profile"
{
	printf 'info 4\ncomm 10 10 1 1 prog\n'
	echo "map 10 $map_prog 2 $id /usr/bin/prog"
	echo "map 10 0x8000000000 0x1000 0 2 - /usr/bin/other"
	echo "rec pc=$(user 0x8000000010) class=2 op=0 events=2 target=$(here 0)"
	echo 'auxtrace 0 -1 10 0'
} | perf_file entry.data
run 1 pgo -i "$dir/entry.data" --symfs "$dir/root" prog
warns 'no sample is in prog'
! grep -q LeakSanitizer "$err" || fail 'memory is lost'

# AutoFDO counts from the address where the file's first segment would have offset 0.
begin "pgo: for AutoFDO"
profile -f autofdo /usr/bin/prog -o "$dir/text"
addresses=$base
read -r first_off first_addr < <(readelf -lW "$prog" | awk '$1 == "LOAD" { print $2, $3; exit }')
base=$((base - first_addr + first_off))
is 3 "$(x 0)-$(x 4):3072" "$(x 1)-$(x 3):1024" "$(x 2)-$(x 4):1024" \
	4 "$(x 3):2048" "$(x 4):4096" "$(x 6):1024" "$(x 7):1024" 1 "$(x 4)->$(x 0):3072"
base=$addresses

# The optimisers' own tools must understand the profile of a loop of two lines.
cat >"$dir/loop.s" <<'END'
	.file 1 "loop.c"
	.globl loop
	.type loop, @function
loop:	.loc 1 10
	movl $1000, %eax
1:	.loc 1 12
	decl %eax
	jne 1b
	.loc 1 14
	ret
	.size loop, . - loop
	.globl _start
	.type _start, @function
_start:	.loc 1 20
	call loop
	.loc 1 21
	hlt
	.size _start, . - _start
END
machine=$(uname -m)
if [ "$machine" = x86_64 ]; then
	loop=$dir/root/usr/bin/loop
	# Old tools read DWARF up to version 4.
	${CC:-cc} -g -gdwarf-4 -nostdlib -static -no-pie -Wl,--emit-relocs -o "$loop" "$dir/loop.s"
	read -r seg_off seg_addr < <(readelf -lW "$loop" |
		awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
	start=$((0x$(nm "$loop" | awk '$3 == "loop" { print $1 }')))
	in_loop() { user "$(at "$(printf %x $((start + $1)))")"; }
	{
		printf 'info 4\ncomm 10 10 1 1 loop\n'
		echo "map 10 0x7000000000 0x100000 $seg_off 2 - /usr/bin/loop"
		for ((i = 0; i < 30; i++)); do
			echo "rec pc=$(in_loop 7) class=2 op=1 events=2 target=$(in_loop 5) prev=$(in_loop 5)"
		done
		echo 'auxtrace 0 -1 10 0'
	} | perf_file loop.data
fi

begin "pgo: BOLT reads what it is given"
bolt=$(command -v perf2bolt-19 || command -v perf2bolt)
if [ "$machine" != x86_64 ] || [ -z "$bolt" ]; then
	skip "no perf2bolt for the machine's programs"
else
	run 0 pgo -i "$dir/loop.data" --symfs "$dir/root" loop -o "$dir/loop.preagg"
	"$bolt" --aggregate-only -pa -p "$dir/loop.preagg" -o "$dir/loop.fdata" "$loop" >"$out" 2>&1 ||
		fail "perf2bolt fails"
	says 'traces mismatching disassembled function contents: 0'
	grep -qx '1 loop 7 1 loop 5 0 30720' "$dir/loop.fdata" || fail "$(head "$dir/loop.fdata")"
fi

begin "pgo: AutoFDO reads what it is given"
# It would leave its logs in /tmp.
export GLOG_logtostderr=1
# Debian 13 builds its create_llvm_prof without LLVM, and then it reads nothing.
if [ "$machine" != x86_64 ] || ! command -v create_llvm_prof >/dev/null; then
	skip "no create_llvm_prof for the machine's programs"
elif [[ $(create_llvm_prof 2>&1) == *'was not enabled'* ]]; then
	skip 'create_llvm_prof was built without LLVM'
else
	run 0 pgo -i "$dir/loop.data" --symfs "$dir/root" loop -f autofdo -o "$dir/loop.afdo"
	create_llvm_prof --profiler=text --format=text --profile="$dir/loop.afdo" --binary="$loop" \
		--out="$dir/loop.prof" >"$out" 2>&1 || fail "create_llvm_prof fails"
	grep -q '^loop:' "$dir/loop.prof" || fail "AutoFDO finds no function: $(cat "$dir/loop.prof")"
	grep -qx ' 12: 30720' "$dir/loop.prof" || fail "$(cat "$dir/loop.prof")"
fi

begin "pgo: no such object, no branches"
run 1 pgo -i "$dir/b.data" --symfs "$dir/root" rog
warns 'no sample is in rog'
for object in prog /usr/bin/prog; do
	run 1 pgo -i "$dir/b.data" --symfs "$dir" "$object"
	warns "pgo: 8 samples are in $object, but the recorded file is not here"
done
run 1 pgo -i "$dir/b.data" --symfs "$dir" other
warns 'pgo: 1 sample is in other, but the recorded file is not here'
profile prog --filter 'op == other'
warns "pgo: no sample that --filter 'op == other' keeps is a branch with a target"
perf_file loads.data <<END
comm 10 10 1 1 prog
map 10 $map_prog 2 $id /usr/bin/prog
info 4
rec pc=$(user "$(at "$hot")") class=1 op=0
auxtrace 0 -1 10 0
END
run 0 pgo -i "$dir/loads.data" --symfs "$dir/root" prog
warns 'record again with --branches'

begin "pgo: wrong usage"
run 2 pgo
warns 'OBJECT'
run 1 pgo -i "$dir/b.data" --symfs "$dir/root" prog -f fdata
warns 'is no AArch64 program'
run 2 pgo --format pdf prog
warns "choose bolt, fdata,"
run 2 pgo prog other
run 1 pgo -i "$dir/b.data" --symfs "$dir/root" prog -o "$dir/none/x"
warns 'No such file'
run 0 pgo --help

finish
