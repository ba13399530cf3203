#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# 256 KiB, a service each 128 KiB; the reader runs on the other CPU and keeps up.
set -e
# The file that the benchmark added says whose driver this run is about.
if [ -e /job/intree ]; then insmod /job/intree_arm_spe_pmu.ko; else insmod /job/arm_spe_pmu.ko; fi
taskset 1 perf record -q -m ,256K -c 512 -e arm_spe// -o /tmp/perf.data -- taskset 2 /job/hot 24000
