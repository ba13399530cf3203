#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The demo's job: loads the module, profiles two real programs with stock perf, and leaves
# the recordings in /out.

set -e
insmod /job/arm_spe_pmu.ko
ls -d /sys/bus/event_source/devices/arm_spe_*
cp /proc/kallsyms /out/kallsyms
dd if=/usr/bin/perf of=/tmp/input bs=64k count=8 2>/dev/null

perf record -q -m ,16M -c 1024 -e arm_spe/ts_enable=1,jitter=1,load_filter=1,store_filter=1,branch_filter=1/ \
	-o /out/hot-memory.data -- /job/hot 4000
perf record -q -m ,16M -c 2048 -e arm_spe/jitter=1/ -o /out/hot.data -- /job/hot 12000
perf record -q -m ,16M -c 4096 -e arm_spe/jitter=1/ -o /out/xz.data -- xz -1 -k -c /tmp/input >/tmp/input.xz
xz -dc /tmp/input.xz | cmp - /tmp/input
rmmod arm_spe_pmu
