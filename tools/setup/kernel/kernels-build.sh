# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154,SC2034
#
# Builds kernels from configuration fragments, with or without patches/linux.  Sourced by
# kernels, after kernels-debian.sh.

# Files that no debug kernel needs: most drivers and other machines.  Keep
# Documentation/arch, which the patches change.
undebugged=('*/drivers/gpu/*.[ch]' '*/drivers/media/*.[ch]' '*/drivers/infiniband/*.[ch]'
	'*/drivers/net/*/*.[ch]' '*/drivers/scsi/*/*.[ch]' '*/drivers/staging/*.[ch]' '*/sound/*.[ch]'
	'*/Documentation/[!a]*.rst' '*/Documentation/*.yaml' '*/arch/*/boot/dts/*.dts*' '*/tools/testing/*')

# What builds the kernel, as variables of its make.
toolchain=("CROSS_COMPILE=$cross" "CC=${cross}gcc-12")

prepare_debug_source() {
	local dir=$1 version=$2 source=$3
	unwanted=("${undebugged[@]}")
	unpack_source "$dir" "$version" "$source"
	touch "$dir/ready"
}

# unpack_once DIR TITLE FUNCTION...: like once, for a source that several kernels use.
unpack_once() {
	[ -e "$1/ready" ] || under_lock kernels-debug once "$@"
}

