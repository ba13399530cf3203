# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# The parts of check-packages, which has check(), boot(), judge(), $work and $version.

deb=$SPE_BUILD/deb

# A repository of three commits: before the release 1.1.0, that release, and a minute later.
make_history() {
	local at=$work/history seconds=1700000000
	rm -rf "$at"
	mkdir -p "$at"
	cd "$at" && git init -q || return
	for seconds in 1700000000 1700000060 1700000120; do
		[ "$seconds" = 1700000000 ] && echo 1.0.0 >VERSION || echo 1.1.0 >VERSION
		git add VERSION && GIT_COMMITTER_DATE="$seconds +0200" git -c user.name=test -c user.email=test@test.invalid \
			commit -q --allow-empty -m "$seconds" || return
		[ "$seconds" != 1700000060 ] || git -c tag.gpgSign=false tag v1.1.0 || return
		(. "$SPE_TOP/tools/setup/package/packing.sh" && packed_version)
	done
}

# For apt and DKMS, and for dnf, each version must be newer than the one before.
versions_rise() {
	local last='' next
	(make_history) >"$work/versions" || return
	echo 1.1.1 >>"$work/versions"
	diff - "$work/versions" <<-'EOV' || return
		1.0.0+git20231114221320
		1.1.0
		1.1.0+git20231114221520
		1.1.1
	EOV
	for next in 1.0.0 $(<"$work/versions"); do
		[ -z "$last" ] || dpkg --compare-versions "$last" lt "$next" || return
		[ -z "$last" ] || [ "$(rpm --eval "%{lua:print(rpm.vercmp('$last', '$next'))}")" = -1 ] || return
		last=$next
	done
}

lintian_is_silent() { # PACKAGE...
	local log=$work/lintian.txt rc=0
	lintian --allow-root --fail-on error,warning,info,pedantic "$@" >"$log" 2>&1 || rc=$?
	cat "$log"
	return "$rc"
}

field() { dpkg-deb -f "$1" "$2"; }

# What apt needs to know: which architectures fit together, and what a package needs.
has_fields() { # ARCHITECTURE
	local at=$deb name
	for name in perf-spe perf-spe-agent libarmspe1 libarmspe-dev; do
		[ "$(field "$at/${name}_${version}_$1.deb" Architecture)" = "$1" ] || return
	done
	[ "$(field "$at/perf-spe_${version}_$1.deb" Multi-Arch)" = foreign ] &&
		[ "$(field "$at/libarmspe1_${version}_$1.deb" Multi-Arch)" = same ] &&
		[ "$(field "$at/libarmspe-dev_${version}_$1.deb" Multi-Arch)" = same ] &&
		[[ $(field "$at/perf-spe_${version}_$1.deb" Depends) =~ libc6.*libdw1.*libelf1.*libsqlite3-0 ]] &&
		[[ $(field "$at/libarmspe-dev_${version}_$1.deb" Depends) == *"libarmspe1 (= $version)"* ]]
}

# Packages with Multi-Arch: same can be installed for two architectures at once, so the
# files that both have must be equal.
same_files_on_both() {
	local name file
	for name in libarmspe1 libarmspe-dev; do
		rm -rf "$work/both"
		mkdir -p "$work/both/amd64" "$work/both/arm64"
		dpkg-deb -x "$deb/${name}_${version}_amd64.deb" "$work/both/amd64"
		dpkg-deb -x "$deb/${name}_${version}_arm64.deb" "$work/both/arm64"
		while read -r file; do
			[ ! -e "$work/both/arm64/$file" ] || cmp "$work/both/amd64/$file" "$work/both/arm64/$file" || return
		done < <(cd "$work/both/amd64" && find . -type f)
	done
}

