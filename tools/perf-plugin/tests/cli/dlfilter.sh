#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The filter for perf script --dlfilter: alone, with the sanitizers on, and in
# stock perf.
# usage: dlfilter.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

alone=${fixture%/*}/dlfilter
# BUILD/perf-plugin/san/bin
filter=$(realpath -m "${fixture%/*}/../../..")/spe-filter.so
perf=${PERF:-perf}
case $perf in */*) perf=$(realpath "$perf") ;; esac

# keeps EXPRESSION NUMBER...: the filter keeps exactly these samples
keeps() {
	local expression=$1 got
	shift
	"$alone" "$expression" <"$dir/samples" >"$out" 2>"$err" || fail "status $?: $expression"
	got=$(sed -n 's/^time=\([0-9]*\) .*/\1/p' "$out" | paste -sd' ')
	[ "$got" = "$*" ] || fail "'$expression' keeps ${got:-none}, not $*"
}

begin "dlfilter: each column"
if [ ! -x "$alone" ]; then
	skip "perf_dlfilter.h is not here: Debian's package linux-perf has it"
	finish
	exit
fi
# Operations 2 load, 4 store; levels 1 to 3, 0xc LFB, 0xb any cache, 0xd RAM; TLB
# 2 hit, 4 miss; 0x0e and 0x44 are the older bits of a hit in L1 and a miss in L3.
cat >"$dir/samples" <<'END'
time=1 event=memory ip=0x1000 cpu=2 pid=10 tid=11 op=2 addr=0x2048 weight=300 lvlnum=1 lvl=0x0c dtlb=0x24 symbol=walk
time=2 event=memory: ip=0x1004 cpu=3 pid=20 tid=20 op=4 addr=0x3000 phys=0x42000 weight=5 lvl=0x44 snoop=0x10 remote=1
time=3 event=branch-miss ip=0x1008 addr=0x1000 weight=9
time=4 event=branch ip=0x100c addr=0x1100 flags=1 mispred=1
time=5 event=branch ip=0x1010 addr=0x1100 flags=1 mispred=0
time=6 event=instructions ip=0x1014
time=7 event=l1d-miss ip=0x1018 op=2 lvlnum=12
time=8 event=llc-miss ip=0x101c op=2 lvlnum=13 snoop=2
time=9 event=tlb-access ip=0x1020 op=2 lvlnum=11 snoopx=2 dtlb=0x22
END
keeps 'total > 8' 1 3
keeps 'total' 1 2 3
keeps 'not total' 4 5 6 7 8 9
keeps 'cpu == 3 or tid == 11' 1 2
keeps 'pid' 1 2
keeps 'op == load' 1 7 8 9
keeps 'op == store' 2
keeps 'op == branch' 3 4 5
keeps 'va == 0x2048' 1
keeps 'cache_line == 0x2040 and page == 0x2000' 1
keeps 'va' 1 2
keeps 'pa == 0x42000' 2
keeps 'target == 0x1100' 4 5
keeps 'pc >= 0x1018' 7 8 9
keeps 'time <= 2' 1 2
keeps 'level == l1' 1
keeps 'level == l3' 2
keeps 'level == lfb or level == dram or level == any-cache' 7 8 9
keeps 'not level' 3 4 5 6
keeps 'snoop == hitm' 2
keeps 'snoop == peer or snoop == none' 8 9
keeps 'events has mispredicted' 3 4
keeps 'events has l1d-refill' 1 7
keeps 'events has llc-miss' 2 8
keeps 'events has tlb-walk' 1
keeps 'events has tlb-access' 1 9
keeps 'events == "tlb-access|tlb-walk|l1d-refill"'
keeps 'events == "l1d-refill|tlb-access|tlb-walk"' 1
keeps 'events has remote-access' 2
keeps 'sample == memory' 1 2
keeps 'symbol == walk and object ~ al and comm' 1

begin "dlfilter: samples of other events pass"
echo 'time=1 event=cycles:u ip=1 weight=3' >"$dir/samples"
echo 'time=2 event=memory ip=1 weight=3' >>"$dir/samples"
echo 'time=3 ip=1' >>"$dir/samples"
keeps 'total > 100' 1 3

# refuses WORDS ARGUMENT...: start() fails, and its message contains WORDS
refuses() {
	local words=$1
	shift
	"$alone" "$@" </dev/null >"$out" 2>"$err" && fail "accepts $*"
	warns "$words"
}

