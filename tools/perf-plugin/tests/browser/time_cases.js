// SPDX-License-Identifier: GPL-2.0-only
// The range of time by keyboard and mouse.  The samples are from 1 ns to 119.001 ms.  The first of
// 64 slices ends at 1.859391 ms: it has two loads of the walk with 100 cycles, a store of each
// thread with 10 and 20 cycles, and the kernel's sample with 100.  That is 330 cycles in 5 samples.
"use strict";
const { assert, test, tabTo, text, view } = require("./cases.js");

const status = (page) => text(page, "#time-status");
const hash = (page) => page.evaluate("location.hash");
const cells = (page, name) => page.locator("#functions-table tbody tr", { has: page.locator(".name", { hasText: name }) }).locator("td").allTextContents();
const marked = (page) => page.locator(".of-whole:visible").count();
const flame = (page) => page.locator("#flame-cells [role=treeitem]").first().getAttribute("aria-label");

async function first(page) {
	await tabTo(page, "#time-to");
	await page.keyboard.press("Home");
}

async function keys(page) {
	const before = [await cells(page, /^hot$/), await flame(page)];

	assert.strictEqual(await status(page), "All 119.001 ms: 141 samples with a time.");
	assert.strictEqual(await marked(page), 0);
	await first(page);
	assert.strictEqual(await status(page), "0 ns to 1.859 ms after the first sample: 5 samples of 141 with a time, 2.66% of the cycles. The same in other verbs: --time 0.000000001,0.001859391");
	assert.strictEqual(await hash(page), "#t=0-0.00185939");
	assert.strictEqual(await page.locator("#time-to").getAttribute("aria-valuetext"), "1.859 ms");
	const hot = await cells(page, /^hot$/);
	assert.deepStrictEqual([hot[0], ...hot.slice(3, 10)], ["63.64%", "60.00%", "3", "70.0", "100", "100", "-", "-"]);
	assert.strictEqual(await flame(page), "all: 100.00% of cycles (330), 100.00% of samples (5)");
	assert.strictEqual(await page.locator("details.code", { has: page.locator("summary .name", { hasText: /^hot$/ }) }).locator("summary .part").textContent(), "63.64% of cycles, 60.00% of samples");
	assert((await text(page, "#line-0 summary")).includes("in this time 0 loads, 2 stores"), await text(page, "#line-0 summary"));
	assert((await view(page))[1] < 0.02, "the heat map shows more than the first slice: " + await view(page));
	assert.strictEqual(await text(page, ".heat .where"), "All addresses of the selected time.");
	assert((await marked(page)) > 3, "nothing is marked as of the whole recording");
	assert.strictEqual(await page.locator("#functions-table td.whole").count(), 0);
	assert((await page.locator("#code td.whole").count()) > 0, "p99 of an instruction is not marked");
	assert.strictEqual(await text(page, "[data-card=Samples]"), "Samples5in this time");
	assert.strictEqual(await text(page, "[data-card='p99 latency']"), "p99 latency100cycles; median 100");
	await page.keyboard.press("Escape");
	assert.deepStrictEqual([await cells(page, /^hot$/), await flame(page)], before);
	assert.deepStrictEqual(await view(page), [0, 1, 0, 1]);
	assert.strictEqual(await hash(page), "");
	assert.strictEqual(await marked(page), 0);
}

// The last quarter has 30 samples of the walk, and nothing of cold.
async function mouse(page) {
	const box = await page.locator("#time-line").boundingBox(), y = box.y + box.height / 2;

	await page.mouse.move(box.x + box.width * 0.755, y);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * 0.999, y, { steps: 5 });
	await page.mouse.up();
	assert((await status(page)).startsWith("89.251 ms to 119.001 ms after the first sample: 30 samples of 141"), await status(page));
	assert.strictEqual(await page.locator("#functions-table tbody tr:visible").count(), 1);
	assert.strictEqual(await page.locator("#line-0").isVisible(), false);
	await page.locator("#time-clear").click();
	assert.strictEqual(await page.locator("#functions-table tbody tr:visible").count(), 3);
}

