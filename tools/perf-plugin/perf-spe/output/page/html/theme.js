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

	// What the parts share: a tooltip, numbers, and the JSON of the page.
	window.page = {
		json: function (id) {
			const element = document.getElementById(id);

			return element ? JSON.parse(element.textContent) : null;
		},
		number: (n) => Math.round(n).toLocaleString("en-US"),
		percent: (part, whole) => (whole ? 100 * part / whole : 0).toFixed(2) + "%",
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
