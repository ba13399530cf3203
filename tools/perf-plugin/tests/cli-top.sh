#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe top, as far as a machine without SPE can show; rings are the unit
# tests' (live_test.c), a machine with SPE is a guest's.
# usage: cli-top.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=cli-lib.sh
. "$(dirname "$0")/cli-lib.sh"

# A PMU of a number that no kernel gives
pmu=$dir/machine/sys/bus/event_source/devices/arm_spe_0
mkdir -p "$pmu/format" "$pmu/caps"
echo 2147483000 >"$pmu/type"
echo 0-3 >"$pmu/cpumask"
echo 1024 >"$pmu/caps/min_interval"
for format in ts_enable:config:0 jitter:config:16 load_filter:config:33 min_latency:config2:0-11; do
	echo "${format#*:}" >"$pmu/format/${format%%:*}"
done

begin "top: no PMU, and what to do"
mkdir "$dir/none"
run 1 top --root "$dir/none" --iterations 1
warns 'perf spe doctor'
[ ! -s "$out" ] || fail 'a table of nothing'

begin "top: what the PMU lacks"
run 1 top --root "$dir/machine" --stores --iterations 1
warns 'top: arm_spe_0 has no store_filter'
run 1 top --root "$dir/machine" --min-latency 5000 --iterations 1
warns 'top: arm_spe_0: min_latency is at most 4095'
run 1 top --root "$dir/machine" --period 4294967296 --iterations 1
warns 'top: --period is at most'

begin "top: a kernel that does not know the PMU"
run 1 top --root "$dir/machine" --loads --iterations 1
warns 'arm_spe_0: '
touch "$dir/mark"
run 1 top --root "$dir/machine" -- rm "$dir/mark"
[ -e "$dir/mark" ] || fail 'the command ran all the same'

begin "top: CPUs and tasks that are none"
for list in '' 4-2 1,x 1- 70000; do
	run 1 top --root "$dir/machine" -C "$list"
	warns 'not a list of CPUs'
done
run 1 top --root "$dir/machine" -C 64
warns 'none of these CPUs has SPE'
run 1 top -p 4194305 --root "$dir/machine"
warns 'there is no process 4194305'
run 1 top -t x --root "$dir/machine"
warns 'no numbers of threads'

begin "top: wrong usage"
run 2 top -a -- true
warns 'one of COMMAND'
run 2 top -a -p 1
run 2 top -p 1 -- true
run 2 top --interval 0
run 2 top --interval x
run 2 top --iterations 0
run 2 top --period 1024 --freq 100
run 2 top --user --kernel
run 2 top --by nothing
run 2 top --events retired
run 2 top -m 3
run 2 top -i perf.data
run 2 top --filter 'total >'
run 0 top --help
says '--iterations'

finish