# The manual pages of a cross build are made by a perf-spe of this machine.
same_manuals_on_both() {
	local arch
	for arch in amd64 arm64; do
		rm -rf "$work/man-$arch"
		dpkg-deb -x "$deb/perf-spe_${version}_$arch.deb" "$work/man-$arch"
	done
	[ "$(find "$work/man-arm64/usr/share/man" -type f | wc -l)" -ge 12 ] &&
		diff -r "$work/man-amd64/usr/share/man" "$work/man-arm64/usr/share/man"
}

check_debian() {
	local build=("$SPE_TOP/tools/setup/package/deb")
	check 'the versions of packages rise with each commit, for apt and for dnf' versions_rise
	check 'make deb builds the source package and the packages for this machine' "${build[@]}"
	check 'lintian finds nothing in the source and in them' lintian_is_silent "$deb/arm-spe_${version}_$native.changes"
	check "the packages' fields say what apt needs" has_fields "$native"
	[ "$native" = amd64 ] || return 0
	check 'make deb builds the packages for arm64' "${build[@]}" --cross
	check 'lintian finds nothing in those for arm64' lintian_is_silent "$deb/arm-spe_${version}_arm64.changes"
	check "the fields of those for arm64 say what apt needs" has_fields arm64
	check 'libraries of both architectures can be installed together' same_files_on_both
	check 'the manuals are the same on both architectures' same_manuals_on_both
}

# Another folder, a later time, another time zone, locale and umask.
build_again() { # TO COMMAND...
	local to=$1
	shift
	rm -rf "$to"
	(umask 077 && TZ=Pacific/Kiritimati LC_ALL=C "$@" "$to")
}

# .buildinfo and .changes name the folder and the time of a build.
same_bytes() { # FIRST SECOND PATTERN
	local file count=0
	while read -r file; do
		count=$((count + 1))
		cmp "$1/$file" "$2/$file" || return
		sha256sum "$1/$file"
	done < <(cd "$1" && find . -type f -name "$3" ! -name '*.buildinfo' ! -name '*.changes')
	[ "$count" -ge 1 ]
}

check_reproducible() {
	local to=$work/built/again
	check 'the packages are built again' build_again "$to" "$SPE_TOP/tools/setup/package/deb" --out
	check 'source and packages have the same bytes' same_bytes "$to" "$deb" '*'
	[ "$native" = amd64 ] || return 0
	to=$work/built/cross
	check 'the packages for arm64 are built again' build_again "$to" "$SPE_TOP/tools/setup/package/deb" --cross --out
	check 'those for arm64 have the same bytes' same_bytes "$to" "$deb" '*_arm64.deb'
}

