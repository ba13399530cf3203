#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# Firmware describes the unit wrongly (a device tree changed by run-guest --dts): the
# driver must report the mistake in one line.

. /job/environment
. /job/check-lib.sh

case $(find /proc/device-tree/ -maxdepth 1 -name 'spe-pmu*') in
'') reason='arm_spe_pmu: not bound: 1 CPUs have SPE, but firmware describes no interrupt for it' ;;
*) reason='is not private to each CPU (a PPI)' ;;
esac
expects 'not bound: '
insmod /job/arm_spe_pmu.ko >>/out/check.txt 2>&1
check "the module says: $reason" logged "$reason"
check 'it says so in one line' [ "$(dmesg | grep -c 'not bound')" = 1 ]
check 'there is no PMU' refuses ls -d /sys/bus/event_source/devices/arm_spe_0
check 'the module can be unloaded' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
