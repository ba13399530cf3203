#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Source files that annotate, pages and top read: only those below --symfs, --source-dir and the current
# folder, whatever names the program has; and recorded names that would leave --symfs.
# usage: sources.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/top.sh
. "$(dirname "$0")/lib/top.sh"

# The program names a file outside of all folders, whose first lines are secret.
mkdir -p "$dir/secret/.ssh" "$dir/root/usr/bin" "$dir/empty" "$dir/other"
printf 'one SECRET\ntwo SECRET\nthree SECRET\n' >"$dir/secret/file"
cp "$dir/secret/file" "$dir/secret/.ssh/key"
# program NAME: with the source file NAME
program() {
	printf '#line 1 "%s"\nint hot(int x) { return x * 3; }\nvoid _start(void) { hot(1); }\n' "$1" >"$dir/p.c"
	(cd "$dir/empty" && ${CC:-cc} -g -O0 -nostdlib -static -no-pie -Wl,--build-id=sha1 -o "$dir/root/usr/bin/prog" "$dir/p.c")
	prog=$dir/root/usr/bin/prog
	hot=$(nm "$prog" | awk '$3 == "hot" { print $1 }')
	read -r seg_off seg_addr < <(readelf -lW "$prog" | awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
	id=$(readelf -nW "$prog" | sed -n 's/.*Build ID: //p')
	printf 'info 4\ncomm 10 10 1 1 prog\nmap 10 0x7000000000 0x100000 %s 2 %s /usr/bin/prog\nitrace 10 10 0 3\nrec pc=%s total=5\nauxtrace 0 0 10 0\n' \
		"$seg_off" "$id" "$(user "$(at "$hot")")" | perf_file p.data
}
# leaks WANT OPTIONS...: whether the lines are in the text and in the page
leaks() {
	local want=$1 got
	shift
	for verb in annotate report; do
		case $verb in
		annotate) run 0 annotate -i "$dir/p.data" --symfs "$dir/root" "$@" ;;
		report) run 0 report -i "$dir/p.data" --symfs "$dir/root" --html "$dir/page" "$@" && cp "$dir/page" "$out" ;;
		esac
		got=no
		grep -q SECRET "$out" && got=yes
		[ "$got" = "$want" ] || fail "$verb in $PWD $*: $got"
		[ "$want" = yes ] || [ "${quiet-}" ] || warns "$verb: left out the lines of the source file"
		[ "$want" = no ] || silent
	done
}
cd "$dir/empty" || exit 1

begin "sources: a file elsewhere is left out, and a message says so"
program "$dir/secret/file"
leaks no
warns "source file $dir/secret/file: it is not below --symfs, --source-dir or the current folder; give --source-dir DIR, or --any-source"
leaks no --source-dir "$dir/other"
[ "$(grep -c 'left out' "$err")" = 1 ] || fail 'not one line'
OBJDUMP=objdump leaks no

begin "sources: --any-source, --source-dir, the current folder, --symfs"
leaks yes --any-source
leaks yes --source-dir "$dir/secret"
leaks yes --source-dir "$dir"
mkdir -p "$dir/other/sub" && cp "$dir/secret/file" "$dir/other/sub/file"
leaks no --source-dir "$dir/other"
cp "$dir/secret/file" "$dir/other/file"
leaks yes --source-dir "$dir/other"
cd "$dir/secret" && leaks yes
cd "$dir" && leaks yes
cd / && leaks no
cd "$dir/empty" || exit 1
mkdir -p "$dir/root$dir/secret" && cp "$dir/secret/file" "$dir/root$dir/secret/file"
leaks yes
rm -r "$dir/root${dir%/*}"

begin "sources: --source-dir OLD=NEW, and several"
rm -r "$dir/other" && mkdir -p "$dir/other"
cp "$dir/secret/file" "$dir/other/file"
program /gone/build/secret/file
leaks yes --source-dir "/gone/build/secret=$dir/other"
leaks yes --source-dir "/gone/build=$dir"
leaks yes --source-dir "/gone/build/=$dir"
leaks yes --source-dir /nowhere=/other --source-dir "/gone/build=$dir"
quiet=1 leaks no --source-dir "/gone/bui=$dir"
quiet=1 leaks no --source-dir "/gone=$dir"
run 2 annotate -i "$dir/p.data" --source-dir "=$dir"
warns '--source-dir needs a folder, or OLD=NEW'

