# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the packages of the module, perf-spe and libarmspe are built from.  Sourced by deb
# and rpm, in the top folder.

# Prints the date of these sources.
packed_date() {
	tools/setup/deb-date Kbuild VERSION CHANGELOG.md COPYING drivers include packaging tools/perf-plugin
}

copy_packed() { # FOLDER
	mkdir -p "$1/packaging" "$1/tools"
	cp -r Kbuild VERSION CHANGELOG.md COPYING drivers include "$1/"
	cp packaging/dkms.conf "$1/packaging/"
	cp -r tools/perf-plugin "$1/tools/"
}
