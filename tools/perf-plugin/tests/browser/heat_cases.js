// SPDX-License-Identifier: GPL-2.0-only
// The heat map by keyboard and mouse.  The recording walks from 0x100000 in lines of 64 bytes, one
// a millisecond, and 127 TiB above it 20 samples hit one line.  The example has twelve ranges.  The
// page of report has an earlier sample, without an address: its times begin there.
"use strict";
const { assert, test, tabTo, text, view } = require("./cases.js");

const where = (page) => text(page, ".heat .where");
const whole = [0, 1, 0, 1];

// How many pixels of the picture have a colour that is neither the background nor grey
async function coloured(page) {
	return page.locator("canvas").first().evaluate(function (c) {
		const bytes = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
		let count = 0;

		for (let i = 0; i < bytes.length; i += 4)
			count += bytes[i] - Math.min(bytes[i + 1], bytes[i + 2]) > 60;
		return count;
	});
}

// Moves the cursor to the lowest address and the first time.
async function toFirst(page) {
	for (let i = 0; i < 120; i++)
		await page.keyboard.press("ArrowDown");
	for (let i = 0; i < 200; i++)
		await page.keyboard.press("ArrowLeft");
}

async function keys(page, url) {
	assert.deepStrictEqual(await view(page), whole);
	assert(await coloured(page) > 300, "the picture is empty");
	await tabTo(page, "canvas");
	await page.keyboard.press("+");
	const [x0, x1, y0, y1] = await view(page);
	assert.deepStrictEqual([x1 - x0, y1 - y0], [0.5, 0.5]);
	assert((await where(page)).startsWith("Zoomed: " + (url.endsWith("mem.html") ? "29.750 ms to 89.250 ms" : "29.751 ms to 89.251 ms")), await where(page));
	await page.keyboard.press("Shift+ArrowRight");
	assert((await view(page))[0] > x0, "the view does not move");
	// A fifth of the view further
	assert((await where(page)).startsWith("Zoomed: " + (url.endsWith("mem.html") ? "41.650 ms to 101.150 ms" : "41.651 ms to 101.151 ms")), await where(page));
	await page.keyboard.press("-");
	await page.keyboard.press("-");
	assert.deepStrictEqual(await view(page), whole);
	// At the first sample the zoomed picture has few cells, but large ones.
	await toFirst(page);
	for (let i = 0; i < 4; i++)
		await page.keyboard.press("+");
	assert(await coloured(page) > 300, "the zoomed picture is empty");
	await page.keyboard.press("0");
	assert.deepStrictEqual(await view(page), whole);
}

async function cursor(page, url) {
	await tabTo(page, "canvas");
	await toFirst(page);
	assert((await where(page)).startsWith("0x100000-0x100040, " + (url.endsWith("mem.html") ? "0 ns to " : "999 ns to ")), await where(page));
	assert((await where(page)).endsWith(", 1 sample, 100 cycles, 100.0 each"), await where(page));
}

async function mouse(page) {
	const canvas = page.locator("canvas").first();

	await canvas.scrollIntoViewIfNeeded();
	const box = await canvas.boundingBox(), x = box.x + box.width * 0.6, y = box.y + box.height * 0.7;
	await page.mouse.move(x, y);
	assert((await text(page, "#tip")).includes("0x10"), await text(page, "#tip"));
	// Before a click the wheel belongs to the page.
	await page.mouse.wheel(0, 1);
	assert.deepStrictEqual(await view(page), whole);
	await page.mouse.click(x, y);
	await page.mouse.wheel(0, -100);
	await page.waitForTimeout(100);
	const zoomed = await view(page), before = await where(page);
	assert(zoomed[1] - zoomed[0] < 0.9, "the wheel does not zoom");
	const rested = await text(page, "#tip");
	await page.mouse.move(x + 1, y);
	await page.mouse.move(x, y);
	assert.strictEqual(rested, await text(page, "#tip"), "the tip is of what was below the pointer before the zoom");
	await page.mouse.down();
	await page.mouse.move(x - 100, y, { steps: 4 });
	await page.mouse.up();
	assert((await view(page))[0] > zoomed[0], "dragging does not move the view");
	assert.notStrictEqual(await where(page), before);
	await page.locator("[data-zoom=reset]").first().click();
	assert.deepStrictEqual(await view(page), whole);
	await page.locator("[data-zoom=in]").first().click();
	assert.notDeepStrictEqual(await view(page), whole);
}

