#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # written by check-advise
#
# The job of check-advise: records the programs of /job/commands with stock perf, one a line, as
# "PROGRAM PERIOD TERMS", in user space.

set -e
cd /job
insmod arm_spe_pmu.ko
while read -r program period terms; do
	echo "recording $program" >&2
	perf record -q -N -e "arm_spe_0/ts_enable=1$terms/u" -c "$period" -o "/out/$program.data" -- "./$program" >/dev/null
done <commands
rmmod arm_spe_pmu
