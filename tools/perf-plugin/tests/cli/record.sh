#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe record: the perf command that it runs, and its messages about filters
# that a machine lacks.
# usage: record.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
m=$dir/machine
# It may name the perf that other tests compare with; record prints the name.
unset PERF

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
	file "$at/counters/sessions" 0
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
asks 'perf record -d -e arm_spe_0/ts_enable=1,jitter=1/ -c 8192 -- prog -x' prog -x
asks 'perf record -d -a -m ,4M -o my.data -e arm_spe_0/ts_enable=1,jitter=1/ -c 32768' -a -m ,4M -o my.data
asks "perf record -d -N -p 12 -e arm_spe_0/ts_enable=1,jitter=1/ -c 8192 -- sleep 'a b'\\''c' ''" \
	--perf -N -p 12 -- sleep "a b'c" ''

begin "record: operations, events and latency"
asks 'perf record -d -e arm_spe_0/ts_enable=1,jitter=1,load_filter=1,store_filter=1,event_filter=40,inv_event_filter=2,min_latency=200/u -c 4096 -- prog' \
	--loads --stores --event l1d-refill,tlb-walk --not-event retired --min-latency 200 --user --period 4096 prog
silent
asks 'perf record -d -e arm_spe_0/ts_enable=1,jitter=1,pa_enable=1,branch_filter=1,simd_filter=1,float_filter=1/k -F 1000 -- prog' \
	--branches --simd --float --kernel --physical --freq 1000 prog
asks 'perf record -d -e arm_spe_0/ts_enable=1,jitter=1,event_filter=0x1000/ -c 8192 -- prog' --event impdef-12 prog

begin "record: data sources by this CPU's names, or codes"
file sys/devices/system/cpu/cpu0/regs/identification/midr_el1 0x00000000413fd0c1
asks 'perf record -d -e arm_spe_0/ts_enable=1,jitter=1,inv_data_src_filter=0xffffffffffff9fff/ -c 8192 -- prog' \
	--data-source dram,remote prog
asks 'perf record -d -e arm_spe_0/ts_enable=1,jitter=1,inv_data_src_filter=0xfffffffffffffffc/ -c 8192 -- prog' \
	--data-source 0,1 prog
run 1 record --root "$m" --data-source tape prog
warns "no source 'tape' on this CPU"
warns 'the Neoverse N1 has: l1d l2'
rm -r "$m/sys/devices/system/cpu"
run 1 record --root "$m" --data-source dram prog
warns 'give codes'

begin "record: each PMU of a machine with several"
pmu arm_spe_1 4-7
asks 'perf record -d -e arm_spe_0/ts_enable=1,jitter=1,load_filter=1/ -e arm_spe_1/ts_enable=1,jitter=1,load_filter=1/ -c 8192 -- prog' \
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
asks 'perf record -d -e arm_spe_0/ts_enable=1,jitter=1,min_latency=0x1000/ -c 8192 -- prog' --min-latency 4096 prog

# Linux's arm_spe_pmu.c has no counters/.  From Linux 6.3 on it refuses each bit of both filters that is in
# PMSEVFR_EL1_RES0_V1P2, and shows inv_event_filter with SPEv1p2 only; lately it has caps/event_filter.
begin "record: what Linux's own driver refuses, whatever the CPU can"
rm -r "$m/sys/bus/event_source/devices/arm_spe_0/counters" "$m/sys/bus/event_source/devices/arm_spe_0/caps/event_filter"
file "$format/inv_event_filter" config3:0-63
run 1 record --root "$m" --event llc-miss,retired prog
warns "record: arm_spe_0 cannot filter by the event llc-miss: Linux's own driver of this kernel, with SPEv1p2, filters by no others than retired, l1d-refill, tlb-walk, not-taken, mispredicted, misaligned, partial-predicate, empty-predicate, streaming-sve, smcu; record without this filter and give the reports --filter 'events has llc-miss', or load this project's arm_spe_pmu"
[ "$(wc -l <"$err")" -eq 1 ] || fail 'more than one line'
[ ! -s "$out" ] || fail 'it would run all the same'
run 1 record --root "$m" --not-event exception,data-snooped prog
warns 'cannot filter by the event exception: Linux'
warns "give the reports --filter 'not events has data-snooped'"
for event in l1d-access tlb-access llc-access remote-access transactional l2d-access l2d-miss data-modified \
	recently-fetched reserved-32; do
	run 1 record --root "$m" --event $event prog
	warns "by the event $event: Linux"
