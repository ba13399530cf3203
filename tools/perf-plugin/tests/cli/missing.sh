#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Recordings of another machine, whose files are not here: one line names the files
# whose symbols the output lacks, and no other file.
# usage: missing.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
make_program
mkdir -p "$dir/empty" "$dir/other/no"

# Six files, each with a sample on a CPU of its own; no PC is in the seventh.
{
	echo "info 4"
	echo "comm 10 10 1 1 prog"
	for n in 1 2 3 4 5 6 7; do
		echo "map 10 0x700${n}000000 0x1000 0 2 - /no/lib$n.so"
	done
	# Not in the order of their names
	for n in 2 1 3 6 5 4; do
		echo "rec pc=$(user "0x700${n}000010") total=$n ts=$n"
		echo "auxtrace $n $n 10 0"
	done
} | perf_file missing.data

# said LINES: so many messages
said() { [ "$(wc -l <"$err")" -eq "$1" ] || fail "not $1 messages"; }

for verb in report "report --by symbol,object" "export -f csv --fields symbol" "export -f folded" \
	"export -f pprof -o $dir/out.pprof" "report --html $dir/out.html"; do
	begin "$verb: one command fetches the files that are missing"
	# shellcheck disable=SC2086 # words
	run 0 $verb -i "$dir/missing.data" --symfs "$dir/empty"
	warns "6 recorded files are not below --symfs $dir/empty, so their code has no symbols; to fetch them, run: mkdir -p $dir/empty && ssh HOST 'tar -chf - -- /no/lib1.so /no/lib2.so /no/lib3.so /no/lib4.so /no/lib5.so /no/lib6.so' | tar -xf - -C $dir/empty"
	said 1
done

begin "report: names no file that the filter leaves out"
run 0 report -i "$dir/missing.data" --symfs "$dir/empty" --cpu 2,5
warns "2 recorded files are not below --symfs $dir/empty, so their code has no symbols; to fetch them, run: mkdir -p $dir/empty && ssh HOST 'tar -chf - -- /no/lib2.so /no/lib5.so' |"
said 1
run 0 report -i "$dir/missing.data" --symfs "$dir/empty" --dso lib3.so
warns "1 recorded file is not below --symfs $dir/empty, so its code has no symbols; to fetch it, run: mkdir -p $dir/empty && ssh HOST 'tar -chf - -- /no/lib3.so' |"
said 1

begin "report: without --symfs this machine lacks the files"
{
	echo "osrelease $(uname -r)"
	echo "text 6 $(uname -m)"
	echo "info 4"
	echo "comm 10 10 1 1 prog"
	echo "map 10 $map_prog 2 $id /no/prog"
	echo "rec pc=$(user "$(at "$hot")") total=1"
	echo "auxtrace 0 0 10 0"
} | perf_file here.data
run 0 report -i "$dir/here.data"
warns "1 recorded file is no longer on this machine, so its code has no symbols: /no/prog; put it back, or point --symfs at a folder with a copy"
said 1

# A file that was replaced while its program ran: the one of its name is another version.
replaced() { # ID PATH
	[ -n "${away-}" ] || printf '%s\n' "osrelease $(uname -r)" "text 6 $(uname -m)"
	printf '%s\n' 'info 4' 'comm 10 10 1 1 prog' "map 10 $map_prog 2 $1 $2 (deleted)"
	echo "rec pc=$(user "$(at "$hot")") total=1"
	echo 'auxtrace 0 0 10 0'
}
begin "report: a file that was deleted or replaced while its program ran"
mkdir -p "$dir/new/no"
cp "$prog" "$dir/new/no/prog"
# No command can fetch it, and the file of its name counts only if its build id is the recorded one.
replaced - /no/prog | perf_file replaced.data
away=1 replaced - /no/prog | perf_file away.data
run 0 report -i "$dir/replaced.data" --symfs "$dir/new"
warns "1 recorded file was deleted or replaced while its program ran, so its code has no symbols: /no/prog (deleted); restart the program and record again, or copy what still runs as root (/proc/PID/exe; of a library its link in /proc/PID/map_files) below --symfs $dir/new under this name"
said 1
for file in replaced away; do
	run 0 report -i "$dir/$file.data"
	warns 'below --symfs symfs under this name'
	said 1
