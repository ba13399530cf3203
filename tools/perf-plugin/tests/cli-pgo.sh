#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe pgo: branches and ranges of one program.
# usage: cli-pgo.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=cli-lib.sh
. "$(dirname "$0")/cli-lib.sh"
make_program
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
	# No branch; one whose range would go backwards
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
is "F $(x 0) $(x 4) 3" "F $(x 2) $(x 4) 1" "B $(x 4) $(x 0) 3 1"

begin "pgo: for AutoFDO"
profile -f autofdo /usr/bin/prog -o "$dir/text"
is 3 "$(x 0)-$(x 4):3" "$(x 1)-$(x 3):1" "$(x 2)-$(x 4):1" \
	4 "$(x 3):2" "$(x 4):4" "$(x 6):1" "$(x 7):1" 1 "$(x 4)->$(x 0):3"

begin "pgo: no such object, no branches"
run 1 pgo -i "$dir/b.data" --symfs "$dir/root" rog
warns 'no sample in rog'
profile prog --filter 'op == other'
warns 'record --branches'

begin "pgo: wrong usage"
run 2 pgo
warns 'OBJECT'
run 2 pgo --format gcov prog
run 2 pgo prog other
run 1 pgo -i "$dir/b.data" --symfs "$dir/root" prog -o "$dir/none/x"
warns 'No such file'
run 0 pgo --help

finish
