#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe pmbsr explains values of PMBSR_EL1.
# usage: pmbsr.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"

# tells VALUE LINE...: the explanation of VALUE has these lines
tells() {
	# shellcheck disable=SC2086 # with --v1p5 these are two words
	run 0 pmbsr $1
	silent
	shift
	tr -s ' ' <"$out" >"$dir/words"
	for words; do
		grep -qxF -- " $words" "$dir/words" || fail "no '$words'"
	done
}

begin "pmbsr: a full buffer, with and without loss"
tells 0x20001 'EC 0x00' 'S 1 service: the unit stopped profiling' 'COLL 0' 'MSS 0x0001' \
	'event buffer full' 'driver sets a new buffer limit and resumes'
grep -q 'marks the data' "$out" && fail 'nothing was lost'
tells 0xb0001 'DL 1 data loss: the last record is incomplete' \
	'driver sets a new buffer pointer and limit, and resumes' 'and marks the data COLLISION, PARTIAL'

begin "pmbsr: faults"
tells 0x90020007 'EC 0x24' 'MSS 0x0007 translation fault, level 3' 'event stage 1 abort' \
	'driver ends the session' 'and marks the data TRUNCATED'
tells 0x1200094020010 'EC 0x25' 'MSS2 0x012000' 'event stage 2 abort' 'MSS 0x0010 synchronous External abort'
tells 0x94020007 'driver sets a new buffer limit and resumes, if the unit has written something since the last attempt'
tells '--v1p5 0x90020007' 'and marks the data PARTIAL, TRUNCATED'
tells 0x7c020000 'event IMPLEMENTATION DEFINED event'
tells 0xdc020000 'event reserved event class'

begin "pmbsr: nothing happened, several values"
tells 0 'event none' 'driver does nothing: profiling continues'
run 0 pmbsr 0 131073
[ "$(grep -c '^PMBSR' "$out")" -eq 2 ] || fail 'two values'

begin "pmbsr: wrong usage"
run 2 pmbsr
run 2 pmbsr full
run 2 pmbsr 0x20001x
run 2 pmbsr 99999999999999999999
run 0 pmbsr --help

finish
