# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154  # its variables are those of tools/setup/qemu
#
# tools/setup/qemu --link-check: the patched files of QEMU are also part of builds without
# the model.  This script configures three such builds from the same source, links each,
# and runs the result:
#
#   user   qemu-aarch64 (linux-user): PSB CSYNC is a NOP there
#   arm    qemu-system-arm: the machine virt works, and the CPU has no spe=
#   kvm    qemu-system-aarch64 with KVM and --disable-tcg, for an arm64 host
#
# Object files stay in the cache, beside those of the model.  Sourced by tools/setup/qemu.
# Prints TAP lines and ends with N passed, N failed, N skipped.

links_passed=0 links_failed=0
links_common=(--without-default-features --without-default-devices --python=/usr/bin/python3
	--disable-docs --disable-tools --disable-install-blobs -Doptimization=0 -Ddebug=false)

# links_verdict STATUS NAME [LOG]
links_verdict() {
	if [ "$1" -eq 0 ]; then
		links_passed=$((links_passed + 1))
		echo "ok $((links_passed + links_failed)) - $2"
	else
		links_failed=$((links_failed + 1))
		echo "not ok $((links_passed + links_failed)) - $2"
		[ -z "${3-}" ] || tail -n 20 "$3" | sed 's/^/# /'
	fi
}

# links_build NAME TARGET CONFIGURE-ARGUMENTS...: builds in a folder of its own.
links_build() {
	local name=$1 target=$2 dir=$tree/build-$1 log=$SPE_CACHE/log/qemu-link-$1.log
	shift 2
	set -- "${links_common[@]}" "$@"
	mkdir -p "$dir"
	if [ "$(cat "$dir/.options" 2>/dev/null)" != "$*" ]; then
		(cd "$dir" && run_logged "configuring qemu $version ($name)" "$log" ../configure "$@") || return 1
		printf '%s' "$*" >"$dir/.options"
	fi
	(run_logged "linking $target ($name)" "$log" ninja -C "$dir" -j "$SPE_JOBS" "$target")
}

links_user() {
	local rc=0 dir=$tree/build-user
	links_build user qemu-aarch64 --target-list=aarch64-linux-user || rc=1
	links_verdict $rc "qemu-aarch64 (linux-user) links" "$SPE_CACHE/log/qemu-link-user.log"
	# Executes PSB CSYNC, then exit(42).
	printf '%s\n' '.globl _start' '_start: hint #17' 'mov x0, #42' 'mov x8, #93' 'svc #0' >"$dir/psb.s"
	"$ARM64_CC" -nostdlib -static -o "$dir/psb" "$dir/psb.s" || rc=1
	[ $rc -ne 0 ] || "$dir/qemu-aarch64" -cpu max "$dir/psb" || rc=$?
	links_verdict $((rc != 42)) "qemu-aarch64 executes PSB CSYNC as a NOP"
}

links_arm() {
	local rc=0 dir=$tree/build-arm log=$SPE_CACHE/log/qemu-link-arm.log
	echo CONFIG_ARM_VIRT=y >"$tree/configs/devices/arm-softmmu/link-check.mak"
	links_build arm qemu-system-arm --target-list=arm-softmmu --enable-tcg --enable-fdt=system \
		--with-devices-arm=link-check || rc=1
	links_verdict $rc "qemu-system-arm links" "$log"
	links_starts "$dir/qemu-system-arm" -cpu max || rc=1
	links_verdict $rc "qemu-system-arm makes the machine virt"
	! links_starts "$dir/qemu-system-arm" -cpu max,spe=on || rc=1
	links_verdict $rc "qemu-system-arm knows no property spe"
}

# links_starts QEMU ARGUMENTS...: starts the machine virt and quits.
links_starts() {
	echo '{"execute":"qmp_capabilities"}{"execute":"quit"}' |
		timeout 60 "$1" -M virt "${@:2}" -nodefaults -display none -S -qmp stdio >"$tree/links.txt" 2>&1
}

# Libraries of an arm64 system for a cross compiler, from the suite whose C library matches the cross compiler.
links_sysroot() {
	sysroot=$SPE_CACHE/userland/qemu-arm64
	[ ! -e "$sysroot/done" ] || return 0
	rm -rf "$sysroot"
	mkdir -p "$sysroot"
	apt_ready
	apt_list bookworm arm64 libglib2.0-dev libfdt-dev zlib1g-dev |
		apt_unpack "$sysroot" arm64 && touch "$sysroot/done"
}

links_kvm() {
	local rc=0 lib dir=$tree/build-kvm cross=() start=()
	echo CONFIG_ARM_VIRT=y >"$tree/configs/devices/aarch64-softmmu/link-check.mak"
	if [ "$SPE_ARCH" != arm64 ]; then
		links_sysroot || rc=1
		lib=$sysroot/usr/lib/aarch64-linux-gnu
		export PKG_CONFIG=pkg-config PKG_CONFIG_SYSROOT_DIR=$sysroot
		export PKG_CONFIG_LIBDIR=$lib/pkgconfig:$sysroot/usr/share/pkgconfig
		cross=(--cpu=aarch64 "--cross-prefix=$ARM64_PREFIX" "--cc=$ARM64_CC"
			"--extra-cflags=--sysroot=$sysroot"
			"--extra-ldflags=--sysroot=$sysroot -Wl,-rpath-link,$lib")
		start=("$tree/build-user/qemu-aarch64" "$lib/ld-linux-aarch64.so.1" --library-path "$lib")
	fi
	links_build kvm qemu-system-aarch64 --target-list=aarch64-softmmu --disable-tcg --enable-kvm \
		--enable-fdt=system --with-devices-aarch64=link-check "${cross[@]}" || rc=1
	unset PKG_CONFIG PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR
	links_verdict $rc "qemu-system-aarch64 --disable-tcg links" "$SPE_CACHE/log/qemu-link-kvm.log"
	[ $rc -ne 0 ] || grep -q '^virt ' <<<"$("${start[@]}" "$dir/qemu-system-aarch64" -M help)" || rc=1
	links_verdict $rc "qemu-system-aarch64 --disable-tcg has the machine virt"
}

link_check() {
	unpack
	sync_tree
	export PYTHONPATH=$top/meson/usr/lib/python3/dist-packages
	links_user
	links_arm
	links_kvm
	echo "1..$((links_passed + links_failed))"
	echo "$links_passed passed, $links_failed failed, 0 skipped"
	[ "$links_failed" -eq 0 ]
}
