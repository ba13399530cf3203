#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# A short check of the driver in a guest, for a kernel whose other guests run the rest: the
# programs that selftests/rig/lists/suites lists, and perf's recordings.  DRIVER is "ours".

set -a
. /job/environment
set +a
. /job/check-lib.sh

ARM_SPE_MODULE=/job/arm_spe_pmu.ko
export ARM_SPE_MODULE
# Load this first: it fills the registers with noise, as a reset may leave them.
check 'CPUs lose the unit when they power down' insmod /job/spe_power.ko
check 'the module loads' insmod "$ARM_SPE_MODULE"
check 'perf may call in NMI context' insmod /job/spe_nmi.ko
# shellcheck disable=SC2046  # lists
kselftests $(listed kvm) $(others kvm suspend) $(listed suspend)
echo -1 >/proc/sys/kernel/perf_event_paranoid
check 'perf record of a task' \
	perf record -q -N -c 2048 -e arm_spe// -o /out/task.data -- /job/hot 1000
check 'perf record of all CPUs' \
	record_cpus -q -N -a -c 4096 -e arm_spe/ts_enable=1,pa_enable=1/ -o /out/system.data -- /job/hot 500
check 'the module unloads' rmmod "$ARM_SPE_NAME"
dump_recordings
check 'the kernel log has no complaint' dmesg_is_clean
