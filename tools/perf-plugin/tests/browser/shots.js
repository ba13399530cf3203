// SPDX-License-Identifier: GPL-2.0-only
// Takes the screenshots of the guide: report.png, code.png and heat.png.
// usage: shots.js PAGE-OF-XZ PAGE-OF-HOT FOLDER
"use strict";
const { withPage } = require("./browser.js");

const [xz, hot, folder] = process.argv.slice(2);

async function open(page, file) {
	await page.goto("file://" + file);
	await page.locator("#flame-cells [role=treeitem]").first().waitFor();
	// It would cover what lies below it.
	await page.addStyleTag({ content: "nav { position: static !important; }" });
}

withPage({ viewport: { width: 1000, height: 760 }, colorScheme: "light", reducedMotion: "reduce" }, async function (page, faults) {
	await open(page, xz);
	await page.screenshot({ path: folder + "/report.png" });
	await page.setViewportSize({ width: 1000, height: 960 });
	const map = page.locator(".heat").first();
	await map.scrollIntoViewIfNeeded();
	// Two frames, in which a canvas draws itself after its size has changed
	await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
	await map.screenshot({ path: folder + "/heat.png" });
	await open(page, hot);
	const link = page.locator("#functions-table a").first();
	await link.click();
	const listing = page.locator("details[open].code").first();
	await listing.locator("[data-peak]").click();
	await page.mouse.move(0, 0);
	await page.evaluate("document.activeElement.blur()");
	await listing.evaluate((e) => { e.querySelector(".scroll").style.maxHeight = "20rem"; });
	await listing.screenshot({ path: folder + "/code.png" });
	if (faults.length)
		throw new Error(faults.join("\n"));
}).catch(function (error) {
	console.error("shots.js: " + error.message);
	process.exit(1);
});
