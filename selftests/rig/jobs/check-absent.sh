#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# The module must refuse to bind and say why: on a CPU without SPE, on one whose buffers
# page-table isolation (kpti=on) unmaps, or on one whose unit belongs to EL2 (OWNED=y,
# selftests/programs/el2.S).

. /job/environment
. /job/check-lib.sh

reason='no CPU has SPE (ID_AA64DFR0_EL1.PMSVer is 0)'
! grep -q kpti=on /proc/cmdline ||
	reason='kernel page-table isolation unmaps the buffer at EL0, and physical addresses (FEAT_SPE_nVM) are not available or not allowed (addressing=virtual); boot with kpti=off'
[ "${OWNED:-n}" = n ] ||
	reason='a higher Exception level owns the Profiling Buffer (PMBIDR_EL1.P); enable SPE for this kernel in firmware or the hypervisor'
expects 'not bound: '
insmod /job/arm_spe_pmu.ko >>/out/check.txt 2>&1
dmesg | grep 'arm_spe' >>/out/check.txt
check 'the module says why it does not bind' \
	sh -c "dmesg | grep 'arm_spe.*: not bound: ' | grep -qF '$reason'"
check 'there is no PMU' refuses ls -d /sys/bus/event_source/devices/arm_spe_0
check 'perf list does not show one' \
	sh -c '! perf list pmu 2>/dev/null | grep -q arm_spe'
check 'perf record says so' \
	refuses perf record -q -e arm_spe// -o /tmp/none.data -- true
check 'the module can be unloaded or never stayed' \
	sh -c 'rmmod arm_spe_pmu 2>/dev/null; ! grep -q ^arm_spe_pmu /proc/modules'
check 'the kernel log has no complaint' dmesg_is_clean
