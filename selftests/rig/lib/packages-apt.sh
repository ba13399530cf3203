# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# The part "apt" of check-packages, which has check(), boot(), judge(), $work, $deb, $version
# and $native.

# A repository as apt reads it from a folder: the arm64 packages, and those for all.
make_repository() {
	local at=$work/repository name
	rm -rf "$at"
	mkdir -p "$at"
	cp "$deb/arm-spe-dkms_${version}_all.deb" "$at/" || return
	for name in perf-spe perf-spe-agent libarmspe1 libarmspe-dev; do
		cp "$deb/${name}_${version}_arm64.deb" "$at/" || return
	done
	(cd "$at" && apt-ftparchive packages . >Packages && apt-ftparchive release . >Release &&
		tar -c -f "$work/repository.tar" --owner=0 --group=0 .)
}

# The modules of the kernel's package that modprobe chooses from, and what depmod reads.
pack_modules() { # KERNEL
	local from release
	release=$(sed -n 's/^#define UTS_RELEASE "\(.*\)"/\1/p' "$SPE_BUILD/kernels/$1/include/generated/utsrelease.h")
	for from in "$SPE_BUILD/kernels/image-$1"/{usr/,}lib/modules/"$release"; do
		[ -d "$from/kernel" ] && break
	done
	rm -rf "$work/modules"
	mkdir -p "$work/modules/$release/kernel/drivers/perf"
	cp "$from"/kernel/drivers/perf/arm_spe_pmu.ko* "$work/modules/$release/kernel/drivers/perf/" &&
		cp "$from"/modules.{order,builtin,builtin.modinfo} "$work/modules/$release/" &&
		tar -c -C "$work" -f "$work/kernel.tar" --owner=0 --group=0 --transform 's,^,lib/,' "modules/$release"
}

check_apt() {
	local kernel=6.1 userland
	check 'the package of the module builds' "$SPE_TOP/tools/setup/package/deb" --module
	if [ "$native" = arm64 ]; then
		check 'the packages build' "$SPE_TOP/tools/setup/package/deb"
	else
		check 'the packages for arm64 build' "$SPE_TOP/tools/setup/package/deb" --cross
	fi
	check 'apt-ftparchive makes a repository of them' make_repository
	check 'the kernel package has a driver of its own' pack_modules "$kernel"
	echo "ARM_SPE_VERSION=$version" >"$work/environment"
	userland=$("$SPE_TOP/tools/setup/root/apt-root" "$work"/repository/*.deb)
	# The root and the compiler's files are in memory.
	check 'the guest of apt passes' boot apt apt --kernel "$kernel" --memory 4096 --smp 2 \
		--userland "$userland" --add "$work/environment" --add "$work/kernel.tar" \
		--add "$work/repository.tar"
	judge apt
}
