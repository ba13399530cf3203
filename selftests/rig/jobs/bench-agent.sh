#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The job of bench-driver's last guest: how long a fixed piece of work takes without the agent, and
# with one that has each of three budgets.  One CPU, on which time is the number of instructions.
# shellcheck disable=SC3043  # busybox sh has local
set -e
insmod /job/arm_spe_pmu.ko
sleep 30
# work ROUNDS: its time in hundredths of a second of the guest
work() {
	local before
	before=$(cut -d ' ' -f 1 /proc/uptime | tr -d .)
	/job/hot "$1" >/dev/null
	echo $(($(cut -d ' ' -f 1 /proc/uptime | tr -d .) - before))
}
metric() { awk -v "name=$1" '$1 == name { n = $2 } END { print n + 0 }' /out/metrics; }
for budget in off 20 10 5; do
	if [ "$budget" != off ]; then
		printf '%s\n' "spool = /tmp/spool" 'window = 1' 'every = 2' "budget = $budget" \
			'metrics_file = /out/metrics' >/tmp/agent.conf
		rm -rf /tmp/spool && mkdir /tmp/spool
		/job/perf-spe agent --config /tmp/agent.conf >"/out/agent-$budget.txt" 2>&1 &
		agent=$!
		# Until it keeps the budget
		/job/hot 3000000 >/dev/null
		windows=$(metric 'perf_spe_windows_total{result="kept"}')
	fi
	took=$(work 10000000)
	if [ "$budget" = off ]; then
		echo "off $took" >>/out/agent
		continue
	fi
	echo "$budget $took $(($(metric 'perf_spe_windows_total{result="kept"}') - windows)) $(metric perf_spe_cost_ratio)" >>/out/agent
	kill "$agent"
	wait "$agent"
done