begin "sources: a missing file is named, with the folders where it was sought"
run 0 annotate -i "$dir/p.data" --symfs "$dir/root" --source-dir "$dir/empty" --source-dir "/gone=$dir"
warns "annotate: the source file /gone/build/secret/file was not found: sought below --symfs $dir/root, in --source-dir $dir/empty, in --source-dir /gone=$dir, in the current folder; give --source-dir DIR, or --source-dir OLD=NEW"
run 0 report -i "$dir/p.data" --symfs "$dir/root" --html "$dir/page"
warns "report: the source file /gone/build/secret/file was not found"
run 0 report -i "$dir/p.data" --symfs "$dir/root"
silent

begin "sources: names that lead out of the folders"
for path in "$dir/empty/../secret/file" ../secret/file "$dir/empty/link" link "$dir/empty/links/file" "/..$dir/secret/file"; do
	ln -sfn ../secret/file link
	ln -sfn ../secret links
	program "$path"
	quiet=1 leaks no
	quiet=1 leaks no --source-dir "$dir/empty/none"
done
rm link links
program "$dir/secret/.ssh/key"
cd "$dir/secret" && leaks no
leaks yes --source-dir "$dir/secret/.ssh"
program /proc/self/environ
quiet=1 leaks no

begin "sources: .. in a recorded name does not leave --symfs"
program /nowhere
cp "$prog" "$dir/secret/prog"
depth=$(tr -cd / <<<"$dir/root" | sed 's,/,../,g')
for path in "/../secret/prog" "/usr/bin/../../../secret/prog" "/$depth${dir#/}/secret/prog" "/./..//../secret/./prog"; do
	printf 'info 4\ncomm 10 10 1 1 prog\nmap 10 0x7000000000 0x100000 %s 2 - %s\nitrace 10 10 0 3\nrec pc=%s total=5\nauxtrace 0 0 10 0\n' \
		"$seg_off" "$path" "$(user "$(at "$hot")")" | perf_file out.data
	run 0 report -i "$dir/out.data" --symfs "$dir/root"
	grep -q ' hot ' "$out" && fail "$path left the folder"
done
mkdir -p "$dir/root/secret" && cp "$dir/secret/prog" "$dir/root/secret/prog"
run 0 report -i "$dir/out.data" --symfs "$dir/root"
grep -q ' hot ' "$out" || fail 'the file in the folder is not found'

# A program that runs on this machine can be hostile too: top reads no more of its sources.
begin "sources: top has the same rule"
if [[ $(ldd "$faked") != *ncurses* ]]; then
	skip 'built without ncurses'
else
	cd "$dir/empty" || exit 1
	program "$dir/secret/file"
	make_pmu spe
	echo 0 >"$pmu/cpumask"
	FAKE_MAP="10 0x7000000000 0x100000 $seg_off /usr/bin/prog"
	FAKE_PCS="$(at "$hot"):40"
	for options in '' "--source-dir $dir/other/sub/none" "--source-dir $dir/secret" --any-source; do
		case $options in
		*none | '') lines='miss SECRET' ;;
		*) lines='see SECRET' ;;
		esac
		# shellcheck disable=SC2086 # options are words
		printf '%s\n' 'see hot' 'type \r' 'see # hot in' "$lines" 'type q' 'type q' 'end 0' |
			terminal --interval 0.01 $options
	done
fi

# A program whose source has changed since: three lines more above hot(), or the same number.
# program_of COMPILER: with the lines "first", hot() and "last" of source.c
cd "$dir/empty" || exit 1
program_of() {
	local at
	printf '/* first */\nint hot(int x)\n{\n\treturn x * 3;	/* GENUINE */\n}\nvoid _start(void) { hot(1); }\n' >"$dir/right.c"
	cp "$dir/right.c" source.c
	"$@" -O0 -nostdlib -static -no-pie -Wl,--build-id=sha1 -o "$dir/root/usr/bin/prog" source.c 2>"$err" || fail 'cannot build'
	prog=$dir/root/usr/bin/prog
	hot=$(nm "$prog" | awk '$3 == "hot" { print $1 }')
	read -r seg_off seg_addr < <(readelf -lW "$prog" | awk '$1 == "LOAD" && /R E|RE/ { print $2, $3; exit }')
	at=$(user "$(at "$hot")")
	printf 'info 4\ncomm 10 10 1 1 prog\nmap 10 0x7000000000 0x100000 %s 2 %s /usr/bin/prog\nitrace 10 10 0 3\nrec pc=%s total=5\nauxtrace 0 0 10 0\n' \
		"$seg_off" "$(readelf -nW "$prog" | sed -n 's/.*Build ID: //p')" "$at" | perf_file v.data
}
# shows TEXT: annotate, with the library and with objdump, and the page have this line, and no message
shows() {
	run 0 annotate -i "$dir/v.data" --symfs "$dir/root"
	says "$1"
	silent
	OBJDUMP=objdump run 0 annotate -i "$dir/v.data" --symfs "$dir/root"
	says "$1"
	run 0 report -i "$dir/v.data" --symfs "$dir/root" --html "$dir/page"
	grep -qF -- "$1" "$dir/page" || fail "the page has no $1"
	silent
}
# hides REASON: none of them has a line of the file, and all say why
hides() {
	for verb in annotate 'annotate objdump' report; do
		case $verb in
		annotate) run 0 annotate -i "$dir/v.data" --symfs "$dir/root" ;;
		annotate*) OBJDUMP=objdump run 0 annotate -i "$dir/v.data" --symfs "$dir/root" ;;
		report) run 0 report -i "$dir/v.data" --symfs "$dir/root" --html "$dir/page" && cp "$dir/page" "$out" ;;
		esac
		grep -q 'GENUINE\|CHANGED' "$out" && fail "$verb shows a line"
		warns "${verb% *}: left out the lines of the source file $1"
	done
	run 0 annotate -i "$dir/v.data" --symfs "$dir/root" --any-source
	grep -qE '^ +[0-9]+	' "$out" || fail 'no line with --any-source'
	warns "annotate: printed doubtful lines of the source file $1"
}
give='give --source-dir DIR with the program'