// Escape shows the whole recording after a drag, during one, and after a click beside; it stays after the drag.
async function escape(page) {
	const line = page.locator("#time-line");
	let box, y;
	const drag = async function () {
		await line.scrollIntoViewIfNeeded();
		box = await line.boundingBox();
		y = box.y + box.height / 2;
		await page.mouse.move(box.x + box.width * 0.3, y);
		await page.mouse.down();
		await page.mouse.move(box.x + box.width * 0.6, y, { steps: 5 });
		assert(!(await status(page)).startsWith("All "), "nothing is selected");
	};
	const whole = async (when) => assert((await status(page)).startsWith("All "), when + ": " + await status(page));

	// The flame graph has the focus before.
	await page.locator("#flame-cells [role=treeitem]").first().focus();
	await drag();
	await page.mouse.up();
	await page.keyboard.press("Escape");
	await whole("after a drag");
	await drag();
	await page.keyboard.press("Escape");
	await whole("during a drag");
	await page.mouse.move(box.x + box.width * 0.8, y, { steps: 3 });
	await page.mouse.up();
	await whole("after the drag that Escape ended");
	await drag();
	await page.mouse.up();
	await page.locator("#functions-title").click();
	await page.keyboard.press("Escape");
	await whole("after a click beside");
	for (const [name, control] of [["a button", "#functions-table th button"], ["a link", "#functions-table tbody tr:visible a, #functions-table tbody tr:visible button"]]) {
		await drag();
		await page.mouse.up();
		await page.locator(control).first().focus();
		await page.keyboard.press("Escape");
		await whole("with the focus on " + name);
	}
	// These have an Escape of their own.
	for (const control of ["#functions input", "#flame-cells [role=treeitem]", "canvas"]) {
		await drag();
		await page.mouse.up();
		await page.locator(control).first().focus();
		await page.keyboard.press("Escape");
		assert(!(await status(page)).startsWith("All "), "Escape in " + control + " shows the whole recording");
	}
}

// Rows stay sorted: by their mean cold (20) is behind hot (70) in the first slice, and so it is in all.
async function sorted(page) {
	await page.locator("#functions-table th button", { hasText: "count" }).click();
	await first(page);
	const counts = await page.locator("#functions-table tbody tr td:nth-child(5)").allTextContents();
	assert.deepStrictEqual(counts, ["3", "1", "1"]);
}

async function fragment(page, url) {
	await first(page);
	const selected = await status(page);

	await page.locator('nav a[href="#code"]').click();
	await page.waitForFunction(() => location.hash.includes("t="));
	assert.strictEqual(await hash(page), "#code&t=0-0.00185939");
	await page.goto("about:blank");
	await page.goto(url + "#code&t=0-0.00185939");
	assert.strictEqual(await status(page), selected);
	assert(await page.locator("#code").evaluate((e) => Math.abs(e.getBoundingClientRect().top) < 200), "the page does not show the part");
	assert((await text(page, 'nav a[href="#time"]')).startsWith("Time: 0 ns to"), "no range in the navigation");
	// Each range, from its own address
	const wrong = await page.evaluate(async function () {
		const to = document.getElementById("time-to"), last = Number(to.max), status = document.getElementById("time-status"), wrong = [];

		for (let i = 0; i < last; i++) {
			to.value = i;
			to.dispatchEvent(new Event("input"));
			const said = status.textContent, hash = location.hash;
			location.hash = "";
			await new Promise((done) => setTimeout(done, 5));
			document.getElementById("time-clear").click();
			location.hash = hash;
			await new Promise((done) => setTimeout(done, 5));
			if (status.textContent !== said)
				wrong.push(hash);
		}
		return wrong;
	});
	assert.deepStrictEqual(wrong, []);
	await page.goto("about:blank");
	await page.goto(url + "#t=x-y");
	assert((await status(page)).startsWith("All "), await status(page));
}

module.exports = async function (page, url) {
	for (const [name, run] of [["keys, and all parts follow", keys], ["mouse", mouse], ["Escape", escape], ["tables stay sorted", sorted], ["in the address", fragment]]) {
		await test("range of time: " + name, async function () {
			await page.goto("about:blank");
			await page.goto(url);
			await run(page, url);
		});
	}
};
