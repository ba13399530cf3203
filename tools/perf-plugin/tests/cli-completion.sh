#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Completion in bash.
# usage: cli-completion.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=cli-lib.sh
. "$(dirname "$0")/cli-lib.sh"
# shellcheck source=../completion/perf-spe
. "$here/../completion/perf-spe"

# completes WORDS... TO: bash completes the last word to TO
completes() {
	local want=${*: -1}
	COMP_WORDS=("$perf_spe" "${@:1:$#-1}")
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMPREPLY=()
	_perf_spe 2>"$err"
	[ "${COMPREPLY[*]}" = "$want" ] || fail "$* gives ${COMPREPLY[*]}"
}

begin "completion: verbs"
completes rec 'record'
completes to 'top'
completes s 'sharing stat script'
completes x ''

completes help sha 'sharing'
completes report sha ''

begin "completion: options of a verb, and of another"
completes record --not '--not-event'
completes mem --h '--height --help --html'
completes mem --not ''
completes report --s '--sort --summary --symfs'

begin "completion: every verb, and only those"
COMP_WORDS=("$perf_spe" '')
COMP_CWORD=1
_perf_spe
[ "${#COMPREPLY[@]}" -gt 8 ] || fail "${COMPREPLY[*]}"
for verb in "${COMPREPLY[@]}"; do
	run 0 "$verb" --help
	grep -q "\.BR* .*\b$verb\b" "$here/../man/perf-spe.1" || fail "$verb is not in the man page"
done

finish
