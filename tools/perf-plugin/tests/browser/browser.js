// SPDX-License-Identifier: GPL-2.0-only
// Starts headless Chromium with a new profile and without a network.
"use strict";
const { chromium } = require("playwright-core");
const fs = require("fs"), os = require("os"), path = require("path");

const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
	"--disable-background-networking", "--disable-component-update", "--disable-sync"];

// Calls use(page, faults): faults gets a line for each error of the page and for each file or
// address that it asks for beside itself.
async function withPage(options, use) {
	const profile = fs.mkdtempSync(path.join(os.tmpdir(), "chromium-"));
	const context = await chromium.launchPersistentContext(profile, Object.assign({
		executablePath: process.env.CHROMIUM || "/usr/bin/chromium", headless: true, offline: true, args: flags,
	}, options));

	try {
		const page = context.pages()[0] || await context.newPage(), faults = [];

		page.on("console", (m) => m.type() === "error" && faults.push("console: " + m.text()));
		page.on("pageerror", (e) => faults.push("script: " + e.message));
		page.on("dialog", (d) => { faults.push("dialog: " + d.message()); d.dismiss(); });
		page.on("request", (r) => r.isNavigationRequest() || faults.push("request: " + r.url()));
		await use(page, faults);
	} finally {
		await context.close();
		fs.rmSync(profile, { recursive: true, force: true });
	}
}

module.exports = { withPage };
