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
	for n in 1 2 3 4 5 6; do
		echo "rec pc=$(user "0x700${n}000010") total=$n ts=$n"
		echo "auxtrace $n $n 10 0"
	done
} | perf_file missing.data

# said LINES: so many messages
said() { [ "$(wc -l <"$err")" -eq "$1" ] || fail "not $1 messages"; }

for verb in report "report --by symbol,object" "export -f csv --fields symbol" "export -f folded" \
	"export -f pprof -o $dir/out.pprof" "report --html $dir/out.html"; do
	begin "$verb: names four of the files that are missing, and counts the others"
	# shellcheck disable=SC2086 # words
	run 0 $verb -i "$dir/missing.data" --symfs "$dir/empty"
	warns "6 recorded files are not below --symfs $dir/empty, so their code has no symbols: /no/lib1.so, /no/lib2.so, /no/lib3.so, /no/lib4.so and 2 more; copy them there from the recorded machine"
	said 1
done

begin "report: names no file that the filter leaves out"
run 0 report -i "$dir/missing.data" --symfs "$dir/empty" --cpu 2,5
warns "2 recorded files are not below --symfs $dir/empty, so their code has no symbols: /no/lib2.so, /no/lib5.so; copy them"
said 1
run 0 report -i "$dir/missing.data" --symfs "$dir/empty" --dso lib3.so
warns "1 recorded file is not below --symfs $dir/empty, so its code has no symbols: /no/lib3.so; copy it there"
said 1

begin "report: without --symfs this machine lacks the files"
{
	echo "osrelease $(uname -r)"
	echo "info 4"
	echo "comm 10 10 1 1 prog"
	echo "map 10 $map_prog 2 $id /no/prog"
	echo "rec pc=$(user "$(at "$hot")") total=1"
	echo "auxtrace 0 0 10 0"
} | perf_file here.data
run 0 report -i "$dir/here.data"
warns "1 recorded file is not on this machine, so its code has no symbols: /no/prog; point --symfs at a folder with the recorded machine's files"
said 1

begin "report: names the files that are not the recorded ones in one line"
for n in 1 2; do cp "$prog" "$dir/other/no/lib$n.so"; done
perf_file differ.data <<END
info 4
comm 10 10 1 1 prog
map 10 0x7001000000 0x1000 0 2 0123456789012345678901234567890123456789 /no/lib1.so
map 10 0x7002000000 0x1000 0 2 0123456789012345678901234567890123456789 /no/lib2.so
rec pc=$(user 0x7001000010) total=1
rec pc=$(user 0x7002000010) total=2
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
warns "1 recorded file is not below --symfs $dir/half, so its code has no symbols: /no/lib1.so; copy it there"

finish
