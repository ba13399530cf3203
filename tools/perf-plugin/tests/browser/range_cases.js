// SPDX-License-Identifier: GPL-2.0-only
// What a page shows of a range of time is what the verbs print with --time.  The pages are those of
// the shipped recordings; range_cases(page, folder) reads FOLDER/range-NAME.html.
"use strict";
const { execFileSync, spawnSync } = require("child_process");
const { assert, test, text } = require("./cases.js");

const examples = process.env.EXAMPLES, perfSpe = process.env.PERF_SPE;
const ranges = [[0.25, 0.6], [0, 0.05], [0.5, 0.52]];

function run(words) {
	const out = execFileSync(perfSpe, words, { cwd: examples, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

	return JSON.parse(out);
}

// Rounded numbers of the page against all digits; without any, "-" or a share of nothing
function near(shown, exact, digits, where) {
	if (exact === null || exact === undefined)
		return assert(["-", "0.00%"].includes(shown), where + ": the page has " + shown + ", the verb none");
	assert(Math.abs(parseFloat(shown.replace(/,/g, "")) - exact) <= 0.501 * 10 ** -digits, where + ": the page has " + shown + ", the verb " + exact);
}

// The visible rows of a table, and which of their cells are of the whole recording
const rows = (page, selector) => page.locator(selector).evaluate((table) => Array.from(table.tBodies[0].rows).filter((tr) => !tr.hidden)
	.map((tr) => Array.from(tr.cells, (td) => ({ text: td.textContent, whole: td.classList.contains("whole") }))));

// Compare the cells of a row with these fields of the verb's row; digits by field, 2 by default.
function same(cells, names, row, where) {
	names.forEach(function (name, i) {
		if (!name)
			return;
		const digits = /mean/.test(name) ? 1 : /percent/.test(name) ? 2 : 0;

		assert(!cells[i].whole, where + ": " + name + " is not of the range");
		near(cells[i].text, row[name], digits, where + " " + name);
	});
}

async function functions(page, verb) {
	const shown = await rows(page, "#functions-table"), want = verb("report").rows;

	assert.strictEqual(shown.length, want.length, "functions");
	for (const cells of shown) {
		const name = cells[1].text, of = want.filter((r) => (r.symbol || "[no symbol]") === name && r.object.endsWith(cells[2].text));

		assert.strictEqual(of.length, 1, "function " + name);
		// The page has latencies of functions whose code it has.
		const known = !cells[6].whole;
		assert.strictEqual(known, await page.locator("#functions-table a", { hasText: new RegExp("^" + name.replace(/[^\w]/g, "\\$&") + "$") }).count() === 1, "p50 of " + name);
		same(cells, ["cost_percent", "", "", "share_percent", "count", "mean", known && "p50", known && "p99", "issue_mean", "translation_mean"], of[0], name);
	}
}

async function summary(page, verb) {
	const want = verb("stat"), total = want.latencies.find((l) => l.latency === "total");
	const cells = ["", "count", "share_percent", "", "mean", "p50", "p99"];
	const tables = { ops: [want.operations, (r) => r.op + " " + r.subclass, cells], tasks: [want.tasks, (r) => r.pid + " " + r.comm, cells],
		sources: [want.sources, (r) => r.source_name ? r.source + " " + r.source_name : String(r.source), cells],
		events: [want.events, (r) => r.event, ["", "count", "share_percent", "", "mean"]],
		latencies: [want.latencies, (r) => r.latency, ["", "count", "mean", "p50", "p99", "max"]],
		cpus: [want.cpus, (r) => "CPU " + r.cpu, ["", "count", "share_percent"]] };

	for (const [id, [list, name, names]] of Object.entries(tables)) {
		const selector = "table[data-sums=" + id + "]";

		if (!await page.locator(selector).count())
			continue;
		const shown = await rows(page, selector), of = new Map(list.map((r) => [name(r), r]));

		assert.strictEqual(shown.length, list.length, id);
		for (const row of shown) {
			const key = row[0].text.trim().replace(/ -$/, "").replace(/^0x([0-9a-f]+)/, (_, hex) => String(parseInt(hex, 16)));

			assert(of.has(key), id + ": no '" + key + "' among " + Array.from(of.keys()).join(", "));
			same(row, names, of.get(key), id + " " + key);
			if (names === cells)
				near(row[3].text, 100 * of.get(key).cycles / list.reduce((sum, r) => sum + r.cycles, 0), 2, id + " cycles of " + key);
		}
	}
	const card = (name) => page.locator('[data-card="' + name + '"] dd span').textContent();
	near(await card("Samples"), want.samples, 0, "Samples");
	near(await card("Cycles"), total.cycles, 0, "Cycles");
	near(await card("Mean latency"), total.mean, 1, "Mean latency");
	near(await card("p99 latency"), total.p99, 0, "p99 latency");
	near(await card("Functions"), verb("report").rows.length, 0, "Functions");
	near(await card("Processes"), new Set(want.tasks.map((r) => r.pid)).size, 0, "Processes");
}

async function memory(page, verb) {
	const want = verb("mem", "--limit", "100000");

	for (const cells of await rows(page, "table[data-sums=pages]"))
		same(cells, ["cost_percent", "count", "share_percent", "stores", "mean"], want.pages.find((r) => r.page === cells[7].text), cells[7].text);
	for (const cells of await rows(page, "table[data-sums=nodes]"))
		same(cells, ["cost_percent", "count", "share_percent", "stores", "mean", "remote"], want.nodes.find((r) => String(r.cpu_node) === cells[6].text), "node " + cells[6].text);
	// A region of the range may be smaller than that of the whole recording, or be several.
	for (const cells of await rows(page, "table[data-sums=regions]")) {
		const [start, end] = cells[6].text.split("-").map(BigInt), of = want.regions.filter((r) => BigInt(r.start) >= start && BigInt(r.end) <= end);

		assert.strictEqual(Number(cells[1].text), of.reduce((sum, r) => sum + r.count, 0), "region " + cells[6].text);
		assert.strictEqual(Number(cells[3].text), of.reduce((sum, r) => sum + r.stores, 0), "stores of region " + cells[6].text);
	}
}

async function layouts(page, verb) {
	for (const pre of await page.locator("pre[data-layout]").all()) {
		const lines = (await pre.textContent()).split("\n"), name = await pre.locator("xpath=../preceding-sibling::h3[1]").textContent();
		const members = lines.filter((l) => /^ +[\d.]+% +\d/.test(l)).map((l) => l.slice(0, 51).trim().split(/ +/));
		let want;

		try {
			want = verb("layout", name);
		} catch (error) {
			assert(members.every((m) => m[1] === "0"), name + " has samples, but layout has none");
			continue;
		}
		assert.strictEqual(members.length, want.members.length, name);
		members.forEach((m, i) => same(m.map((cell) => ({ text: cell })), ["share_percent", "count", "loads", "stores", "mean", "p99"], want.members[i], name + " " + want.members[i].member));
		assert(lines.some((l) => l.startsWith("# " + want.samples + " sample")), "samples of " + name);
	}
}

// The command of a finding, as it is pasted, has the range.
async function findings(page, verb) {
	for (const li of await page.locator(".findings > li").all()) {
		const command = await li.locator(".command").textContent(), said = /: ([\d,]+) samples? of this finding, with ([\d.]+)%/.exec(await li.locator(".selected").textContent());
		const filter = /--filter '([^']*)'/.exec(command)[1], of = verb("report", "--filter", filter), all = verb("report");
		const cycles = (list) => list.reduce((sum, r) => sum + (r.cycles || 0), 0);

		assert(command.includes(" --time " + verb.time), command);
		assert.strictEqual(Number(said[1].replace(/,/g, "")), of.samples, filter);
		near(said[2], cycles(all.rows) ? 100 * cycles(of.rows) / cycles(all.rows) : 0, 2, filter);
		// A range may have too few samples for "pgo", which is no wrong usage.
		const { status } = spawnSync("sh", ["-c", command.replace(/^perf spe/, '"$0"'), perfSpe], { cwd: examples, stdio: "ignore" });
		assert(status === 0 || (status === 1 && command.startsWith("perf spe pgo")), status + ": " + command);
	}
}

