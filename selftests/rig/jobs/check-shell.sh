#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091,SC3043  # sourced from where the guest has them; busybox sh has local
#
# Linux's own tests of this PMU with stock perf: the scripts of tools/perf/tests/shell
# from the kernel's source package.  DRIVER is "ours" or "intree".

. /job/environment
. /job/check-lib.sh

# perf reads every symbol of the kernel before it starts a program, which takes more than
# a second in this guest.  The scripts assume a faster machine, so double their sleeps.
mkdir /tmp/patient
cat >/tmp/patient/sleep <<'EOS'
#!/bin/sh
exec /usr/bin/sleep $(($1 * 2))
EOS
chmod +x /tmp/patient/sleep
PATH=/tmp/patient:$PATH

# A script that skips everything (status 2) fails here, because the PMU exists.
linux_test() { # SCRIPT
	local rc=0
	bash "/job/$1" >"/out/$1.txt" 2>&1 || rc=$?
	cat "/out/$1.txt"
	return "$rc"
}

# A script may skip a part and still return 0.
skips_nothing() { # SCRIPT
	refuses grep -E 'SKIP' "/out/$1.txt"
}

module=/job/arm_spe_pmu.ko
[ "$DRIVER" = ours ] || module=/job/intree_arm_spe_pmu.ko
check 'the module loads' insmod "$module"
for script in /job/test_arm_spe*.sh; do
	script=${script##*/}
	check "Linux's $script passes" linux_test "$script"
	# Before Linux 6.14 the kernel's own driver had no discard mode.
	if [ "$DRIVER" = ours ] || [ -e /sys/bus/event_source/devices/arm_spe_0/format/discard ]; then
		check "Linux's $script skips nothing" skips_nothing "$script"
	fi
done
check 'the module unloads' rmmod arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
