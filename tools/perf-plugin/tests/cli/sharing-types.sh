#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe sharing --types: offsets of members come from offsetof() of the compiler, counts from the
# samples below.
# usage: sharing-types.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source=lib/layout.sh
. "$(dirname "$0")/lib/layout.sh"
build -gdwarf-5

sharing() { run 0 sharing -i "$dir/l.data" --symfs "$dir/root" "$@"; }
# rows TEXT: how many rows end so
rows() { grep -cE -- "$1\$" "$out"; }

begin "sharing --types: the type and field that each access is to"
apart "$(at counters left)" "$(at counters right)" counters | perf_file l.data
sharing --types
has '+0 store 11'
[ "$(rows ', struct counters left')" = 1 ] || fail "rows: $(cat "$out")"
[ "$(rows ', struct counters right')" = 1 ] || fail "rows: $(cat "$out")"
has ' code, type and field'

begin "sharing: without --types there are none"
sharing
[ "$(rows 'struct counters.*')" = 0 ] || fail "rows: $(cat "$out")"

begin "sharing --types: an object without members has a type alone, and unknown memory none"
{
	head_of
	for _ in {1..10}; do store edge 0 11 10 9; store room 4 11 10 9; done
	echo "rec pc=$(user 0x1000) ctx1=11 total=9 class=1 op=1 va=0x5000000"
	echo 'auxtrace 0 0 11 0'
	for _ in {1..10}; do store beside 0 12 10 9; store room 4 12 10 9; done
	echo "rec pc=$(user 0x1000) ctx1=12 total=9 class=1 op=1 va=0x5000000"
	echo 'auxtrace 1 1 12 0'
} | perf_file l.data
sharing --types
[ "$(rows ', char\[64\]')" = 2 ] || fail "rows: $(cat "$out")"
[ "$(rows ', edge_t inner')" = 1 ] || fail "rows: $(cat "$out")"
# The name of int64_t in DWARF is the compiler's.
[ "$(rows ', int64_t')" = 1 ] || fail "rows: $(cat "$out")"
grep -q 'line 0x5000000.*: 0 loads, 2 stores' "$out" || fail 'no row of unknown memory'
sed -n '/line 0x5000000/,/^$/p' "$out" | finds -E ', [a-z_]+( [a-z]+)?$' && fail 'a type of unknown memory'

finish