done
cp "$prog" "$dir/new/no/prog (deleted)"
run 0 report -i "$dir/replaced.data" --symfs "$dir/new"
silent
grep -q ' hot ' "$out" || fail 'not the copy of this name'
rm "$dir/new/no/prog (deleted)"
replaced "$id" /no/prog | perf_file replaced.data
run 0 report -i "$dir/replaced.data" --symfs "$dir/new"
silent
grep -q ' hot ' "$out" || fail 'not the file with the recorded build id'
replaced 0123456789012345678901234567890123456789 /no/prog | perf_file replaced.data
run 0 report -i "$dir/replaced.data" --symfs "$dir/new"
warns '1 recorded file was deleted or replaced'

begin "report: the program of a deleted file still runs on this machine"
start_waits -g
inode=$(stat -c 'inode:%Hd:%Ld:%i:0' "$dir/waits")
mv "$prog" "$dir/waits"
{
	printf '%s\n' "osrelease $(uname -r)" "text 6 $(uname -m)" 'info 4' "comm $waits $waits 1 1 waits" 'comm 4194303 4194303 1 1 ended'
	# Another process of the program has ended.
	for pid in 4194303 $waits; do echo "map $pid 0x7000000000 0x100000 $offset 2 $inode $dir/waits (deleted)"; done
	echo "rec pc=$(user $((0x7000000000 + address - base))) ctx1=4194303 total=1"
	echo "rec pc=$(user $((0x7000000000 + address - base))) total=1"
	echo "auxtrace 0 0 $waits 0"
} | perf_file waits.data
run 0 report -i "$dir/waits.data"
silent
grep -q ' hot ' "$out" || fail 'not the file that runs'
run 0 archive -o "$dir/waits.tar" "$dir/waits.data"
kill "$waits"
wait "$waits" 2>/dev/null
run 0 report -i "$dir/waits.tar"
silent
grep -q ' hot ' "$out" || fail 'not in the archive'
run 0 report -i "$dir/waits.data"
warns '1 recorded file was deleted or replaced'
mv "$dir/waits" "$prog"

# The loader maps a library whole and splits it then, so the event's range is not that of /proc/PID/maps.
begin "report: the library of a deleted file is still mapped on this machine"
if [ "$(id -u)" -ne 0 ]; then
	skip 'needs root to read /proc/PID/map_files'
else
	echo 'int alpha(int x) { return x * 3; }' >"$dir/lib.c"
	${CC:-cc} -O0 -shared -fPIC -Wl,-z,noseparate-code -o "$dir/lib.so" "$dir/lib.c"
	start_waits -Wl,--no-as-needed "$dir/lib.so"
	address=$((0x$(nm "$dir/lib.so" | awk '$3 == "alpha" { print $1 }')))
	inode=$(stat -c 'inode:%Hd:%Ld:%i:0' "$dir/lib.so")
	rm "$dir/lib.so"
	{
		printf '%s\n' "osrelease $(uname -r)" "text 6 $(uname -m)" 'info 4' "comm $waits $waits 1 1 waits"
		echo "map $waits 0x7000000000 0x100000 0 2 $inode $dir/lib.so (deleted)"
		echo "rec pc=$(user $((0x7000000000 + address))) total=1"
		echo "auxtrace 0 0 $waits 0"
	} | perf_file library.data
	run 0 report -i "$dir/library.data"
	silent
	grep -q ' alpha ' "$out" || fail 'not the library that is mapped'
	kill "$waits"
	wait "$waits" 2>/dev/null
fi

# The command runs, with an ssh that runs its argument here: the files of "box" are in a folder.
begin "report: the command fetches the files, whatever their names"
mkdir -p "$dir/box/no" "$dir/bin"
cp "$prog" "$dir/box/no/it's\$HOME"
ln -s "it's\$HOME" "$dir/box/no/link"
# shellcheck disable=SC2016 # the script expands it
printf '#!/bin/bash\n[ "$1" = box ] || exit 1\ncd "%s" && eval "${2//\\/no\\//no/}"\n' "$dir/box" >"$dir/bin/ssh"
chmod +x "$dir/bin/ssh"
for path in "/no/it's\$HOME" /no/link; do
	{
		echo "text 3 box"
		echo "info 4"
		echo "comm 10 10 1 1 prog"
		echo "map 10 $map_prog 2 $id $path"
		echo "rec pc=$(user "$(at "$hot")") total=1"
		echo "auxtrace 0 0 10 0"
	} | perf_file fetch.data
	cd "$dir" || exit
	run 0 report -i "$dir/fetch.data"
	warns 'is not on this machine, so its code has no symbols; to fetch it for --symfs symfs, run: mkdir -p symfs && ssh box '
	sed -n 's/.*, run: //p' "$err" >"$dir/command"
	PATH=$dir/bin:$PATH bash "$dir/command" || fail "the command fails: $(cat "$dir/command")"
	run 0 report -i "$dir/fetch.data" --symfs symfs
	silent
	grep -q ' hot ' "$out" || fail "no symbol of $path"
	rm -r symfs
