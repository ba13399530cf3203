#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe report on a terminal: type keys and check what the screen shows.
# usage: cli-tui.sh PERF-SPE FIXTURE; beside them is pty, the terminal

# shellcheck source-path=SCRIPTDIR source=cli-lib.sh
. "$(dirname "$0")/cli-lib.sh"
pty=$(dirname "$fixture")/pty
CC="${CC:-cc} -g" make_program
{
	echo 'comm 10 10 1 1 prog'
	echo "map 10 $map_prog 2 $id /usr/bin/prog"
	echo 'info 4'
	for total in 10 20 90; do
		echo "rec pc=$(user "$(at "$hot")") total=$total class=1 op=0 va=0x1000"
	done
	echo "rec pc=$(user "$(at "$cold")") total=700 class=1 op=1 va=0x2040"
	echo 'auxtrace 0 -1 10 0'
} | perf_file t.data

# screen STEPS OPTIONS...: run report on the terminal with the steps of pty.c
screen() {
	local steps=$1
	shift
	"$pty" "$perf_spe" report -i "$dir/t.data" --symfs "$dir/root" "$@" \
		>"$out" 2>"$err" <<<"$steps" || fail "on the terminal"
}

begin "tui: without it, and in a pipe"
if [[ $(ldd "$perf_spe") != *ncurses* ]]; then
	skip 'built without ncurses'
	exit
fi
run 0 report -i "$dir/t.data" --symfs "$dir/root"
says '# 4 records'
screen 'see # 4 records
end 0' --text
screen 'see records: 4
end 0' --summary
TERM=dumb run 0 report -i "$dir/t.data" --symfs "$dir/root"
says 'hot'

begin "tui: the table, and its order"
screen 'see q quit
see by symbol, sorted by count
see # 4 records, 4 with an address, 2 symbols
see          3  75.00%
see hot
type s
see sorted by total
type s
see sorted by issue
type sss
see sorted by count
type q
end 0'

begin "tui: other columns"
screen 'see q quit
type g
see by comm
see 100.00%
type gg
see by op, sorted
see  store
type bcpu,symbol\r
see by cpu,symbol
see 25.00%
type bnothing\r
see unknown column '"'nothing'"'
type b\e
see by cpu,symbol
type q
end 0'

begin "tui: a filter, a wrong one, none"
screen 'see # 4 records
type ftotal < 50\r
see only total < 50
see # 2 records
see # of 4 records
type f\b\b >\r
see a value is missing
see only total < 50
type f\u\r
see # 4 records
miss only
type q
end 0'
screen 'see only op == load
see # 3 records
type q
end 0' --filter 'op == load'

begin "tui: into a function and back"
screen 'see q quit
type \r
see # hot in /usr/bin/prog: 3 samples of 4
see return x * 3
see q back
type q
see by symbol
type \eB\r
see # cold in /usr/bin/prog: 1 samples of 4
type qq
end 0'
screen 'see q quit
type \r
see this row has no function
type qend
end 0' --by op

begin "tui: help, and long tables"
screen 'see q quit
type h
see another row
type q
see # 4 records
type q
end 0'
{
	echo 'info 4'
	for ((i = 0; i < 100; i++)); do echo "rec pc=$(user $((0x1000 + i * 4))) total=$((i + 1))"; done
	echo 'auxtrace 0 -1 10 0'
} | perf_file t.data
screen 'see 0x1000
miss 0x118c
type \s\s\s\s\s
see 0x118c
miss 0x1000
type q
end 0' --by pc --sort symbol

begin "tui: what is wrong with the data is said in the end"
{
	echo 'info 4'
	echo "rec pc=$(user 0x1000) total=5"
	echo 'byte 0 0 0 0xff 0xff 0xff 0xff'
	echo 'auxtrace 0 -1 10 0'
} | perf_file t.data
screen 'see q quit
type q
see perf-spe:
end 1'

finish
