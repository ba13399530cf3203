// SPDX-License-Identifier: GPL-2.0-only
// The theme: the system's, light or dark.  A browser may refuse storage to files.
"use strict";
(function () {
	const root = document.documentElement, themes = ["system", "light", "dark"];
	let theme = "system";

	function stored(value) {
		try {
			if (value)
				localStorage.setItem("perf-spe-theme", value);
			return localStorage.getItem("perf-spe-theme");
		} catch (e) {
			return null;
		}
	}
	function apply(name) {
		theme = themes.includes(name) ? name : "system";
		if (theme === "system")
			root.removeAttribute("data-theme");
		else
			root.setAttribute("data-theme", theme);
		document.dispatchEvent(new Event("themechange"));
	}
	root.classList.remove("no-script");
	apply(stored());
	document.addEventListener("DOMContentLoaded", function () {
		const button = document.getElementById("theme");

		button.textContent = "Theme: " + theme;
		button.addEventListener("click", function () {
			apply(themes[(themes.indexOf(theme) + 1) % 3]);
			stored(theme);
			button.textContent = "Theme: " + theme;
		});
	});

	// The fragment of the address: the element that a link leads to, and what parts keep there, as
	// "code-3&t=0.1-0.2"
	const words = () => location.hash.slice(1).split("&").filter(Boolean);

	// What the parts share: a tooltip, numbers, the JSON of the page, and its address.
	window.page = {
		target: function () {
			const id = words()[0];

			try {
				return id && !id.includes("=") ? document.getElementById(decodeURIComponent(id)) : null;
			} catch (e) {
				return null;
			}
		},
		kept: (name) => words().find((word) => word.startsWith(name + "=")) || "",
		// Keeps the text "name=value" or, if it is empty, none.
		keep: function (name, text) {
			const others = words().filter((word) => !word.startsWith(name + "="));

			history.replaceState(null, "", "#" + (text ? [...others, text] : others).join("&"));
		},
		// Sums over slices of time.  Of slices with samples the list has: how many slices further
		// than the one before, and @wide numbers.
		slices: function (list, wide, range) {
			const sums = new Array(wide).fill(0);

			for (let i = 0, slice = 0; i < list.length; i += wide + 1) {
				slice += list[i];
				for (let k = 0; k < wide && (!range || (slice >= range.from && slice <= range.to)); k++)
					sums[k] += list[i + 1 + k];
			}
			return sums;
		},
		// Sums of all bins in the range, as [cycles, samples], the fewest cycles first.  Of slices the
		// list has: how many slices further, how many bins, and of each bin how many cycles further.
		bins: function (list, range) {
			const bins = new Map();

			for (let i = 0, slice = 0; i < list.length;) {
				const nr = list[i + 1];
				let cycles = 0;

				slice += list[i];
				i += 2;
				for (let k = 0; k < nr; k++, i += 2) {
					cycles += list[i];
					if (!range || (slice >= range.from && slice <= range.to))
						bins.set(cycles, (bins.get(cycles) || 0) + list[i + 1]);
				}
			}
			return Array.from(bins).sort((a, b) => a[0] - b[0]);
		},
		// The least number of cycles that at least so many percent of the samples do not exceed
		percentile: function (bins, percent) {
			const rank = Math.ceil(bins.reduce((sum, bin) => sum + bin[1], 0) * percent / 100);
			let below = 0;

			return bins.find((bin) => (below += bin[1]) >= rank)[0];
		},
		time: function (ns) {
			for (const [unit, name] of [[1e9, " s"], [1e6, " ms"], [1e3, " us"]])
				if (ns >= unit)
					return (ns / unit).toFixed(3) + name;
			return Math.round(ns) + " ns";
		},
		plain: (n) => String(n),
		json: function (id) {
			const element = document.getElementById(id);

			return element ? JSON.parse(element.textContent) : null;
		},
		number: (n) => Math.round(n).toLocaleString("en-US"),
		// As C rounds: halves to the even digit
		fixed: function (value, digits) {
			const scaled = value * 10 ** digits, floor = Math.floor(scaled);

			return scaled - floor === 0.5 ? ((floor + floor % 2) / 10 ** digits).toFixed(digits) : value.toFixed(digits);
		},
		percent: (part, whole) => page.fixed(whole ? 100 * part / whole : 0, 2) + "%",
		still: () => matchMedia("(prefers-reduced-motion: reduce)").matches,
		tip: function (text, x, y) {
			const tip = document.getElementById("tip");

			tip.hidden = !text;
			if (!text)
				return;
			tip.textContent = text;
			tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - tip.offsetWidth - 8)) + "px";
			tip.style.top = Math.max(4, y + 18 + tip.offsetHeight > innerHeight ? y - tip.offsetHeight - 10 : y + 18) + "px";
		},
	};
})();
