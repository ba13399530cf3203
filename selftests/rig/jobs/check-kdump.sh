#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has them
#
# A kernel crashes while the user space of every CPU is profiled.  The crash kernel of kdump
# prints the unit's registers on the console, which the host judges.

. /job/environment
. /job/check-lib.sh

check 'the module loads' insmod /job/arm_spe_pmu.ko
# shellcheck disable=SC2016  # for the inner shell
check 'memory for a crash kernel is reserved' sh -c '[ "$(cat /sys/kernel/kexec_crash_size)" -gt 0 ]'
mkdir /tmp/crash
cp /job/kdump /tmp/crash/init
cp /job/spe_state.ko /tmp/crash/
# shellcheck disable=SC2016  # for the inner shell
check 'the crash kernel gets its programs' \
	sh -c 'cd /tmp/crash && printf "init\nspe_state.ko\n" | cpio -o -H newc >/tmp/crash.cpio'
check 'the kernel log has no complaint' dmesg_is_clean
cat >/last <<-'EOL'
	#!/bin/busybox sh
	exec /job/kdump /job/image /tmp/crash.cpio
EOL
chmod +x /last