done
for event in retired l1d-refill tlb-walk not-taken mispredicted misaligned partial-predicate empty-predicate \
	impdef-12 impdef-31 impdef-48 impdef-63; do
	run 0 record --root "$m" --print --event $event -a --period 4096
	silent
	run 0 record --root "$m" --print --not-event $event -a --period 4096
	silent
done
run 1 record --root "$m" --freq 1000 prog
warns "record: arm_spe_0 takes no --freq: Linux's own driver samples by a period only; give --period N, or load this project's arm_spe_pmu"
[ ! -s "$out" ] || fail 'it would run all the same'

# Without inv_event_filter it is an older kernel or SPE, and nothing in sysfs says which.
begin "record: what Linux's own driver refuses of some CPUs"
rm "$m/$format/inv_event_filter"
asks 'perf record -d -a -e arm_spe_0/ts_enable=1,jitter=1,event_filter=2048/ -c 4096' -a --period 4096 --event misaligned
warns "record: Linux's own driver filters by the event misaligned only with SPEv1p1 or later, and no file tells whether this CPU has it: if the event is refused now, record without this filter and give the reports --filter 'events has misaligned', or load this project's arm_spe_pmu"
run 1 record --root "$m" --event not-taken prog
warns 'by the event not-taken: '
asks 'perf record -d -a -e arm_spe_0/ts_enable=1,jitter=1,event_filter=10/ -c 4096' -a --period 4096 --event retired,l1d-refill
silent
run 1 record --root "$m" --event llc-miss prog
warns "Linux's own driver of this kernel, before SPEv1p2 or Linux 6.3, filters by no others than retired, l1d-refill, tlb-walk, mispredicted, misaligned, partial-predicate, empty-predicate, streaming-sve, smcu; record"

begin "record: Linux's own driver that says itself what it takes"
file sys/bus/event_source/devices/arm_spe_0/caps/event_filter 0x2fa
run 0 record --root "$m" --print --event llc-miss -a --period 4096
silent
run 1 record --root "$m" --event l1d-access prog
warns 'cannot filter by the event l1d-access: its CPU has no such filter; record without this filter and give the reports'
pmu arm_spe_0 0-3

begin "record: periods"
run 0 record --root "$m" --print --period 512 prog
warns 'is below 1024, the minimum of arm_spe_0: samples will collide'
run 1 record --root "$m" --period 0x100000000 prog
warns 'at most 4294967040'

# Arithmetic by hand.  A sample has 64 bytes; without cpufreq a CPU executes at most
# 2 * 3.0 GHz = 6 G operations a second.  -a: the least power of two with
# CPUs * 6e9 / PERIOD * 64 <= 64e6; a program: one CPU <= 64e6, all together <= 512e6.
begin "record: a period that all CPUs survive, and how much data it writes"
asks 'perf record -d -a -e arm_spe_0/ts_enable=1,jitter=1/ -c 32768' -a
warns 'record: chose period 32768 for 4 CPUs: at most 47 MB/s, if a CPU executes at most 6.0 G operations a second and a sample has 64 bytes; --period N changes it'
[ "$(wc -l <"$err")" -eq 1 ] || fail 'more than one line'
asks 'perf record -d -e arm_spe_0/ts_enable=1,jitter=1/ -c 8192 -- prog' prog
warns 'record: chose period 8192: at most 47 MB/s for each busy CPU and 188 MB/s for all 4, if'
pmu arm_spe_0 0-63
asks 'perf record -d -a -e arm_spe_0/ts_enable=1,jitter=1/ -c 524288' -a
warns 'record: chose period 524288 for 64 CPUs: at most 47 MB/s, if'
asks 'perf record -d -e arm_spe_0/ts_enable=1,jitter=1/ -c 65536 -- prog' prog
warns 'record: chose period 65536: at most 6 MB/s for each busy CPU and 375 MB/s for all 64, if'
asks 'perf record -d -C 0,62-70 -e arm_spe_0/ts_enable=1,jitter=1/ -c 32768' -C 0,62-70
warns 'for 3 CPUs: at most 35 MB/s'
file sys/devices/system/cpu/online 0-15
asks 'perf record -d -a -e arm_spe_0/ts_enable=1,jitter=1/ -c 131072' -a
warns 'for 16 CPUs: at most 47 MB/s'
# 2 * 1.3 GHz: 16 * 2.6e9 / 65536 * 64 = 40.6e6
file sys/devices/system/cpu/cpu3/cpufreq/cpuinfo_max_freq 1300000
asks 'perf record -d -a -e arm_spe_0/ts_enable=1,jitter=1/ -c 65536' -a
warns 'at most 41 MB/s, if a CPU executes at most 2.6 G operations'
file sys/bus/event_source/devices/arm_spe_0/caps/min_interval 100000
asks 'perf record -d -a -e arm_spe_0/ts_enable=1,jitter=1/ -c 131072' -a
warns "record: chose period 131072 for 16 CPUs, as the CPU's shortest one is 100000 (caps/min_interval): at most 20 MB/s, if"

