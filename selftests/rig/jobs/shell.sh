# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# Read by the interactive shell when it starts (ENV).
insmod /job/arm_spe_pmu.ko && echo "arm_spe_pmu is loaded; try:"
echo "  perf record -e arm_spe// -o /out/perf.data -- hot 20000"
echo "  perf record -e arm_spe/load_filter=1,min_latency=20/ -a -o /out/all.data -- sleep 2"
unset ENV
