// SPDX-License-Identifier: GPL-2.0-only
// The pages of report --html and diff --html, and the heat map of mem --html.  tests/browser/run says what the
// recording has; the numbers here are sums of its lines.
// usage: report.js FOLDER-OF-PAGES
"use strict";
const { withPage } = require("./browser.js");
const { assert, test, violations, tabTo, focused, text } = require("./cases.js");
const flame = require("./flame_cases.js"), heat = require("./heat_cases.js"), time = require("./time_cases.js"), range = require("./range_cases.js"),
	diff = require("./diff_cases.js");

const folder = process.argv[2], report = "file://" + folder + "/report.html", mem = "file://" + folder + "/mem.html", compared = "file://" + folder + "/diff.html",
	example = "file://" + folder + "/example.html", bare = "file://" + folder + "/bare.html",
	structures = "file://" + folder + "/range-shared.html";
const background = (page) => page.evaluate("getComputedStyle(document.body).backgroundColor");
const light = "rgb(255, 255, 255)", dark = "rgb(20, 23, 28)";

async function load(page, faults) {
	await page.goto(report);
	await page.goto(mem);
	await page.goto(compared);
	await page.goto(report);
	await page.locator("#flame-cells [role=treeitem]").first().waitFor();
	assert.deepStrictEqual(faults, []);
	assert.strictEqual(await page.locator("main img, main i:not([class])").count(), 0, "a name became an element");
	assert((await text(page, "header .facts")).includes("<i>host</i>"));
}

async function sizes(page) {
	for (const url of [report, mem, compared]) {
		for (const width of [360, 1920]) {
			await page.setViewportSize({ width, height: 800 });
			await page.goto(url);
			const wide = await page.evaluate("document.documentElement.scrollWidth");
			assert(wide <= width, url + " is " + wide + " wide on a screen of " + width);
		}
	}
	await page.setViewportSize({ width: 1280, height: 800 });
}

async function themes(page) {
	await page.goto(report);
	await page.emulateMedia({ colorScheme: "light" });
	assert.strictEqual(await background(page), light);
	await page.emulateMedia({ colorScheme: "dark" });
	assert.strictEqual(await background(page), dark);
	// The button: system, light, dark
	await tabTo(page, "#theme");
	await page.keyboard.press("Enter");
	assert.strictEqual(await background(page), light);
	await page.emulateMedia({ colorScheme: "light" });
	await page.keyboard.press("Enter");
	assert.strictEqual(await background(page), dark);
	await page.keyboard.press("Enter");
	assert.strictEqual(await background(page), light);
}

async function accessible(page) {
	for (const url of [report, mem, compared]) {
		for (const colorScheme of ["light", "dark"]) {
			for (const width of [360, 1280]) {
				await page.setViewportSize({ width, height: 800 });
				await page.emulateMedia({ colorScheme });
				await page.goto(url);
				await page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })");
				assert.deepStrictEqual(await violations(page), [], url + " " + colorScheme + " " + width);
			}
		}
	}
}

const names = (page) => page.locator("#functions-table tbody tr:not([hidden]) .name").allTextContents();

async function table(page) {
	await page.goto(report);
	const before = await names(page);
	assert.deepStrictEqual(before.slice(0, 2), ["hot", "cold"]);
	await tabTo(page, "[data-filters=functions-table]");
	await page.keyboard.type("COLD");
	assert.deepStrictEqual(await names(page), ["cold"]);
	assert.strictEqual(await text(page, "#functions-table-status"), "1 of 3 rows");
	await page.keyboard.press("Escape");
	assert.deepStrictEqual(await names(page), before);
	await tabTo(page, "#functions-table th:nth-child(2) button");
	await page.keyboard.press("Enter");
	assert.strictEqual(await page.locator("#functions-table th:nth-child(2)").getAttribute("aria-sort"), "ascending");
	assert.deepStrictEqual((await names(page)).slice(-2), ["cold", "hot"]);
	await page.keyboard.press("Enter");
	assert.deepStrictEqual((await names(page)).slice(0, 2), ["hot", "cold"]);
	await tabTo(page, "#functions-table td a");
	await page.keyboard.press("ArrowDown");
	assert.strictEqual(await focused(page, "textContent"), "cold");
}

async function code(page) {
	await page.goto(report);
	await tabTo(page, "#functions-table td a");
	await page.keyboard.press("Enter");
	const details = page.locator("details.code", { has: page.locator("summary .name", { hasText: /^hot$/ }) });
	assert(await details.evaluate((d) => d.open), "the link does not open the listing");
	assert.strictEqual(await focused(page, "tagName"), "SUMMARY");
	assert((await details.locator("tr.peak").textContent()).startsWith("100.00%130100.00%"));
	await tabTo(page, "[data-peak]");
	await page.keyboard.press("Enter");
	assert.strictEqual(await focused(page, "className"), "scroll");
	// From the listing to the flame graph
	await page.keyboard.press("Shift+Tab");
	await page.keyboard.press("Enter");
	assert((await focused(page, "ariaLabel")).startsWith("hot: "), await focused(page, "ariaLabel"));
}

