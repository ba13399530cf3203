#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Programs without symbols: what their samples are grouped by, and what to do about it.
# usage: stripped.sh PERF-SPE FIXTURE; beside them is pty, the terminal

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
pty=$(dirname "$fixture")/pty

# A program with an exported and two static functions.  "whole" keeps its symbols: nm says
# where the functions of the stripped copies are.
cat >"$dir/prog.c" <<'END'
static int __attribute__((noinline)) inner(int x) { return x * 3; }
static int __attribute__((noinline)) other(int x) { return x + 1; }
int visible(int x) { return inner(x) + other(x); }
END
build() { # build FLAG...: whole and prog, which is stripped; prog's id
	prog=$dir/root/usr/lib/prog
	mkdir -p "${prog%/*}"
	${CC:-cc} -O0 -g -shared -fPIC -nostdlib -Wl,--build-id=sha1 "$@" -o "$dir/whole" "$dir/prog.c" 2>"$err" ||
		fail 'cannot link the test program'
	objcopy --strip-all "$dir/whole" "$prog"
	id=$(readelf -nW "$prog" | sed -n 's/.*Build ID: //p')
	read -r seg_off seg_addr < <(readelf -lW "$prog" |
		awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
}
address() { nm "$dir/whole" | awk -v name="$1" '$3 == name { print $1 }'; }
short() { printf 'prog+0x%x' $((0x$1)); }
sampled() { # sampled FILE ADDRESS...: one sample of each address
	local file=$1
	shift
	{
		echo 'info 4'
		echo 'comm 10 10 1 1 prog'
		echo "map 10 0x7000000000 0x100000 $seg_off 2 $id ${recorded:-/usr/lib/prog}"
		for a; do echo "rec pc=$(user "$(at "$a")") total=5"; done
		echo 'auxtrace 0 -1 10 0'
	} | perf_file "$file"
}
build
inner=$(address inner) other=$(address other) visible=$(address visible)
later=$(printf %x $((0x$inner + 4)))
first=$(printf %x "$(at "$inner")")
sampled s.data "$inner" "$inner" "$later" "$other" "$visible"
s=(-i "$dir/s.data" --symfs "$dir/root")

begin "stripped: functions by the unwind table"
run 0 report "${s[@]}"
count_is prog "$(short "$inner")" 3
count_is prog "$(short "$other")" 1
count_is prog visible 1
grep -q 'no symbol' "$out" && fail 'samples without a name'

begin "stripped: where symbols are"
for word in /usr/lib/prog '80.00%' -dbgsym 'dpkg -S' debuginfo-install DEBUGINFOD_URLS; do warns "$word"; done
file_id=$(readelf -nW "$prog" | sed -n 's/.*Build ID: //p')
warns ") on the machine that recorded, and copy its /usr/lib/debug/.build-id/${file_id:0:2}/${file_id:2}.debug below --symfs $dir/root, or set"
run 0 archive "${s[@]}" -o "$dir/s.tar"
run 0 report -i "$dir/s.tar"
warns ') on the machine that recorded, and archive again, or set'
DEBUGINFOD_URLS=file://$dir/none run 0 report "${s[@]}"
warns 'DEBUGINFOD_URLS'
cp "$dir/whole" "$prog"
run 0 report "${s[@]}"
count_is prog inner 3
silent
objcopy --strip-all "$dir/whole" "$prog"

begin "stripped: a file that no package has"
mkdir -p "$dir/root/home/me"
cp "$prog" "$dir/root/home/me/prog"
recorded=/home/me/prog sampled own.data "$inner" "$other"
run 0 report -i "$dir/own.data" --symfs "$dir/root"
warns '/home/me/prog has no symbols for 100.00% of the samples'
warns 'DIR/home/me/prog'
grep -q 'dpkg' "$err" && fail 'no package has it'
if [[ $(ldd "$perf_spe") == *ncurses* ]]; then
	# What the terminal has not shown comes at the end, and wraps at words.
	printf 'see q quit\ntype q\nend 0\n' |
		PTY_COLUMNS=60 PTY_LOG=$dir/log "$pty" "$perf_spe" report -i "$dir/own.data" --symfs "$dir/root" >"$out" 2>"$err" ||
		fail 'on the terminal'
	tr -d '\r' <"$dir/log" | sed -n 's/.*\(perf-spe: \)/\1/; /^perf-spe: /,$p' >"$dir/messages"
	grep -q '/home/me/prog has no symbols' "$dir/messages" || fail 'no message at the end'
	[ "$(wc -L <"$dir/messages")" -le 60 ] || fail "$(cat "$dir/messages")"
fi
cp "$dir/whole" "$dir/root/home/me/prog"
run 0 report -i "$dir/own.data" --symfs "$dir/root"
count_is prog inner 1
silent

begin "stripped: annotate prints the hottest function, named or not"
run 0 annotate "${s[@]}"
says "# $(short "$inner") in /usr/lib/prog: 3 samples of 5"
grep -qE "^ +66\.67% +2 +66\.67%.* $(printf %x $((0x$inner))):" "$out" || fail "no instruction with 2 samples"
grep -qE " $(printf %x $((0x$other))):" "$out" && fail 'more than the function'
run 0 annotate "${s[@]}" "$(short "$other")"
grep -qE "^ +100\.00% +1 +100\.00%.* $(printf %x $((0x$other))):" "$out" || fail "no instruction of the other function"

begin "stripped: symbols in .gnu_debugdata"
# As section "MiniDebugInfo" of gdb's manual tells: an ELF file with .symtab, in xz.
objcopy --only-keep-debug "$dir/whole" "$dir/mini"
objcopy --strip-debug "$dir/mini" 2>"$err"
if ! command -v xz >/dev/null; then
	skip 'no xz'
else
	xz -kf "$dir/mini"
	objcopy --add-section .gnu_debugdata="$dir/mini.xz" "$prog"
	run 0 report "${s[@]}"
	count_is prog inner 3
	count_is prog other 1
	silent
	begin "stripped: .gnu_debugdata that is damaged"
	head -c 40 "$dir/mini.xz" >"$dir/cut.xz"
	objcopy --strip-all "$dir/whole" "$prog"
	objcopy --add-section .gnu_debugdata="$dir/cut.xz" "$prog"
	run 0 report "${s[@]}"
	count_is prog "$(short "$inner")" 3
fi

begin "stripped: without an unwind table, ranges of 4 KiB"
echo '__asm__(".skip 8192");' >>"$dir/prog.c"
build -fno-asynchronous-unwind-tables -fvisibility=hidden
inner=$(address inner)
far=$(printf %x $((0x$inner / 4096 * 4096 + 4096)))
sampled far.data "$inner" "$far" "$(printf %x $((0x$far + 4092)))"
run 0 report -i "$dir/far.data" --symfs "$dir/root"
count_is prog "$(short "$far")" 2
[ "$(grep -c ' prog+0x' <(tr -s ' ' <"$out"))" = 2 ] || fail 'not two ranges'

begin "stripped: a file that is not here, its addresses"
run 0 report -i "$dir/s.data" --symfs "$dir"
count_is prog '[no symbol]' 5
run 0 annotate -i "$dir/s.data" --symfs "$dir" '[no symbol]'
says '# [no symbol] in /usr/lib/prog: 5 samples of 5'
grep -qE "^ +40\.00% +2 +40\.00%.* $first\$" "$out" || fail 'no address with 2 samples'
run 1 annotate -i "$dir/s.data" --symfs "$dir"
warns 'no sample has a symbol'
warns "'[no symbol]'"

begin "stripped: annotate says if more samples have no symbol"
{
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	echo "map 10 0x7000000000 0x100000 $seg_off 2 $id /usr/lib/prog"
	echo 'map 10 0x7100000000 0x100000 0 2 - /usr/lib/missing'
	echo "rec pc=$(user "$(at "$inner")") total=5"
	for i in 1 2 3; do echo "rec pc=$(user 0x7100000000) total=$i"; done
	echo 'auxtrace 0 -1 10 0'
} | perf_file two.data
run 0 annotate -i "$dir/two.data" --symfs "$dir/root"
warns '75.00%'
warns '/usr/lib/missing'
warns "'[no symbol]'"

begin "stripped: on a terminal, Enter shows the code or the addresses"
if [[ $(ldd "$perf_spe") != *ncurses* ]]; then
	skip 'built without ncurses'
else
	screen() {
		local steps=$1
		shift
		"$pty" "$perf_spe" report "$@" >"$out" 2>"$err" <<<"$steps" || fail "on the terminal"
	}
	screen "see q quit
type \r
see # prog+0x
type qq
end 0" -i "$dir/far.data" --symfs "$dir/root"
	# The last line tells why there are no names.
	screen 'see # 5 records
type \r
see 0x70000
see no symbols: prog is not here: point --symfs at a copy
type q
see [no symbol]
type q
end 0' -i "$dir/s.data" --symfs "$dir"
	# A name that is cut keeps its offset.
	long=library-with-a-long-name.so.1.2.3
	cp "$prog" "${prog%/*}/$long"
	{
		echo 'info 4'
		echo 'comm 10 10 1 1 prog'
		echo "map 10 0x7000000000 0x100000 $seg_off 2 $id /usr/lib/$long"
		echo "rec pc=$(user "$(at "$inner")") total=5"
		echo 'auxtrace 0 -1 10 0'
	} | perf_file long.data
	offset=$(printf '+0x%x' $((0x$inner & ~0xfff)))
	PTY_COLUMNS=80 screen "see ..$offset
miss $long$offset
type q
end 0" -i "$dir/long.data" --symfs "$dir/root"
fi

finish
