#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
# shellcheck disable=SC3043  # busybox sh has local
#
# perf spe agent while the machine changes: its load, a CPU that goes offline, a clock that is set, a
# driver that is unloaded and loaded again.  The host compares the windows with the model's count.

. /job/environment
. /job/check-lib.sh

spool=/out/spool
mkdir $spool
printf '%s\n' "spool = $spool" 'window = 0.6' 'every = 1.5' 'period = 4096' 'budget = 100' 'memory_mib = 200' \
	'metrics_file = /out/metrics' >/tmp/agent.conf

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
	waits 300 reached
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
	waits 300 rmmod arm_spe_pmu && more not_sampled && insmod /job/arm_spe_pmu.ko && budget 0 && more kept
}

check 'the module loads' insmod /job/arm_spe_pmu.ko
budget 0
/job/perf-spe agent --config /tmp/agent.conf >/out/agent.txt 2>&1 &
agent=$!
check 'windows of an idle machine' more kept
/job/hot 100000000 >/dev/null &
hot=$!
check 'windows of a busy CPU' more kept
taskset 2 /job/hot 100000000 >/dev/null &
hot="$hot $!"
check 'windows of two busy CPUs' more kept
check 'windows while a CPU is offline, and after that' offline
check 'windows after the clock is set forward and back' clock
check 'windows before the driver is unloaded and after it is loaded again' reload
kill -9 $agent
wait $agent
sleep 1
/job/perf-spe agent --config /tmp/agent.conf >>/out/agent.txt 2>&1 &
agent=$!
sleep 0.5
check 'windows of the next agent after a crash' more kept
kill $agent
# shellcheck disable=SC2086  # words
kill $hot
check 'SIGTERM ends it with status 0' wait $agent
wait
check 'nothing has crashed' [ "$(metric 'perf_spe_windows_total{result="crashed"}')" -eq 0 ]
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
