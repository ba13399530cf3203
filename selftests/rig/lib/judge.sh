# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2154
#
# What the host compares after each guest: the column JUDGE of guests.list.  Each
# function takes the guest's name.  Sourced by check-guest.

judge_none() { :; }

judge_no_faults() { no_faults "$1"; }

judge_faults() { saw_faults "$1"; }

judge_tools() { compare_tools "$1"; }

judge_recordings() {
	compare_tools "$1"
	no_faults "$1"
}

# Protected KVM unmaps pages of the host while the unit writes: kvm.c counts the faults.
judge_protected() {
	compare_tools "$1"
	no_faults "$1" stage2_fault
}

judge_records() {
	compare_records "$1"
	compare_samples "$1" task
	compare_filters "$1"
}

# The next kernel finds every unit at rest (selftests/programs/after.S).  These guests
# have no 52-bit addresses (arm64.nolva): with them Linux 6.12 crashes during kexec in
# trans_pgd_create_copy(), with any driver.  Without EL2, PMSCR_EL1.PCT reads as
# "physical" and may be set: no Exception level is sampled even so.
judge_kexec() {
	local said
	said=$(tr -d '\r' <"$runs/$1/console.txt" | grep '^after kexec: ' || true)
	no_faults "$1"
	verdict "$1: kexec with sessions on every CPU leaves the unit off (${said:-nothing said})" \
		grep -qE '^after kexec: el=0{15}[12] pmscr=0{14}[04]0 pmblimitr=0{16} written=0{16}$' <<<"$said"
}

judge_isolated() {
	compare_tools "$1"
	judge_kexec "$1"
}
