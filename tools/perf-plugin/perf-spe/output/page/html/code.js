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

	const bar = document.querySelector("nav"), root = document.documentElement;
	const links = Array.from(bar.querySelectorAll("a"));
	const parts = links.map((link) => document.querySelector(link.getAttribute("href").split("&")[0]));
	let waits = false;

	// The part that is below the navigation.  Where the page ends none of the last parts may get
	// there: then it is the one that the address names, or the last, or the first if all is seen.
	function current() {
		const top = bar.offsetHeight + 40, target = page.target();
		const tops = parts.map((part) => part.getBoundingClientRect().top);
		const named = target ? parts.findIndex((part) => part.contains(target)) : -1;

		if (innerHeight + scrollY < root.scrollHeight - 2)
			return Math.max(0, tops.filter((at) => at <= top).length - 1);
		if (named >= 0 && tops[named] >= 0 && tops[named] < innerHeight)
			return named;
		return scrollY > 0 ? parts.length - 1 : 0;
	}
	function mark() {
		const now = links[current()];

		waits = false;
		links.forEach((link) => link === now ? link.setAttribute("aria-current", "true") :
						       link.removeAttribute("aria-current"));
	}
	function changed() {
		if (!waits)
			requestAnimationFrame(mark);
		waits = true;
	}
	["scroll", "resize", "hashchange"].forEach((event) => addEventListener(event, changed));
	// What a link leads to is not below the navigation, which has several lines on a narrow screen.
	new ResizeObserver(function () {
		root.style.scrollPaddingTop = (getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0) + 4 + "px";
		changed();
	}).observe(bar);
})();
