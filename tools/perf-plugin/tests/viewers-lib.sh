# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # what is set here the cases use, and cli-lib.sh has set
#
# Readers of exports, for cli-viewers.sh and cli-viewers-stacks.sh.  They define built(), which
# tells whether perf-spe can write protobuf.

viewers=$here/viewers
modules=$("$here/../../setup/viewers" --ready 2>"$dir/why") || modules=
why=$(sed -n 's/.*error: //p' "$dir/why")
schema=/usr/share/gocode/src/github.com/google/pprof/proto

# need PROTOBUF?: skips the case if there are no readers, or no writer.
need() {
	[ -n "$modules" ] || { skip "no readers: $why"; return 1; }
	[ $# -eq 0 ] || built || { skip 'built without protobuf-c'; return 1; }
}
# same FILE: what the case wants and what the reader printed, in any order
same() {
	diff <(sort "$dir/want") <(sort "$1") >"$dir/diff" || fail "$(head -n 6 "$dir/diff")"
}
perfetto() { # perfetto FILE: what protobuf's decoder and perfetto.mjs read in it
	local from=${PERFETTO_PROTOS:-$viewers} file=perfetto_trace.proto
	[ -z "${PERFETTO_PROTOS:-}" ] || file=protos/perfetto/trace/trace.proto
	protoc --decode=perfetto.protos.Trace --proto_path="$from" "$file" <"$1" 2>"$err" |
		node "$viewers/perfetto.mjs" >"$out" 2>>"$err" || fail 'not read'
}
