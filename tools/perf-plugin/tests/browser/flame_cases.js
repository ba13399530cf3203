// SPDX-License-Identifier: GPL-2.0-only
// The flame graph by keyboard and mouse.  The recording has 120 * 100 + 10 * 10 cycles in hot of
// thread 10, 10 * 20 in cold of thread 11 and 100 in the kernel: 12400 in 141 samples.
"use strict";
const { assert, test, tabTo, focused, text } = require("./cases.js");

const label = (page) => focused(page, "ariaLabel");
const width = (page) => page.evaluate("document.activeElement.getBoundingClientRect().width / document.getElementById('flame-cells').clientWidth");

async function press(page, ...keys) {
	for (const key of keys)
		await page.keyboard.press(key);
}

async function keys(page) {
	await tabTo(page, "#flame-cells [role=treeitem]");
	assert.strictEqual(await label(page), "all: 100.00% of cycles (12,400), 100.00% of samples (141)");
	await press(page, "ArrowDown");
	assert.strictEqual(await label(page), "walker, pid 10: 99.19% of cycles (12,300), 99.29% of samples (140)");
	await press(page, "ArrowDown");
	assert((await label(page)).startsWith("thread 10: 97.58%"), await label(page));
	await press(page, "ArrowRight");
	assert((await label(page)).startsWith("thread 11: 1.61% of cycles (200)"), await label(page));
	await press(page, "ArrowDown", "ArrowDown");
	assert((await label(page)).startsWith("cold: 1.61%"), await label(page));
	await press(page, "ArrowUp", "ArrowUp", "ArrowLeft");
	assert((await label(page)).startsWith("thread 10"), await label(page));
	await press(page, "Home");
	assert((await label(page)).startsWith("all: "));
	assert((await text(page, "#flame-path")).startsWith("all"));
}

async function zoom(page) {
	await tabTo(page, "#flame-cells [role=treeitem]");
	await press(page, "ArrowDown", "ArrowDown", "ArrowRight");
	const before = await width(page);
	assert(before < 0.1, "thread 11 has a width of " + before);
	await press(page, "Enter");
	assert(await width(page) > 0.99, "Enter does not zoom");
	assert.strictEqual(await page.locator("#flame-cells [aria-selected=true]").textContent(), "thread 11");
	await press(page, "Escape");
	const after = await page.locator("#flame-cells [aria-label^='thread 11']").evaluate((e) => e.getBoundingClientRect().width / e.parentNode.clientWidth);
	assert(Math.abs(after - before) < 0.01, "Escape does not go back");
	await page.locator("#flame-cells [aria-label^='cold']").click();
	assert(await page.locator("#flame-cells [aria-label^='cold']").evaluate((e) => e.getBoundingClientRect().width / e.parentNode.clientWidth) > 0.99);
	await page.locator("#flame-back").click();
	assert(await page.locator("#flame-reset").isDisabled(), "Back does not go back");
}

async function search(page) {
	await tabTo(page, "#flame-search");
	await page.keyboard.type("cold");
	assert.strictEqual(await text(page, "#flame-found"), "1 cell, 1.61% of cycles");
	await press(page, "Enter");
	assert((await label(page)).startsWith("cold: "), await label(page));
	assert.strictEqual(await page.locator("#flame-cells .found").count(), 1);
}

async function measures(page) {
	await page.locator("[data-measure=count]").click();
	await page.locator("#flame-search").fill("cold");
	// 10 of 141 samples
	assert.strictEqual(await text(page, "#flame-found"), "1 cell, 7.09% of samples");
	const part = await page.locator("#flame-cells [aria-label^='cold']").evaluate((e) => e.getBoundingClientRect().width / e.parentNode.clientWidth);
	assert(Math.abs(part - 10 / 141) < 0.005, "the cell has a width of " + part);
}

async function still(page, url) {
	await page.emulateMedia({ reducedMotion: "reduce" });
	await page.goto(url);
	const time = () => page.locator("#flame-cells [role=treeitem]").first().evaluate((e) => getComputedStyle(e).transitionDuration);
	assert.strictEqual(await time(), "0s");
	await page.emulateMedia({ reducedMotion: "no-preference" });
	assert.notStrictEqual(await time(), "0s");
	await page.emulateMedia({ reducedMotion: "reduce" });
}

module.exports = async function (page, url) {
	await test("no motion for those who want none", () => still(page, url));
	for (const [name, run] of [["flame graph: arrows", keys], ["flame graph: zoom and back", zoom], ["flame graph: search", search],
		["flame graph: cycles or samples", measures]]) {
		await test(name, async function () {
			await page.goto(url);
			await run(page);
		});
	}
};