// The mark is at the instruction with the highest share, and each listing has one.
async function marks(page) {
	const wrong = await page.evaluate(() => JSON.parse(document.getElementById("time-data").textContent).codes.map(function ([row]) {
		const listing = document.querySelector("#code-" + row + " .listing"), marked = listing.querySelectorAll("tr.peak");
		const share = (tr) => parseFloat(tr.cells[0].textContent) || 0, shares = Array.from(listing.querySelectorAll("tbody tr")).filter((tr) => tr.cells.length > 2).map(share);

		return marked.length === 1 && share(marked[0]) === Math.max(...shares) ? "" : row + ": " + marked.length + " marks, " + Array.from(marked, share) + " of " + Math.max(...shares);
	}).filter(Boolean));

	assert.deepStrictEqual(wrong, []);
}

async function compare(page, name, from, to, part = name) {
	const url = "file://" + process.argv[2] + "/range-" + part + ".html";

	await page.goto("about:blank");
	await page.goto(url);
	const all = () => page.locator("#findings, #functions, #code, #layout, #memory table, #sharing, #summary").evaluateAll((parts) => parts.map((part) => part.innerText));
	const peaks = () => page.locator("tr.peak").allTextContents();
	const before = await all(), marked = await peaks();
	const span = await page.evaluate("JSON.parse(document.getElementById('time-data').textContent).span / 1e9");
	await page.evaluate("location.hash = 't=" + from * span + "-" + to * span + "'");
	await page.waitForFunction(() => !document.getElementById("time-clear").disabled);
	const time = /--time (\S+)/.exec(await text(page, "#time-status"))[1];
	const verb = (word, ...more) => run([word, ...more, "-i", name + ".data", "--symfs", "symfs", "--json", "--time", time]);

	verb.time = time;
	for (const part of [functions, summary, memory, layouts, findings, marks])
		await part(page, verb);
	await page.locator("#time-clear").click();
	assert.deepStrictEqual(await all(), before, "not as before the selection");
	assert.deepStrictEqual(await peaks(), marked);
}

module.exports = async function (page) {
	await page.setViewportSize({ width: 1280, height: 800 });
	for (const name of process.env.RANGES.split(" "))
		for (const [from, to] of ranges)
			await test("range of time: " + name + " from " + from + " to " + to + " as the verbs with --time", () => compare(page, name, from, to));
	await test("range of time: of a page with --time, whose commands get the range in its place", () => compare(page, "hot", 0.25, 0.6, "part"));
	await test("range of time: of a page with several windows, whose commands keep them", async function () {
		await page.goto("file://" + process.argv[2] + "/range-parts.html#t=0.1-0.2");
		await page.waitForFunction(() => !document.getElementById("time-clear").disabled);
		assert.match(await text(page, ".command.whole"), / --time 20%\/1,20%\/3 --filter '[^']*' --by symbol,object$/);
	});
};