done

begin "diff: a file that several recordings lack is named once"
run 0 diff "$dir/missing.data" "$dir/missing.data" --symfs "$dir/empty"
said 1

begin "report: names the files that are not the recorded ones in one line"
for n in 1 2; do cp "$prog" "$dir/other/no/lib$n.so"; done
perf_file differ.data <<END
info 4
comm 10 10 1 1 prog
map 10 0x7001000000 0x1000 0 2 0123456789012345678901234567890123456789 /no/lib1.so
map 10 0x7002000000 0x1000 0 2 0123456789012345678901234567890123456789 /no/lib2.so
rec pc=$(user 0x7002000010) total=2
rec pc=$(user 0x7001000010) total=1
auxtrace 0 0 10 0
END
run 0 report -i "$dir/differ.data" --symfs "$dir/other"
warns "not using symbols of 2 files below --symfs $dir/other, whose build ids differ from the recorded ones: /no/lib1.so, /no/lib2.so; point --symfs at the recorded files"
said 1

begin "annotate: the code of a function needs no other file"
mkdir -p "$dir/half/usr/bin"
cp "$prog" "$dir/half/usr/bin/prog"
perf_file half.data <<END
info 4
comm 10 10 1 1 prog
map 10 $map_prog 2 - /usr/bin/prog
map 10 0x7101000000 0x1000 0 2 - /no/lib1.so
rec pc=$(user "$(at "$hot")") total=1
rec pc=$(user 0x7101000010) total=2
auxtrace 0 0 10 0
END
run 0 annotate -i "$dir/half.data" --symfs "$dir/half" hot
silent
run 1 annotate -i "$dir/half.data" --symfs "$dir/half" other
warns "1 recorded file is not below --symfs $dir/half, so its code has no symbols; to fetch it, run: mkdir -p $dir/half && ssh HOST 'tar -chf - -- /no/lib1.so' |"

begin "pgo: the profile of a file needs no other file"
run 0 pgo -i "$dir/half.data" --symfs "$dir/half" prog
grep -q 'recorded file' "$err" && fail 'a message about another file'
run 1 pgo -i "$dir/half.data" --symfs "$dir/empty" prog
warns "2 recorded files are not below --symfs $dir/empty"

begin "report: names the files of callers, where it prints callers"
{
	echo 'attr 8 1024 0 1 0 0 0 0'
	echo 'attr 0 1000 0 0 0 0 0 0'
	echo 'parts 0x20 0'
	echo 'info 4'
	echo 'comm 10 10 1 1 prog'
	echo "map 10 $map_prog 2 - /usr/bin/prog"
	echo 'map 10 0x7101000000 0x1000 0 2 - /no/lib1.so'
	echo 'map 10 0x7102000000 0x1000 0 2 - /no/lib2.so'
	echo 'conv 0 1 0'
	echo 'owner 1'
	echo "calls 10 10 0 1000000 0xfffffffffffffe00 $(at "$hot") 0x7101000014"
	echo "calls 10 10 0 9000000 0xfffffffffffffe00 $(at "$cold") 0x7102000014"
	echo 'owner 0'
	echo "rec pc=$(user "$(at "$hot")") total=1 ctx1=10 ts=1000000"
	echo "rec pc=$(user "$(at "$cold")") total=1 ctx1=10 ts=9000000"
	echo 'auxtrace 0 0 10 0'
} | perf_file called.data
for words in '--callers --filter "symbol == hot"' '--by caller --filter "symbol == hot"' '--by stack --filter "time < 5000000"'; do
	eval "run 0 report -i \"\$dir/called.data\" --symfs \"\$dir/half\" $words"
	warns "1 recorded file is not below --symfs $dir/half, so its code has no symbols; to fetch it, run: mkdir -p $dir/half && ssh HOST 'tar -chf - -- /no/lib1.so' |"
	said 1
done
run 0 report -i "$dir/called.data" --symfs "$dir/half" --callers
warns '/no/lib1.so /no/lib2.so'
run 0 report -i "$dir/called.data" --symfs "$dir/half"
silent

finish