# A later fragment overrides earlier ones.  Options that end up disabled are left out.
compose_config() { # FRAGMENT...
	cat "$@" | awk -F'[ =]' '
		/^CONFIG_/ { name = $1 }
		/^# CONFIG_.* is not set$/ { name = $2 }
		name { line[name] = /^#/ ? "" : $0; name = "" }
		END { for (name in line) if (line[name] != "") print line[name] }' | sort
}

# Fails if an option of the fragment did not take effect: a debugging tool that is
# silently missing would find no bug.
check_config() { # CONFIG FRAGMENT
	local line missing=()
	while read -r line; do
		grep -qxF "$line" "$1" || missing+=("$line")
	done <"$2"
	[ ${#missing[@]} -eq 0 ] || die "the kernel's configuration lacks these lines of the fragments:" "${missing[@]}"
}

# apply_mails TREE PATCH...: applies the patches with git am, in a temporary repository of
# the files that they change.
apply_mails() {
	local tree=$1 file
	local git=(git -C "$tree" -c user.name=arm-spe -c user.email=arm-spe@localhost
		-c commit.gpgSign=false -c core.hooksPath=/dev/null)
	shift
	git init -q "$tree"
	sed -n 's|^--- a/||p' "$@" | sort -u | while read -r file; do "${git[@]}" add -f "$file"; done
	"${git[@]}" commit -q -m base
	"${git[@]}" am "$@"
	rm -rf "$tree/.git"
}

# apply_series TREE FOLDER...: the same for series of quilt.  Their patches have no author.
apply_series() {
	local tree=$1 folder file
	local git=(git -C "$tree" -c user.name=arm-spe -c user.email=arm-spe@localhost
		-c commit.gpgSign=false -c core.hooksPath=/dev/null)
	shift
	git init -q "$tree"
	# shellcheck disable=SC2046  # patterns
	sed -n 's|^--- a/||p' $(printf '%s/*.patch ' "$@") | sort -u | while read -r file; do "${git[@]}" add -f "$file"; done
	"${git[@]}" commit -q -m base
	for folder in "$@"; do
		"${git[@]}" quiltimport --author 'arm-spe <arm-spe@localhost>' --patches "$folder"
	done
	rm -rf "$tree/.git"
}

# prepare_patched_source DIR VERSION SOURCE HOW FILE...: HOW is apply_mails or apply_series.
prepare_patched_source() {
	local dir=$1 version=$2 source=$3
	unwanted=("${undebugged[@]}")
	unpack_source "$dir" "$version" "$source"
	"$4" "$dir/tree" "${@:5}"
	touch "$dir/ready"
}

prepare_debug() {
	local dir=$1 tree=$2 release fragments=("${@:3}")
	local make=(make -C "$tree" "O=$dir/build" ARCH=arm64 "${toolchain[@]}"
		KBUILD_BUILD_TIMESTAMP=@0 KBUILD_BUILD_USER=arm-spe KBUILD_BUILD_HOST=arm-spe -j "$SPE_JOBS")
	rm -rf "$dir"
	mkdir -p "$dir/build" "$dir/boot"
	compose_config "${fragments[@]}" >"$dir/fragment"
	"${make[@]}" "KCONFIG_ALLCONFIG=$dir/fragment" allnoconfig
	check_config "$dir/build/.config" "$dir/fragment"
	"${make[@]}" Image modules_prepare
	release=$(<"$dir/build/include/config/kernel.release")
	cp "$dir/build/arch/arm64/boot/Image" "$dir/boot/vmlinuz-$release"
	# This kernel has no modules, so modules can only use what vmlinux exports.
	mkdir -p "$dir/lib/modules/$release/kernel"
	[ -s "$dir/build/Module.symvers" ] || cp "$dir/build/vmlinux.symvers" "$dir/build/Module.symvers"
	# Building a module needs headers and scripts, and decoding a report needs
	# vmlinux.  Remove the rest.
	find "$dir/build" -path "$dir/build/scripts" -prune -o -path "$dir/build/tools" -prune -o \
		'(' -name '*.o' -o -name '*.a' -o -name '.*.cmd' -o -name '.tmp_*' ')' -type f -exec rm -f {} +
	touch "$dir/ready"
}

# setup_debug NAME FRAGMENT...: builds a kernel from the newest source.
setup_debug() {
	local name=$1 release version source dir tree fragments=("${@:2}")
	fragments=("${fragments[@]/#/$SPE_TOP/tools/setup/kernel/debug-kernel/}")
	fragments=("${fragments[@]/%/.config}")
	[ -s "$kernels/choice-newest" ] || choose_newest
	read -r release version source <"$kernels/choice-newest"
	tree=$kernels/debug-source-${version//:/_}-$debug_layout
	unpack_once "$tree" "unpacking $source ($version) for debug kernels" \
		prepare_debug_source "$tree" "$version" "$source"
	dir=$kernels/$name-${version//:/_}-$debug_layout-$(hash_of "${fragments[@]}")
	once "$dir" "building the $name kernel of $source ($version), 5 to 15 minutes" \
		prepare_debug "$dir" "$tree/tree" "${fragments[@]}"
	link "$name" "$dir/build"
	link "image-$name" "$dir"
	record_version "kernel-$name" "$(<"$dir/build/include/config/kernel.release")=$version"
}

# source_to_patch BASE: prints "VERSION SOURCE-PACKAGE" of the newest source, or of the
# 6.12 whose headers and image are in use.
source_to_patch() {
	local version source
	case $1 in
	newest)
		[ -s "$kernels/choice-newest" ] || choose_newest
		read -r _ version source <"$kernels/choice-newest"
		;;
	6.12)
		[ -s "$kernels/choice-6.12" ] || choose_headers 6.12 "$(kernel_field config 6.12)"
		read -r _ version _ <"$kernels/choice-6.12"
		source=linux-source-6.12
		;;
	esac
	echo "$version $source"
}

# setup_patched NAME BASE FRAGMENT...: builds a kernel from a source with the patches that
# patches/linux has for it.
setup_patched() {
	local version source patches
	read -r version source < <(source_to_patch "$2")
	patches=("$SPE_TOP/patches/linux/${source#linux-source-}"/*.patch)
	[ -e "${patches[0]}" ] || die "patches/linux has no patches for $source" \
		"it has patches for: $(cd "$SPE_TOP/patches/linux" && echo [0-9]*)"
	build_patched "$1" "$version" "$source" apply_mails "${#patches[@]}" "${patches[@]}" "${@:3}"
}

# hash_of_diffs PATH...: the cache key of patches: a change of their text builds nothing anew.
# shellcheck disable=SC2016  # an address of sed
hash_of_diffs() {
	find "$@" -name '*.patch' -print0 | LC_ALL=C sort -z | xargs -0r sed -sn '/^diff --git/,$p' | sha256sum | cut -c1-16
}

# build_patched NAME VERSION SOURCE HOW COUNT FILE... FRAGMENT...: leaves the tree in $tree.
build_patched() {
	local name=$1 version=$2 source=$3 how=$4 files=("${@:6:$5}") fragments=("${@:6+$5}") dir key
	fragments=("${fragments[@]/#/$SPE_TOP/tools/setup/kernel/debug-kernel/}")
	fragments=("${fragments[@]/%/.config}")
	key=$(hash_of_diffs "${files[@]}")
	tree=$kernels/exc-source-${version//:/_}-$debug_layout-$key
	unpack_once "$tree" "unpacking and patching $source ($version)" \
		prepare_patched_source "$tree" "$version" "$source" "$how" "${files[@]}"
	dir=$kernels/$name-${version//:/_}-$debug_layout-$key-$(hash_of "${fragments[@]}")
	once "$dir" "building the $name kernel of $source ($version), 5 to 15 minutes" \
		prepare_debug "$dir" "$tree/tree" "${fragments[@]}"
	link "$name" "$dir/build"
	link "image-$name" "$dir"
	record_version "kernel-$name" "$(<"$dir/build/include/config/kernel.release")=$version"
}

# build_own_driver DIR SOURCE KDIR: builds the SPE driver of a patched source as a module.
build_own_driver() {
	rm -rf "$1"
	mkdir -p "$1/src"
	cp "$2" "$1/src/arm_spe_pmu.c"
	echo 'obj-m := arm_spe_pmu.o' >"$1/src/Kbuild"
	make -C "$3" "M=$1/src" ARCH=arm64 "${toolchain[@]}" W=1 KCFLAGS=-Werror modules
	mv "$1/src/arm_spe_pmu.ko" "$1/"
	touch "$1/ready"
}

# setup_upstream NAME BASE FRAGMENT...: builds a kernel from a source with the series of
# patches/upstream, and its own SPE driver as a module.
setup_upstream() {
	local name=$1 version source tree own folders=("$SPE_TOP"/patches/upstream/*/)
	folders=("${folders[@]%/}")
	read -r version source < <(source_to_patch "$2")
	build_patched "$name" "$version" "$source" apply_series "${#folders[@]}" "${folders[@]}" "${@:3}"
	own=$kernels/intree-$name-${version//:/_}-$debug_layout-$(hash_of_diffs "${folders[@]}")-$(hash_of "$SPE_BUILD/kernels/$name/.config")
	once "$own" "building the SPE driver of $source with patches/upstream" \
		build_own_driver "$own" "$tree/tree/drivers/perf/arm_spe_pmu.c" "$SPE_BUILD/kernels/$name"
	link "intree-$name" "$own"
}