# DKMS, with the key of the firmware's certificate, for the guest's kernel.
dkms_signs() { # KERNEL
	local kdir=$SPE_BUILD/kernels/$1 tree=$work/secure release
	release=$(sed -n 's/^#define UTS_RELEASE "\(.*\)"/\1/p' "$kdir/include/generated/utsrelease.h")
	rm -rf "$tree"
	mkdir -p "$tree/bin" "$tree/var" "$tree/keys"
	printf '#!/bin/sh\nexec aarch64-linux-gnu-gcc-12 "$@"\n' >"$tree/bin/aarch64-linux-gnu-gcc"
	# DKMS strips with the machine's strip.
	printf '#!/bin/sh\nexec aarch64-linux-gnu-strip "$@"\n' >"$tree/bin/strip"
	chmod +x "$tree/bin"/*
	snakeoil_key "$keys" "$tree/keys/mok.key"
	dpkg-deb -x "$deb/arm-spe-dkms_${version}_all.deb" "$tree" || return
	env -u MAKEFLAGS -u MFLAGS "PATH=$tree/bin:$PATH" ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- \
		DEBIAN_KERNEL_NO_CC_VERSION_CHECK=y "sign_file=$kdir/scripts/sign-file" \
		"mok_signing_key=$tree/keys/mok.key" "mok_certificate=$keys/PkKek-1-snakeoil.pem" \
		dkms build -m arm-spe -v "$version" --sourcetree "$tree/usr/src" --dkmstree "$tree/var" \
		--installtree "$tree/lib/modules" -k "$release" -a aarch64 --kernelsourcedir "$kdir" || return
	find "$tree/var" -name 'arm_spe_pmu.ko*' -path '*/module/*' | tee "$tree/built"
	case $(<"$tree/built") in
	*.xz) xz -dc "$(<"$tree/built")" >"$tree/signed.ko" ;;
	*.ko) cp "$(<"$tree/built")" "$tree/signed.ko" ;;
	*) return 1 ;;
	esac
	modinfo "$tree/signed.ko"
	[ "$(modinfo -F signer "$tree/signed.ko")" = 'SnakeOil Test Key for EFI Secure Boot' ]
}

# Makes unsigned.ko, and other.ko, which is signed with a key that is not in db.
make_others() { # KERNEL
	local tree=$work/secure
	cp "$tree/signed.ko" "$tree/unsigned.ko"
	aarch64-linux-gnu-strip -g "$tree/unsigned.ko"
	[ -z "$(modinfo -F signer "$tree/unsigned.ko")" ] || return
	cp "$tree/unsigned.ko" "$tree/other.ko"
	openssl req -new -x509 -nodes -days 2 -subj /CN=other -newkey rsa:2048 \
		-keyout "$tree/keys/other.key" -out "$tree/keys/other.pem" &&
		"$SPE_BUILD/kernels/$1/scripts/sign-file" sha256 "$tree/keys/other.key" "$tree/keys/other.pem" "$tree/other.ko" &&
		[ "$(modinfo -F signer "$tree/other.ko")" = other ]
}

# What make install leaves with the same key: installed.ko.xz.  In late.ko.xz, the signature was
# put behind the compressed module.
install_signs() { # KERNEL
	local tree=$work/secure kdir=$SPE_BUILD/kernels/$1
	rm -rf "$tree/to"
	SIGN_KEY=$tree/keys/mok.key SIGN_CERT=$keys/PkKek-1-snakeoil.pem \
		"$SPE_TOP/tools/setup/kernel/install-module" "$kdir" "$tree/to" &&
		cp "$tree"/to/lib/modules/*/updates/arm_spe_pmu.ko.xz "$tree/installed.ko.xz" &&
		modinfo "$tree/installed.ko.xz" &&
		xz -c --check=crc32 "$tree/unsigned.ko" >"$tree/late.ko.xz" &&
		"$kdir/scripts/sign-file" sha256 "$tree/keys/mok.key" "$keys/PkKek-1-snakeoil.pem" "$tree/late.ko.xz"
}

check_secure_boot() {
	local kernel=6.12 keys=$SPE_CACHE/firmware/usr/share/qemu-efi-aarch64
	# shellcheck source=selftests/rig/lib/secure-boot.sh
	. "$rig/lib/secure-boot.sh"
	"$SPE_TOP/tools/setup/firmware" >/dev/null
	# A package of an earlier build may hold another module.
	check 'the package of the module builds' "$SPE_TOP/tools/setup/package/deb" --module
	check 'DKMS signs the module with the configured key' dkms_signs "$kernel"
	check 'the same module without a signature, and with that of another key' make_others "$kernel"
	check 'make install signs the module with the same key' install_signs "$kernel"
	check 'the guest with Secure Boot passes' boot secure-boot secure-boot --kernel "$kernel" \
		--secure-boot --append module.sig_enforce=1 --add "$work/secure/signed.ko" \
		--add "$work/secure/other.ko" --add "$work/secure/unsigned.ko" \
		--add "$work/secure/installed.ko.xz" --add "$work/secure/late.ko.xz"
	judge secure-boot
}

# unpack_rpm RPM TO
unpack_rpm() { mkdir -p "$2" && rpm2cpio "$1" | (cd "$2" && cpio -idm --quiet); }