async function sharing(page) {
	await page.goto(report);
	const line = page.locator("#sharing details").first();
	assert((await line.locator("summary").textContent()).includes("virtual 0x7f0000001140 of process 10"));
	assert((await line.locator(".verdict").textContent()).includes("false sharing"));
	assert.strictEqual(await line.locator("table").first().locator("tbody tr").count(), 2);
}

// The part of an element's colours that a mask lets through at its left and right side
const sides = (frame) => frame.evaluate((e) => getComputedStyle(e).maskImage.match(/rgba?\([^)]*\)/g) || []).then((c) => [c[0], c[c.length - 1]]);

// A frame fades at the sides where its table goes on, whatever colours the rows have.
async function fades(page) {
	const solid = "rgb(0, 0, 0)", faded = "rgba(0, 0, 0, 0.1)", frame = page.locator("#functions .scroll");
	const at = async (left) => {
		await frame.evaluate((e, x) => { e.scrollLeft = x < 0 ? e.scrollWidth : x; }, left);
		await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
		return sides(frame);
	};

	await page.setViewportSize({ width: 700, height: 800 });
	await page.goto(report);
	assert.deepStrictEqual(await at(0), [solid, faded]);
	assert.deepStrictEqual(await at(30), [faded, faded]);
	assert.deepStrictEqual(await at(-1), [faded, solid]);
	await page.setViewportSize({ width: 1280, height: 800 });
	await page.waitForFunction(() => !document.querySelector("#functions .scroll").matches(".more-left, .more-right"));
	assert.deepStrictEqual(await sides(frame), [undefined, undefined]);
}

// Names that each page of a C program or of a guest has break at a hyphen, if at all.
async function objects(page) {
	await page.goto("file://" + folder + "/range-shared.html");
	for (const width of [700, 1100, 1400]) {
		await page.setViewportSize({ width, height: 800 });
		const lines = await page.evaluate(() => ["ld-linux-aarch64.so.1", "[guest.kernel]"].map((name) => {
			const cells = Array.from(document.querySelectorAll("#functions-table td.object")), range = document.createRange();
			cells.forEach((cell) => { cell.textContent = name; });
			range.selectNodeContents(cells[0]);
			return new Set(Array.from(range.getClientRects(), (r) => r.top)).size;
		}));
		assert(lines[0] <= 2 && lines[1] === 1, "objects have " + lines + " lines at " + width);
	}
	await page.setViewportSize({ width: 1280, height: 800 });
}

// All links of the navigation are on the screen, and what they lead to is below them.
async function navigation(page) {
	for (const width of [360, 500, 800, 1280]) {
		await page.setViewportSize({ width, height: 800 });
		await page.goto("about:blank");
		await page.goto(report);
		assert.strictEqual(await text(page, "nav a[aria-current]"), "Time", "at the top, " + width);
		for (const link of await page.locator("nav a").all()) {
			const box = await link.boundingBox();
			assert(box.x >= 0 && box.x + box.width <= width, await link.textContent() + " leaves the screen of " + width);
		}
		await page.evaluate("document.documentElement.style.scrollBehavior = 'auto'; location.hash = '#code-0'");
		const [nav, target] = await page.evaluate("[document.querySelector('nav').getBoundingClientRect().bottom, document.querySelector('#code-0').getBoundingClientRect().top]");
		assert(target >= nav, "the navigation covers the listing: " + target + " above " + nav + " at " + width);
	}
	assert.strictEqual(await page.title(), "b.data - perf spe report");
	for (const width of [390, 700, 1280]) {
		await page.setViewportSize({ width, height: 800 });
		for (const file of [report, "file://" + folder + "/diff.html"]) {
			await page.goto("about:blank");
			await page.goto(file);
			await page.evaluate("document.documentElement.style.scrollBehavior = 'auto'");
			for (const link of await page.locator("nav a").all()) {
				await link.click();
				await page.waitForFunction((link) => link.getAttribute("aria-current"), await link.elementHandle());
				assert.strictEqual(await page.locator("nav a[aria-current]").count(), 1);
			}
		}
	}
	await page.setViewportSize({ width: 1280, height: 800 });
}

// What colours say must stay to be seen where the reader's own colours replace the page's.
async function forced(page) {
	const colour = (selector) => page.locator(selector).first().evaluate((e) => getComputedStyle(e).backgroundColor);

	for (const colorScheme of ["light", "dark"]) {
		await page.emulateMedia({ forcedColors: "active", colorScheme });
		await page.goto(report);
		assert.notStrictEqual(await colour("[data-measure=cycles]"), await colour("[data-measure=count]"), "the pressed button");
		assert.notStrictEqual(await colour(".legend .k1"), await colour(".legend .k3"), "the legend");
		assert.notStrictEqual(await colour("#time-line span"), await colour("#time-line"), "bars of the time");
		const all = await colour("#time-line span:last-child");
		await page.locator("#time-to").focus();
		await page.keyboard.press("Home");
		assert.notStrictEqual(await colour("#time-line span:last-child"), all, "bars that are not selected");
		assert((await page.locator(".ramp").first().evaluate((e) => getComputedStyle(e).backgroundImage)).includes("gradient"), "the scale of the heat map");
	}
	await page.emulateMedia({ forcedColors: "none", colorScheme: "light" });
}