begin "dlfilter: expressions that it refuses"
refuses 'no expression given'
refuses "spe-filter: --dlarg: unknown column 'tota'; did you mean 'total'?" 'tota > 5'
refuses "column 'level' is never 'l4'; did you mean 'l1', 'l2' or 'l3'?" 'level == l4'
refuses "column 'op' is never 'other'; choose load, store or branch" 'op == other'
refuses "column 'sample' is never 'tlb'; did you mean 'tlb-miss' or 'tlb-access'?" 'sample == tlb'
refuses "perf does not pass 'issue' to a dlfilter" 'issue > 5'
refuses "')' is missing" '(total' '>' '5'

begin "dlfilter: arguments are one expression"
printf 'time=%d event=memory weight=%d\n' 1 5 2 6 >"$dir/samples"
"$alone" total '>' 5 <"$dir/samples" >"$out" 2>"$err" || fail "status $?"
says 'time=2'
grep -q 'time=1' "$out" && fail 'keeps the other too'

begin "dlfilter: says which columns of an export it has, and which not"
"$alone" total </dev/null >"$out"
described=$(grep '^ ' "$out" | tr -s ' ' '\n')
for column in $("$perf_spe" export --help | sed -n '/^Columns/,$ { s/^Columns[^:]*://; p }'); do
	[ "$(grep -cx "$column" <<<"$described")" -eq 1 ] || fail "$column is not said to be there, or missing"
done

begin "dlfilter: exports what perf looks for, and nothing else"
names=$(nm -D --defined-only "$filter" | awk '{ print $3 }' | sort | paste -sd' ')
[ "$names" = 'filter_description filter_event perf_dlfilter_fns start stop' ] || fail "$names"

# perf writes TIME_CONV before the events that need it, so the fixture does too.
{
	echo 'conv 0 1 0'
	echo 'info 4'
	echo 'comm 10 10 1 1 program'
	echo 'itrace 10 10 0 3'
	for i in $(seq 1 60); do
		printf 'rec pc=0x%x ' $((0x8000000000401000 + i * 4))
		case $((i % 3)) in
		0) printf 'total=%d events=0x%x class=1 op=0 va=0x%x ts=%d\n' $((i * 10)) \
			$((i % 2 ? 0x0e : 0x36)) $((0x10000 + i * 64)) $((1000 + i)) ;;
		1) printf 'total=%d events=0x6 class=1 op=1 va=0x%x ts=%d\n' "$i" \
			$((0x20000 + i * 64)) $((1000 + i)) ;;
		2) printf 'total=%d events=0x%x class=2 op=1 target=0x8000000000401000 ts=%d\n' "$i" \
			$((i % 2 ? 0x82 : 2)) $((1000 + i)) ;;
		esac
	done
	echo 'auxtrace 0 0 10 0'
	echo 'comm 10 10 1000000 0 program'
} | perf_file f.data

# by_perf ITRACE EXPRESSION: the PCs that perf script prints with the filter
by_perf() {
	"$perf" script -i "$dir/f.data" --itrace="$1" -F ip --dlfilter "$filter" --dlarg "$2" \
		2>"$err" | awk 'NF { print $1 }' | sort -u
}
by_us() {
	"$perf_spe" export -i "$dir/f.data" --format csv --fields pc --filter "$1" 2>>"$err" |
		tr -d '\r' | sed -n 's/^0x//p' | sort -u
}

begin "dlfilter: in stock perf it keeps what perf spe export keeps"
if ! command -v "$perf" >/dev/null; then
	skip "no perf here: Debian's package linux-perf has it"
else
	while read -r itrace expression; do
		want=$(by_us "$expression")
		got=$(by_perf "$itrace" "$expression")
		[ -n "$want" ] || fail "nothing to compare: $expression"
		[ "$got" = "$want" ] || fail "$expression: $(diff <(echo "$want") <(echo "$got") | head -n 4)"
	done <<'END'
i1i total > 100
i1i op == load
i1i op == store and total < 30
i1i va >= 0x10400 and op == load
M page == 0x20000
f events has l1d-refill
t events has tlb-walk
b events has mispredicted
i1i pc > 0x401040 and not total > 50
END
	begin "dlfilter: perf ends where it refuses"
	"$perf" script -i "$dir/f.data" --itrace=i1i -F ip --dlfilter "$filter" --dlarg 'issue > 5' \
		>"$out" 2>"$err" && fail 'goes on'
	warns "perf does not pass 'issue'"
	[ ! -s "$out" ] || fail 'prints samples'
fi

finish
