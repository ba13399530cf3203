#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091,SC3043  # sourced from where the guest has them; busybox sh has local
#
# A machine with two kinds of CPU, each with its own PMU: CPUs 0, 1 and 4 with 12-bit
# counters, and CPUs 2, 3 and 5 with 16-bit counters.  As exceptions, CPU 4 has no SPE and
# CPU 5 is like the first kind.  A device tree node names the CPUs of each kind, with CPU 5
# among the second.  ACPI names no kinds, so there the driver finds them, and CPU 5 belongs
# to the first PMU.  DRIVER is "ours" or "intree".

set -a
. /job/environment
set +a
. /job/check-lib.sh

pmus=/sys/bus/event_source/devices
module=/job/arm_spe_pmu.ko
[ "$DRIVER" = ours ] || module=/job/intree_arm_spe_pmu.ko

# The PMU with this cpumask.
pmu_of() { # CPUMASK
	local pmu
	for pmu in "$pmus"/arm_spe_*; do
		if [ "$(cat "$pmu/cpumask")" = "$1" ]; then basename "$pmu"; fi
	done
}

unsampled() { # FILE: no more than its start, on whatever CPU
	local count
	count=$(count_records "$1")
	echo "$count records"
	[ "$count" -lt 100 ]
}

if [ -d /sys/firmware/acpi/tables ]; then
	first_cpus=0-1,5 left_out=4 lines=1
else
	first_cpus=0-1 left_out="4 5" lines=2
fi

expects 'CPU [45] left out: '
# The interrupt of the first PMU is mapped on a CPU of the second, whose PMBSR_EL1.S
# is 1 (noise in registers that reset to UNKNOWN values): the kernel enables the
# interrupt there, and the guest hangs if the driver has not cleared the bit.
check 'the module loads' taskset 4 insmod "$module"
check 'there are two PMUs' [ "$(find "$pmus" -name 'arm_spe_*' | wc -l)" = 2 ]
first=$(pmu_of $first_cpus)
second=$(pmu_of 2-3)
check "one has CPUs $first_cpus, the other 2 and 3" [ -n "$first" -a -n "$second" ]
check 'the counters of one have 12 bits' [ "$(cat "$pmus/$first/caps/count_size")" = 12 ]
check 'and of the other 16' [ "$(cat "$pmus/$second/caps/count_size")" = 16 ]
check 'a CPU without SPE is left out, with a line' logged 'CPU 4 left out: this CPU has no SPE'
[ "$left_out" = 4 ] ||
	check 'and one that differs' logged 'CPU 5 left out: its SPE differs from that of the other CPUs; give it a device tree node of its own'
check 'no other CPU is left out' [ "$(dmesg | grep -c 'left out')" = $lines ]
check 'a program on CPU 0 is recorded by the first' \
	perf record -q -N -c 2048 -e "$first//u" -o /out/first.data -- taskset 1 /job/hot 500
check 'its records are there' sampled /out/first.data
check 'a program on CPU 3 is recorded by the second' \
	perf record -q -N -c 2048 -e "$second//u" -o /out/second.data -- taskset 8 /job/hot 500
check 'its records are there too' sampled /out/second.data
# The dynamic linker and perf's start-up may run on any CPU, the work only on CPU 2.
check 'the first PMU may be asked for a program on CPU 2' \
	perf record -q -N -c 2048 -e "$first//u" -o /tmp/elsewhere.data -- taskset 4 /job/hot 500
check 'what runs there is not recorded' unsampled /tmp/elsewhere.data
check 'all CPUs, by both' \
	record_cpus -q -N -a -c 2048 -e "$first//u" -e "$second//u" -o /out/both.data -- \
	sh -c 'taskset 1 /job/hot 500; taskset 8 /job/hot 500'
check 'the records of both are there' sampled /out/both.data
# perf of Linux 7 leaves out CPUs that are not in the PMU's mask; the driver would refuse
# them.
perf record -q -N -C 2 -c 2048 -e "$first//u" -o /tmp/none.data -- taskset 4 /job/hot 500 >>/out/check.txt 2>&1
check 'the first PMU records nothing of CPU 2' unsampled /tmp/none.data
for odd in "4 10 $first" "5 20 $second"; do
	# shellcheck disable=SC2086  # words
	set -- $odd
	case $left_out in *"$1"*) ;; *) continue ;; esac
	perf record -q -N -C "$1" -c 2048 -e "$3//u" -o /tmp/none.data -- taskset "$2" /job/hot 500 >>/out/check.txt 2>&1
	check "CPU $1 itself cannot be recorded" unsampled /tmp/none.data
	rm -f /tmp/none.data
	check "a program that comes to CPU $1 may be recorded" \
		perf record -q -N -c 2048 -e "$3//u" -o /tmp/elsewhere.data -- taskset "$2" /job/hot 500
	check "but not while it is on CPU $1" unsampled /tmp/elsewhere.data
	check "CPU $1 goes and comes back" sh -c \
		"echo 0 >/sys/devices/system/cpu/cpu$1/online && echo 1 >/sys/devices/system/cpu/cpu$1/online"
done
check 'who was left out stays so' [ "$(cat "$pmus/$first/cpumask" "$pmus/$second/cpumask" | tr '\n' ' ')" = "$first_cpus 2-3 " ]
check 'CPU 3 goes and comes back' sh -c \
	'echo 0 >/sys/devices/system/cpu/cpu3/online && echo 1 >/sys/devices/system/cpu/cpu3/online'
check 'it is recorded again' \
	perf record -q -N -c 2048 -e "$second//u" -o /out/again.data -- taskset 8 /job/hot 500
check 'with its records' sampled /out/again.data
check 'the module unloads' rmmod arm_spe_pmu
check 'the PMUs are gone' refuses ls -d "$pmus"/arm_spe_*
if [ "$left_out" = 4 ]; then
	# The driver finds a kind by the CPUs that are online.
	switch() { for cpu in 2 3; do echo "$1" >/sys/devices/system/cpu/cpu$cpu/online || return 1; done; }
	check 'the CPUs of the second kind go offline' switch 0
	check 'the module loads without them' insmod "$module"
	check 'there is one PMU' [ "$(find "$pmus" -name 'arm_spe_*' | wc -l)" = 1 ]
	check 'they come online' switch 1
	expects 'CPU [23] left out: its SPE differs'
	check 'a line says what to do' \
		logged 'CPU 3 left out: its SPE differs from that of the other CPUs; load the module again while this CPU is online'
	check 'the PMU stays without them' [ "$(cat "$pmus/$(pmu_of $first_cpus)/cpumask")" = $first_cpus ]
	check 'the module unloads with one PMU' rmmod arm_spe_pmu
	check 'the module loads with all CPUs' insmod "$module"
	check 'both PMUs are back' [ -n "$(pmu_of $first_cpus)" -a -n "$(pmu_of 2-3)" ]
	check 'the module unloads for the last time' rmmod arm_spe_pmu
fi
dump_recordings
check 'the kernel log has no complaint' dmesg_is_clean
