# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# A guest whose firmware enforces Secure Boot.  The firmware's variables (Debian's
# qemu-efi-aarch64) hold one certificate in db, "snakeoil"; its key comes with the package.
# The kernel takes db's certificates for its platform keyring, against which Debian's
# kernels also check modules.  On a real machine the administrator's certificate is in
# shim's list instead (MokListRT), which the kernel reads in the same way.

snakeoil_key() { # FILE: writes the key without its published password
	openssl rsa -in "$1/PkKek-1-snakeoil.key" -passin pass:snakeoil -out "$2" 2>/dev/null ||
		die "cannot read the key of $1" "its password was snakeoil in Debian 13's qemu-efi-aarch64"
}

# secure_boot FIRMWARE IMAGE OUT: signs IMAGE as OUT/image, and sets firmware=(QEMU's
# arguments).  The firmware boots no image that it cannot verify.
secure_boot() {
	local keys=$1/usr/share/qemu-efi-aarch64 flash=$1/usr/share/AAVMF
	snakeoil_key "$keys" "$3/db.key"
	cp "$2" "$3/image"
	chmod u+w "$3/image"
	# Debian's own signature is not in this db.
	sbattach --remove "$3/image" >/dev/null 2>&1 || true
	sbsign --key "$3/db.key" --cert "$keys/PkKek-1-snakeoil.pem" --output "$3/image" "$3/image" >/dev/null 2>&1 ||
		die "cannot sign $2" "is sbsigntool installed? run tools/setup/host"
	cp "$flash/AAVMF_VARS.snakeoil.fd" "$3/vars.fd"
	# shellcheck disable=SC2034  # for run-guest
	firmware=(-drive "if=pflash,unit=0,format=raw,readonly=on,file=$flash/AAVMF_CODE.secboot.fd"
		-drive "if=pflash,unit=1,format=raw,file=$3/vars.fd")
}
