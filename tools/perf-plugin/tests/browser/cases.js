// SPDX-License-Identifier: GPL-2.0-only
// Cases: each prints "ok NAME" or "FAIL NAME" with the reasons.  A page that hangs fails its case and ends the run.
"use strict";
const assert = require("assert");

const minutes = 3;	// all cases together take one or two on an idle machine

async function test(name, run) {
	const late = setTimeout(function () {
		console.log("  no end within " + minutes + " minutes\nFAIL browser: " + name);
		process.exit(1);
	}, minutes * 60000);

	try {
		await run();
		console.log("ok browser: " + name);
	} catch (error) {
		for (const line of String(error.message).split("\n").slice(0, 12))
			console.log("  " + line);
		console.log("FAIL browser: " + name);
	} finally {
		clearTimeout(late);
	}
}

// axe-core's findings of the two worst grades.  Evaluated, as the page allows no other script.
async function violations(page) {
	const source = require("fs").readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
	const result = await page.evaluate(source + "; axe.run()");

	assert(result.passes.length > 10, "axe-core looked at nothing");
	return result.violations.filter((v) => ["serious", "critical"].includes(v.impact))
		.map((v) => v.id + ": " + v.nodes[0].html.slice(0, 160) + " " + v.nodes[0].failureSummary.replace(/\s+/g, " ").slice(0, 200));
}

// Presses Tab until an element matches; fails if the page has no way there.
async function tabTo(page, selector) {
	for (let i = 0; i < 300; i++) {
		await page.keyboard.press("Tab");
		if (await page.evaluate((s) => document.activeElement.matches(s), selector))
			return;
	}
	assert.fail("Tab does not reach " + selector);
}

const focused = (page, what) => page.evaluate("document.activeElement." + what);
const text = (page, selector) => page.locator(selector).first().textContent();

// What the first heat map shows: parts of its width and height, 0 to 1.  A page draws it after it is loaded.
async function view(page) {
	const drawn = await page.waitForFunction(() => document.querySelector("canvas").dataset.view);

	return (await drawn.jsonValue()).split(" ").map(Number);
}

module.exports = { assert, test, violations, tabTo, focused, text, view };