# The folders of libraries differ, manuals are compressed by each format in its own way,
# and each format has its own files for licences and changes.
mapped() { # FOLDER LIBDIR
	(cd "$1" && find . ! -type d | sed -e "s,^\./usr/$2/,./LIB/," \
		-e 's,/zsh/vendor-completions/,/zsh/site-functions/,' -e 's,\(/man/.*\)\.gz$,\1,' |
		grep -vE '^\./usr/share/(doc|licenses|lintian)/' | LC_ALL=C sort)
}

# pair DEB RPM: unpacks both.
pair() {
	local arch=$native
	[ "$1" != arm-spe-dkms ] || arch=all
	rm -rf "$work/pair"
	mkdir -p "$work/pair/deb"
	dpkg-deb -x "$deb/$1_${version}_$arch.deb" "$work/pair/deb" &&
		unpack_rpm "$(find "$SPE_BUILD/rpm/RPMS" -name "$2-$version-*.rpm")" "$work/pair/rpm"
}

same_lists() { # DEB RPM
	pair "$1" "$2" || return
	mapped "$work/pair/rpm" lib64 | tee "$work/pair/list"
	[ -s "$work/pair/list" ] &&
		diff <(mapped "$work/pair/deb" "lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)") "$work/pair/list"
}

# Sources, headers and manuals are the same, byte for byte.
same_texts() { # DEB RPM
	local file count=0
	pair "$1" "$2" || return
	find "$work/pair" -name '*.gz' -exec gunzip -f {} +
	while read -r file; do
		[ -e "$work/pair/deb/$file" ] || continue
		cmp "$work/pair/deb/$file" "$work/pair/rpm/$file" || return
		count=$((count + 1))
	done < <(cd "$work/pair/rpm" && find usr/share/man usr/share/bash-completion usr/include usr/src -type f 2>/dev/null)
	echo "$count files"
	[ "$count" -ge 3 ]
}

# The package's script on a machine with four kernels: one has headers, one none, one headers for
# which DKMS fails, and of one only an empty folder is left.
rpm_builds_for_all_kernels() {
	local at=$work/kernels name
	rm -rf "$at"
	for name in one two+64k three; do mkdir -p "$at/$name/kernel"; done
	for name in one three; do mkdir -p "$at/$name/build" && touch "$at/$name/build/Makefile"; done
	mkdir -p "$at/gone" "$work/bin"
	# shellcheck disable=SC2016  # the stub expands it
	printf '#!/bin/sh\necho "$*" >>"%s/dkms.log"\ncase "$*" in *three*) exit 9 ;; esac\n' "$at" >"$work/bin/dkms"
	chmod +x "$work/bin/dkms"
	rpm -qp --qf '%{POSTIN}' "$SPE_BUILD/rpm/RPMS/noarch/arm-spe-dkms-$version"-*.rpm |
		sed "s,/lib/modules,$at,g" >"$at/post.sh"
	PATH=$work/bin:$PATH sh "$at/post.sh" 2>"$at/errors" || return
	cat "$at/dkms.log" "$at/errors"
	diff - "$at/dkms.log" <<-EOL &&
		add -m arm-spe -v $version --rpm_safe_upgrade
		install -m arm-spe -v $version -k one
		install -m arm-spe -v $version -k three
	EOL
		grep "no module for the kernel two+64k, .* dnf install 'kernel-devel-uname-r = two+64k'" "$at/errors" &&
		grep 'no module for the kernel three: DKMS' "$at/errors" &&
		[ "$(wc -l <"$at/errors")" -eq 2 ]
}

rpm_needs() { # REQUIREMENT...
	local text file
	file=$(echo "$SPE_BUILD/rpm/RPMS/noarch/arm-spe-dkms-$version"-*.rpm)
	rpm -qp --requires "$file" >"$work/requires"
	cat "$work/requires"
	for text; do grep -xF -- "$text" "$work/requires" || return; done
	! grep -x 'kernel-devel' "$work/requires"
}

