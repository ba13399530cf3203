// SPDX-License-Identifier: GPL-2.0-only
//
// Checks a profile against the structure that the Firefox Profiler documents for version 70
// of its processed format (src/types/profile.ts and docs-developer/CHANGELOG-formats.md of
// github.com/firefox-devtools/profiler), and prints a line for each stack:
// "PROCESS;THREAD OBJECT FRAME;FRAME;... WEIGHT".  No package of npm reads this format.
//
//   node firefox.mjs FILE [times|categories]	also "time MS" or "OBJECT CATEGORY" lines, each with its sum
import fs from "node:fs";
import path from "node:path";
import { Sums } from "./proto_text.mjs";

const profile = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const { meta, shared, threads, libs } = profile;

function check(good, what) {
	if (!good)
		throw new Error(what);
}
const integer = (v) => Number.isInteger(v);
const flag = (v) => typeof v === "boolean";
const text = (v) => typeof v === "string";
const nothing = (v) => v === null;
const index = (count) => (v) => integer(v) && v >= 0 && v < count;
const or = (...tests) => (v) => tests.some((test) => test(v));
const none = (v) => v === -1;

// A table has these columns, all as long as it says, with these values.
function table(name, t, columns) {
	const names = Object.keys(t).filter((key) => key !== "length" && key !== "weightType").sort();
	check(integer(t.length), `${name} has no length`);
	check(names.join() === Object.keys(columns).sort().join(), `${name} has the columns ${names}`);
	for (const [column, test] of Object.entries(columns)) {
		check(Array.isArray(t[column]) && t[column].length === t.length, `${name}.${column} is not as long as the table`);
		t[column].forEach((v, i) => check(test(v, i), `${name}.${column}[${i}] is ${JSON.stringify(v)}`));
	}
}

check(meta.preprocessedProfileVersion === 70, "this is for version 70");
for (const [name, test] of Object.entries({ interval: (v) => v > 0, startTime: integer, processType: integer, product: text,
	stackwalk: or((v) => v === 0, (v) => v === 1), version: integer, markerSchema: Array.isArray }))
	check(test(meta[name]), `meta.${name} is ${JSON.stringify(meta[name])}`);
// One category is grey, and each has a first subcategory "Other".
check(meta.categories.some((c) => c.color === "grey") && meta.categories.every((c) => c.subcategories[0] === "Other"), "categories");
for (const lib of libs)
	check(["arch", "name", "path", "debugName", "debugPath", "breakpadId"].every((key) => text(lib[key])) &&
		or(text, nothing)(lib.codeId), `lib ${lib.name}`);

const strings = shared.stringArray, { stackTable, frameTable, funcTable, resourceTable, sources } = shared;
check(strings.every(text), "stringArray");
const string = index(strings.length);
table("stackTable", stackTable, { frame: index(frameTable.length), prefixOffset: (v, i) => integer(v) && v >= 0 && v <= i });
table("frameTable", frameTable, { address: or(none, integer), lib: or(none, index(libs.length)), inlineDepth: index(256),
	category: index(meta.categories.length), subcategory: (v) => v === 0, func: index(funcTable.length),
	nativeSymbol: nothing, innerWindowID: integer, line: or(nothing, (v) => integer(v) && v > 0), column: nothing,
	originalLocation: nothing });
table("funcTable", funcTable, { name: string, isJS: flag, relevantForJS: flag, resource: or(none, index(resourceTable.length)),
	source: or(nothing, index(sources.length)), lineNumber: or(nothing, integer), columnNumber: nothing, originalLocation: nothing });
table("resourceTable", resourceTable, { name: string, host: nothing, type: (v) => v === 1 });
table("sources", sources, { id: nothing, filename: string, startLine: integer, startColumn: integer, sourceMapURL: nothing, content: nothing });
table("nativeSymbols", shared.nativeSymbols, { libIndex: integer, address: integer, name: string, functionSize: integer });
table("sourceLocationTable", shared.sourceLocationTable, { source: integer, line: integer, column: integer });

function frame_text(i) {
	const func = frameTable.func[i], source = funcTable.source[func];
	const name = strings[funcTable.name[func]];
	return source === null ? name : `${name}@${path.basename(strings[sources.filename[source]])}:${frameTable.line[i] ?? 0}`;
}

const sums = new Sums(), times = new Sums(), categories = new Sums();
for (const thread of threads) {
	const { samples, markers } = thread;
	check(text(thread.processType) && text(thread.name) && flag(thread.isMainThread) && text(thread.pid) &&
		or(text, integer)(thread.tid) && Array.isArray(thread.pausedRanges), `thread ${thread.name}`);
	table("samples", samples, { stack: index(stackTable.length), weight: integer,
		time: (v, i) => v >= (i ? samples.time[i - 1] : 0) });
	check(samples.weightType === "samples", "weightType");
	table("markers", markers, { data: nothing, name: string, startTime: integer, endTime: integer, phase: integer, category: integer });
	samples.stack.forEach((leaf, i) => {
		const frames = [];
		for (let at = leaf; ; at -= stackTable.prefixOffset[at]) {
			frames.unshift(frame_text(stackTable.frame[at]));
			if (!stackTable.prefixOffset[at])
				break;
		}
		const lib = libs[frameTable.lib[stackTable.frame[leaf]]];
		sums.add(`${thread.processName};${thread.name} ${lib.path} ${frames.join(";")}`, samples.weight[i]);
		categories.add(`${lib.path} ${meta.categories[frameTable.category[stackTable.frame[leaf]]].name}`, samples.weight[i]);
		times.add(`time ${samples.time[i]}`, samples.weight[i]);
	});
}
sums.print();
if (process.argv[3] === "times")
	times.print();
if (process.argv[3] === "categories")
	categories.print();
