// SPDX-License-Identifier: GPL-2.0-only
// The pages of report --html and diff --html, and the heat map of mem --html.  tests/browser/run says what the
// recording has; the numbers here are sums of its lines.
// usage: report.js FOLDER-OF-PAGES
"use strict";
const { withPage } = require("./browser.js");
const { assert, test, violations, tabTo, focused, text } = require("./cases.js");
const flame = require("./flame_cases.js"), heat = require("./heat_cases.js"), time = require("./time_cases.js"),
	diff = require("./diff_cases.js");

const folder = process.argv[2], report = "file://" + folder + "/report.html", mem = "file://" + folder + "/mem.html", compared = "file://" + folder + "/diff.html",
	example = "file://" + folder + "/example.html";
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
		await diff(page, compared);
		await test("no error in all of this", async () => assert.deepStrictEqual(faults, []));
	});
	await withPage({ javaScriptEnabled: false }, (page, faults) => test("tables, code and pictures without JavaScript", () => plain(page, faults)));
})();