begin "record: what the user chose stays, and is refused by no estimate"
rm -r "$m/sys/devices/system/cpu"
pmu arm_spe_0 0-63
asks 'perf record -d -a -e arm_spe_0/ts_enable=1,jitter=1/ -c 1024' -a --period 1024
warns 'record: --period 1024 writes up to 24000 MB/s from all CPUs, more than perf and a disk take, so samples will be lost: give a larger one, for example --period 524288'
asks 'perf record -d -a -e arm_spe_0/ts_enable=1,jitter=1,load_filter=1,min_latency=30/ -c 1024' -a --period 1024 --loads --min-latency 30
warns "record: --period 1024 writes up to 24000 MB/s from all CPUs, more than perf and a disk take, unless your filters keep few samples: if 'perf spe stat' says that samples were lost, give a larger one, for example --period 524288"
asks 'perf record -d -e arm_spe_0/ts_enable=1,jitter=1/ -c 1024 -- prog' --period 1024 prog
silent
asks 'perf record -d -a -e arm_spe_0/ts_enable=1,jitter=1/ -F 1000000' -a --freq 1000000
warns 'record: --freq 1000000 writes up to 4096 MB/s from all CPUs'
asks 'perf record -d -a -e arm_spe_0/ts_enable=1,jitter=1/ -F 4000' -a --freq 4000
silent
for option in '-c 77' '-F 88' '--count=77' '--freq=88'; do
	# shellcheck disable=SC2046,SC2086 # words
	run 0 record --root "$m" --print $(printf -- '--perf %s ' $option) -a
	[ "$(cat "$out")" = "perf record -d $option -a -e arm_spe_0/ts_enable=1,jitter=1/" ] || fail "$option"
	silent
done
pmu arm_spe_0 0-3

