#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091,SC3043  # sourced from where the guest has them; busybox sh has local
#
# Checks which module modprobe loads before, during and after the installation, by make
# install and by DKMS.  The host made the archives: kernel.tar has the kernel package's
# files, install.tar and dkms.tar have what each way added.

. /job/environment
. /job/check-lib.sh

folder=/lib/modules/$(uname -r) recording=0
# Use the distribution's programs: busybox has its own of the same names.
depmod() { /usr/sbin/depmod; }
modprobe() { /usr/sbin/modprobe "$@"; }
modinfo() { /usr/sbin/modinfo "$@"; }

unpack() { tar -x -C / -f "/job/$1.tar" && depmod; }

# Whether our driver owns the unit: it has a version, the kernel's own has none.
loads_ours() { # FOLDER VERSION
	modprobe arm_spe_pmu || return 1
	modinfo -n arm_spe_pmu
	modinfo -n arm_spe_pmu | grep "$folder/$1/arm_spe_pmu.ko" &&
		[ "$(cat /sys/module/arm_spe_pmu/version)" = "$2" ] &&
		ls -d /sys/bus/platform/drivers/arm_spe
}

loads_theirs() {
	modprobe arm_spe_pmu || return 1
	modinfo -n arm_spe_pmu
	modinfo -n arm_spe_pmu | grep "$folder/kernel/drivers/perf/arm_spe_pmu.ko" &&
		refuses ls /sys/module/arm_spe_pmu/version /sys/bus/platform/drivers/arm_spe
}

# Before the installation and after it.  Some kernels were configured without an SPE driver.
theirs() { # AGAIN
	if [ "$ARM_SPE_OWN" = n ]; then
		check "modprobe finds no driver$1" refuses modprobe arm_spe_pmu
		check "there is no PMU$1" refuses ls -d /sys/bus/event_source/devices/arm_spe_0
	else
		check "modprobe loads the kernel's own driver$1" loads_theirs
		records "the kernel's own$1"
	fi
}

records() { # NAME
	recording=$((recording + 1))
	check "perf record with $1" \
		perf record -q -N -c 2048 -e arm_spe// -o "/out/$recording.data" -- /job/hot 300
	check "modprobe -r takes $1 out" modprobe -r arm_spe_pmu
}

check 'the kernel has its own modules' unpack kernel
theirs ''
for way in install dkms; do
	check "$way: the module is put in place" unpack "$way"
	[ "$way" = dkms ] && place=updates/dkms || place=updates
	# shellcheck disable=SC2154  # the file environment has both versions
	[ "$way" = dkms ] && version=$dkms || version=$install
	check "$way: modprobe loads it, not the kernel's own" loads_ours "$place" "$version"
	records "$way"
	check "$way: the module is taken away" rm -r "$folder/updates"
	check "$way: the kernel's modules are listed again" depmod
	theirs ", $way undone"
done
dump_recordings
check 'the kernel log has no complaint' dmesg_is_clean
