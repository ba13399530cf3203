# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the packages are built from.  Sourced by deb, deb-qemu and rpm, in the top folder.

# The files of a source package have the modes that the copies get here.
umask 022

# Prints the date of the sources of the module, perf-spe and libarmspe.
packed_date() {
	tools/setup/package/deb-date Kbuild VERSION CHANGELOG.md COPYING drivers include packaging tools/perf-plugin
}

# Prints the version of the packages.  A release is a commit with the tag vVERSION, which raises
# VERSION.  All other commits add their date, so that apt, dnf and DKMS take the later of two
# packages for the newer one.  Without git, as in the tarball, it is VERSION.
packed_version() {
	local number day
	number=$(<VERSION)
	day=$(TZ=UTC git log -1 --date=format-local:%Y%m%d%H%M%S --format=%cd 2>/dev/null) || day=''
	if [ -z "$day" ] || grep -qxF "v$number" <<<"$(git tag --points-at HEAD)"; then
		echo "$number"
	else
		echo "$number+git$day"
	fi
}

# The module and perf-spe tell the version of their package.
copy_packed() { # FOLDER VERSION
	mkdir -p "$1/packaging" "$1/tools"
	cp -r Kbuild CHANGELOG.md COPYING drivers include "$1/"
	echo "$2" >"$1/VERSION"
	cp packaging/dkms.conf "$1/packaging/"
	cp -r tools/perf-plugin "$1/tools/"
}

# Prints the date of the sources of the model.
qemu_date() {
	tools/setup/package/deb-date packaging tools/qemu-spe/model tools/qemu-spe/hooks VERSION
}

# Prints the version of Debian's source package of QEMU that tools/setup/qemu built, with the
# epoch, which file names lack.
qemu_source() {
	local number
	number=$(<"$SPE_CACHE/qemu/version")
	sed -n 's/^Version: //p' "$SPE_CACHE/qemu/$number/src/qemu_$number.dsc" | head -n 1
}
