# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# Kernels from Debian's packages: chooses the version, fetches it and prepares its folder.
# Sourced by kernels.

# version_of PACKAGE[:ARCH]: prints the newest version that the suites offer.
version_of() {
	spe_apt_cache madison "$1" | awk -F' *[|] *' '/Packages$/ { print $2; exit }'
}

# names_of PATTERN: prints package names, the newest version first.
names_of() {
	spe_apt_cache pkgnames linux- | grep -Ex "$1" | sort -rV
}

# image_of RELEASE VERSION: prints the image's package, signed or not, of exactly that
# version.  In the archive new headers appear before their signed image.
image_of() {
	local name
	for name in "linux-image-$1" "linux-image-$1-unsigned"; do
		[ "$(version_of "$name:arm64")" = "$2" ] || continue
		echo "$name"
		return
	done
	return 1
}

# choose_headers NAME PATTERN: chooses the newest headers that have an image of the same
# version, and writes "RELEASE VERSION IMAGE-PACKAGE KBUILD-PACKAGE" to the choice.
choose_headers() {
	local name=$1 headers release version image kbuild
	apt_ready
	while read -r headers; do
		release=${headers#linux-headers-}
		version=$(version_of "$headers:arm64")
		image=$(image_of "$release" "$version") || {
			say "the archive has no kernel image of $release $version yet; trying an older version"
			continue
		}
		kbuild=$(spe_apt_cache show "$headers:arm64=$version" |
			sed -n '/^Depends:/s/.*\(linux-kbuild-[^ ,]*\).*/\1/p')
		echo "$release $version $image $kbuild" >"$kernels/choice-$name.new"
		mv "$kernels/choice-$name.new" "$kernels/choice-$name"
		return
	done < <(names_of "$2")
	die "found no arm64 kernel headers for $name with an image of the same version" \
		"looked for packages named $2"
}

# choose_newest: chooses the newest source package that has arm64 headers of the same
# version, whose configuration the build uses, and writes "RELEASE VERSION
# SOURCE-PACKAGE".
choose_newest() {
	local source version release
	apt_ready
	while read -r source; do
		version=$(version_of "$source")
		release=$(names_of "linux-headers-${source#linux-source-}[^-]*-arm64" | while read -r name; do
			[ "$(version_of "$name:arm64")" = "$version" ] || continue
			echo "${name#linux-headers-}"
			break
		done)
		if [ -z "$release" ]; then
			say "the archive has no arm64 headers of $source $version yet; trying an older version"
			continue
		fi
		echo "$release $version $source" >"$kernels/choice-newest.new"
		mv "$kernels/choice-newest.new" "$kernels/choice-newest"
		return
	done < <(names_of 'linux-source-[0-9.]+')
	die "found no kernel source package with arm64 headers of the same version"
}

# fetch_deb PACKAGE ARCH VERSION: fetches the package and prints its path.
fetch_deb() {
	local file
	file=$debs/${1}_${3//:/%3a}_$2.deb
	if [ ! -e "$file" ]; then
		apt_ready
		mkdir -p "$debs/partial"
		local name=$1
		[ "$2" = all ] || name=$1:$2
		(cd "$debs/partial" && spe_apt_get download "$name=$3" >&2) || {
			rm -rf "$debs/partial"
			die "cannot fetch $name $3" \
				"if the archive has dropped that version, remove $kernels/choice-* and run again"
		}
		mv "$debs/partial"/*.deb "$file"
		rmdir "$debs/partial"
	fi
	echo "$file"
}

prepare_headers() {
	local dir=$1 release=$2 version=$3 kbuild=$4 headers common kdir deb
	headers=$(fetch_deb "linux-headers-$release" arm64 "$version")
	# Flavours share a package of headers: 16k and cloud have -common, rt has -common-rt.
	common=$(dpkg-deb -f "$headers" Depends | grep -oE 'linux-headers-[^ ,]*-common[^ ,]*') ||
		die "linux-headers-$release depends on no package of common headers" \
			"see: dpkg-deb -f $headers Depends"
	rm -rf "$dir"
	mkdir -p "$dir"
	for deb in "$headers" \
		"$(fetch_deb "$common" all "$version")" \
		"$(fetch_deb "$kbuild" "$SPE_ARCH" "$version")"; do
		echo "unpacking $deb"
		dpkg-deb -x "$deb" "$dir"
	done
	kdir=$dir/usr/src/linux-headers-$release
	# The headers' makefile expects them in /usr/src.
	sed -i "s|/usr/src/|$dir/usr/src/|" "$kdir/Makefile"
	ln -s "usr/src/linux-headers-$release" "$dir/kdir"
	touch "$dir/ready"
}

prepare_image() {
	local dir=$1 release=$2 version=$3 image=$4 deb
	deb=$(fetch_deb "$image" arm64 "$version")
	rm -rf "$dir"
	mkdir -p "$dir"
	echo "unpacking $deb"
	dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$dir" --no-same-owner
	[ -n "$(find "$dir" -name 'vmlinuz-*' -print -quit)" ] || die "$deb holds no kernel image"
	touch "$dir/ready"
}

# Most of the source tree, which neither modules nor checks need.
unwanted=('*/drivers/*.c' '*/sound/*.c' '*/fs/*.c' '*/net/*.c' '*/drivers/gpu/drm/*/include/*'
	'*/Documentation/*.rst' '*/Documentation/*.yaml' '*/arch/*/boot/dts/*')

unpack_source() {
	local dir=$1 version=$2 source=$3 deb pattern options=()
	deb=$(fetch_deb "$source" all "$version")
	for pattern in "${unwanted[@]}"; do options+=("--exclude=$pattern"); done
	rm -rf "$dir"
	mkdir -p "$dir/tree"
	dpkg-deb --fsys-tarfile "$deb" | tar -xO "./usr/src/$source.tar.xz" |
		xz -dc -T0 | tar -x -C "$dir/tree" --strip-components=1 --no-same-owner "${options[@]}"
}

prepare_newest() {
	local dir=$1 release=$2 version=$3 source=$4 headers tree=$1/tree
	local make=(make -C "$tree" ARCH=arm64 "CROSS_COMPILE=$cross" "CC=${cross}gcc-12" -j "$SPE_JOBS")
	unpack_source "$dir" "$version" "$source"
	headers=$(fetch_deb "linux-headers-$release" arm64 "$version")
	dpkg-deb -x "$headers" "$dir/headers"
	cp "$dir/headers/usr/src/linux-headers-$release"/{.config,Module.symvers} "$tree/"
	rm -rf "$dir/headers"
	# A module needs neither signing keys nor Rust nor GCC plugins.  Keep BTF on,
	# though none is built: without it struct module has another layout, and Debian's
	# kernel of that version could not load the module.
	"$tree/scripts/config" --file "$tree/.config" -d MODULE_SIG -d RUST -d GCC_PLUGINS --set-str SYSTEM_TRUSTED_KEYS "" \
		--set-str LOCALVERSION "${release#"${version%%-*}"}" -d LOCALVERSION_AUTO
	"${make[@]}" olddefconfig
	"${make[@]}" modules_prepare
	ln -s tree "$dir/kdir"
	touch "$dir/ready"
}

# The newest packages have the kernel and its modules in separate packages.
prepare_newest_image() {
	local dir=$1 release=$2 version=$3 kind binary='' deb image
	apt_ready
	for kind in binary binary-unsigned; do
		[ "$(version_of "linux-$kind-$release:arm64")" = "$version" ] || continue
		binary=linux-$kind-$release
		break
	done
	[ -n "$binary" ] || die "the archive has no kernel image of $release $version" \
		"the headers appear before the image; try again in a few hours"
	rm -rf "$dir"
	mkdir -p "$dir/boot"
	for deb in "$(fetch_deb "$binary" arm64 "$version")" \
		"$(fetch_deb "linux-modules-$release" arm64 "$version")"; do
		echo "unpacking $deb"
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$dir" --no-same-owner
	done
	image=$(find "$dir/usr" -name 'vmlinuz*' -print -quit)
	[ -n "$image" ] || die "$binary holds no kernel image"
	mv "$image" "$dir/boot/vmlinuz-$release"
	touch "$dir/ready"
}

# Fetch the image before the headers: guests can boot before modules are built.
setup_headers() {
	local name=$1 pattern=$2 release version image kbuild dir
	[ -s "$kernels/choice-$name" ] || choose_headers "$name" "$pattern"
	read -r release version image kbuild <"$kernels/choice-$name"
	dir=$kernels/image-$release-${version//:/_}-$layout
	once "$dir" "fetching and unpacking the kernel $release ($version), 60 to 100 MB" \
		prepare_image "$dir" "$release" "$version" "$image"
	link "image-$name" "$dir"
	dir=$kernels/headers-$release-${version//:/_}-$layout
	once "$dir" "fetching and unpacking the headers of $release ($version)" \
		prepare_headers "$dir" "$release" "$version" "$kbuild"
	link "$name" "$dir/kdir"
	record_version "kernel-$name" "$release=$version"
}

setup_newest() {
	local release version source dir
	[ -s "$kernels/choice-newest" ] || choose_newest
	read -r release version source <"$kernels/choice-newest"
	dir=$kernels/source-$release-${version//:/_}-$source_layout
	once "$dir" "fetching, unpacking and preparing $source ($version), 160 MB, some minutes" \
		prepare_newest "$dir" "$release" "$version" "$source"
	link newest "$dir/kdir"
	link source "$dir/tree"
	record_version kernel-newest "$release=$version"
}

setup_newest_image() {
	local release version dir
	[ -s "$kernels/choice-newest" ] || choose_newest
	read -r release version _ <"$kernels/choice-newest"
	dir=$kernels/image-$release-${version//:/_}-$layout
	once "$dir" "fetching and unpacking the kernel $release ($version), 100 MB" \
		prepare_newest_image "$dir" "$release" "$version"
	link image-newest "$dir"
}

# Builds drivers/perf/arm_spe_pmu.c of the kernel's source, for the kernel's headers.
prepare_intree() {
	local dir=$1 version=$2 source=$3 kdir=$4 deb
	deb=$(fetch_deb "$source" all "$version")
	rm -rf "$dir"
	mkdir -p "$dir/src"
	dpkg-deb --fsys-tarfile "$deb" | tar -xO "./usr/src/$source.tar.xz" | xz -dc -T0 |
		tar -x -C "$dir/src" --strip-components=3 --no-same-owner "$source/drivers/perf/arm_spe_pmu.c"
	echo 'obj-m := arm_spe_pmu.o' >"$dir/src/Kbuild"
	make -C "$kdir" "M=$dir/src" ARCH=arm64 "CROSS_COMPILE=$cross" "CC=${cross}gcc-12" \
		CONFIG_DEBUG_INFO_BTF_MODULES= DEBIAN_KERNEL_NO_CC_VERSION_CHECK=y modules
	mv "$dir/src/arm_spe_pmu.ko" "$dir/"
	touch "$dir/ready"
}

# setup_intree NAME: for a kernel of the source "headers:SUITE".
setup_intree() {
	local name=$1 release version dir
	setup_headers "$name" "$(kernel_field config "$name")"
	read -r release version _ <"$kernels/choice-$name"
	dir=$kernels/intree-$release-${version//:/_}-$layout
	once "$dir" "building the SPE driver of linux-source-$name ($version), 120 MB" \
		prepare_intree "$dir" "$version" "linux-source-$name" "$SPE_BUILD/kernels/$name"
	link "intree-$name" "$dir"
}
