#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The job of bench-driver.  Each measurement has a CPU of its own, so that the model
# counts them separately: CPU 1 fills a buffer that perf keeps reading, CPU 2 a buffer of
# 64 KiB, CPU 3 a snapshot buffer.  perf runs on CPU 0.  With /job/switch the job measures
# task switches of a profiled task instead, on a guest with one CPU, and with /job/sampled
# samples of another event that carry records.
set -e
# shellcheck disable=SC1091  # where the guest has it
. /job/environment
module=/job/arm_spe_pmu.ko
case $DRIVER in
intree) module=/job/intree_arm_spe_pmu.ko ;;
floor) module="/job/spe_floor.ko bytes=$BYTES" ;;
esac
# A host of virtual machines: scheduling a session in and out, with each parameter of the module and with
# Linux's driver, and entering a machine.  In attributes guest=1 is bit 17, ts_enable=1 bit 0.
if [ -n "$HOST" ]; then
	sleep 30
	insmod /job/arm_spe_pmu.ko guests=0
	/job/switch 500 4000000 >/out/forbidden
	rmmod arm_spe_pmu
	insmod /job/arm_spe_pmu.ko
	/job/switch 500 4000000 >/out/host
	/job/switch 500 4000000 pipe 0x20001 >/out/guests
	/job/switch 500 4000000 machine >/out/entry-host
	/job/switch 500 4000000 machine 0x20001 >/out/entry-guests
	rmmod arm_spe_pmu
	insmod /job/intree_arm_spe_pmu.ko
	/job/switch 500 4000000 >/out/intree
	exit
fi
# shellcheck disable=SC2086  # a file and its parameter
insmod $module
if [ -e /job/switch ]; then
	# Wait until the kernel's background work after boot is over, since it would use
	# this CPU.
	sleep 30
	/job/switch 500 "$PERIOD" >/out/switch
	exit
fi
if [ -e /job/sampled ]; then
	sleep 30
	/job/sampled 50 0 64 1024 4096 16384 >/out/sampled
	exit
fi
# 256 KiB: the driver publishes every 128 KiB.
taskset 1 perf record -q -N -B -C 1 -m ,256K -c 512 -e arm_spe// -o /tmp/perf.data -- taskset 2 /job/hot 12000
taskset 1 perf record -q -N -B -C 2 -m ,64K -c 512 -e arm_spe// -o /tmp/perf.data -- taskset 4 /job/hot 12000
# The program fills the buffer about ten times before each of two snapshots.
# shellcheck disable=SC2016  # for the inner shell
taskset 1 perf record -q -N -B -C 3 -S -m ,64K -c 512 -e arm_spe// -o /tmp/perf.data -- taskset 8 sh -c \
	'/job/hot 4000; kill -USR2 $PPID; /job/hot 4000; kill -USR2 $PPID; /job/hot 100'
perf report -D -i /tmp/perf.data 2>/dev/null | awk '
	/ PERF_RECORD_AUX / { aux++ }
	/ PERF_RECORD_AUXTRACE / { snapshots++ }
	END { print aux + 0, snapshots + 0 }' >/out/snapshots
