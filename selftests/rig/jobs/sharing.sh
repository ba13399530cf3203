#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The job of check-sharing: records each pattern of sharers.c with stock perf, and notes the
# lines that it is about.  /job/patterns has the patterns' names, /job/rounds their rounds.

set -e
insmod /job/arm_spe_pmu.ko
cd /job
rounds=$(cat rounds)
mkdir -p /out/lines
while read -r name _; do
	perf record -q -N -d -e arm_spe_0/ts_enable=1,jitter=1,load_filter=1,store_filter=1/u -c 512 \
		-o "/out/$name.data" -- ./sharers "$name" "$rounds" >"/out/lines/$name"
done <patterns
rmmod arm_spe_pmu