# Arithmetic by hand: 6e9 / 65536 is at most the 100000 samples a second that perf takes; a sample
# has 160 bytes: 6e9 / 65536 * 160 = 14.6e6.
begin "record: samples instead of AUX data"
run 1 record --root "$m" --print --samples prog
warns "this machine has no PMU spe_sample: run 'perf spe doctor' for the cause"
pmu spe_sample_0 0-3
file sys/bus/event_source/devices/spe_sample_0/format/batch config:56-62
file proc/sys/kernel/perf_event_max_sample_rate 100000
sample='spe_sample_0/ts_enable=1,jitter=1'
asks "perf record -d --raw-samples -W -e $sample/ -c 65536 -- prog" --samples prog
warns 'chose period 65536, as perf takes at most 100000 samples a second from a CPU (kernel.perf_event_max_sample_rate): at most 15 MB/s for each busy CPU and 59 MB/s for all 4, if a CPU executes at most 6.0 G operations a second and a sample has 160 bytes'
# The kernel lowers this number when interrupts take long.  6e9 / 2097152 <= 4000, 6e9 / 16777216 <= 500:
# 358 samples with 160 bytes are 57.2 KB.
file proc/sys/kernel/perf_event_max_sample_rate 4000
asks "perf record -d --raw-samples -W -e $sample/ -c 2097152 -- prog" --samples prog
warns 'record: chose period 2097152, as perf takes at most 4000 samples a second from a CPU (kernel.perf_event_max_sample_rate): at most 458 KB/s for each busy CPU and 2 MB/s for all 4, if'
file proc/sys/kernel/perf_event_max_sample_rate 500
asks "perf record -d -a --raw-samples -W -e $sample/ -c 16777216" --samples -a
warns 'record: chose period 16777216 for 4 CPUs, as perf takes at most 500 samples a second from a CPU (kernel.perf_event_max_sample_rate): at most 229 KB/s, if'
asks "perf record -d --raw-samples -W -e $sample/ -c 16777216 -- prog" --samples prog
warns ': at most 58 KB/s for each busy CPU and 229 KB/s for all 4, if'
file proc/sys/kernel/perf_event_max_sample_rate 100000
asks "perf record -d -a --raw-samples -W --phys-data -e $sample,pa_enable=1,load_filter=1,batch=8/ -c 1000000" \
	--samples --batch 8 --physical --loads -a --period 1000000
asks "perf record -d -a --raw-samples -W -e $sample,batch=64/u -F 1000" --samples --batch 64 --user --freq 1000 -a
run 2 record --root "$m" --samples --batch 65 prog
warns 'record: --batch takes 1 to 64 records, not 65'
run 2 record --root "$m" --batch 8 prog
warns 'add --samples'
run 2 record --root "$m" --samples --stacks --aux-sample prog
warns 'exclude each other'
rm -r "$m/sys/bus/event_source/devices/spe_sample_0" "$m/proc"

# The events of perf's manual: a name, then terms between slashes.
begin "record: call stacks"
spe='arm_spe_0/ts_enable=1,jitter=1/'
asks "perf record -d -e $spe --user-regs=lr -e cpu-clock/call-graph=fp,freq=4000/ -c 8192 -- prog" --stacks prog
file sys/bus/event_source/devices/armv8_pmuv3_0/events/cpu_cycles event=0x011
asks "perf record -d -e $spe --user-regs=lr -e cycles/call-graph=fp,freq=4000/ -c 8192 -- prog" --stacks=fp prog
# Linux 6.12.117 and 7.3 refuse chains with the kernel's part above perf_event_paranoid 1, also of events
# without the kernel (perf_event_open() of kernel/events/core.c).
asks "perf record -d --user-callchains -e ${spe}u --user-regs=lr -e cycles/call-graph=fp,freq=4000/u -c 8192 -- prog" \
	--user --stacks prog
asks "perf record -d --user-callchains -e ${spe}u -e cycles/call-graph=dwarf,freq=1000/u -c 8192 -- prog" \
	--user --stacks=dwarf prog
asks "perf record -d -g --user-callchains -e ${spe}u -c 8192 -- prog" --perf -g --user prog
asks "perf record -d --call-graph=fp --user-callchains -e ${spe}u -c 8192 -- prog" --perf --call-graph=fp --user prog
file proc/sys/kernel/perf_event_max_sample_rate 700
asks "perf record -d -e ${spe}k --user-regs=lr -e cycles/call-graph=fp,freq=700/k -c 8192 -- prog" --stacks --kernel prog
run 2 record --root "$m" --stacks=lbr prog
warns "unknown method 'lbr'; choose fp (frame pointers) or dwarf"

# perf-record(1), --aux-sample: the events are in a group that the AUX event leads, each event can
# have its own size by the term aux-sample-size, and 4096 bytes are the default.  perf 6.1 and
# later refuse more than 60 KiB.
begin "record: records in the samples with stacks"
rm "$m/proc/sys/kernel/perf_event_max_sample_rate"
run 0 record --root "$m" --print --stacks --aux-sample --period 4096 prog
warns 'the driver of arm_spe_0 does not support --aux-sample: recording all records instead'
[ "$(cat "$out")" = "perf record -d -e $spe --user-regs=lr -e cycles/call-graph=fp,freq=4000/ -c 4096 -- prog" ] ||
	fail 'no parallel event'
