// SPDX-License-Identifier: GPL-2.0-only
//
// Reads what protobuf's decoder (protoc --decode) prints: "NAME: VALUE" and "NAME { ... }".
// Each field becomes an array; numbers become BigInt.

// Bytes of a text as protobuf escapes them
function unescape(text) {
	const bytes = [];
	for (const part of text.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
		if (part[1])
			bytes.push(parseInt(part[1], 8));
		else if (part[2])
			bytes.push(...Buffer.from({ n: "\n", t: "\t", r: "\r" }[part[2]] ?? part[2]));
		else
			bytes.push(...Buffer.from(part[3]));
	}
	return Buffer.from(bytes).toString("latin1");
}

function value(text) {
	if (text.startsWith('"'))
		return unescape(text.slice(1, -1));
	return /^-?\d+$/.test(text) ? BigInt(text) : text;
}

export function parse(text) {
	const root = {}, open = [root];
	for (const line of text.split("\n")) {
		const at = open[open.length - 1];
		let found;
		if ((found = /^\s*(\w+) \{$/.exec(line))) {
			const inner = {};
			(at[found[1]] ??= []).push(inner);
			open.push(inner);
		} else if (/^\s*\}$/.test(line)) {
			open.pop();
		} else if ((found = /^\s*(\w+): (.*)$/.exec(line))) {
			(at[found[1]] ??= []).push(value(found[2]));
		} else if (line.trim()) {
			throw new Error(`not protobuf's text: ${line}`);
		}
		if (Object.keys(at).some((name) => /^\d+$/.test(name)))
			throw new Error(`the schema has no field like this: ${line}`);
	}
	if (open.length !== 1)
		throw new Error("the text ends within a message");
	return root;
}

// The only element of a field, or a default
export const one = (message, name, other) => message[name] ? message[name][0] : other;

// Texts with UTF-8 in them, which parse() left as bytes
export const utf8 = (text) => Buffer.from(text ?? "", "latin1").toString("utf8");

// Adds up numbers by key and prints "KEY NUMBER..." lines in order.
export class Sums {
	sums = new Map();
	add(key, ...numbers) {
		const old = this.sums.get(key) ?? numbers.map(() => 0n);
		this.sums.set(key, old.map((number, i) => number + BigInt(numbers[i])));
	}
	print() {
		for (const key of [...this.sums.keys()].sort())
			if (this.sums.get(key).some((number) => number))
				console.log(`${key} ${this.sums.get(key).join(" ")}`);
	}
}
