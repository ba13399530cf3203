// SPDX-License-Identifier: GPL-2.0-only
// The range of time: two sliders and bars to drag over select slices of the recording.  The page
// has sums of each slice; this adds up those that are selected, and tells the other parts.
"use strict";
(function () {
	const data = page.json("time-data"), line = document.getElementById("time-line");

	if (!data || !line)
		return;
	const from = document.getElementById("time-from"), to = document.getElementById("time-to");
	const clear = document.getElementById("time-clear"), status = document.getElementById("time-status");
	const link = document.querySelector('nav a[href="#time"]'), last = data.slices - 1;
	const started = (slice) => Math.ceil(slice * (data.span + 1) / data.slices);
	const originals = new Map();
	let range = null, bars = [], anchor = null;

	function seconds(ns) {
		return (ns / 1e9).toFixed(9).replace(/\.?0+$/, "") || "0";
	}
	// In seconds of perf's clock, as --time reads it
	function clock(ns) {
		const text = (BigInt(data.first) + BigInt(ns)).toString().padStart(10, "0");

		return text.slice(0, -9) + "." + text.slice(-9);
	}
	function sums(list, snoops) {
		const [count, untimed, cycles, snooped] = page.slices(list, snoops ? 4 : 3, range);

		return { count, timed: count - untimed, cycles, snooped };
	}
	// What the page said before the first selection comes back with null.
	function set(element, text, value) {
		if (!originals.has(element))
			originals.set(element, { text: element.textContent, v: element.dataset.v, bar: element.style.getPropertyValue("--v"), heat: element.style.getPropertyValue("--h") });
		const old = originals.get(element);

		element.textContent = text === null ? old.text : text;
		if (old.v !== undefined)
			element.dataset.v = text === null ? old.v : value;
		if (old.bar)
			element.style.setProperty("--v", text === null ? old.bar : value + "%");
		if (old.heat)
			element.style.setProperty("--h", text === null ? old.heat : 0.5 * Math.sqrt(value / 100));
	}
	function share(cell, part, whole, known) {
		set(cell, !range ? null : known ? page.percent(part, whole) : "-", known && whole ? 100 * part / whole : -1);
	}
	function number(cell, value) {
		set(cell, range && page.plain(value), value);
	}
	function mean(cell, of) {
		set(cell, !range ? null : of.timed ? page.fixed(of.cycles / of.timed, 1) : "-", of.timed ? of.cycles / of.timed : -1);
	}
	// Bins of a row's latencies, or null: the page has none of it
	const bins = (list) => list ? page.bins(list, range) : null;
	function percentile(cell, of, percent) {
		const value = of && of.length ? page.percentile(of, percent) : -1;

		whole([cell], !of);
		set(cell, !range || !of ? null : of.length ? page.plain(value) : "-", value);
	}
	// Numbers that the slices do not have
	function whole(cells, is = true) {
		for (const cell of cells) {
			cell.classList.toggle("whole", Boolean(range) && is);
			cell.title = range && is ? "of the whole recording" : "";
		}
	}
	function functions(all) {
		const table = data.tables.functions;

		data.functions.forEach(function (list, row) {
			const [issues, issue, walks, walk] = page.slices(table.rows[row], 5, range), latencies = bins(table.hists[row]);
			const cells = document.getElementById("function-" + row).cells, of = sums(list);
			const code = document.querySelector("#code-" + row + " > summary .part");

			share(cells[0], of.cycles, all.cycles, of.timed);
			share(cells[3], of.count, all.count, true);
			number(cells[4], of.count);
			mean(cells[5], of);
			percentile(cells[6], latencies, 50);
			percentile(cells[7], latencies, 99);
			mean(cells[8], { timed: issues, cycles: issue });
			mean(cells[9], { timed: walks, cycles: walk });
			cells[0].parentNode.dataset.none = range && !of.count ? "1" : "";
			if (code)
				set(code, range && page.percent(of.cycles, all.cycles) + " of cycles, " + page.percent(of.count, all.count) + " of samples");
		});
	}
	// The mark, and where the button leads, is the instruction with the most cycles of this time.
	function mark(listing, rows, sums) {
		if (!originals.has(listing))
			originals.set(listing, { peak: listing.querySelector("tr.peak") });
		const heat = sums.map((of) => of.cycles || 0), most = Math.max(...heat), by = most ? heat : sums.map((of) => of.count);
		const peak = range ? rows[by.indexOf(Math.max(...by))] : originals.get(listing).peak;

		listing.querySelectorAll("tr.peak").forEach((tr) => tr.classList.remove("peak"));
		if (peak)
			peak.classList.add("peak");
	}
	function codes() {
		for (const [row, lists] of data.codes) {
			const of = lists.map((list) => sums(list)), all = { cycles: 0, count: 0 };
			const lines = Array.from(document.querySelectorAll("#code-" + row + " .listing tbody tr")).filter((tr) => tr.cells.length > 2 && tr.cells[1].textContent);

			of.forEach((o) => { all.cycles += o.cycles; all.count += o.count; });
			lines.forEach(function (tr, i) {
				share(tr.cells[0], of[i].cycles, all.cycles, of[i].timed);
				number(tr.cells[1], of[i].count);
				share(tr.cells[2], of[i].count, all.count, true);
				mean(tr.cells[3], of[i]);
				whole([tr.cells[4], tr.cells[5]]);
			});
			if (lines.length)
				mark(lines[0].closest("table"), lines, of);
		}
		// A page has no sums of the functions behind the first ones.
		document.querySelectorAll("details.code[id^=code-] .listing tbody").forEach(function (body) {
			const row = Number(body.closest("details").id.slice(5));

			if (!data.codes.some((c) => c[0] === row))
				whole(Array.from(body.querySelectorAll("td.n")));
		});
	}
	function plural(count, name) {
		return page.number(count) + " " + name + (count === 1 ? "" : "s");
	}
	function lines() {
		const all = sums(data.line_samples, true);

		data.lines.forEach(function ([loads, stores, accesses], i) {
			const details = document.getElementById("line-" + i), l = sums(loads, true), s = sums(stores, true);

			details.hidden = Boolean(range) && !l.count && !s.count;
			details.querySelector("summary .sums").hidden = Boolean(range);
			const now = details.querySelector("summary .selected");
			now.hidden = !range;
			now.textContent = range ? "in this time " + plural(l.count, "load") + ", " + plural(s.count, "store") + ", " + page.number(l.snooped + s.snooped) + " snooped; in the whole recording " : "";
			Array.from(details.querySelector("tbody").rows).forEach(function (tr, k) {
				const of = sums(accesses[k], true);

				share(tr.cells[0], of.cycles, all.cycles, of.timed);
				number(tr.cells[1], of.count);
				number(tr.cells[2], of.snooped);
				mean(tr.cells[3], of);
				tr.hidden = Boolean(range) && !of.count;
			});
		});
	}
	// What the columns of a table are: see page_table_sums()
	const columns = {
		"-": () => {},
		whole: (cell) => whole([cell]),
		count: (cell, of) => number(cell, of.count),
		share: (cell, of, all) => share(cell, of.count, all.count, true),
		cost: (cell, of, all) => share(cell, of.cycles, all.cycles, of.timed),
		mean: (cell, of) => mean(cell, of),
		more: (cell, of) => number(cell, of.more),
		most: (cell, of) => number(cell, of.most),
		p50: (cell, of) => percentile(cell, of.bins, 50),
		p99: (cell, of) => percentile(cell, of.bins, 99),
		max: (cell, of) => percentile(cell, of.bins, 100),
	};
	function numbers(list) {
		const [count, timed, cycles, more, most] = page.slices(list, 5, range);

		return { count, timed, cycles, more, most };
	}
	function tables() {
		document.querySelectorAll("table[data-sums]").forEach(function (table) {
			const sums = data.tables[table.dataset.sums], names = table.dataset.cells.split(","), all = numbers(sums.all);

			sums.rows.forEach(function (list, i) {
				const of = numbers(list), tr = table.tBodies[0].rows[i];

				of.bins = bins(sums.hists[i]);
				names.forEach((name, k) => columns[name](tr.cells[k], of, all));
				tr.hidden = Boolean(range) && !of.count;
			});
		});
	}
	// A task's cell begins with the number of its process.
	function processes(tasks) {
		const table = document.querySelector("table[data-sums=tasks]");
		const pids = tasks.map((list, i) => numbers(list).count ? table.tBodies[0].rows[i].cells[0].textContent.split(" ")[0] : "-");

		return new Set(pids.filter((pid) => pid !== "-")).size;
	}
	// The numbers at the top of the summary.  A row that the page leaves out may have samples.
	function cards(all) {
		const latency = data.tables.latencies, of = latency.rows.length ? bins(latency.hists[0]) : [], tasks = data.tables.tasks.rows;
		const card = (name) => document.querySelector('[data-card="' + name + '"]');
		const put = function (name, value, about) {
			const dd = card(name) && card(name).querySelector("dd");

			if (!dd)
				return;
			dd.classList.toggle("whole", Boolean(range) && value === null);
			set(dd.firstChild, range && value !== null ? value : null);
			set(dd.lastChild, !range ? null : value === null ? "of the whole recording" : about);
		};
		const most = of && of.length;

		put("Samples", page.number(all.count), "in this time");
		put("Cycles", page.number(all.cycles), "sum of the total latency");
		put("Mean latency", all.timed ? page.fixed(all.cycles / all.timed, 1) : "-", "cycles, total");
		put("p99 latency", !of ? null : most ? page.plain(page.percentile(of, 99)) : "-", most ? "cycles; median " + page.percentile(of, 50) : "");
		put("Functions", data.functions.length === Number(card("Functions").dataset.all) ? page.number(data.functions.filter((list) => sums(list).count).length) : null, "with samples in this time");
		put("Processes", tasks.length === Number(card("Processes").dataset.all) ? page.number(processes(tasks)) : null, "in this time");
		document.querySelectorAll(".whole-only").forEach((part) => { part.hidden = Boolean(range); });
	}
	// The rows of a definition begin with numbers; behind them is what does not follow the range.
	const NUMBERS = 51;
	function layouts() {
		document.querySelectorAll("pre[data-layout]").forEach(function (pre) {
			const table = data.tables[pre.dataset.layout], all = numbers(table.all);
			let row = 0;

			if (!originals.has(pre))
				originals.set(pre, { text: pre.textContent });
			pre.textContent = originals.get(pre).text.split("\n").map(function (line) {
				if (range && /^# \d+ samples? of it: /.test(line))
					return "# " + all.count + " sample" + (all.count === 1 ? "" : "s") + " of it in this time: " + all.more + " load" + (all.more === 1 ? "" : "s") + ", " + all.most + " store" + (all.most === 1 ? "" : "s");
				if (!/^ +[\d.]+% +\d+ +\d+ +\d+ /.test(line))
					return line;
				const of = numbers(table.rows[row]), b = bins(table.hists[row++]);

				if (!range)
					return line;
				return " " + page.percent(of.count, all.count).padStart(7) + " " + [of.count, of.more, of.most].map((n) => String(n).padStart(8)).join(" ") +
					" " + (of.timed ? page.fixed(of.cycles / of.timed, 1) : "-").padStart(8) + " " +
					(b ? String(b.length ? page.percentile(b, 99) : "-").padStart(6) : line.slice(45, NUMBERS)) + line.slice(NUMBERS);
			}).join("\n");
		});
	}
	// The command with the range, also in place of a window that it has; null if it has several windows.
	function ranged(command) {
		const given = / --time ('[^']*'|\S+)/.exec(command);

		if (!given)
			return command + within();
		return /'|%.*,/.test(given[1]) ? null : command.replace(given[0], within());
	}
	function findings(all) {
		document.querySelectorAll(".findings > li").forEach(function (li, i) {
			const of = numbers(data.tables.findings.rows[i]), text = li.querySelector(".selected"), command = li.querySelector(".command");

			text.hidden = !range;
			text.textContent = "In the selected time: " + plural(of.count, "sample") + " of this finding, with " + page.percent(of.cycles, all.cycles) + " of the cycles of this time.";
			const words = range && ranged(originals.has(command) ? originals.get(command).text : command.textContent);

			set(command, words);
			whole([command], !words);
		});
	}
	function within() {
		return " --time " + clock(started(range.from)) + "," + clock(started(range.to + 1) - 1);
	}
	function say(all) {
		const options = document.getElementById("time").dataset.options, entire = page.slices(data.all, 3, null), a = range ? started(range.from) : 0, b = range ? started(range.to + 1) - 1 : data.span;

		from.value = range ? range.from : 0;
		to.value = range ? range.to : last;
		from.setAttribute("aria-valuetext", page.time(a));
		to.setAttribute("aria-valuetext", page.time(b));
		clear.disabled = !range;
		bars.forEach((bar, i) => bar.classList.toggle("out", Boolean(range) && (i < range.from || i > range.to)));
		status.textContent = !range ? "All " + page.time(data.span) + ": " + plural(entire[0], "sample") + " with a time." :
			page.time(a) + " to " + page.time(b) + " after the first sample: " + plural(all.count, "sample") + " of " + page.number(entire[0]) + " with a time, " +
			page.percent(all.cycles, entire[2]) + " of the cycles." + (options === undefined ? "" : " The same in other verbs:" + options + within());
		if (link)
			link.textContent = range ? "Time: " + page.time(a) + " to " + page.time(b) : "Time";
		document.querySelectorAll(".of-whole").forEach((note) => { note.hidden = !range; });
	}
	function apply() {
		const all = sums(data.all);

		functions(all);
		codes();
		lines();
		tables();
		cards(all);
		layouts();
		findings(all);
		say(all);
		document.dispatchEvent(new CustomEvent("timerange", { detail: range && {
			from: range.from, to: range.to, start: BigInt(data.first) + BigInt(started(range.from)),
			end: BigInt(data.first) + BigInt(started(range.to + 1)), memory: sums(data.memory).count,
		} }));
	}
	function text() {
		return range ? "t=" + seconds(started(range.from)) + "-" + seconds(started(range.to + 1) - 1) : "";
	}
	// Slices of which some are selected; null, or all of them: the whole recording
	function select(a, b) {
		const low = Math.max(0, Math.min(a, b)), high = Math.min(last, Math.max(a, b));
		const next = a === null || (low === 0 && high === last) ? null : { from: low, to: high };

		if ((range && next && range.from === next.from && range.to === next.to) || (!range && !next))
			return;
		range = next;
		apply();
		page.keep("t", text());
	}
	// The slice of a time after the first sample, for example of text()
	function slice(text) {
		const ns = Math.round(Number(text) * 1e9);

		if (ns > data.span)
			return data.slices;
		let at = Math.floor(ns / (data.span + 1) * data.slices);

		while (started(at + 1) <= ns)
			at++;
		while (started(at) > ns)
			at--;
		return at;
	}
	function read() {
		const match = /^t=([0-9.]+)-([0-9.]+)$/.exec(page.kept("t"));

		if (match && slice(match[1]) <= slice(match[2]) && slice(match[1]) <= last)
			select(slice(match[1]), slice(match[2]));
		else if (location.hash.length > 1 && !page.kept("t") && range)
			page.keep("t", text());		// a link to a part of the page
		else if (range)
			select(null);
	}
	function sliceAt(event) {
		const box = line.getBoundingClientRect();

		return Math.max(0, Math.min(last, Math.floor((event.clientX - box.left) / box.width * data.slices)));
	}
	function draw() {
		const counts = Array.from({ length: data.slices }, (_, i) => page.slices(data.all, 3, { from: i, to: i })[0]), most = Math.max(...counts);

		bars = counts.map(function (count, i) {
			const bar = document.createElement("span");

			bar.style.height = (count ? 4 + 96 * count / most : 0) + "%";
			bar.title = page.time(started(i)) + ": " + plural(count, "sample");
			line.append(bar);
			return bar;
		});
	}
	from.max = to.max = last;
	draw();
	from.addEventListener("input", () => select(Number(from.value), Math.max(Number(from.value), Number(to.value))));
	to.addEventListener("input", () => select(Math.min(Number(from.value), Number(to.value)), Number(to.value)));
	clear.addEventListener("click", () => select(null));
	// Fields for text, the flame graph and the heat map take Escape themselves.  It also ends a drag.
	document.addEventListener("keydown", function (event) {
		if (event.key !== "Escape" || event.target.matches("input:not(#time input), #flame-cells *, canvas"))
			return;
		anchor = null;
		select(null);
	});
	line.addEventListener("pointerdown", function (event) {
		line.setPointerCapture(event.pointerId);
		// Keys are for the range from now on.
		from.focus({ preventScroll: true });
		anchor = sliceAt(event);
		select(anchor, anchor);
		event.preventDefault();
	});
	line.addEventListener("pointermove", (event) => anchor !== null && select(anchor, sliceAt(event)));
	line.addEventListener("pointerup", () => { anchor = null; });
	line.addEventListener("pointercancel", () => { anchor = null; });
	addEventListener("hashchange", read);
	say(sums(data.all));
	read();
})();