file sys/bus/event_source/devices/arm_spe_0/counters/aux_samples 0
asks "perf record -d --user-regs=lr -e '{$spe,cycles/call-graph=fp,freq=4000,aux-sample-size=4096/}' -c 4096 -- prog" \
	--stacks --aux-sample --period 4096 prog
warns 'up to 4000 samples of cycles a second carry the newest 4096 bytes of records: at most 16 MB/s from each busy CPU'
asks "perf record -d -a -e '{${spe}k,cycles/call-graph=dwarf,freq=1000,aux-sample-size=1024/k}' -c 32768" \
	-a --kernel --stacks=dwarf --aux-sample=1024
warns 'chose period 32768; up to 1000 samples'
asks "perf record -d --user-callchains --user-regs=lr -e '{${spe}u,cycles/call-graph=fp,freq=4000,aux-sample-size=4096/u}' -c 4096 -- prog" \
	--stacks --aux-sample --user --period 4096 prog
pmu arm_spe_1 4-7
run 0 record --root "$m" --print --stacks --aux-sample --period 4096 prog
warns '--aux-sample needs one SPE PMU for all CPUs, and this machine has 2: recording all records instead'
rm -r "$m/sys/bus/event_source/devices/arm_spe_1"
asks "perf record -d --user-regs=lr -e '{$spe,cycles/call-graph=fp,freq=4000,aux-sample-size=64/}' -c 4096 -- prog" \
	--stacks --aux-sample=64 --period 4096 prog
warns 'the newest 64 bytes of records: at most 256 KB/s from each busy CPU'
run 2 record --root "$m" --aux-sample prog
warns 'add --stacks'
for size in 63 61441 many; do
	run 2 record --root "$m" --stacks --aux-sample=$size prog
done
warns "'many'"

begin "record: guests of KVM"
run 1 record --root "$m" --guests prog
warns "arm_spe_0 cannot sample guests of KVM: its driver does not support it; load this project's arm_spe_pmu, or remove --guests"
file sys/bus/event_source/devices/arm_spe_0/guests 'never sampled, because this kernel runs at EL1'
run 1 record --root "$m" --guests prog
warns 'record: guests of KVM are never sampled, because this kernel runs at EL1; remove --guests'
file sys/bus/event_source/devices/arm_spe_0/guests 'sampled on request'
file "$format/guest" config:17
asks 'perf record -d -e arm_spe_0/ts_enable=1,jitter=1,guest=1/ -c 4096 -- prog' --guests --period 4096 prog
silent
asks 'perf record -d -e arm_spe_0/ts_enable=1,jitter=1,pa_enable=1,guest=1/uG -c 4096 -- prog' \
	--guests=only --physical --user --period 4096 prog
file proc/self/status $'Name:\tperf-spe\nCapEff:\t0000000000000000'
asks 'perf record -d -e arm_spe_0/ts_enable=1,jitter=1,guest=1/ -c 4096 -- prog' --guests --period 4096 prog
warns 'lets only users with CAP_PERFMON sample guests, and you do not have it: if perf fails, run this command as root'
asks 'perf record -d -e arm_spe_0/ts_enable=1,jitter=1/ -c 4096 -- prog' --period 4096 prog
silent
file proc/self/status $'Name:\tperf-spe\nCapEff:\t0000004000000000'
asks 'perf record -d -e arm_spe_0/ts_enable=1,jitter=1,guest=1/ -c 4096 -- prog' --guests --period 4096 prog
silent
run 2 record --root "$m" --guests=some prog
warns "takes no value, or 'only' to leave the host out, not 'some'"
run 2 record --root "$m" --guests --samples prog
warns '--samples and --guests exclude each other'
rm "$m/$format/guest" "$m/proc/self/status" "$m/sys/bus/event_source/devices/arm_spe_0/guests"

