#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# A kernel whose PMU interrupts are NMIs (irqchip.gicv3_pseudo_nmi=1): throttled groups,
# NMIs at critical places in the driver, samples of guests, and the stress test with NMIs.

set -a
. /job/environment
set +a
. /job/check-lib.sh

ARM_SPE_MODULE=/job/arm_spe_pmu.ko
export ARM_SPE_MODULE
check 'the kernel has NMIs' logged 'Pseudo-NMIs enabled'
check 'the PMU interrupts by them' logged 'using NMIs'
check 'the module loads' insmod "$ARM_SPE_MODULE"
check 'CPUs lose the unit when they power down' insmod /job/spe_power.ko
check 'perf may call in NMI context' insmod /job/spe_nmi.ko
# Loads the module anew, which the injector would prevent.
kselftests strict_guests
check 'the injector loads' insmod /job/arm_spe_inject.ko
kselftests throttle strict_nmi strict_refused strict_hostile strict_hotplug strict_pause strict_aux_sample strict_samples sessions strict_stress
cat /sys/kernel/debug/arm_spe_pmu/* >/out/counters.txt
check 'the injector unloads' rmmod arm_spe_inject
rmmod spe_nmi
rmmod spe_power
check 'the module unloads' rmmod arm_spe_pmu
# Messages about the faults that the stress test injects.
expects 'sampling stopped: '
check 'lockdep has watched to the end' lockdep_watches
check 'the kernel log has no complaint' dmesg_is_clean
