#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
# shellcheck disable=SC3043  # busybox sh has local
#
# perf spe agent while the machine changes: its load, a CPU that goes offline, a clock that is set, a
# driver that is unloaded and loaded again.  The host compares the windows with the model's count.
# With ARM_SPE_AGENT_SECONDS the load goes on changing for so long, with 10,000 processes more and the
# agent's own limit of memory.

. /job/environment
. /job/check-lib.sh

spool=/out/spool long=${ARM_SPE_AGENT_SECONDS:-0}
# Seconds that two windows may take: with 10,000 processes, and other work on the host, they take minutes.
patience=300
[ "$long" -eq 0 ] || patience=1500
mkdir $spool
if [ "$long" -eq 0 ]; then
	printf '%s\n' 'window = 0.6' 'every = 1.5' 'period = 4096' 'memory_mib = 200'
else
	printf '%s\n' 'window = 4' 'every = 12' 'period = 65536'
fi >/tmp/agent.conf
printf '%s\n' "spool = $spool" 'budget = 100' 'raw_share = 100' 'metrics_file = /out/metrics' >>/tmp/agent.conf

# The number after the metric's name and labels, or 0
metric() { awk -v "name=$1" '$1 == name { n = $2 } END { print n + 0 }' /out/metrics 2>/dev/null; }

# waits SECONDS COMMAND...: until the command succeeds
waits() {
	local end
	end=$(($(cut -d . -f 1 /proc/uptime) + $1))
	shift
	until "$@"; do
		[ "$(cut -d . -f 1 /proc/uptime)" -lt "$end" ] || return 1
		sleep 0.1
	done
}

# Two more windows with this result
more() { # RESULT
	local result="perf_spe_windows_total{result=\"$1\"}" want
	want=$(($(metric "$result") + 2))
	# shellcheck disable=SC2317  # called by waits
	reached() { [ "$(metric "$result")" -ge "$want" ]; }
	waits $patience reached
}

offline() {
	local rc=0
	echo 0 >/sys/devices/system/cpu/cpu1/online && more kept || rc=1
	echo 1 >/sys/devices/system/cpu/cpu1/online && more kept && return $rc
}

clock() {
	local now
	now=$(date +%s)
	date -s "@$((now + 3600))" && more kept && date -s "@$((now - 3600))" && more kept && date -s "@$((now + 20))"
}

# No window is open while the module unloads.
reload() {
	waits $patience rmmod arm_spe_pmu && more not_sampled && insmod /job/arm_spe_pmu.ko && budget 0 && more kept
}

crowd_runs() { [ "$(cat /out/crowd)" = '10000 processes' ]; }

# The load of a hot program for each CPU mask, in place of those of before
load() { # MASK...
	local mask
	# shellcheck disable=SC2086  # words
	[ -z "$hot" ] || kill $hot
	hot=
	for mask; do
		taskset "$mask" /job/hot 1000000000 >/dev/null &
		hot="$hot $!"
	done
}

# One load after the other, until the time is over; fails if one of them had no window
changing_load() {
	local rc=0 n=0 end
	end=$(($(cut -d . -f 1 /proc/uptime) + long))
	while [ "$(cut -d . -f 1 /proc/uptime)" -lt "$end" ]; do
		case $((n % 6)) in
		0) load && more kept ;;
		1) load 1 && more kept ;;
		2) load 1 2 && more kept ;;
		3) offline ;;
		4) clock ;;
		5) reload ;;
		esac || rc=1
		n=$((n + 1))
		echo "$(cut -d ' ' -f 1 /proc/uptime) s: load $n, $(metric 'perf_spe_windows_total{result="kept"}') windows, status $rc" |
			tee -a /out/load.txt >/dev/console
	done
	[ "$n" -ge 6 ] && return $rc
}

check 'the module loads' insmod /job/arm_spe_pmu.ko
budget 0
/job/perf-spe agent --config /tmp/agent.conf >/out/agent.txt 2>&1 &
agent=$!
check 'windows of an idle machine' more kept
hot=
load 3
check 'windows of a busy CPU' more kept
load 3 2
check 'windows of two busy CPUs' more kept
check 'windows while a CPU is offline, and after that' offline
check 'windows after the clock is set forward and back' clock
check 'windows before the driver is unloaded and after it is loaded again' reload
if [ "$long" -gt 0 ]; then
	/job/crowd 10000 60 >/out/crowd 2>&1 &
	crowd=$!
	check '10,000 processes more' waits 1200 crowd_runs
	check "windows of changing load for $long s" changing_load
	kill $crowd
fi
kill -9 $agent
wait $agent
sleep 1
# The next agent counts from 0.
rm -f /out/metrics
/job/perf-spe agent --config /tmp/agent.conf >>/out/agent.txt 2>&1 &
agent=$!
sleep 0.5
check 'windows of the next agent after a crash' more kept
kill $agent
load
check 'SIGTERM ends it with status 0' wait $agent
wait
check 'nothing has crashed' [ "$(metric 'perf_spe_windows_total{result="crashed"}')" -eq 0 ]
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
