#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# Records what the kernel's own driver and then ours show and accept, and leaves the facts
# for the host to compare.  SEED and RANDOM_ATTRS are in /job/environment.

. /job/environment
. /job/check-lib.sh

facts() { # NUMBER SEED RANDOM FILE
	/job/differ "$1" "$2" "$3" >"$4"
}

for driver in intree ours; do
	module=/job/arm_spe_pmu.ko which=1
	[ "$driver" = ours ] || module=/job/intree_arm_spe_pmu.ko which=0
	check "$driver: the module loads" insmod "$module"
	# A pause sets PARTIAL, on a host that takes the CPU away also by chance.
	budget 0
	check "$driver: the facts are gathered" \
		facts "$which" "$SEED" "$RANDOM_ATTRS" "/out/$driver.txt"
	check "$driver: the module unloads" rmmod arm_spe_pmu
done
check 'the kernel log has no complaint' \
	sh -c "! dmesg | grep -nE 'WARNING|BUG:|Oops|Call trace|irq.*nobody cared'"
