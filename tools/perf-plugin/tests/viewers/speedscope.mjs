// SPDX-License-Identifier: GPL-2.0-only
//
// Reads a file with the importer of npm's package speedscope, the one of its viewer, and
// prints its stacks: "PROFILE WEIGHT FRAME;FRAME;..." for each.  The package is one script
// for browsers: it runs here without the part that draws.
//
//   node speedscope.mjs NODE_MODULES FILE
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";

const [modules, file] = process.argv.slice(2);
const release = path.join(modules, "speedscope/dist/release");
const script = fs.readdirSync(release).find((name) => /^speedscope-\w+\.js$/.test(name));
let code = fs.readFileSync(path.join(release, script), "utf8");

function once(pattern, what) {
	const found = code.match(pattern);
	if (!found)
		throw new Error(`${script} has no ${what}: has the package changed?`);
	return found;
}

// loadFileFromBase64() is how its command opens a file; it calls the importer.
const importer = once(/loadFileFromBase64:\(\w+,\w+\)=>\{this\.loadProfile\(\(\)=>(\w+)\(\w+,\w+\)\)\}/, "loadFileFromBase64()")[1];
// The last statement renders the page.
const render = once(/\w+\(\w+\(\w+,null,\w+\(\w+,null\)\),document\.body,[^;]*\);\}\)\(\);/, "call that renders")[0];
code = code.replace(render, `globalThis.importer=${importer};})();`);

const element = () => new Proxy(() => element(), { get: (_, key) => key === Symbol.toPrimitive ? () => "" : element() });
const window = {
	location: { hash: "", href: "", protocol: "file:", search: "" },
	matchMedia: () => ({ matches: false, addListener() {}, addEventListener() {} }),
	addEventListener() {}, devicePixelRatio: 1, requestAnimationFrame() {},
};
const context = vm.createContext({
	window, self: window, location: window.location, document: element(), navigator: { userAgent: "" },
	console: { log() {}, warn() {}, error() {} }, localStorage: {}, matchMedia: window.matchMedia,
	atob, btoa, TextDecoder, TextEncoder, URL, URLSearchParams, Blob, setTimeout, clearTimeout, performance, Uint8Array, ArrayBuffer,
});
vm.runInContext(code, context);

const bytes = fs.readFileSync(file);
const group = await context.importer(path.basename(file), bytes.toString("base64"));
if (!group)
	throw new Error("speedscope does not know this file");
for (const profile of group.profiles) {
	const sums = new Map();
	let total = 0;
	profile.samples.forEach((node, i) => {
		const frames = [];
		for (let at = node; at && at.parent; at = at.parent)
			frames.unshift(at.frame.name);
		const key = frames.join(";");
		sums.set(key, (sums.get(key) || 0) + profile.weights[i]);
		total += profile.weights[i];
	});
	if (total !== profile.getTotalNonIdleWeight())
		throw new Error(`${profile.getName()}: ${total} is not ${profile.getTotalNonIdleWeight()}`);
	for (const [frames, weight] of sums)
		if (weight)
			console.log(`${profile.getName()} ${weight} ${frames}`);
}