// Each load of the walk takes 100 cycles, so that a cell's mean is 100 and never more.
async function colours(page) {
	const pressed = () => page.locator(".heat").first().locator("[data-colour][aria-pressed=true]").allTextContents();

	assert((await text(page, ".heat .scale")).includes(" a cell"), await text(page, ".heat .scale"));
	const mean = page.locator("[data-colour=mean]").first();
	await mean.click();
	assert.deepStrictEqual(await pressed(), ["Mean latency"]);
	assert((await text(page, ".heat .scale")).endsWith("100 cycles mean"), await text(page, ".heat .scale"));
	assert(await coloured(page) > 300, "the picture is empty");
	await page.locator("[data-colour=cycle]").first().click();
	assert.deepStrictEqual(await pressed(), ["Cycles"]);
	assert((await text(page, ".heat .scale")).includes(" cycles a cell"), await text(page, ".heat .scale"));
}

// What the canvas writes while @act redraws it: the text, its box, its colour and the room that it was given
async function written(page, act) {
	await page.evaluate(function () {
		const write = CanvasRenderingContext2D.prototype.fillText;

		window.written = window.written || new Map();
		window.written.clear();
		if (window.hooked)
			return;
		window.hooked = true;
		CanvasRenderingContext2D.prototype.fillText = function (what, x, y, room) {
			const m = this.measureText(what);

			window.written.set([what, x, y].join(), { what, left: x - m.actualBoundingBoxLeft, right: x + m.actualBoundingBoxRight,
				top: y - m.actualBoundingBoxAscent, bottom: y + m.actualBoundingBoxDescent, wide: m.width, room: room || 1e9, colour: this.fillStyle });
			write.call(this, what, x, y, room);
		};
	});
	await act();
	await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
	return page.evaluate("Array.from(window.written.values())");
}

async function legible(page, url) {
	for (const width of [360, 500, 1400, 1920]) {
		await page.emulateMedia({ colorScheme: "dark" });
		await page.setViewportSize({ width, height: 800 });
		await page.goto(url);
		for (const colorScheme of ["light", "dark"]) {
			const texts = await written(page, () => page.emulateMedia({ colorScheme })), at = " at " + width + ", " + colorScheme;
			const { wide, high } = await page.locator("canvas").first().evaluate((c) => ({ wide: c.clientWidth, high: c.clientHeight }));

			assert(texts.filter((t) => t.what.endsWith("%") || t.what.endsWith("% of samples")).length >= 12, "a range has no caption" + at);
			for (const [i, a] of texts.entries()) {
				assert(a.left >= 0 && a.right <= wide && a.top >= 0 && a.bottom <= high, "'" + a.what + "' leaves the picture" + at);
				assert(a.wide <= a.room, "'" + a.what + "' is squeezed" + at);
				assert.strictEqual(parseInt(a.colour.slice(1, 3), 16) > 128, colorScheme === "dark", "the colour " + a.colour + at);
				for (const b of texts.slice(i + 1))
					assert(a.right < b.left || b.right < a.left || a.bottom + 2 <= b.top || b.bottom + 2 <= a.top, "'" + a.what + "' touches '" + b.what + "'" + at);
			}
		}
	}
	await page.emulateMedia({ colorScheme: "light" });
	await page.setViewportSize({ width: 1280, height: 800 });
}

module.exports = async function (page, example, ...urls) {
	await test("heat map: no text covers another one or leaves the picture, light and dark, narrow and wide", () => legible(page, example));
	for (const url of urls) {
		const of = url.endsWith("mem.html") ? " of mem" : "";

		for (const [name, run] of [["keys zoom and move", keys], ["the cursor's numbers", cursor], ["wheel, drag and buttons", mouse], ["samples, cycles and mean latency", colours]]) {
			await test("heat map" + of + ": " + name, async function () {
				await page.goto(url);
				await run(page, url);
			});
		}
	}
};
