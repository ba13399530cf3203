// SPDX-License-Identifier: GPL-2.0-only
//
// Reads a pprof profile and prints a line for each stack and value:
// "TYPE/UNIT COMM PID TID OBJECT FRAME;FRAME;... VALUE", where a frame is FUNCTION@FILE:LINE
// and the outermost is first.
//
//   node pprof.mjs NODE_MODULES FILE	by npm's package pprof-format
//   node pprof.mjs text <TEXT		by protoc --decode with the published schema
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import zlib from "node:zlib";
import { parse, one, utf8, Sums } from "./proto_text.mjs";

// pprof-format gives numbers and lists; the text has lists of BigInt by the schema's names.
function by_package(modules, file) {
	const { Profile } = createRequire(path.join(modules, "x.js"))("pprof-format");
	const p = Profile.decode(zlib.gunzipSync(fs.readFileSync(file)));
	const id = (list) => new Map(list.map((item) => [BigInt(item.id), item]));
	const functions = id(p.function), locations = id(p.location), mappings = id(p.mapping);
	const string = (index) => p.stringTable.strings[Number(index)];
	return {
		types: p.sampleType.map((t) => `${string(t.type)}/${string(t.unit)}`),
		first: string(p.defaultSampleType), period: BigInt(p.period),
		samples: p.sample.map((s) => ({
			values: s.value.map(BigInt),
			labels: new Map(s.label.map((l) => [string(l.key), Number(l.str) ? string(l.str) : `${l.num}`])),
			locations: s.locationId.map((at) => locations.get(BigInt(at))).map((l) => ({
				object: string(mappings.get(BigInt(l.mappingId)).filename),
				lines: l.line.map((line) => {
					const f = functions.get(BigInt(line.functionId));
					return { name: string(f.name), file: string(f.filename), line: `${line.line}` };
				}),
			})),
		})),
	};
}

function by_schema(text) {
	const p = parse(text);
	const id = (list) => new Map(list.map((item) => [item.id[0], item]));
	const functions = id(p.function), locations = id(p.location), mappings = id(p.mapping);
	const string = (index) => utf8(p.string_table[Number(index ?? 0n)]);
	return {
		types: p.sample_type.map((t) => `${string(t.type[0])}/${string(t.unit[0])}`),
		first: string(one(p, "default_sample_type")), period: one(p, "period", 0n),
		samples: p.sample.map((s) => ({
			values: s.value,
			labels: new Map(s.label.map((l) => [string(l.key[0]), l.str ? string(l.str[0]) : `${l.num[0]}`])),
			locations: s.location_id.map((at) => locations.get(at)).map((l) => ({
				object: string(one(mappings.get(l.mapping_id[0]), "filename")),
				lines: l.line.map((line) => {
					const f = functions.get(line.function_id[0]);
					return { name: string(one(f, "name")), file: string(one(f, "filename")), line: `${one(line, "line", 0n)}` };
				}),
			})),
		})),
	};
}

const p = process.argv[2] === "text" ? by_schema(fs.readFileSync(0, "utf8")) : by_package(process.argv[2], process.argv[3]);
const sums = new Sums();
for (const sample of p.samples) {
	const label = (name) => sample.labels.get(name) ?? "-";
	const frames = sample.locations.flatMap((l) => l.lines).reverse()
		.map((l) => l.file ? `${l.name}@${path.basename(l.file)}:${l.line}` : l.name).join(";");
	if (sample.values.length !== p.types.length)
		throw new Error("a sample has not a value for each type");
	sample.values.forEach((value, i) =>
		sums.add(`${p.types[i]} ${label("comm")} ${label("pid")} ${label("tid")} ${sample.locations[0].object} ${frames}`, value));
}
console.log(`first ${p.first}, period ${p.period}`);
sums.print();
