#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A buffer that fills often: 64 KiB in all, a service each 32 KiB.
set -e
insmod /job/intree_arm_spe_pmu.ko
perf record -q -m ,64K -c 256 -e arm_spe// -o /tmp/perf.data -- /job/hot 6000
