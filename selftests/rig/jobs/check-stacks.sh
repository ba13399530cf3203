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
# Linux's own driver copies no records to samples, so there the whole trace is recorded.  perf
# itself tells what the recording has: the size of the copies, and whether there is a trace.  For
# inlined functions perf 7.3 starts addr2line, which this guest lacks, and SIGPIPE ends it.
check 'perf spe record --stacks --aux-sample of a program' \
	/job/perf-spe record --stacks --aux-sample=1024 --user --period 4096 --perf -N -o /tmp/newest.data \
	-- taskset 1 /job/callers 2 "${STACKS_CALLS:-5000}"
if [ "$DRIVER" = ours ]; then
	check 'perf finds 1024 bytes of records for each sample' sh -c '
		perf evlist -v -i /tmp/newest.data | grep "aux_sample_size: 1024"'
	check 'and no trace beside them' sh -c '
		perf report -D --no-inline -i /tmp/newest.data >/tmp/events && ! grep "PERF_RECORD_AUXTRACE " /tmp/events'
else
	check 'perf finds a trace instead' sh -c '
		perf report -D --no-inline -i /tmp/newest.data >/tmp/events && grep "PERF_RECORD_AUXTRACE " /tmp/events'
fi
# shellcheck disable=SC2016  # $ is awk's
check 'perf spe report --callers of them: leaf() has two' sh -c '
	/job/perf-spe report -i /tmp/newest.data --callers leaf >/tmp/callers && cat /tmp/callers &&
	awk "/ (thrash|stay)\$/ { n++ } END { exit n != 2 }" /tmp/callers'
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
