#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The job of make example: records /job/shared with stock perf, as the README does with
# "perf spe record --loads --stores --user --period 1024 -- ./shared 200000".

set -e
insmod /job/arm_spe_pmu.ko
perf record -q -N -e arm_spe_0/ts_enable=1,jitter=1,load_filter=1,store_filter=1/u -c 1024 \
	-o /out/shared.data -- /job/shared 200000
rmmod arm_spe_pmu
