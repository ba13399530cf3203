// SPDX-License-Identifier: GPL-2.0-only
// Tables with the class "sortable": buttons in the headings sort, a field above filters, and
// the arrow keys move between the rows' links.  All tables get labels for narrow screens, and what
// is wider than its frame fades where there is more.
"use strict";
(function () {
	function value(row, column) {
		const cell = row.cells[column], v = cell.dataset.v;

		return v === undefined ? cell.textContent : Number(v);
	}
	function order(a, b) {
		return typeof a === "string" ? a.localeCompare(b) : a - b;
	}
	function sort(table, head, column, again) {
		const body = table.tBodies[0], rows = Array.from(body.rows), was = head.getAttribute("aria-sort");
		const down = was ? (was === "descending") === Boolean(again) : typeof value(rows[0], column) === "number";
		const sign = down ? -1 : 1;
		const keyed = rows.map((row, i) => ({ row, i, v: value(row, column) }));

		keyed.sort((a, b) => sign * order(a.v, b.v) || a.i - b.i);
		for (const other of table.tHead.rows[0].cells)
			other.removeAttribute("aria-sort");
		head.setAttribute("aria-sort", down ? "descending" : "ascending");
		body.append(...keyed.map((k) => k.row));
	}
	function heading(table, head, column) {
		const button = document.createElement("button");

		button.type = "button";
		button.textContent = head.textContent;
		head.textContent = "";
		head.append(button);
		button.addEventListener("click", () => sort(table, head, column));
	}
	function filter(table, input, status) {
		const rows = Array.from(table.tBodies[0].rows);
		const texts = rows.map((row) => row.textContent.toLowerCase());
		const want = input.value.trim().toLowerCase();
		let shown = 0;

		rows.forEach(function (row, i) {
			row.hidden = !texts[i].includes(want) || Boolean(row.dataset.none);
			shown += !row.hidden;
		});
		status.textContent = want || shown < rows.length ? shown + " of " + rows.length + " rows" : "";
	}
	function step(table, event) {
		const down = event.key === "ArrowDown", up = event.key === "ArrowUp";
		let row = event.target.closest("tbody tr");

		if (!row || (!down && !up))
			return;
		do
			row = down ? row.nextElementSibling : row.previousElementSibling;
		while (row && (row.hidden || !row.querySelector("a, button")));
		if (row) {
			row.querySelector("a, button").focus();
			event.preventDefault();
		}
	}
	// On a narrow screen each row of a table with many columns is a list, and page.css writes the
	// headings beside the numbers.
	function label(table) {
		Array.from(table.tHead.rows[0].cells).forEach(function (head, column) {
			table.style.setProperty("--h" + (column + 1), JSON.stringify(head.textContent));
		});
		table.classList.add("labelled");
	}
	function edges(frame) {
		const beside = frame.scrollWidth - frame.clientWidth - frame.scrollLeft;

		frame.classList.toggle("more-left", frame.scrollLeft > 1);
		frame.classList.toggle("more-right", beside > 1);
	}
	const sizes = new ResizeObserver((list) => list.forEach((of) => edges(of.target.closest(".scroll"))));
	document.querySelectorAll(".scroll").forEach(function (frame) {
		frame.addEventListener("scroll", () => edges(frame), { passive: true });
		sizes.observe(frame);
		sizes.observe(frame.firstElementChild);
	});
	document.querySelectorAll("main table:not(.listing)").forEach(function (table) {
		const row = table.tHead && table.tBodies[0].rows[0];

		if (row && row.cells.length > 5 && row.cells.length === table.tHead.rows[0].cells.length)
			label(table);
	});
	document.querySelectorAll("table.sortable").forEach(function (table) {
		const input = document.querySelector('[data-filters="' + table.id + '"]');

		if (!table.tBodies[0].rows.length)
			return;
		Array.from(table.tHead.rows[0].cells).forEach(function (head, column) {
			if (head.hasAttribute("data-sort"))
				heading(table, head, column);
		});
		table.addEventListener("keydown", (event) => step(table, event));
		if (!input)
			return;
		const status = document.getElementById(table.id + "-status");
		// Numbers have changed, and some rows have no samples.
		document.addEventListener("timerange", function () {
			const head = table.tHead.querySelector("[aria-sort]");

			if (head)
				sort(table, head, head.cellIndex, true);
			filter(table, input, status);
		});
		input.addEventListener("input", () => filter(table, input, status));
		input.addEventListener("keydown", function (event) {
			if (event.key === "Escape") {
				input.value = "";
				filter(table, input, status);
			} else if (event.key === "ArrowDown") {
				const link = Array.from(table.tBodies[0].rows).find((row) => !row.hidden && row.querySelector("a, button"));
				if (link)
					link.querySelector("a, button").focus();
				event.preventDefault();
			}
		});
	});
})();
