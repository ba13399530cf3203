#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf's folder form of recordings: perf record --kcore and --threads.
# usage: folder.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
make_program
sym_file

kernel() { printf '0x%x' $((0xa000000000000000 | $1 & 0xffffffffffffff)); }
version() { echo "feature 24 $1 0 0 0 0 0 0 0"; }

begin "folder: of --kcore, in each verb that reads recordings"
mkdir "$dir/d"
cp "$dir/sym.data" "$dir/d/data"
for verb in report 'report --summary' stat 'export -f csv' dump annotate 'export -f folded'; do
	read -ra verb <<<"$verb"
	[ "${verb[0]}" = dump ] || verb+=(--symfs "$dir/root")
	"$perf_spe" "${verb[@]}" -i "$dir/sym.data" 2>"$err" | grep -v '^# file ' >"$dir/want"
	"$perf_spe" "${verb[@]}" -i "$dir/d" 2>"$err" | grep -v '^# file ' >"$out"
	[ -s "$dir/want" ] || fail "${verb[*]}: no result"
	cmp -s "$dir/want" "$out" || fail "${verb[*]}: another result than of the file"
done
run 0 diff "$dir/sym.data" "$dir/d/" --symfs "$dir/root"
run 0 report -i "$dir/d"
says "# file       $dir/d"

begin "folder: its kernel's symbols"
kcore_text() {
	echo 'info 4'
	echo 'kmap 0xffff800008000000 0x10000000 0xffff800008000000 [kernel.kallsyms]_text'
	echo "rec pc=$(kernel 0xffff800008001004) total=1"
	echo 'auxtrace 0 0 -1 0'
}
mkdir -p "$dir/k/kcore_dir" "$dir/sysroot"
{ version 0 && kcore_text; } | perf_file k/data
printf '%s T %s\n' ffff800008000000 _text ffff800008001000 do_idle >"$dir/k/kcore_dir/kallsyms"
sed 's/do_idle/other/' "$dir/k/kcore_dir/kallsyms" >"$dir/sysroot/kallsyms"
run 0 report -i "$dir/k"
count_is '[kernel]' do_idle 1
warns 'its start has the recorded address'
run 0 report -i "$dir/k" --symfs "$dir/sysroot"
count_is '[kernel]' do_idle 1
run 0 report -i "$dir/k" --kallsyms "$dir/sysroot/kallsyms"
count_is '[kernel]' other 1
echo nonsense >"$dir/k/kcore_dir/kallsyms"
run 0 report -i "$dir/k" --symfs "$dir/sysroot"
count_is '[kernel]' other 1
warns 'kcore_dir/kallsyms: line 1'

