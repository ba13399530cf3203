#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# Records two virtual machines of KVM that run Linux at the same time, for the host to judge: whose
# each record is, where its memory is, and which function of the machine's kernel it is in.  Meanwhile
# the first one is suspended for a while, and the virtual CPUs of the second migrate between CPUs.

# machine NAME CPUS WORK ROUNDS...: boots Linux, whose first process is selftests/programs/tenant.c.
# The console is for what it complains about.
machine() {
	name=$1 cpus=$2
	shift 2
	mkdir "/out/$name"
	cp /job/vmm "/tmp/$name"
	"/tmp/$name" /job/image /job/tenant.cpio "/out/$name" "$cpus" \
		"earlycon=pl011,0x9000000 keep_bootcon quiet panic=-1 -- $*" >"/out/$name/console" &
}

# The work of each is known; ROUNDS of tenant.c.
machines() {
	machine vm-one 1 spin_one 12000000 ask 400000
	one=$!
	machine vm-two 2 spin_two 8000000 clear 2000
	two=$!
	while sleep 0.3; do
		for thread in /proc/"$two"/task/*; do
			taskset -p "$1" "${thread##*/}"
			set -- $((3 - $1))
		done
	done >/dev/null 2>&1 &
	mover=$!
	sleep 4
	kill -STOP $one
	sleep 1
	kill -CONT $one
	rc=0
	wait $one || rc=1
	kill $mover
	wait $two || rc=1
	return $rc
}

if [ "${1-}" = machines ]; then
	machines 1
	exit
fi

. /job/environment
. /job/check-lib.sh

# shellcheck disable=SC2016  # for the inner shell
check 'pages of 2 MiB for the machines' sh -c '
	echo 208 >/proc/sys/vm/nr_hugepages && [ "$(cat /proc/sys/vm/nr_hugepages)" = 208 ]'
check 'the module loads' insmod /job/arm_spe_pmu.ko
budget 0
check 'perf record of two virtual machines' \
	record_cpus -q -N -B -m ,1M -a -c 65536 -e arm_spe_0/ts_enable=1,pa_enable=1,jitter=1/G \
	-o /out/guests.data -- /job/run machines
check 'perf spe report tells them apart' sh -c '
	/job/perf-spe report -i /out/guests.data --by vm --csv >/tmp/report && cat /tmp/report &&
	grep -q vm-one/ /tmp/report && grep -q vm-two/ /tmp/report'
rm -f /tmp/vm-*
check 'the module unloads' rmmod arm_spe_pmu
echo 0 >/proc/sys/vm/nr_hugepages
check 'the kernel log has no complaint' dmesg_is_clean
