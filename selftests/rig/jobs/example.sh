#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The job of make example: records the programs that /job/names lists, as the README and the
# guide do.  shared by stock perf, as "perf spe record --loads --stores --user --period 1024 --
# ./shared 200000" would.

set -e
insmod /job/arm_spe_pmu.ko
cd /job
while read -r name; do
	case $name in
	shared) perf record -q -N -e arm_spe_0/ts_enable=1,jitter=1,load_filter=1,store_filter=1/u -c 1024 \
		-o /out/shared.data -- /job/shared 200000 ;;
	apart) ./perf-spe record --loads --stores --user --period 1024 --perf -N -o /out/apart.data -- ./apart 200000 ;;
	branchy) ./perf-spe record --user --period 4096 --perf -N -o /out/branchy.data -- ./branchy 30 ;;
	hot) ./perf-spe record --user --period 4096 --perf -N -o /out/hot.data -- ./hot 8000 ;;
	walks) ./perf-spe record --user --period 16384 --perf -N -o /out/walks.data -- ./walks 2 ;;
	callers) ./perf-spe record --stacks --user --period 65536 --perf -N -o /out/callers.data -- ./callers 2 30000 ;;
	esac
done <names
rmmod arm_spe_pmu
