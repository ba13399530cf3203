#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# A kernel that takes the SPE Profiling exception (patches/linux): first the kernel's part
# without the driver, then the driver with all its tests.  ARM_SPE_EBEP says whether the
# CPU has FEAT_EBEP; with it every event must come by exception, and none by interrupt.  A
# debug kernel must report nothing.

set -a
. /job/environment
ARM_SPE_EBEP=${ARM_SPE_EBEP:-n}
set +a
. /job/check-lib.sh

ARM_SPE_MODULE=/job/arm_spe_pmu.ko
export ARM_SPE_MODULE

check 'the module of exceptions loads' insmod /job/spe_exception.ko
kselftests exception_tables exception_guest
check 'the module of exceptions unloads' rmmod spe_exception
# Loads and unloads both modules.
kselftest exception_unload

# Load this before the driver, so that the driver finds registers with noise, as a reset
# may leave them.
check 'CPUs lose the unit when they power down' insmod /job/spe_power.ko
check 'the module loads' insmod "$ARM_SPE_MODULE"
check 'the line of the probe says how events come, and why' probe_line_has_delivery
check 'perf may call in NMI context' insmod /job/spe_nmi.ko
check 'the module of masked code loads' insmod /job/spe_masked.ko
kselftests exception_masked strict_delivery
check 'the module of masked code unloads' rmmod spe_masked
check 'the module of nested kprobes loads' insmod /job/spe_probed.ko
kselftests exception_probes
check 'the module of nested kprobes unloads' rmmod spe_probed
by_exception
# shellcheck disable=SC2046  # a list
kselftests abi attributes extended_filters sessions filters period operations content \
	buffer snapshot hotplug contexts permissions $(cd /job && echo spe_strict_* |
		sed 's/spe_//g; s/strict_delivery//; s/strict_module//')
[ "$ARM_SPE_KERNEL_EL" = 1 ] || kselftests kvm
# Linux 7.3's virtio_console does not survive a suspend (check-driver.sh).
case $(uname -r) in 6.*) kselftests suspend ;; esac
expects 'sampling stopped: '
check 'the module that injects loads' insmod /job/arm_spe_inject.ko
ARM_SPE_VERSION=$(dmesg | sed -n 's/.* SPE\(v1[p0-9]*\) on CPUs .*/\1/p' | tail -n 1)
export ARM_SPE_VERSION
kselftests faults fault_verdicts fault_places
check 'the module that injects unloads' rmmod arm_spe_inject
cat /sys/kernel/debug/arm_spe_pmu/* >/out/counters.txt
check 'events came by exception' exceptions_came
# These tests reload the module with its default parameters.
kselftests strict_module module
check 'CPUs no longer lose the unit' rmmod spe_power
echo -1 >/proc/sys/kernel/perf_event_paranoid
perf_runs
check 'the module unloads' rmmod arm_spe_pmu
dump_recordings
if [ -e /proc/lockdep_stats ]; then
	check 'lockdep has watched to the end' lockdep_watches
	check 'the log is whole' log_is_whole
	check 'the debug kernel has nothing to say' debug_kernel_is_silent
fi
check 'the kernel log has no complaint' dmesg_is_clean
