#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091  # sourced from where the guest has it
#
# In a guest with Secure Boot and module.sig_enforce=1: the kernel loads the module that
# DKMS or make install has signed with a key in the firmware's db, and no other.  signed.ko
# (DKMS), installed.ko.xz (make install), late.ko.xz (signed after it was compressed), other.ko
# (signed with a key that is not in db) and unsigned.ko are the same module.

. /job/check-lib.sh

secure_boot_is_on() {
	dmesg | grep -iE 'secureboot: Secure boot enabled|Secure boot: enabled|UEFI Secure Boot is enabled'
}
db_is_trusted() { dmesg | grep -E "Loaded X.509 cert 'SnakeOil"; }
is_enforced() { grep Y /sys/module/module/parameters/sig_enforce; }

# EKEYREJECTED or ENOKEY, and nothing left behind.
is_refused() { # MODULE
	refuses insmod "/job/$1.ko" && refuses grep '^arm_spe_pmu ' /proc/modules
}

# As modprobe decompresses it; what stands behind the compressed data is lost.
decompress() { # MODULE
	xz -dc "/job/$1.ko.xz" >"/job/$1.ko"
	ls -l "/job/$1.ko"
	[ -s "/job/$1.ko" ]
}

loads() { # MODULE
	insmod "/job/$1.ko" && grep '^arm_spe_pmu ' /proc/modules &&
		ls -d /sys/bus/event_source/devices/arm_spe_0
}

not_tainted_by_signature() {
	dmesg | refuses grep -E 'arm_spe_pmu: module verification failed'
}

check 'firmware has enabled Secure Boot' secure_boot_is_on
check "the kernel trusts the firmware's db" db_is_trusted
check 'the kernel enforces signatures of modules' is_enforced
check 'the kernel refuses the module without a signature' is_refused unsigned
check 'the kernel refuses the module with a signature of an unknown key' is_refused other
check 'a module that was signed after it was compressed has no signature then' decompress late
check 'the kernel refuses it' is_refused late
check 'the module of make install is compressed' decompress installed
check 'the kernel loads it' loads installed
check 'the module goes again' rmmod arm_spe_pmu
check 'the kernel loads the module that DKMS signed' loads signed
check 'the kernel has verified its signature' not_tainted_by_signature
check 'perf records with it' perf record -q -N -c 2048 -e arm_spe// -o /out/secure.data -- /job/hot 300
check 'the recording has samples' test "$(wc -c </out/secure.data)" -gt 20000
