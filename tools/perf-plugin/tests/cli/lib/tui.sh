# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2154 # cli.sh has set it
#
# A terminal for perf spe report, for cli-tui.sh and cli-tui-calls.sh.  They make t.data.

pty=$(dirname "$fixture")/pty

# need_ncurses: skips the rest of the tests if perf-spe has no screen.
need_ncurses() {
	[[ $(ldd "$perf_spe") != *ncurses* ]] || return 0
	skip 'built without ncurses'
	exit
}
# screen STEPS OPTIONS...: run report on the terminal with the steps of pty.c
screen() {
	local steps=$1
	shift
	"$pty" "$perf_spe" report -i "$dir/t.data" --symfs "$dir/root" "$@" \
		>"$out" 2>"$err" <<<"$steps" || fail "on the terminal"
}