# The recording of two CPUs: events in two files, whose order is not that of time.
begin "folder: of --threads, all events in the order of time"
rec() { echo "rec pc=$(user 0x400100) ts=$1 ctx1=$2 events=0x2 total=3"; }
head_text() { printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 one' 'map 10 0x400000 0x1000 0 2 - /bin/one'; }
first_text() { printf '%s\n' 'comm 12 12 50 1 two' 'map 12 0x400000 0x1000 0 51 - /bin/two'; }
second_text() { echo 'fork 12 10 40' && rec 10 10 && rec 45 12 && rec 60 12 && echo 'auxtrace 0 0 -1 0'; }
third_text() { rec 61 10 && echo 'auxtrace 1 1 -1 0'; }
mkdir "$dir/t"
threads() { # FORM-OF-DATA FORM-OF-THE-OTHERS
	{ version 1 && head_text; } | "$fixture" "$1" "$dir/t/data" || return
	first_text | "$fixture" "$2" "$dir/t/data.0" && second_text | "$fixture" "$2" "$dir/t/data.1" &&
		third_text | "$fixture" "$2" "$dir/t/data.2" && : >"$dir/t/data.3"
}
threads perf events || fail 'fixture'
owners() { "$perf_spe" export -i "$dir/t" --symfs "$dir/root" -f csv -F pid,comm,object 2>"$err" | tr -d '\r"' | tail -n +2 | xargs; }
all='10,one,/bin/one 12,one,/bin/one 12,two,/bin/two 10,one,/bin/one'
[ "$(owners)" = "$all" ] || fail "$(owners)"
run 0 report -i "$dir/t" --summary
silent
PERF_SPE_THREADS=2 run 0 report -i "$dir/t"

begin "folder: of --threads -z"
rc=0
threads zstd zevents || rc=$?
if [ "$rc" -eq 77 ]; then
	skip 'built without libzstd'
else
	[ "$(owners)" = "$all" ] || fail "$(owners)"
	run 0 report -i "$dir/t" --summary
	silent
	begin "folder: of --threads -z, a file damaged in many places"
	cp "$dir/t/data.0" "$dir/whole"
	size=$(stat -c %s "$dir/whole")
	for ((cut = 1; cut < size; cut++)); do
		head -c "$cut" "$dir/whole" >"$dir/t/data.0"
		run 1 report -i "$dir/t" --summary
		key_is records 4
		[ ! -e "$dir/failed" ] || break
	done
fi
threads perf events || fail 'fixture'

begin "folder: a file of it that is cut, is missing, has another name"
cp -r "$dir/t" "$dir/u"
head -c 150 "$dir/t/data.1" >"$dir/u/data.1"
run 1 report -i "$dir/u" --summary
warns "$dir/u/data.1: damaged at offset 0x"
key_is records 2
run 1 report -i "$dir/u"
says 'a part of the recording is missing'
rm "$dir/u/data.1"
run 1 report -i "$dir/u" --summary
warns "$dir/u: data.1 is missing"
rm "$dir/u"/data.?
run 1 report -i "$dir/u"
warns "$dir/u: data.0 is missing"
cp "$dir/t"/data.? "$dir/u" && cp "$dir/t/data.2" "$dir/u/data.02"
run 1 report -i "$dir/u" --summary
warns 'data.02: not read'
key_is records 4
rm "$dir/u/data.02"
if [ "$(id -u)" -ne 0 ]; then
	chmod 0 "$dir/u/data.2"
	run 1 report -i "$dir/u" --summary
	warns "$dir/u/data.2: Permission denied"
fi
rm -f "$dir/u/data.2" && mkfifo "$dir/u/data.2"
run 1 report -i "$dir/u" --summary
warns "$dir/u/data.2: it is not a regular file"
key_is records 3

begin "folder: the file data is cut"
cp "$dir/t/data.2" "$dir/u/x" && rm "$dir/u/data.2" && mv "$dir/u/x" "$dir/u/data.2"
size=$(stat -c %s "$dir/t/data")
for cut in 4 90 200 $((size - 60)) $((size - 4)); do
	head -c "$cut" "$dir/t/data" >"$dir/u/data"
	run 1 report -i "$dir/u" --summary
	[ -s "$err" ] || fail "no message at $cut"
done
key_is records 4

begin "folder: which files belong to it"
{ version 0 && sym_text; } | perf_file u/data
run 1 report -i "$dir/u" --symfs "$dir/root"
warns 'data.0: not read: the header says that perf wrote one file'
count_is prog hot 2
{ version 2 && sym_text; } | perf_file u/data
run 1 report -i "$dir/u"
warns 'it is a folder of version 2'
run 1 report -i "$dir/t/data"
warns 'name the folder instead'
rm "$dir/u/data"
run 1 report -i "$dir/u"
warns 'a directory without the file data'
mkdir "$dir/u/data"
run 1 report -i "$dir/u"
warns "$dir/u/data: it is a directory"
run 1 dump --raw "$dir/t"
warns 'it is a directory'

begin "folder: no output overwrites it"
for file in data data.0 new kcore_dir/kallsyms; do
	run 2 export -f csv -i "$dir/k" -o "$dir/k/$file"
	run 2 report -i "$dir/k" --html "$dir/k/$file"
done
(cd "$dir/k" && "$perf_spe" export -f csv -i . -o new 2>"$err") && fail 'written into the folder'
run 0 export -f csv -i "$dir/k" -o "$dir/new"

begin "folder: a file that becomes shorter is told"
for ((i = 0; i < 2000; i++)); do rec 61 10; done >"$dir/many"
{ cat "$dir/many" && echo 'auxtrace 1 1 -1 0'; } | "$fixture" events "$dir/t/data.2"
"$perf_spe" dump -i "$dir/t" 2>"$err" | {
	read -r _
	: >"$dir/t/data.2"
	cat >/dev/null
}
rc=${PIPESTATUS[0]}
[ "$rc" -eq 1 ] || fail "status $rc"
warns 'data.2: the file became shorter'

begin "folder: stock perf reads the same of it"
if ! command -v "${PERF:-perf}" >/dev/null; then
	skip "no perf here: Debian's package linux-perf has it"
else
	# perf looks for AUX data in the file data only.
	{ version 1 && echo "conv 1 3 7" && sym_text; } | perf_file t/data
	rm "$dir/t"/data.[123]
	"${PERF:-perf}" script -i "$dir/t" --no-itrace --show-task-events >"$dir/perf" 2>"$err"
	grep -q 'PERF_RECORD_COMM.* two:12/12' "$dir/perf" || fail 'perf does not read data.0'
	run 0 report -i "$dir/t" --symfs "$dir/root"
	count_is prog hot 2
	{
		version 0
		printf '%s\n' physical 'conv 1 3 7' 'info 4' 'comm 10 10 1 1 program' 'itrace 10 10 0 3'
		for i in 1 2 3; do echo "rec pc=$(user 0x1000) ts=$i class=1 op=0 va=$i events=2"; done
		echo 'auxtrace 0 0 10 0'
	} | perf_file k/data
	printf '%s T %s\n' ffff800008000000 _text ffff800008001000 do_idle >"$dir/k/kcore_dir/kallsyms"
	"${PERF:-perf}" script -i "$dir/k" --itrace=M -F hw:addr >"$dir/perf" 2>"$err"
	[ "$(xargs <"$dir/perf")" = '1 2 3' ] || fail "perf: $(xargs <"$dir/perf")"
	run 0 export -f csv -F va -i "$dir/k"
	[ "$(tr -d '\r' <"$out" | xargs)" = 'va 0x1 0x2 0x3' ] || fail "perf-spe: $(xargs <"$out")"
fi
finish
