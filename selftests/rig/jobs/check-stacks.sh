#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# Records call stacks of a program whose callers are known (selftests/programs/callers.c), for
# the host to judge.  STACKS_ROUNDS and STACKS_CALLS are the program's arguments.

. /job/environment
. /job/check-lib.sh

module=/job/arm_spe_pmu.ko
[ "$DRIVER" = ours ] || module=/job/intree_arm_spe_pmu.ko
[ -z "${ARM_SPE_NMI:-}" ] || check 'the PMU interrupts by NMIs' logged 'using NMIs'
check 'the module loads' insmod "$module"
echo -1 >/proc/sys/kernel/perf_event_paranoid
check 'perf spe record --stacks of a program' \
	/job/perf-spe record --stacks --user --period 4096 --perf -N -o /out/stacks.data \
	-- taskset 1 /job/callers "${STACKS_ROUNDS:-4}" "${STACKS_CALLS:-5000}"
# The guest's own perf-spe prints what the host's does.
# shellcheck disable=SC2016  # $ is awk's
check 'perf spe report --callers: leaf() has two' sh -c '
	/job/perf-spe report -i /out/stacks.data --callers leaf >/tmp/callers && cat /tmp/callers &&
	awk "/ (thrash|stay)\$/ { n++ } END { exit n != 2 }" /tmp/callers'
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
