#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# perf spe export for viewers, of a recording with call stacks: programs that are not ours read
# each format, and what they add up for each call path is what awk adds up of the description
# below.  perf spe does not make that description.
# usage: viewers-stacks.sh PERF-SPE FIXTURE

# shellcheck source-path=SCRIPTDIR source=lib/cli.sh
. "$(dirname "$0")/lib/cli.sh"
# shellcheck source-path=SCRIPTDIR source=lib/stacks.sh
. "$(dirname "$0")/lib/stacks.sh"
# shellcheck source-path=SCRIPTDIR source=lib/viewers.sh
. "$(dirname "$0")/lib/viewers.sh"

# A line for each record: THREAD MS CYCLES MISSED PATH.  From 10 to 30 ms thread 10 is in left()
# and thread 11 in right(), from 50 to 70 ms the other way round, and near 200 ms nothing tells.
awk 'BEGIN {
	OFS = "\t"
	way[0] = "_start;left"; way[1] = "_start;left;in;leaf"; way[2] = "_start;right"; way[3] = "_start;right;leaf"
	for (thread = 10; thread < 12; thread++)
		for (late = 0; late < 2; late++)
			for (i = 0; i < 18; i++)
				print thread, 11 + 40 * late + i, 10 + i * (1 + thread % 2), i % 4 == 1, way[(thread - 10 + late) % 2 * 2 + (i % 3 > 0)]
	for (i = 0; i < 5; i++)
		print 10, 200 + i, 7, i == 2, "[no stack];leaf"
}' >"$dir/truth"

{
	head_text
	echo 'comm 10 11 1 0 prog'
	echo 'owner 1'
	for at in 10 15 20 25 30 50 55 60 65 70; do
		if [ $at -lt 40 ]; then calls_left $at$ms; else calls_right $at$ms; fi
		if [ $at -lt 40 ]; then calls_right $at$ms; else calls_left $at$ms; fi | sed 's/^calls 10 10 0/calls 10 11 1/'
	done
	echo 'owner 0'
	for thread in 10 11; do
		while IFS=$'\t' read -r of at cycles missed path; do
			function=${path##*;}
			[ "$of" != $thread ] ||
				echo "$(rec "${!function}" "$at$ms" "$cycles" "$thread") events=$((2 + 8 * missed))"
		done <"$dir/truth"
		echo "auxtrace $((thread - 10)) $((thread - 10)) $thread 0"
	done
} | perf_file p.data
p=(-i "$dir/p.data" --symfs "$dir/root")
recording=("${p[@]}")

# sums PROGRAM: awk's sums of the description: n[THREAD, PATH, VALUE], with VALUE 0 samples,
# 1 cycles, 2 misses, 3 operations.  PROGRAM prints a line for each path of paths[].
# lines(PATH) gives the line of source for each frame: a function of prog.c has one line.
sums() {
	awk -F'\t' '
		function lines(path,	frame, i, count, text) {
			count = split(path, frame, ";")
			for (i = 1; i <= count; i++)
				text = text (i > 1 ? ";" : "") frame[i] (frame[i] in line ? "@prog.c:" line[frame[i]] : "")
			return text
		}
		BEGIN {
			split("leaf in left right other _start", name, " ")
			for (i in name) line[name[i]] = i + 1
			split("samples cycles misses period", value, " ")
			split("count cycles count operations", unit, " ")
		}
		{
			paths[$1 SUBSEP $5] = 1
			n[$1, $5, 0]++; n[$1, $5, 1] += $3; n[$1, $5, 2] += $4; n[$1, $5, 3] += 1024
		}
		END { for (key in paths) { split(key, part, SUBSEP); thread = part[1]; path = part[2]; '"$1"' } }' "$dir/truth"
}
# outer(PATH): with the process, the thread and the object, which is behind [no stack]
# shellcheck disable=SC2016 # awk reads it
outer='where = "prog 10;thread " thread ";"
	if (!sub(/^\[no stack\];/, "[no stack];prog;", path)) path = "prog;" path
	path = where path;'

begin "viewers with stacks: the description has every kind of path"
# Two callers of leaf(), one of them inlined, in two threads, and no caller
[ "$(cut -f 1,5 "$dir/truth" | sort -u | wc -l)" = 9 ] || fail 'not 9 paths'

begin "viewers with stacks: speedscope's importer reads folded stacks"
if need; then
	value=0
	for option in samples cycles misses period; do
		run 0 export "${p[@]}" -f folded --value "$option" -o "$dir/p.folded"
		sums "key = thread SUBSEP path SUBSEP $value; $outer"' if (n[key]) {
			count = split(path, frame, ";"); print "p.folded", n[key], path ";prog.c:" line[frame[count]] }' >"$dir/want"
		node "$viewers/speedscope.mjs" "$modules" "$dir/p.folded" >"$out" 2>"$err" || fail 'not read'
		same "$out"
		value=$((value + 1))
	done
fi

begin "viewers with stacks: speedscope's importer reads a profile for each value"
if need; then
	run 0 export "${p[@]}" -f speedscope -o "$dir/p.speedscope.json"
	sums "plain = thread SUBSEP path; $outer"' for (i = 0; i < 4; i++)
		if (n[plain SUBSEP i]) print value[i + 1], n[plain SUBSEP i], path' >"$dir/want"
	node "$viewers/speedscope.mjs" "$modules" "$dir/p.speedscope.json" >"$out" 2>"$err" || fail 'not read'
	same "$out"
fi

# Both readers print the same; the sample's object is that of the innermost frame.
# shellcheck disable=SC2016
pprof_lines='for (i = 0; i < 4; i++) if (n[thread, path, i])
	print value[i + 1] "/" unit[i + 1] " prog 10 " thread " /usr/bin/prog " lines(path), n[thread, path, i]'
