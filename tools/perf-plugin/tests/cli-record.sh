#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe record: the perf command that it runs, and its messages about filters
# that a machine lacks.
# usage: cli-record.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=cli-lib.sh
. "$(dirname "$0")/cli-lib.sh"
m=$dir/machine

file() {
	mkdir -p "$m/${1%/*}"
	printf '%s\n' "$2" >"$m/$1"
}

# pmu NAME CPUS: create a PMU with every attribute
pmu() {
	local at=sys/bus/event_source/devices/$1
	file "$at/cpumask" "$2"
	file "$at/format/ts_enable" config:0
	file "$at/format/pa_enable" config:1
	file "$at/format/jitter" config:16
	file "$at/format/branch_filter" config:32
	file "$at/format/load_filter" config:33
	file "$at/format/store_filter" config:34
	file "$at/format/simd_filter" config:39
	file "$at/format/float_filter" config:41
	file "$at/format/event_filter" config1:0-63
	file "$at/format/min_latency" config2:0-11
	file "$at/format/inv_event_filter" config3:0-63
	file "$at/format/inv_data_src_filter" config4:0-63
	file "$at/caps/min_interval" 1024
	file "$at/caps/event_filter" 0x1fffffe
}
format=sys/bus/event_source/devices/arm_spe_0/format

# asks WANTED OPTIONS...: --print shows the command WANTED
asks() {
	local want=$1
	shift
	run 0 record --root "$m" --print "$@"
	[ "$(cat "$out")" = "$want" ] || fail "not: $want"
}

begin "record: without filters"
pmu arm_spe_0 0-3
asks 'perf record -e arm_spe_0/ts_enable=1,jitter=1/ -- prog -x' prog -x
silent
asks 'perf record -a -m ,4M -o my.data -e arm_spe_0/ts_enable=1,jitter=1/' -a -m ,4M -o my.data
asks "perf record -N -p 12 -e arm_spe_0/ts_enable=1,jitter=1/ -- sleep 'a b'\\''c' ''" \
	--perf -N -p 12 -- sleep "a b'c" ''

begin "record: operations, events and latency"
asks 'perf record -e arm_spe_0/ts_enable=1,jitter=1,load_filter=1,store_filter=1,event_filter=40,inv_event_filter=2,min_latency=200/u -c 4096 -- prog' \
	--loads --stores --event l1d-refill,tlb-walk --not-event retired --min-latency 200 --user --period 4096 prog
silent
asks 'perf record -e arm_spe_0/ts_enable=1,jitter=1,pa_enable=1,branch_filter=1,simd_filter=1,float_filter=1/k -F 1000 -- prog' \
	--branches --simd --float --kernel --physical --freq 1000 prog
asks 'perf record -e arm_spe_0/ts_enable=1,jitter=1,event_filter=0x1000/ -- prog' --event impdef-12 prog

begin "record: data sources by this CPU's names, or codes"
file sys/devices/system/cpu/cpu0/regs/identification/midr_el1 0x00000000413fd0c1
asks 'perf record -e arm_spe_0/ts_enable=1,jitter=1,inv_data_src_filter=0xffffffffffff9fff/ -- prog' \
	--data-source dram,remote prog
asks 'perf record -e arm_spe_0/ts_enable=1,jitter=1,inv_data_src_filter=0xfffffffffffffffc/ -- prog' \
	--data-source 0,1 prog
run 1 record --root "$m" --data-source tape prog
warns "no source 'tape' on this CPU"
warns 'the Neoverse N1 has: l1d l2'
rm -r "$m/sys/devices/system/cpu"
run 1 record --root "$m" --data-source dram prog
warns 'give codes'

begin "record: each PMU of a machine with several"
pmu arm_spe_1 4-7
asks 'perf record -e arm_spe_0/ts_enable=1,jitter=1,load_filter=1/ -e arm_spe_1/ts_enable=1,jitter=1,load_filter=1/ -- prog' \
	--loads prog
rm -r "$m/sys/bus/event_source/devices/arm_spe_1"

begin "record: what the machine lacks, all of it"
rm "$m/$format/load_filter" "$m/$format/inv_event_filter" "$m/$format/inv_data_src_filter"
run 1 record --root "$m" --loads --not-event retired --data-source 1 prog
warns 'no load_filter: the CPU does not filter by type'
warns 'no inv_event_filter: it needs SPEv1p2'
warns 'no inv_data_src_filter: it needs FEAT_SPE_FDS'
[ ! -s "$out" ] || fail 'it would run all the same'
run 1 record --root "$m" --event impdef-30 prog
warns 'cannot filter by the event impdef-30'
run 1 record --root "$m" --min-latency 4096 prog
warns 'min_latency 4096 is too large: give at most 4095'
file $format/min_latency config2:0-15
asks 'perf record -e arm_spe_0/ts_enable=1,jitter=1,min_latency=0x1000/ -- prog' --min-latency 4096 prog

begin "record: periods"
run 0 record --root "$m" --print --period 512 prog
warns 'is below 1024, the minimum of arm_spe_0: samples will collide'
run 1 record --root "$m" --period 0x100000000 prog
warns 'at most 4294967040'

begin "record: no PMU"
run 1 record --root "$dir/nothing" prog
warns 'perf spe doctor'

begin "record: what runs is perf, and its status is ours"
printf '#!/bin/sh\nprintf "%%s\\n" "$@"\nexit 7\n' >"$dir/perf"
chmod +x "$dir/perf"
export PERF=$dir/perf
run 7 record --root "$m" --event tlb-walk prog 'a b'
[ "$(tr '\n' '|' <"$out")" = 'record|-e|arm_spe_0/ts_enable=1,jitter=1,event_filter=32/|--|prog|a b|' ] ||
	fail 'other arguments'
export PERF=$dir/none
run 1 record --root "$m" prog
warns 'set the variable PERF'

begin "record: wrong usage"
run 2 record --root "$m"
warns 'no command given: add one after --'
run 2 record --event nothing prog
warns "unknown event 'nothing'"
run 2 record --event l1d-refill --not-event l1d-refill prog
run 2 record --period 4096 --freq 10 prog
run 2 record --period -1 prog
run 2 record --min-latency many prog
run 2 record --user --kernel prog
run 2 record --nothing prog
run 0 record --help
says 'l1d-refill'

finish
