# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034
#
# This machine's architecture and its compiler for arm64: the native one on an arm64
# machine, a cross compiler on others.  Scripts and makefiles read these names here.
# tools/setup/package/host-packages lists the packages.  Sourced, never run; it needs only sh.

SPE_ARCH=$(dpkg --print-architecture 2>/dev/null || true)
case ${SPE_ARCH:=$(uname -m)} in
amd64 | x86_64)
	SPE_ARCH=amd64 SPE_TRIPLET=x86_64-linux-gnu SPE_LOADER=ld-linux-x86-64.so.2
	ARM64_PREFIX=aarch64-linux-gnu- ARM64_PACKAGE=gcc-12-aarch64-linux-gnu
	;;
arm64 | aarch64)
	SPE_ARCH=arm64 SPE_TRIPLET=aarch64-linux-gnu SPE_LOADER=ld-linux-aarch64.so.1
	ARM64_PREFIX='' ARM64_PACKAGE=gcc-12
	;;
*)
	# For these only perf-spe can be built.
	SPE_TRIPLET='' SPE_LOADER=''
	ARM64_PREFIX=aarch64-linux-gnu- ARM64_PACKAGE=gcc-12-aarch64-linux-gnu
	;;
esac
# Debian 12 and 13 both have this version, which built the oldest kernels.
ARM64_CC=${ARM64_PREFIX}gcc-12
# Suffix of LLVM's programs: the newest that Debian 12 and 13 both have.
LLVM_SUFFIX=-19
