#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # written by check-pgo
#
# The job of check-pgo: records the commands of /job/commands with stock perf, one a line, as
# "NAME INTERVAL COMMAND...".  All operations in user space are sampled.  What a command
# prints is NAME.txt.

set -e
cd /job
insmod arm_spe_pmu.ko
while read -r name interval command; do
	# shellcheck disable=SC2086  # words
	perf record -q -N -m ,32M -e arm_spe_0/ts_enable=1,jitter=1/u -c "$interval" \
		-o "/out/$name.data" -- $command >"/out/$name.txt"
done <commands
rmmod arm_spe_pmu
