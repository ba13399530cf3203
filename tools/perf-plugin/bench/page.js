// SPDX-License-Identifier: GPL-2.0-only
// Prints how long a page takes to load in headless Chromium, and from a key to the next frame.
// usage: page.js FILE
"use strict";
const { withPage } = require("../tests/browser/browser.js");
const { tabTo } = require("../tests/browser/cases.js");

// From the event to the second frame after it: the first one may have begun before.
const frame = (page, act) => page.evaluate(`new Promise(function (done) {
	const begin = performance.now();

	(${act})();
	requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begin)));
})`);

withPage({ viewport: { width: 1440, height: 900 } }, async function (page, faults) {
	const key = (selector, name) => frame(page, `() => document.querySelector(${JSON.stringify(selector)}).dispatchEvent(new KeyboardEvent("keydown", { key: ${JSON.stringify(name)}, bubbles: true }))`);
	const begin = Date.now();

	await page.goto("file://" + process.argv[2]);
	await page.locator("#flame-cells [role=treeitem]").first().waitFor();
	console.log("opens in " + (Date.now() - begin) + " ms, with " + await page.evaluate("document.querySelectorAll('*').length") + " elements");
	console.log("a word in the filter: " + (await frame(page, `() => { const i = document.querySelector("[data-filters]"); i.value = "mem"; i.dispatchEvent(new Event("input")); }`)).toFixed(0) + " ms to the next frame");
	console.log("a click on a heading: " + (await frame(page, "() => document.querySelector('#functions-table th:nth-child(2) button').click()")).toFixed(0) + " ms");
	await tabTo(page, "#flame-cells [role=treeitem]");
	await page.keyboard.press("ArrowDown");
	console.log("Enter in the flame graph: " + (await key("#flame-cells [tabindex='0']", "Enter")).toFixed(0) + " ms");
	if (await page.locator("canvas").count())
		console.log("+ in the heat map: " + (await key("canvas", "+")).toFixed(0) + " ms");
	if (faults.length)
		throw new Error(faults.join("\n"));
}).catch(function (error) {
	console.error("page.js: " + error.message);
	process.exit(1);
});