# perf --all-cgroups opens an event to find out whether the kernel has control groups.  If that is
# forbidden, perf says "Kernel has no cgroup sampling support.", and nothing else.
begin "record: what the user may not sample, and why"
spe='arm_spe_0/ts_enable=1,jitter=1/'
file proc/cgroups $'#subsys_name\thierarchy\tnum_cgroups\tenabled\nperf_event\t0\t1\t1'
grouped="perf record -d -e $spe --all-cgroups -e context-switches/period=1/ -c 4096 -- prog"
asks "$grouped" --period 4096 prog
file proc/self/status $'Name:\tperf-spe\nCapEff:\t0000000000000000'
file proc/sys/kernel/perf_event_paranoid 3
no_capability='this process has neither CAP_PERFMON nor CAP_SYS_ADMIN, and perf_event_paranoid is'
for options in '' --user '--stacks --user' --kernel; do
	# shellcheck disable=SC2086 # words
	run 0 record --root "$m" --print --period 4096 $options prog
	warns "record: you may not use perf: perf_event_open(2) fails (Permission denied): $no_capability 3; in a container, --cap-add PERFMON; else record as root, or set sysctl kernel.perf_event_paranoid: 2 allows your own programs"
	[ "$(wc -l <"$err")" -eq 1 ] || fail 'more than one line'
	! grep -q cgroups "$out" || fail "$(cat "$out")"
done
asks "perf record -d -a -e $spe -c 4096" --period 4096 -a
warns "record: you may not use perf: "
file proc/sys/kernel/perf_event_paranoid 2
asks "perf record -d -e ${spe}u -c 4096 -- prog" --user --period 4096 prog
silent
asks "perf record -d -e $spe -c 4096 -- prog" --period 4096 prog
warns "record: no permission to sample the kernel, so only programs are sampled: run 'perf spe doctor' for the cause, or give --user"
asks "perf record -d --user-callchains -e $spe --user-regs=lr -e cycles/call-graph=fp,freq=4000/ -c 4096 -- prog" --stacks --period 4096 prog
for option in --kernel --physical -a; do
	run 0 record --root "$m" --print --period 4096 $option prog
	warns "record: you may record your own programs only, without the kernel and without -a (all CPUs): perf_event_open(2) fails (Permission denied): $no_capability 2; in a container,"
	[ "$(wc -l <"$err")" -eq 1 ] || fail 'more than one line'
done
file proc/sys/kernel/perf_event_paranoid 1
asks "$grouped" --period 4096 prog
silent
run 0 record --root "$m" --print --period 4096 -a
warns "record: you may record your own programs only, with the kernel, but without -a (all CPUs): perf_event_open(2) fails (Permission denied): $no_capability 1;"
file proc/self/status $'Name:\tperf-spe\nCapEff:\t0000004000000000'
file proc/sys/kernel/perf_event_paranoid 2
asks "$grouped" --period 4096 prog
silent

# Without this file nothing tells which permissions the user has.
rm "$m/proc/self/status"
asks "$grouped" --period 4096 prog
silent
run 0 record --root "$m" --print --period 4096 -a
! grep -q 'you may' "$err" || fail 'a permission that is not known'

# perf with the capabilities of Documentation/operate.md may more than its user.
begin "record: perf with capabilities of its own"
file proc/self/status $'Name:\tperf-spe\nCapEff:\t0000000000000000'
printf '#!/bin/sh\n' >"$dir/perf"
chmod +x "$dir/perf"
if ! command -v setcap >/dev/null; then
	skip 'no setcap'
elif ! setcap cap_sys_ptrace=ep "$dir/perf" 2>"$err"; then
	skip "setcap: $(cat "$err")"
else
	export PERF=$dir/perf
	asks "${grouped/perf/$dir/perf}" --period 4096 prog
	silent
	unset PERF
fi
rm -r "$m/proc"

begin "record: no PMU"
run 1 record --root "$dir/nothing" prog
warns 'perf spe doctor'

begin "record: what runs is perf, and its status is ours"
printf '#!/bin/sh\nprintf "%%s\\n" "$@"\nexit 7\n' >"$dir/perf"
chmod +x "$dir/perf"
export PERF=$dir/perf
run 7 record --root "$m" --event tlb-walk prog 'a b'
[ "$(tr '\n' '|' <"$out")" = 'record|-d|-e|arm_spe_0/ts_enable=1,jitter=1,event_filter=32/|-c|8192|--|prog|a b|' ] ||
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