// Blocks of text that have more lines on paper than their text has
const wrapped = `Array.from(document.querySelectorAll(".scroll pre")).filter((e) =>
	e.getBoundingClientRect().height > parseFloat(getComputedStyle(e).lineHeight) *
		(e.textContent.trimEnd().split("\\n").length + .5)).map((e) => e.textContent.slice(0, 60))`;

// On paper: light, as wide as the paper, and nothing that only a screen can do.
async function paper(page) {
	await page.setViewportSize({ width: 718, height: 1000 });
	for (const url of [report, compared, structures]) {
		await page.emulateMedia({ media: "print", colorScheme: "dark" });
		await page.goto(url);
		await page.evaluate("document.documentElement.setAttribute('data-theme', 'dark'); document.querySelectorAll('details').forEach((d) => { d.open = true; })");
		assert.strictEqual(await background(page), light);
		assert.strictEqual(await page.locator("#theme, nav, .tools, td button, .keys").locator("visible=true").count(), 0, "what paper cannot do");
		const wide = await page.evaluate("Math.max(document.documentElement.scrollWidth, ...Array.from(document.querySelectorAll('.scroll'), (e) => e.scrollWidth))");
		assert(wide <= 718, url + " is " + wide + " wide on paper of 718");
		assert.deepStrictEqual(await page.evaluate(wrapped), [], "lines of structures that paper wraps");
		for (const heading of await page.locator("h2, h3, thead").all())
			assert.strictEqual(await heading.evaluate((e) => getComputedStyle(e).breakAfter), "avoid", "a heading may end a sheet");
		if (url !== compared)
			assert.strictEqual(await page.locator("#time p >> visible=true").first().innerText(), "Samples over time");
	}
	await page.emulateMedia({ media: "screen", colorScheme: "light" });
	await page.setViewportSize({ width: 1280, height: 800 });
}

// Samples without latency, time and address, of code that is not known
async function little(page) {
	await page.goto(bare);
	assert.strictEqual(await page.locator("[data-measure=cycles]").isDisabled(), true);
	assert(!await page.locator("#flame-cells .kernel").count(), "user code has the colour of the kernel");
	assert((await text(page, "#code .note")).startsWith("The page has no code"), await text(page, "#code .note"));
	assert(!(await page.locator("#summary caption").allTextContents()).some((t) => t.startsWith("Latencies")), "a table without rows");
	await page.goto(report);
	assert(await page.locator("#flame-cells .kernel").count() > 0, "the kernel has the colour of user code");
}

async function skipLink(page) {
	await page.goto(report);
	await page.keyboard.press("Tab");
	assert.strictEqual(await focused(page, "className"), "skip");
	await page.keyboard.press("Enter");
	assert.strictEqual(await focused(page, "id"), "main");
}

async function plain(page, faults) {
	await page.goto(report);
	assert.deepStrictEqual(await page.locator("#functions-table tbody tr .name").allInnerTexts().then((t) => t.slice(0, 2)), ["hot", "cold"]);
	assert(await page.locator("noscript").first().isVisible(), "nothing says that JavaScript is missing");
	assert(!await page.locator("#theme").isVisible(), "a button that does nothing");
	assert(!await page.locator("[data-filters]").isVisible(), "a field that does nothing");
	const details = page.locator("details.code").first();
	await details.locator("summary").click();
	assert((await details.innerText()).includes("return x * 3"));
	await page.goto(mem);
	assert(await page.locator("svg").first().isVisible(), "no picture without JavaScript");
	assert.deepStrictEqual(faults, []);
}

(async function () {
	await withPage({}, async function (page, faults) {
		await test("the pages load without an error and ask for no other file", () => load(page, faults));
		await test("nothing is wider than a screen of 360 or 1920 pixels", () => sizes(page));
		await test("frames fade where there is more beside them", () => fades(page));
		await test("names of objects stay whole where columns are narrow", () => objects(page));
		await test("navigation: all links are seen, and lead below it", () => navigation(page));
		await test("forced colours keep what colours say", () => forced(page));
		await test("a print is light and leaves nothing out", () => paper(page));
		await test("a recording of which little is known", () => little(page));
		await test("light and dark, by the system and by the button", () => themes(page));
		await test("axe-core finds nothing serious, light and dark, narrow and wide", () => accessible(page));
		await page.setViewportSize({ width: 1280, height: 800 });
		await page.emulateMedia({ colorScheme: "light" });
		await test("the first key leads to the content", () => skipLink(page));
		await test("functions: filter, sort and move by keyboard", () => table(page));
		await test("code: from the table to the listing, to the flame graph", () => code(page));
		await test("shared lines have their verdict", () => sharing(page));
		await flame(page, report);
		await heat(page, example, report, mem);
		await time(page, report);
		await range(page);
		await diff(page, compared);
		await test("no error in all of this", async () => assert.deepStrictEqual(faults, []));
	});
	await withPage({ javaScriptEnabled: false }, (page, faults) => test("tables, code and pictures without JavaScript", () => plain(page, faults)));
})();
