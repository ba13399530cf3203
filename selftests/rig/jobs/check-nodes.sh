#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# perf spe tier on a machine with two NUMA nodes: it finds the pages that a program has on the other
# node, moves them with --move and only then, and finds none afterwards.

. /job/environment
. /job/check-lib.sh

pages=64

# perf must disable the events before it ends, as in record_cpus().
record_far() { # FILE
	[ -p /tmp/control ] || mkfifo /tmp/control /tmp/ack
	/job/perf-spe record --loads --user --physical --period 512 --perf --control=fifo:/tmp/control,/tmp/ack \
		-o "$1" -p "$(cat /tmp/pid)" -- sh -c 'sleep 1; echo disable >/tmp/control; read -r _ </tmp/ack'
}

# How many of the program's pages a table of perf spe tier has, with this text at the end
pages_of_far() { # TEXT
	awk -v "start=$(cat /tmp/start)" -v "pages=$pages" -v "text=$1" '
		function number(hex, i, n) {
			sub(/^0x/, "", hex)
			for (i = 1; i <= length(hex); i++)
				n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
			return n
		}
		$7 ~ /^0x/ && $5 == 1 && $6 == 0 && $0 ~ text "$" {
			page = (number($7) - number(start)) / 4096
			if (page >= 0 && page < pages) found++
		}
		END { print found + 0 }' /tmp/said
}

tier() { # OPTION...
	/job/perf-spe tier --limit 10000 "$@" >/tmp/said
	rc=$?
	grep '^#' /tmp/said
	return $rc
}

migrated() { awk '$1 == "pgmigrate_success" { print $2 }' /proc/vmstat; }

# On which nodes the program has its memory: "N0=64"
memory_is_on() { # NODE
	grep "^$(sed 's/^0x//' /tmp/start) " "/proc/$(cat /tmp/pid)/numa_maps" | grep "N$1=$pages "
}

finds_without_moving() {
	before=$(migrated)
	tier -i /out/before.data || return 1
	echo "$(pages_of_far '') pages, $before and $(migrated) migrations"
	[ "$(pages_of_far '')" -eq "$pages" ] && [ "$(migrated)" -eq "$before" ] && memory_is_on 1
}

moves() {
	before=$(migrated)
	tier --move -i /out/before.data || return 1
	moved=$(sed -n 's/^# \([0-9]*\) pages* moved, .*/\1/p' /tmp/said)
	echo "$moved pages moved, $(($(migrated) - before)) migrations"
	[ "$(pages_of_far ', moved')" -eq "$pages" ] && [ $(($(migrated) - before)) -eq "$moved" ] && memory_is_on 0
}

moves_none_twice() {
	before=$(migrated)
	tier --move -i /out/before.data || return 1
	[ "$(pages_of_far ', there already')" -eq "$pages" ] && [ "$(migrated)" -eq "$before" ]
}

finds_none_afterwards() {
	tier -i /out/after.data || return 1
	echo "$(pages_of_far '') pages"
	[ "$(pages_of_far '')" -eq 0 ]
}

check 'the machine has two nodes' [ -d /sys/devices/system/node/node1 ]
# The kernel itself must not move pages.
echo 0 >/proc/sys/kernel/numa_balancing
check 'the module loads' insmod /job/arm_spe_pmu.ko
budget 0
/job/far $pages 1 0 >/tmp/start &
echo $! >/tmp/pid
while [ ! -s /tmp/start ]; do sleep 0.2; done
check 'perf spe record of the program' record_far /out/before.data
check 'perf spe tier finds all of its pages, and moves none' finds_without_moving
check 'perf spe tier --move moves them all' moves
check 'perf spe tier --move finds them moved' moves_none_twice
check 'perf spe record of the program afterwards' record_far /out/after.data
check 'perf spe tier finds none of them' finds_none_afterwards
kill "$(cat /tmp/pid)"
wait
check 'perf spe tier --move says that the process has ended' refuses tier --move -i /out/before.data
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
