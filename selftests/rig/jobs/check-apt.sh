#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC1091,SC3043  # sourced from where the guest has them; busybox sh has local
#
# On a Debian 12 server: apt installs the project's packages from a repository, DKMS builds
# the module, perf-spe records and reports; then apt takes everything away.  The host made
# the archives: kernel.tar has the kernel package's modules, repository.tar the packages.

. /job/environment
. /job/check-lib.sh

# sbin first: busybox has programs of the same names in bin.
PATH=/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin:/job
export PATH DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes
packages='arm-spe-dkms perf-spe perf-spe-agent libarmspe1 libarmspe-dev'
modules=/lib/modules/$(uname -r)

# On a server udev makes it; DKMS reads from it.
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd

unpack_kernel() { tar -x -C / -f /job/kernel.tar && depmod; }

add_repository() {
	mkdir -p /repository && tar -x -C /repository -f /job/repository.tar &&
		echo 'deb [trusted=yes] file:/repository ./' >/etc/apt/sources.list
}

# The repository must be where the packages come from.
offers() {
	local name
	for name in $packages; do
		apt-cache policy "$name" | grep "Candidate: $ARM_SPE_VERSION" || return
	done
}

# shellcheck disable=SC2086  # a list
install_all() { apt-get install -y --no-install-recommends $packages; }
# shellcheck disable=SC2086
purge_all() { apt-get purge -y $packages; }

installed() {
	local name
	for name in $packages; do
		dpkg-query -W -f '${Status} ${Version}\n' "$name" | grep -x "install ok installed $ARM_SPE_VERSION" || return
	done
}

gone() {
	local name
	for name in $packages; do
		if dpkg-query -W "$name"; then return 1; fi
	done
	! find / -xdev '(' -name 'perf-spe*' -o -name 'libarmspe*' -o -name 'arm-spe-*' ')' \
		-not -path '/repository/*' -not -path '/job/*' -not -path '/proc/*' -not -path '/out/*' | grep .
}

loads() { # FILE-PATTERN
	modprobe arm_spe_pmu || return
	modinfo -n arm_spe_pmu | grep -E "^(/usr)?$modules/$1"
}

ours() { loads 'updates/dkms/arm_spe_pmu\.ko' && [ "$(cat /sys/module/arm_spe_pmu/version)" = "$ARM_SPE_VERSION" ]; }
theirs() { loads 'kernel/drivers/perf/arm_spe_pmu\.ko' && refuses ls /sys/module/arm_spe_pmu/version; }

doctor_is_content() { perf spe doctor >/out/doctor.txt 2>&1 && grep '^Next: perf spe record' /out/doctor.txt; }
names_the_program() { perf spe report -i /tmp/apt.data >/out/report.txt && grep -w hot /out/report.txt; }
links() { # the library, as its users would
	printf '%s\n' '#include <armspe.h>' '#include <stdio.h>' \
		'int main(void) { return printf("%zu\n", armspe_decoder_size()) < 0; }' >/tmp/use.c &&
		gcc -o /tmp/use /tmp/use.c -larmspe && [ "$(/tmp/use)" -gt 0 ]
}

check 'the kernel has its own modules' unpack_kernel
check "modprobe loads the kernel's own driver" theirs
check 'the driver unloads' modprobe -r arm_spe_pmu
check 'the repository is added' add_repository
check 'apt reads it' apt-get update
check 'apt offers the packages' offers
check 'apt installs the packages, and DKMS builds the module' install_all
check 'dpkg lists them as installed' installed
check 'nothing is left to configure' [ -z "$(dpkg --audit)" ]
check "modprobe loads the module of the package, not the kernel's own" ours
check 'perf spe doctor finds that the machine can record' doctor_is_content
check 'perf spe record records' perf spe record -o /tmp/apt.data -- /job/hot 300
check 'perf spe report names the program' names_the_program
check 'a program builds with libarmspe-dev, and runs' links
check 'the manual is there' ls /usr/share/man/man1/perf-spe.1.gz
check 'the module unloads' modprobe -r arm_spe_pmu
check 'apt removes the packages' purge_all
check 'no file of them is left' gone
check "modprobe loads the kernel's own driver again" theirs
check 'the driver unloads again' modprobe -r arm_spe_pmu
check 'the kernel log has no complaint' dmesg_is_clean
cp /var/lib/dkms/arm-spe/*/*/*/log/make.log /out/ 2>/dev/null || true
