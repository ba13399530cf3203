# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # what is set here the cases use, and cli.sh has set
#
# Readers of exports, for cli-viewers.sh, cli-viewers-stacks.sh and cli-viewers-sums.sh.  They set
# recording: the options that name the recording to export.

viewers=$here/viewers
modules=$("$here/../../setup/doc/viewers" --ready 2>"$dir/why") || modules=
why=$(sed -n 's/.*error: //p' "$dir/why")
schema=/usr/share/gocode/src/github.com/google/pprof/proto

# built: perf-spe can write protobuf
built() {
	local message
	message=$("$perf_spe" export "${recording[@]}" -f perfetto -o "$dir/try" 2>&1)
	[[ $message != *'built without'* ]]
}
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
# pprof_format FILE: pprof-format reads in it what the case wants
pprof_format() {
	node "$viewers/pprof.mjs" "$modules" "$1" >"$out" 2>"$err" || fail 'not read'
	same "$out"
}
# otlp FILE: OpenTelemetry's published classes read in it what the case wants; what they say of
# time and resource goes to $dir/head
otlp() {
	PYTHONPATH=$classes /usr/bin/python3 "$viewers/otlp.py" "$1" >"$out" 2>"$err" || { fail "not read: $(tail -n 1 "$err")"; return; }
	sed -n 's/^time //p' "$out" >"$dir/head"
	sed -i '/^time /d' "$out"
	same "$out"
}
# need_otlp: skips the case if there are no classes, or no writer
need_otlp() {
	classes=$("$here/../../setup/doc/otlp" --ready 2>"$dir/why") ||
		{ skip "no reader: $(sed -n 's/.*error: //p' "$dir/why")"; return 1; }
	built || { skip 'built without protobuf-c'; return 1; }
}
# pprof_schema FILE: protobuf's decoder reads the same, with pprof's published schema
pprof_schema() {
	gzip -dc "$1" | protoc --decode=perftools.profiles.Profile --proto_path="$schema" profile.proto 2>"$err" |
		node "$viewers/pprof.mjs" text >"$out" 2>>"$err" || fail 'not read'
	same "$out"
}