begin "sources: the program's own source, gcc"
program_of "${CC:-cc}" -g
shows GENUINE

begin "sources: lines above a function have moved it"
{ printf '\n\n\n'; cat "$dir/right.c"; } | sed s/GENUINE/CHANGED/ >source.c
hides "$dir/empty/source.c: the program was compiled from another version, in which hot is in line 2; $give"
# A version beside it that fits
mkdir -p "$dir/old" && cp "$dir/right.c" "$dir/old/source.c"
run 0 annotate -i "$dir/v.data" --symfs "$dir/root" --source-dir "$dir/old"
says GENUINE
silent

begin "sources: fewer lines than the program has"
head -n 4 "$dir/right.c" >source.c
hides "$dir/empty/source.c: the program was compiled from another version, which had a line 6; $give"

begin "sources: newer than the program"
sed s/GENUINE/CHANGED/ "$dir/right.c" >source.c
touch -d '+2 minutes' source.c
hides "$dir/empty/source.c: it is newer than the program; $give"
# Files of one checkout or archive
touch -d '+20 seconds' source.c
shows CHANGED

begin "sources: a function that a macro made has not moved"
{ printf '#define FN(name) int do_##name(int x)\n#define ALIAS warm\nFN(hot)\n{\n\treturn x * 3;	/* GENUINE */\n}\n'
	printf 'int ALIAS(int x)\n{\n\treturn do_hot(x);\n}\nvoid _start(void) { do_hot(warm(1)); }\n'; } >"$dir/macro.c"
cp "$dir/macro.c" source.c
"${CC:-cc}" -g -O0 -nostdlib -static -no-pie -o "$dir/root/usr/bin/prog" source.c
for function in do_hot warm; do
	hot=$(nm "$prog" | awk -v n="$function" '$3 == n { print $1 }')
	printf 'info 4\ncomm 10 10 1 1 prog\nmap 10 0x7000000000 0x100000 %s 2 - /usr/bin/prog\nitrace 10 10 0 3\nrec pc=%s total=5\nauxtrace 0 0 10 0\n' \
		"$seg_off" "$(user "$(at "$hot")")" | perf_file v.data
	shows 'return '
done

# MD5 sums are in line tables of clang, which md5sum(1) computes too.
for way in '-gdwarf-5' '-gdwarf-5 -gdwarf64' '-gdwarf-5 -gz' '-gdwarf-5 -ffile-prefix-map=/=/'; do
	begin "sources: the MD5 sum of DWARF, clang $way"
	command -v clang >/dev/null || { skip 'no clang: install it'; continue; }
	# shellcheck disable=SC2086 # words
	program_of clang $way
	objcopy --decompress-debug-sections "$prog" "$dir/plain"
	od -An -v -tx1 "$dir/plain" | tr -d ' \n' | finds "$(md5sum <source.c | cut -c-32)" || fail 'clang wrote no sum'
	shows GENUINE
	touch -d '+2 minutes' source.c
	shows GENUINE
	# Not a line moved
	sed s/GENUINE/CHANGED/ "$dir/right.c" >source.c
	touch -d '-2 minutes' source.c
	hides "$dir/empty/source.c: the program was compiled from another version, with another MD5 sum; $give"
done
finish
