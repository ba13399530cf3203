#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What bench-driver measures, on a CPU each, so that the model's counts keep
# apart: CPU 1 fills a buffer that the reader keeps emptying, CPU 2 one of
# 64 KiB, CPU 3 one that is kept for snapshots.  The reader is CPU 0's.
# Alone on one CPU (/job/switch) it is the cost of a session's task switches.
set -e
# shellcheck disable=SC1091  # where the guest has it
. /job/environment
module=/job/arm_spe_pmu.ko
case $DRIVER in
intree) module=/job/intree_arm_spe_pmu.ko ;;
floor) module="/job/spe_floor.ko bytes=$BYTES" ;;
esac
# shellcheck disable=SC2086  # a file and its parameter
insmod $module
if [ -e /job/switch ]; then
	# What the kernel does in the background after a boot must be over: it
	# takes its share of the CPU.
	sleep 30
	/job/switch 500 "$PERIOD" >/out/switch
	exit
fi
# 256 KiB, a service each 128 KiB.
taskset 1 perf record -q -N -B -C 1 -m ,256K -c 512 -e arm_spe// -o /tmp/perf.data -- taskset 2 /job/hot 12000
taskset 1 perf record -q -N -B -C 2 -m ,64K -c 512 -e arm_spe// -o /tmp/perf.data -- taskset 4 /job/hot 12000
# Some ten times round the buffer before each of two snapshots.
# shellcheck disable=SC2016  # for the inner shell
taskset 1 perf record -q -N -B -C 3 -S -m ,64K -c 512 -e arm_spe// -o /tmp/perf.data -- taskset 8 sh -c \
	'/job/hot 4000; kill -USR2 $PPID; /job/hot 4000; kill -USR2 $PPID; /job/hot 100'
perf report -D -i /tmp/perf.data 2>/dev/null | awk '
	/ PERF_RECORD_AUX / { aux++ }
	/ PERF_RECORD_AUXTRACE / { snapshots++ }
	END { print aux + 0, snapshots + 0 }' >/out/snapshots
