// SPDX-License-Identifier: GPL-2.0-only
// Listings: a link opens the listing that it leads to, and a button jumps to the hottest
// instruction.  The navigation marks the part that is on the screen.
"use strict";
(function () {
	function hottest(details) {
		const row = details.querySelector("tr.peak"), frame = details.querySelector(".scroll");

		if (row)
			frame.scrollTop = row.offsetTop - frame.clientHeight / 3;
	}
	function open() {
		const target = page.target();

		if (!target)
			return;
		if (!target.matches("details.code")) {
			// The browser has no element with the name of a longer fragment.
			if (location.hash.includes("&"))
				target.scrollIntoView();
			return;
		}
		target.open = true;
		target.scrollIntoView({ behavior: page.still() ? "auto" : "smooth" });
		target.querySelector("summary").focus({ preventScroll: true });
		hottest(target);
	}
	document.querySelectorAll("[data-peak]").forEach(function (button) {
		const details = button.closest("details");

		button.addEventListener("click", function () {
			hottest(details);
			details.querySelector(".scroll").focus({ preventScroll: true });
		});
	});
	// A second click on the same link does not change the address.
	document.addEventListener("click", function (event) {
		const link = event.target.closest('a[href^="#code-"]');

		if (link && page.target() === document.querySelector(link.getAttribute("href")))
			open();
	});
	addEventListener("hashchange", open);
	open();

	const links = new Map(Array.from(document.querySelectorAll("nav a"), (a) => [a.getAttribute("href").slice(1), a]));
	const seen = new Set();
	const watch = new IntersectionObserver(function (entries) {
		for (const entry of entries)
			seen[entry.isIntersecting ? "add" : "delete"](entry.target.id);
		let first = true;
		for (const [id, link] of links) {
			if (first && seen.has(id)) {
				link.setAttribute("aria-current", "true");
				first = false;
			} else {
				link.removeAttribute("aria-current");
			}
		}
	}, { rootMargin: "-60px 0px -40% 0px" });
	document.querySelectorAll("main > [id]").forEach((part) => watch.observe(part));
	// What a link leads to is not below the navigation, which has several lines on a narrow screen.
	const bar = document.querySelector("nav"), root = document.documentElement;
	new ResizeObserver(function () {
		root.style.scrollPaddingTop = (getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0) + 4 + "px";
	}).observe(bar);
})();