check_rpm() {
	local name
	[ -e "$deb/perf-spe_${version}_$native.deb" ] || "$SPE_TOP/tools/setup/package/deb" >/dev/null
	check 'make rpm builds the source package and the packages' "$SPE_TOP/tools/setup/package/rpm"
	for name in arm-spe-dkms:arm-spe-dkms perf-spe:perf-spe perf-spe-agent:perf-spe-agent libarmspe1:libarmspe libarmspe-dev:libarmspe-devel; do
		check "${name#*:}: the RPM has the files of the Debian package" same_lists "${name%:*}" "${name#*:}"
	done
	for name in arm-spe-dkms:arm-spe-dkms perf-spe:perf-spe libarmspe-dev:libarmspe-devel; do
		check "${name#*:}: sources, headers and manuals have the same text" same_texts "${name%:*}" "${name#*:}"
	done
	check 'the RPM of the module needs DKMS, and the headers of those kernels that are installed' rpm_needs dkms \
		'(kernel-devel if kernel-core)' '(kernel-64k-devel if kernel-64k-core)'
	check 'its script builds for each kernel, and names those without a module' rpm_builds_for_all_kernels
}

boots_beside() {
	dpkg-deb -x "$qemu" "$work/qemu" &&
		[[ $(field "$qemu" Built-Using) == 'qemu (= '* ]] &&
		[ ! -e "$work/qemu/usr/bin/qemu-system-aarch64" ] && [ ! -e "$work/qemu/usr/share/qemu" ] &&
		boot qemu qemu --kernel 6.12 --qemu "$work/qemu/usr/bin/qemu-system-aarch64-spe" \
			--add "$SPE_BUILD/modules/6.12/arm_spe_pmu.ko"
}

# The programs of the package for arm64 and its libraries, by qemu-user.
qemu_for_arm64_models() {
	local root
	root=$("$SPE_TOP/tools/setup/root/deb-sysroot" qemu)/root
	rm -rf "$work/qemu-arm64"
	dpkg-deb -x "$deb/qemu-system-arm-spe_${version}_arm64.deb" "$work/qemu-arm64" || return
	printf '#!/bin/sh\nexec qemu-aarch64-static -L "%s" "%s" "$@"\n' "$root" \
		"$work/qemu-arm64/usr/bin/qemu-system-aarch64-spe" >"$work/qemu-arm64/run"
	chmod +x "$work/qemu-arm64/run"
	"$work/qemu-arm64/run" --version &&
		QEMU=$work/qemu-arm64/run "$SPE_TOP/tools/qemu-spe/tests/run" filter
}

check_qemu() {
	local qemu to=$work/qemu-built/again arch
	rm -rf "$work/qemu"
	check 'make deb builds qemu-system-arm-spe' "$SPE_TOP/tools/setup/package/deb-qemu"
	qemu=$deb/qemu-system-arm-spe_${version}_$native.deb
	check 'lintian finds nothing in qemu-system-arm-spe' lintian_is_silent "$qemu"
	check "a guest records on the package's QEMU" boots_beside
	judge qemu
	check 'qemu-system-arm-spe is packed again' build_again "$to" "$SPE_TOP/tools/setup/package/deb-qemu" --out
	check 'qemu-system-arm-spe has the same bytes' cmp "$to/${qemu##*/}" "$qemu"
	check 'make rpm packs QEMU too' "$SPE_TOP/tools/setup/package/rpm" --qemu
	check 'qemu-system-arm-spe: the RPM has the files of the Debian package' \
		same_lists qemu-system-arm-spe qemu-system-arm-spe
	[ "$native" = amd64 ] || return 0
	"$SPE_TOP/tools/setup/host" --root
	check 'make deb builds qemu-system-arm-spe for arm64' "$SPE_TOP/tools/setup/package/deb-qemu" --cross
	arch=$(field "$deb/qemu-system-arm-spe_${version}_arm64.deb" Architecture)
	check 'its architecture is arm64' [ "$arch" = arm64 ]
	check 'lintian finds nothing in it' lintian_is_silent "$deb/qemu-system-arm-spe_${version}_arm64.deb"
	check 'its program passes a test of the model under qemu-user' qemu_for_arm64_models
}
