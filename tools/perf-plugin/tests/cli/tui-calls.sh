#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The tree of callers and callees of perf spe report on a terminal.
# usage: tui-calls.sh PERF-SPE FIXTURE; beside them is pty, the terminal

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/tui.sh
. "$(dirname "$0")/lib/tui.sh"
# shellcheck source-path=SCRIPTDIR source=lib/stacks.sh
. "$(dirname "$0")/lib/stacks.sh"

begin "tui-calls: terminal"
need_ncurses

# left() calls leaf() from 10 to 20 ms, right() from 31 to 40 ms.
{
	head_text
	echo 'owner 1'
	calls_left 10$ms
	calls_left 20$ms
	calls_right 31$ms
	calls_right 40$ms
	echo 'owner 0'
	rec "$leaf" 12$ms 100
	rec "$leaf" 15$ms 200
	rec "$leaf" 35$ms 10
	rec "$leaf" 36$ms 50
	rec "$leaf" 24$ms 40			# the samples before and after have other callers
	rec "$left" 15$ms 100
	echo 'auxtrace 0 0 10 0'
} | perf_file t.data

# Of leaf()'s 5 records, with 400 cycles, left() has 2 with 300, right() 2 with 60, and one with
# 40 has no stack.  left() has a record of its own, with 100.
begin "tui-calls: callers of a row, expanded and collapsed"
screen 'see q quit
see t calls
type t
see q back  h help  enter open, close  e all below  t callers, callees
see # callers of leaf
see # 4 of 5 samples of leaf have a call stack; shares are of 5 samples in the tree
row 4 #    cost    share  count   mean  function, below it its callers
row 5   100.00%  100.00%      5   80.0  - leaf
row 6    75.00%   40.00%      2  150.0    + in
row 7    15.00%   40.00%      2   30.0    + right
row 8    10.00%   20.00%      1   40.0      [no stack]
type \eB\r
row 6    75.00%   40.00%      2  150.0    - in
row 7    75.00%   40.00%      2  150.0      + left
row 8    15.00%   40.00%      2   30.0    + right
type \eB\r
row 8    75.00%   40.00%      2  150.0          _start
type \eA\r
row 6    75.00%   40.00%      2  150.0    + in
row 7    15.00%   40.00%      2   30.0    + right
type e
row 8    75.00%   40.00%      2  150.0          _start
type e
row 7    15.00%   40.00%      2   30.0    + right
type \eB\eB\r
see nothing is below this row
type q
see by symbol, sorted by cost
type q
end 0'

# 5 of the 6 records have a stack, see above.
begin "tui-calls: how many samples have a stack does not depend on the grouping"
screen 'see # 5 of 6 samples have a call stack
type g
see by comm
see # 5 of 6 samples have a call stack
type gg
see by op
see # 5 of 6 samples have a call stack
type bcpu,data_symbol\r
see by cpu,data_symbol
see # 5 of 6 samples have a call stack
type q
end 0'

begin "tui-calls: callees, and back to callers"
screen 'see q quit
type \eB
type t
see # callers of left
see # 1 of 1 sample of left has a call stack
type t
see # callees of left
see function, below it what it called
row 5   100.00%  100.00%      3  133.3  - left
row 6    75.00%   66.67%      2  150.0    - in
row 7    75.00%   66.67%      2  150.0        leaf
type t
see # callers of left
type qq
end 0'

begin "tui-calls: from the code of a function, with a filter, to a file"
screen "see q quit
type \\r
see # leaf in /usr/bin/prog
type t
see # callers of leaf
type w$dir/calls\\r
see wrote 4 rows to
type h
see the tree of the function's callers
type q
see # callers of leaf
type q
see # leaf in /usr/bin/prog
see code of leaf
type t
see # callers of leaf
type t
see # callees of leaf
type q
see code of leaf
type q
see by symbol
type ftotal < 100\\r
see only total < 100
type t
see # 2 of 3 samples of leaf have a call stack
see 60.00%   66.67%      2  30.0    + right
type q
see by symbol
type f\\utotal == 40\\r
see only total == 40
type t
see # 0 of 1 sample of leaf have a call stack
see # 1 sample has none: 1 between two with other callers
type qq
end 0"
grep -q '^ *75.00%   40.00%      2  150.0    + in$' "$dir/calls" || fail "$(cat "$dir/calls")"

begin "tui-calls: rows of other columns keep their condition"
screen 'see q quit
type t
see # 4 of 5 samples of leaf
type q
type q
end 0' --by comm,symbol
screen 'see q quit
type t
see this row has no function, so it has no callers: press g to group by symbol
type q
end 0' --by comm

begin "tui-calls: a recording without stacks"
{
	head_text
	rec "$leaf" 12$ms 100
	echo 'auxtrace 0 0 10 0'
} | perf_file t.data
screen "see q quit
type t
see no call stacks: record with 'perf spe record --stacks'
type q
end 0"

finish
