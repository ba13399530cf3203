#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Call stacks of perf spe top, on the fake kernel (fake_kernel.c), whose call chains and records
# stand here.  live_stacks_test.c tests the rings.
# usage: top-stacks.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/top.sh
. "$(dirname "$0")/lib/top.sh"
# shellcheck source-path=SCRIPTDIR source=lib/stacks.sh
. "$(dirname "$0")/lib/stacks.sh"

make_pmu spe
echo 0 >"$pmu/cpumask"
FAKE_MAP="10 0x7000000000 0x1000 $seg_off /usr/bin/prog"
by_left=@$user_mark,$leaf,$from_left,$left_from
by_right=@$user_mark,$leaf,$from_right,$right_from
# N records have 1 to N cycles, so left() has 465 of leaf()'s cycles, and right() 55; other() has
# 15 in 5 records, and is in no chain.
FAKE_PCS="$by_left $leaf:30 $by_left $by_right $leaf:10 $by_right $other:5"
# lines N TEXT: N lines of the output are TEXT
lines() {
	[ "$(grep -cxF -- "$2" "$out")" -eq "$1" ] || fail "$(grep -cxF -- "$2" "$out") lines '$2', not $1"
}

begin "top-stacks: each table says who called the functions, and how many samples have a stack"
watched 0 --stacks --iterations 3
silent
[ "$(row prog leaf | tr '\n' ' ')" = '40 40 40 ' ] || fail "leaf: $(row prog leaf)"
lines 3 '# stacks     40 of 45 samples have one (88.89%): that of a sample of cpu-clock at most 10 ms away'
lines 3 '# stacks     5 samples have none: 5 in a function that no near one has'
lines 3 '# 45 samples, 45 of them below'
# 520, 465, 55 and 15 of 535 cycles
tree=(
	'  97.20%  88.89%        40     13.0  leaf'
	'  86.92%  66.67%        30     15.5    in'
	'  86.92%  66.67%        30     15.5      left'
	'  86.92%  66.67%        30     15.5        _start'
	'  10.28%  22.22%        10      5.5    right'
	'  10.28%  22.22%        10      5.5      _start'
	'   2.80%  11.11%         5      3.0  other'
	'   2.80%  11.11%         5      3.0    [no stack]'
)
for line in "${tree[@]}"; do lines 3 "$line"; done
watched 0 --stacks --iterations 2 --keep
lines 1 '   2.80%  11.11%         5      3.0  other'
lines 1 '   2.80%  11.11%        10      3.0  other'
watched 0 --once
[ "$(tables)" -eq 1 ] || fail "$(tables) tables"
! grep -qE 'stacks|_start' "$out" || fail 'it prints stacks without --stacks'
! grep -q stacks "$FAKE_LOG" || fail 'it opens the event of stacks without --stacks'

# perf_event_open(2): types 0 and 1 are hardware and software, and their configs 0 are cycles and
# cpu-clock.  Register 30 is the link register (asm/perf_regs.h of arm64).
begin "top-stacks: a user who may not sample the kernel gets the stacks of programs"
FAKE_REFUSE=kernel watched 0 --stacks --user --iterations 1
silent
lines 1 '# stacks     40 of 45 samples have one (88.89%): that of a sample of cpu-clock at most 10 ms away'
FAKE_REFUSE=kernel watched 0 --stacks --iterations 1
warns 'top: no permission to sample the kernel, so only programs are sampled'
lines 1 '# stacks     40 of 45 samples have one (88.89%): that of a sample of cpu-clock at most 10 ms away'

begin "top-stacks: the event is that of record --stacks"
watched 0 --stacks=fp --iterations 1
logs 'stacks tid -1 cpu 0 type 1 config 0 freq 4000 registers 0x40000000 inherit 0 user 1 kernel 1'
mkdir -p "$dir/spe/sys/bus/event_source/devices/armv8_pmuv3_0/events" "$dir/spe/proc/sys/kernel"
touch "$dir/spe/sys/bus/event_source/devices/armv8_pmuv3_0/events/cpu_cycles"
echo 1500 >"$dir/spe/proc/sys/kernel/perf_event_max_sample_rate"
watched 0 --stacks --iterations 1 --user -- true
grep -qE '^stacks tid [0-9]+ cpu 0 type 0 config 0 freq 1500 registers 0x40000000 inherit 1 user 1 kernel 0$' "$FAKE_LOG" ||
	fail "$(cat "$FAKE_LOG")"
