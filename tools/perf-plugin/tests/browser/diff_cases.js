// SPDX-License-Identifier: GPL-2.0-only
// The page of diff.  In the old recording hot has 60 and cold 40 of 100 samples, in the new one 30
// and 70.
"use strict";
const { assert, test, tabTo, focused, text } = require("./cases.js");

const label = (page) => focused(page, "ariaLabel");
const cell = (page, name) => page.locator("#flame-cells [aria-label^='" + name + ": ']");
const width = (page, name) => cell(page, name).evaluate((e) => e.getBoundingClientRect().width / e.parentNode.clientWidth);
const colour = (page, name) => cell(page, name).evaluate((e) => getComputedStyle(e).backgroundColor.match(/[0-9]+/g).map(Number));

async function verdict(page) {
	const lines = await page.locator("#verdict li").allTextContents();

	assert(lines.includes("cold share from 40.00% to 70.00% (+75.0%)"), lines.join("; "));
	assert((await text(page, "#verdict p")).includes("more than chance"), await text(page, "#verdict p"));
	assert.strictEqual(await page.locator("#differences tbody tr").count(), 2);
	assert.deepStrictEqual((await page.locator("#differences th").allTextContents()).slice(0, 4), ["symbol", "cost, old", "cost, new", "cost, change"]);
	assert.strictEqual(await page.title(), "old.data, new.data - perf spe diff");
}

async function keys(page) {
	await page.locator("[data-measure=count]").click();
	await tabTo(page, "#flame-cells [role=treeitem]");
	await page.keyboard.press("ArrowDown");
	assert.strictEqual(await label(page), "walker: 100.00% of samples (100), in the old recording 100.00% (100), 0.00 points");
	await page.keyboard.press("ArrowDown");
	assert((await label(page)).startsWith("prog: 100.00%"), await label(page));
	await page.keyboard.press("ArrowDown");
	assert.strictEqual(await label(page), "cold: 70.00% of samples (70), in the old recording 40.00% (40), +30.00 points");
}

async function colours(page) {
	const more = await colour(page, "cold"), less = await colour(page, "hot"), same = await colour(page, "walker");

	assert(more[0] > more[2] + 60, "cold is not red: " + more);
	assert(less[2] > less[0] + 60, "hot is not blue: " + less);
	assert(Math.abs(same[0] - same[2]) < 5, "the process is not grey: " + same);
}

async function sides(page) {
	await page.locator("[data-measure=count]").click();
	assert(Math.abs(await width(page, "cold") - 0.7) < 0.01, "width by new");
	await tabTo(page, "[data-side=old]");
	await page.keyboard.press("Enter");
	assert(Math.abs(await width(page, "cold") - 0.4) < 0.01, "width by old");
	assert.strictEqual(await page.locator("[data-side=old]").getAttribute("aria-pressed"), "true");
	await page.locator("#flame-search").fill("hot");
	assert.strictEqual(await text(page, "#flame-found"), "1 cell, 60.00% of samples");
}

async function longNames(page) {
	const table = page.locator("#differences .scroll");

	await page.setViewportSize({ width: 1100, height: 700 });
	await table.locator("tbody td").first().evaluate((e) => {
		e.textContent = "void math::each<double, 512, math::Sum>(math::Matrix<double, 512>&, math::Sum&)";
	});
	const [wide, room] = await table.evaluate((e) => [e.scrollWidth, e.clientWidth]);
	assert(wide <= room, wide + " pixels in " + room);
}

module.exports = async function (page, url) {
	for (const [name, run] of [["the verdict", verdict], ["a long name beside all numbers", longNames], ["flame graph by keyboard", keys], ["colours", colours], ["width by the old or the new recording", sides]]) {
		await test("diff: " + name, async function () {
			await page.goto(url);
			await run(page);
		});
	}
};
