// SPDX-License-Identifier: GPL-2.0-only
// The flame graph: a tree of cells.  Nodes are in preorder, six numbers each: depth, name,
// kind, row of the table of functions or -1, samples, cycles.  On a page that compares two
// recordings, these are of the new one, and data.old has samples and cycles of the old one.
"use strict";
(function () {
	function flameGraph(root) {
		const get = (name) => document.getElementById(root.dataset.graph + "-" + name);
		const data = page.json(root.dataset.graph + "-data"), box = get("cells");
		const HIGH = 21, LEAST = 0.4;
		// Names in brackets that are none of the kernel and its modules
		const USER = /^\[(unknown|no stack|guest\.user|heap|stack|vdso|vvar|anon|uprobes|sigpage|vectors)\b/;
		const path = get("path"), search = get("search");
		const found = get("found"), code = get("code");
		const back = get("back"), reset = get("reset");
		const measures = Array.from(root.querySelectorAll("[data-measure]"));
		const sides = Array.from(root.querySelectorAll("[data-side]"));
		const nodes = [], shown = new Map(), history = [];
		let measure = data.cycles ? "cycles" : "count", zoomed = null, focused = null, drawn = [];

		function read() {
			const stack = [];

			for (let i = 0; i < data.nodes.length; i += 6) {
				const [depth, name, kind, fn, count, cycles] = data.nodes.slice(i, i + 6);
				const node = { depth, kind, fn, count, cycles, whole: { count, cycles }, old: data.old && data.old[nodes.length], slices: data.slices && data.slices[nodes.length], name: data.names[name], children: [], parent: stack[depth - 1] || null };

				node.kernel = kind > 3 ? node.parent && node.parent.kernel : kind === 3 && node.name.startsWith("[") && !USER.test(node.name);
				if (node.parent)
					node.parent.children.push(node);
				stack[depth] = node;
				nodes.push(node);
			}
			zoomed = focused = nodes[0];
		}
		// The part of its recording that a node has, by what sets the widths: new, and then old
		function parts(node) {
			const k = measure === "cycles" ? 1 : 0, all = nodes[0];

			return [[node.whole[measure], all.whole[measure]], [node.old[k], all.old[k]]].map(([of, whole]) => whole ? of / whole : 0);
		}
		function signed(points) {
			return (points > 0 ? "+" : "") + points.toFixed(2);
		}
		function change(node) {
			const [now, before] = parts(node), unit = measure === "cycles" ? "cycles" : "samples", k = measure === "cycles" ? 1 : 0;

			return node.name + ": " + page.percent(now, 1) + " of " + unit + " (" + page.number(node.whole[measure]) + "), in the old recording " + page.percent(before, 1) +
				" (" + page.number(node.old[k]) + "), " + (now && !before ? "new" : before && !now ? "gone" : signed(100 * (now - before)) + " points");
		}
		function text(node) {
			if (data.old)
				return change(node);
			return node.name + ": " + page.percent(node.cycles, nodes[0].cycles) + " of cycles (" + page.number(node.cycles) + "), " +
				page.percent(node.count, nodes[0].count) + " of samples (" + page.number(node.count) + ")";
		}
		function names(node) {
			return node ? [...names(node.parent), node.name] : [];
		}
		// From blue for what has become less to red for more; the strongest change has the full colour.
		function colour(node, strongest) {
			const [now, before] = parts(node), part = strongest ? Math.sqrt(Math.abs(now - before) / strongest) : 0;
			const full = now > before ? [255, 138, 117] : [124, 178, 255];

			return "rgb(" + full.map((c) => Math.round(235 + (c - 235) * part)).join(", ") + ")";
		}
		function siblings(node) {
			return node.parent ? node.parent.children.filter((n) => shown.has(n)) : [node];
		}
		function place(node, left, width, cells) {
			if (width < LEAST)
				return;
			cells.push([node, left, width]);
			const kids = node.children.slice().sort((a, b) => b[measure] - a[measure]);
			for (const kid of kids) {
				const wide = node[measure] ? width * kid[measure] / node[measure] : 0;

				place(kid, left, wide, cells);
				left += wide;
			}
		}
		function element(node) {
			const cell = document.createElement("div");

			cell.setAttribute("role", "treeitem");
			cell.setAttribute("aria-level", node.depth + 1);
			cell.className = "k" + node.kind + (node.kernel ? " kernel" : "");
			cell.id = root.dataset.graph + "-cell-" + nodes.indexOf(node);
			cell.node = node;
			return cell;
		}
		function draw() {
			const width = box.clientWidth, cells = [];
			let above = zoomed.parent, deepest = 0;

			place(zoomed, 0, width, cells);
			for (; above; above = above.parent)
				cells.unshift([above, 0, width]);
			const now = new Set(cells.map((c) => c[0]));
			const strongest = data.old && nodes.reduce((most, node) => Math.max(most, Math.abs(parts(node)[0] - parts(node)[1])), 0);
			for (const [node, cell] of shown) {
				if (!now.has(node)) {
					cell.remove();
					shown.delete(node);
				}
			}
			for (const [node, left, wide] of cells) {
				const cell = shown.get(node) || element(node);

				// Parts of the width: paper is not as wide as the screen.
				cell.style.left = 100 * left / width + "%";
				cell.style.width = 100 * wide / width + "%";
				cell.style.top = node.depth * HIGH + "px";
				cell.textContent = wide > 24 ? node.name : "";
				cell.classList.toggle("thin", wide < 4);
				if (data.old)
					cell.style.background = colour(node, strongest);
				cell.setAttribute("aria-label", text(node));
				cell.setAttribute("aria-selected", node === zoomed);
				cell.classList.toggle("around", node.depth < zoomed.depth);
				if (node.children.length)
					cell.setAttribute("aria-expanded", node.depth <= zoomed.depth);
				deepest = Math.max(deepest, node.depth);
				shown.set(node, cell);
				if (!cell.parentNode)
					box.append(cell);
			}
			drawn = cells;
			box.style.height = (deepest + 1) * HIGH + "px";
			if (!shown.has(focused))
				focused = zoomed;
			tabs();
			mark();
			back.disabled = !history.length;
			reset.disabled = zoomed === nodes[0];
		}
		function tabs() {
			for (const [node, cell] of shown)
				cell.tabIndex = node === focused ? 0 : -1;
			describe(focused);
		}
		function describe(node) {
			path.textContent = names(node).join(" \u203a ") + " \u2014 " + text(node).slice(node.name.length + 2);
			code.hidden = node.fn < 0 || !document.getElementById("code-" + node.fn);
			code.href = "#code-" + node.fn;
		}
		function focus(node) {
			if (!node || !shown.has(node))
				return;
			focused = node;
			tabs();
			shown.get(node).focus({ preventScroll: true });
		}
		function zoom(node, remember) {
			if (!node || node === zoomed)
				return;
			if (remember)
				history.push(zoomed);
			zoomed = focused = node;
			draw();
			focus(node);
		}
		function mark() {
			const want = search.value.trim().toLowerCase();
			let sum = 0, hits = 0;

			const visit = function (node, inside) {
				const hit = want && node.name.toLowerCase().includes(want), cell = shown.get(node);

				hits += hit ? 1 : 0;
				if (hit && !inside)
					sum += node[measure];
				if (cell)
					cell.classList.toggle("found", Boolean(hit));
				node.children.forEach((kid) => visit(kid, inside || hit));
			};
			visit(nodes[0], false);
			found.textContent = want ? hits + (hits === 1 ? " cell, " : " cells, ") + page.percent(sum, nodes[0][measure]) + " of " +
				(measure === "cycles" ? "cycles" : "samples") : "";
		}
		function next(node, by) {
			const all = siblings(node).slice().sort((a, b) => b[measure] - a[measure]), at = all.indexOf(node) + by;

			return all[Math.max(0, Math.min(all.length - 1, at))];
		}
		function key(event) {
			const keys = {
				ArrowDown: () => focus(focused.children.filter((n) => shown.has(n)).sort((a, b) => b[measure] - a[measure])[0]),
				ArrowUp: () => focus(focused.parent),
				ArrowLeft: () => focus(next(focused, -1)),
				ArrowRight: () => focus(next(focused, 1)),
				Home: () => focus(nodes[0]),
				Enter: () => zoom(focused, true),
				" ": () => zoom(focused, true),
				Escape: () => history.length ? zoom(history.pop(), false) : zoom(nodes[0], false),
			};

			if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey)
				return;
			keys[event.key]();
			event.preventDefault();
		}
		// The samples of a range of time, or null: all
		function limit(range) {
			for (const node of nodes)
				[node.count, node.cycles] = range ? page.slices(node.slices, 2, range) : [node.whole.count, node.whole.cycles];
			draw();
		}
		// The recording whose samples set the widths
		function take(side) {
			for (const node of nodes)
				[node.count, node.cycles] = side === "old" ? node.old : [node.whole.count, node.whole.cycles];
			for (const button of sides)
				button.setAttribute("aria-pressed", button.dataset.side === side);
			draw();
		}
		function choose(name) {
			measure = name;
			for (const button of measures)
				button.setAttribute("aria-pressed", button.dataset.measure === name);
			draw();
		}
		function show(fn) {
			const hits = nodes.filter((n) => n.fn === fn).sort((a, b) => b[measure] - a[measure]);

			if (!hits.length)
				return;
			document.getElementById("flame").scrollIntoView({ behavior: page.still() ? "auto" : "smooth" });
			zoom(hits[0].parent || hits[0], true);
			focus(hits[0]);
		}
		read();
		box.addEventListener("keydown", key);
		box.addEventListener("click", (event) => event.target.node && zoom(event.target.node, true));
		box.addEventListener("focusin", function (event) {
			if (event.target.node && event.target.node !== focused) {
				focused = event.target.node;
				tabs();
			}
		});
		box.addEventListener("pointermove", (event) => page.tip(event.target.node ? text(event.target.node) : "", event.clientX, event.clientY));
		box.addEventListener("pointerleave", () => page.tip(""));
		back.addEventListener("click", () => zoom(history.pop(), false));
		reset.addEventListener("click", () => zoom(nodes[0], true));
		search.addEventListener("input", mark);
		search.addEventListener("keydown", function (event) {
			const first = drawn.find((c) => shown.get(c[0]).classList.contains("found"));

			if (event.key === "Escape") {
				search.value = "";
				mark();
			} else if (event.key === "Enter" && first) {
				focus(first[0]);
			}
		});
		for (const button of measures) {
			button.disabled = button.dataset.measure === "cycles" && !data.cycles;
			button.addEventListener("click", () => choose(button.dataset.measure));
		}
		for (const button of sides)
			button.addEventListener("click", () => take(button.dataset.side));
		document.querySelectorAll("[data-flame]").forEach(function (button) {
			const fn = Number(button.dataset.flame);

			button.hidden = !nodes.some((n) => n.fn === fn);
			button.addEventListener("click", () => show(fn));
		});
		document.addEventListener("timerange", (event) => limit(event.detail));
		new ResizeObserver(() => draw()).observe(box);
		choose(measure);
	}
	document.querySelectorAll("[data-graph]").forEach(flameGraph);
})();