says 'that of a sample of cycles at most 10 ms away'

# A sample of the stack may come after the record, and after top saw the record.
begin "top-stacks: top waits for the stacks that come after a record"
FAKE_PCS="$leaf:30 ~$by_left" watched 0 --stacks --iterations 2
lines 2 '# stacks     30 of 30 samples have one (100.00%): that of a sample of cycles at most 10 ms away'
lines 2 ' 100.00% 100.00%        30     15.5      left'
FAKE_PCS="$by_left $leaf:30 ~$by_right" watched 0 --stacks --iterations 2
lines 2 '# stacks     0 of 30 samples have one (0.00%): that of a sample of cycles at most 10 ms away'
lines 2 '# stacks     30 samples have none: 30 between two with other callers'
FAKE_PCS="$leaf:30" watched 0 --stacks --iterations 1
lines 1 '# stacks     30 samples have none: 30 without such a sample near'

# At the third stop top has forgotten the first one's stacks, and numbers callers anew: 465 and
# 55 of 985 cycles.
begin "top-stacks: stacks of different stops add up"
FAKE_PCS="$by_left $leaf:30 $by_left | $by_right $leaf:10 $by_right" watched 0 --stacks --iterations 3 --keep
lines 1 '  94.42%  85.71%        60     15.5      left'
lines 1 '   5.58%  14.29%        10      5.5    right'

# in() is inlined into left(), and the table has one row for both.
begin "top-stacks: inlined functions of one row are apart in the tree"
FAKE_PCS="$by_left $left:4 $((from_left - 4)):6 $by_left" watched 0 --stacks --iterations 1
count_is prog left 10
lines 1 '  67.74%  60.00%         6      3.5  in'
lines 1 '  32.26%  40.00%         4      2.5  left'

begin "top-stacks: columns and filters of callers"
watched 0 --stacks --iterations 1 --by caller,symbol --columns caller,symbol,count
grep -qE '^ *left +leaf +30$' "$out" || fail 'left is not there'
grep -qE '^ *right +leaf +10$' "$out" || fail 'right is not there'
says '# stacks     40 of 45 samples'
! grep -q _start "$out" || fail 'a tree below columns'
watched 0 --stacks --iterations 1 --by comm
says '# stacks     40 of 45 samples'
watched 0 --stacks --iterations 1 --filter 'caller == right'
says '# stacks     10 of 10 samples have one (100.00%)'
lines 1 ' 100.00% 100.00%        10      5.5      _start'
watched 0 --stacks --iterations 1 --limit 1
says '# 1 more function'
! grep -q 'other$' "$out" || fail 'more than one function'

begin "top-stacks: wrong usage"
run 2 top --stacks=dwarf
warns 'top: --stacks=dwarf is not available'
warns "give --stacks=fp, or use 'perf spe record --stacks=dwarf'"
run 2 top --stacks=x
warns "top: --stacks: unknown method 'x'"
run 2 top --by caller
warns 'top: --by asks for call stacks, and top samples none: add --stacks'
run 2 top --filter 'stack has leaf'
warns 'top: --filter asks for call stacks'

begin "top-stacks: the tree on a terminal"
if [[ $(ldd "$faked") != *ncurses* ]]; then
	skip 'built without ncurses'
else
	terminal --stacks --interval 0.1 <<'END'
see # 40 of 45 samples have a call stack
type t
see # 40 of 40 samples of leaf have a call stack; shares are of 40 samples in the tree
row 5   100.00%  100.00%     40  13.0  - leaf
row 6    89.42%   75.00%     30  15.5    + in
row 7    10.58%   25.00%     10   5.5    + right
type \eBe
row 6    89.42%   75.00%     30  15.5    - in
row 7    89.42%   75.00%     30  15.5      - left
row 8    89.42%   75.00%     30  15.5          _start
type q
see 40 of 45 samples have a call stack
type gg
see by cpu
see # 40 of 45 samples have a call stack
type q
end 0
END
	terminal --interval 0.1 <<'END'
see # 45 records
miss have a call stack
type t
see no call stacks are sampled: quit, and start 'perf spe top --stacks'
type q
end 0
END
fi

finish
