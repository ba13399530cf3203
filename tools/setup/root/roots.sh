# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Makes root file systems of Debian suites with mmdebstrap.  Sourced after lib.sh and
# apt.sh.

# register_arm64: lets this kernel start arm64 programs by qemu-user, as the file of
# Debian's package says.  The registration opens the interpreter (flag F), so it works in
# every root.
register_arm64() {
	local to=/proc/sys/fs/binfmt_misc from=(/usr/lib/binfmt.d/qemu-aarch64*.conf)
	[ -e "$to/register" ] || mount -t binfmt_misc binfmt_misc "$to" ||
		die "cannot mount binfmt_misc" "run this as root, on a kernel with CONFIG_BINFMT_MISC"
	[ ! -e "$to/qemu-aarch64" ] || return 0
	[ -r "${from[0]}" ] || die "${from[0]} is missing" "install it: apt-get install qemu-user-static"
	cat "${from[0]}" >"$to/register" || die "the kernel refused the line of ${from[0]}"
}

# sources_of SUITE: prints lines of sources.list for the suite, from this machine's mirrors.
sources_of() {
	local main security
	main=$(mirror_of '^[a-z]+$')
	security=$(mirror_of '-security$')
	[ -n "$main" ] || die "found no Debian mirror in this machine's apt sources" "run apt-get update"
	printf 'deb [signed-by=%s] %s %s main\n' "$SPE_KEYRING" "$main" "$1"
	printf 'deb [signed-by=%s] %s %s-updates main\n' "$SPE_KEYRING" "$main" "$1"
	[ -z "$security" ] ||
		printf 'deb [signed-by=%s] %s %s-security main\n' "$SPE_KEYRING" "$security" "$1"
}

# bootstrap SUITE ARCH PACKAGES DIR [MMDEBSTRAP-OPTION...]: makes DIR/root.  PACKAGES has
# commas.  dpkg does not wait for the disk, since an unfinished root is made anew.  Mounts
# are private, so that none is left if mmdebstrap is killed.  Lists of testing expire after a week: a
# machine that reads an older copy of the archive says so in its apt.conf, and its roots do as it does.
bootstrap() {
	local suite=$1 arch=$2 packages=$3 dir=$4 expire=true
	shift 4
	eval "$(apt-config shell expire Acquire::Check-Valid-Until)"
	rm -rf --one-file-system "$dir"
	mkdir -p "$dir"
	sources_of "$suite" >"$dir/sources.list"
	unshare --mount mmdebstrap --mode=root --arch="$arch" --variant=minbase --include="$packages" \
		--dpkgopt=force-unsafe-io --aptopt='Acquire::Languages "none"' --aptopt="Acquire::Check-Valid-Until \"$expire\"" \
		--dpkgopt='path-exclude=/usr/share/locale/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
		"$@" "$suite" "$dir/root" "$dir/sources.list"
}
