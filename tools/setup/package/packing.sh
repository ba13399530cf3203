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

copy_packed() { # FOLDER
	mkdir -p "$1/packaging" "$1/tools"
	cp -r Kbuild VERSION CHANGELOG.md COPYING drivers include "$1/"
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
	local version
	version=$(<"$SPE_CACHE/qemu/version")
	sed -n 's/^Version: //p' "$SPE_CACHE/qemu/$version/src/qemu_$version.dsc" | head -n 1
}
