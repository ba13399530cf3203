// SPDX-License-Identifier: GPL-2.0-only
//
// Reads a Perfetto trace as protoc --decode prints it, follows its numbers to names as
// Perfetto does, and prints sums:
//
//   event TRACK NAME COUNT CYCLES MISSES PERIOD
//   counter TRACK UNIT COUNT SUM
//   sample CPU PID TID OBJECT FRAME;FRAME;... COUNT
//   process PID NAME, thread PID TID NAME, first and last ns
//
//   node perfetto.mjs <TEXT
import fs from "node:fs";
import path from "node:path";
import { parse, one, utf8, Sums } from "./proto_text.mjs";

const CLEARED = 1n, NEEDS = 2n, INSTANT = "TYPE_INSTANT";
const tracks = new Map(), iids = new Map(), sums = new Sums();
let first, last, sequence;

function check(good, what) {
	if (!good)
		throw new Error(what);
}
// What an earlier packet said of this number
function interned(kind, iid) {
	check(iids.has(`${kind} ${iid}`), `${kind} has no number ${iid}`);
	return iids.get(`${kind} ${iid}`);
}

function frame_text(iid) {
	const frame = interned("frames", iid);
	const name = utf8(interned("function_names", frame.function_name_id[0]).str[0]);
	const source = one(frame, "source_path_iid");
	return source === undefined ? name :
		`${name}@${path.basename(interned("source_paths", source).str[0])}:${one(frame, "line_number", 0n)}`;
}

function see_event(event) {
	const track = tracks.get(one(event, "track_uuid"));
	const count = { cycles: 0n, misses: 0n, period: 0n };
	check(track && !track.counter, "an event has no track");
	check(one(event, "type") === INSTANT, "an event is not of one moment");
	for (const annotation of event.debug_annotations ?? [])
		count[interned("debug_annotation_names", annotation.name_iid[0]).name[0]] = annotation.uint_value[0];
	sums.add(`event ${track.name[0]} ${utf8(interned("event_names", event.name_iid[0]).name[0])}`,
		1n, count.cycles, count.misses, count.period);
	const values = event.extra_counter_values ?? [];
	check(values.length === (event.extra_counter_track_uuids ?? []).length, "values and tracks of counters");
	values.forEach((value, i) => {
		const counter = tracks.get(event.extra_counter_track_uuids[i]);
		check(counter?.counter && tracks.get(counter.parent_uuid[0]) === track, "a counter is not below its CPU");
		sums.add(`counter ${counter.name[0]} ${counter.counter[0].unit_name[0]}`, 1n, value);
	});
}

function see_sample(sample) {
	const stack = interned("callstacks", sample.callstack_iid[0]);
	const frame = interned("frames", stack.frame_ids[stack.frame_ids.length - 1]);
	const mapping = interned("mappings", frame.mapping_id[0]);
	sums.add(`sample ${one(sample, "cpu", "-")} ${sample.pid[0]} ${sample.tid[0]} ` +
		`${mapping.path_string_ids.map((iid) => interned("mapping_paths", iid).str[0]).join("/")} ` +
		stack.frame_ids.map(frame_text).join(";"), 1n);
}

for (const packet of parse(fs.readFileSync(0, "utf8")).packet) {
	const flags = one(packet, "sequence_flags", 0n);
	sequence ??= one(packet, "trusted_packet_sequence_id");
	check(sequence > 0n && one(packet, "trusted_packet_sequence_id") === sequence, "another sequence");
	if (flags & CLEARED)
		iids.clear();
	for (const [kind, list] of Object.entries(one(packet, "interned_data", {})))
		for (const item of list) {
			check(item.iid[0] > 0n && !iids.has(`${kind} ${item.iid[0]}`), `${kind} ${item.iid[0]} comes twice`);
			iids.set(`${kind} ${item.iid[0]}`, item);
		}
	const track = one(packet, "track_descriptor");
	if (track) {
		check(!tracks.has(track.uuid[0]), "a track comes twice");
		tracks.set(track.uuid[0], track);
		const process = one(track, "process"), thread = one(track, "thread");
		if (process)
			console.log(`process ${process.pid[0]} ${utf8(one(process, "process_name", "-"))}`);
		if (thread)
			console.log(`thread ${thread.pid[0]} ${thread.tid[0]} ${utf8(one(thread, "thread_name", "-"))}`);
	}
	if (!packet.track_event && !packet.perf_sample)
		continue;
	check(flags & NEEDS, "a packet does not say that it uses numbers");
	const time = packet.timestamp[0];
	first = first === undefined || time < first ? time : first;
	last = last === undefined || time > last ? time : last;
	if (packet.track_event)
		see_event(packet.track_event[0]);
	else
		see_sample(packet.perf_sample[0]);
}
sums.print();
console.log(`from ${first} to ${last} ns`);