begin "viewers with stacks: pprof-format reads pprof's profile"
if need protobuf; then
	run 0 export "${p[@]}" -f pprof --value cycles -o "$dir/p.pb.gz"
	{ sums "$pprof_lines"; echo 'first cycles, period 1024'; } >"$dir/want"
	pprof_format "$dir/p.pb.gz"
fi

begin "viewers with stacks: protobuf's decoder reads it with pprof's published schema"
if need protobuf; then
	pprof_schema "$dir/p.pb.gz"
fi

begin "viewers with stacks: the first mapping, which pprof calls the file, is that of the program"
# program FILE OPTION...: of the recording of these options
program() {
	local number
	run 0 export "${@:2}" -f pprof -o "$dir/program.pb.gz"
	gzip -dc "$dir/program.pb.gz" | protoc --decode=perftools.profiles.Profile --proto_path="$schema" profile.proto >"$out" 2>"$err" ||
		fail 'not read'
	number=$(awk '/^mapping/ { on = 1 } on && $1 == "filename:" { print $2; exit }' "$out")
	[ "$(grep '^string_table' "$out" | sed -n "$((number + 1))p")" = "string_table: \"$1\"" ] || fail "another file: number $number, not $1"
}
if need protobuf; then
	examples=$here/../../../Documentation/examples
	program /job/callers -i "$examples/callers.data" --symfs "$examples/symfs"
	# Generated code and a library come first.
	{
		printf '%s\n' 'info 4' 'conv 0 1 0' 'comm 10 10 1 1 one'
		at=0x100000
		for file in //anon '/dev/zero (deleted)' /lib/libc.so.6 /lib/x.so /opt/x.software/one; do
			at=$((at + 0x100000))
			echo "map 10 $at 0x1000 0 2 - $file"
			samples+=("rec pc=$(user $((at + 256))) ts=$at ctx1=10 events=0x2 total=3")
		done
		printf '%s\n' "${samples[@]}" 'auxtrace 0 0 -1 0'
	} | perf_file jit.data
	mkdir "$dir/none"
	program /opt/x.software/one -i "$dir/jit.data" --symfs "$dir/none"
fi

begin "viewers with stacks: OpenTelemetry's classes read its profiles"
if need_otlp; then
	run 0 export "${p[@]}" -f otlp --value cycles -o "$dir/p.otlp"
	otlp "$dir/p.otlp"
fi

begin "viewers with stacks: speedscope's importer reads pprof's profile"
if need protobuf; then
	# It knows no threads, and of each instruction only the outermost function: in() is left()'s.
	# shellcheck disable=SC2016
	sums 'sub(/;in;/, ";", path); print path "\t" n[part[1], part[2], 1]' |
		awk -F'\t' '{ n[$1] += $2 } END { for (path in n) print "p.pb.gz", n[path], path }' >"$dir/want"
	node "$viewers/speedscope.mjs" "$modules" "$dir/p.pb.gz" >"$out" 2>"$err" || fail 'not read'
	same "$out"
fi

begin "viewers with stacks: a profile as the Firefox Profiler documents it, each value"
if need; then
	value=0
	for option in samples cycles misses period; do
		run 0 export "${p[@]}" -f firefox --value "$option" -o "$dir/p.json"
		sums "if (n[thread, path, $value]) print \"prog 10;thread \" thread \" /usr/bin/prog \" lines(path), n[thread, path, $value]" >"$dir/want"
		node "$viewers/firefox.mjs" "$dir/p.json" >"$out" 2>"$err" || fail 'not valid'
		same "$out"
		value=$((value + 1))
	done
fi

begin "viewers with stacks: protobuf's decoder reads a Perfetto trace"
if need protobuf; then
	run 0 export "${p[@]}" -f perfetto -o "$dir/p.perfetto"
	perfetto "$dir/p.perfetto"
	grep '^sample' "$out" >"$dir/samples"
	sums 'print "sample " thread - 10 " 10 " thread " /usr/bin/prog " lines(path), n[thread, path, 0]' >"$dir/want"
	same "$dir/samples"
	# Its events have the values, by the sampled function.
	# shellcheck disable=SC2016
	sums 'sub(/.*;/, "", path); print thread - 10, path, n[part[1], part[2], 0], n[part[1], part[2], 1], n[part[1], part[2], 2], n[part[1], part[2], 3]' |
		awk '{ key = "event SPE samples of CPU " $1 " " $2; keys[key]; for (i = 3; i < 7; i++) n[key, i] += $i }
			END { for (key in keys) print key, n[key, 3], n[key, 4], n[key, 5], n[key, 6] }' >"$dir/want"
	grep '^event' "$out" >"$dir/events"
	same "$dir/events"
fi

# The column stack of rows, from the innermost function on; SQLite's own program adds up.
begin "viewers with stacks: SQLite adds up the rows of each path"
if ! command -v sqlite3 >/dev/null; then
	skip 'no sqlite3'
else
	run 0 export "${p[@]}" -f sqlite -F tid,symbol,stack,total -o "$dir/p.db"
	sqlite3 -separator ' ' "$dir/p.db" \
		"SELECT tid, ifnull(stack, '-'), count(*), sum(total) FROM samples GROUP BY tid, stack" >"$out" 2>"$err" || fail 'not read'
	# shellcheck disable=SC2016
	sums 'count = split(path, frame, ";"); text = frame[count]
		for (i = count - 1; i; i--) text = text "|" frame[i]
		print thread, path ~ /^\[/ ? "-" : text, n[thread, path, 0], n[thread, path, 1]' >"$dir/want"
	same "$out"
fi
finish
