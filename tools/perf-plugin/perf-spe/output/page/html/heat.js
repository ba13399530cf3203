// SPDX-License-Identifier: GPL-2.0-only
// Heat maps: addresses upwards, time to the right.  A band is a range of accessed addresses;
// what lies between two bands is cut out.  The view is a part of the columns and of the
// bands' rows laid end to end, both from 0 to 1.
"use strict";
(function () {
	const TEXT = 17, LABEL = 13, BOTTOM = 34, RIGHT = 12, FONT = "12px system-ui, sans-serif";

	function cellsOf(data, list) {
		const cells = new Float64Array(data.rows * data.columns);

		list.forEach(function (row, r) {
			for (let i = 0, at = 0; i < row.length; i += 2) {
				at += row[i];
				cells[r * data.columns + at] = row[i + 1];
			}
		});
		return cells;
	}
	// Bands from the highest address down, each with its share of the height.  A band of one
	// line would not be seen if its height were in proportion.
	function bandsOf(data) {
		const weights = data.bands.map((b) => Math.max(b.rows, b.warm ? data.rows / 9 : data.rows / 24));
		const all = weights.reduce((a, b) => a + b, 0);
		let top = 0;

		return data.bands.map((b, i) => [b, weights[i] / all]).reverse().map(function ([b, high]) {
			const band = Object.assign({ top, bottom: top + high }, b, { start: BigInt(b.start), end: BigInt(b.end) });

			top += high;
			return band;
		});
	}

	function heatMap(root) {
		const data = page.json(root.dataset.heat), canvas = root.querySelector("canvas"), c = canvas.getContext("2d");
		const where = root.querySelector(".where"), bands = bandsOf(data);
		// Samples and cycles of each cell; a third colour is their quotient.
		const layers = { [data.unit]: cellsOf(data, data.cells), [data.unit === "cycle" ? "sample" : "cycle"]: cellsOf(data, data.other) };
		const units = { sample: "sample", cycle: "cycle", mean: "cycle" }, tiles = document.createElement("canvas");
		const legend = root.querySelector(".scale"), times = page.json("time-data");
		// From the first sample of the page to the first one with an address
		const late = data.timed && times ? Number(BigInt(data.from) - BigInt(times.first)) : 0;
		// The columns of the selected range of time, from 0 to 1
		let limits = [0, 1], view = { x0: 0, x1: 1, y0: 0, y1: 1 }, cursor = null, drag = null, pointer = null, parts = [], mode = data.unit;
		// The width of the addresses beside the picture
		let left = 0;

		// A part of the picture's width as a time, or as the number of a sample
		function moment(at) {
			return data.timed ? page.time(late + data.span * at) : page.number(data.span * at);
		}
		const plot = () => canvas.clientWidth - left - RIGHT;

		function colour(value, peak) {
			// From a colour that differs from that of an empty cell
			const part = peak > 1 ? 0.22 + 0.78 * Math.log(Math.max(1, value)) / Math.log(peak) : 1;

			return data.colours[Math.max(0, Math.min(data.colours.length - 1, Math.round(part * (data.colours.length - 1))))];
		}
		// The bands in view, each with the pixels and the rows that it has there
		function layout() {
			const seen = bands.filter((b) => b.bottom > view.y0 + 1e-9 && b.top < view.y1 - 1e-9);
			const high = canvas.clientHeight - BOTTOM - TEXT * seen.length;
			let y = 0;

			return seen.map(function (b) {
				const from = (Math.max(view.y0, b.top) - b.top) / (b.bottom - b.top);
				const to = (Math.min(view.y1, b.bottom) - b.top) / (b.bottom - b.top);
				const part = { band: b, from, to, y: y + TEXT, high: high * (to - from) * (b.bottom - b.top) / (view.y1 - view.y0) };

				y = part.y + part.high;
				return part;
			});
		}
		// Sums of cells, one for each tile of the picture: never more tiles than pixels
		function sums(part) {
			const b = part.band, n = data.columns;
			const c0 = Math.floor(view.x0 * n), c1 = Math.min(n, Math.ceil(view.x1 * n));
			const r1 = b.rows - Math.floor(part.from * b.rows), r0 = Math.max(0, b.rows - Math.ceil(part.to * b.rows));
			const dx = Math.max(1, Math.ceil((c1 - c0) / Math.max(1, plot()))), dy = Math.max(1, Math.ceil((r1 - r0) / Math.max(1, part.high)));
			const wide = Math.ceil((c1 - c0) / dx), high = Math.ceil((r1 - r0) / dy), sum = new Float64Array(Math.max(1, wide * high));
			const cells = layers[mode === "mean" ? "cycle" : mode], samples = mode === "mean" ? layers.sample : null, count = new Float64Array(samples ? sum.length : 0);

			for (let r = r0; r < r1; r++) {
				const to = Math.floor((r1 - 1 - r) / dy) * wide, from = (b.row + r) * n;

				for (let x = c0; x < c1; x++) {
					const tile = to + Math.floor((x - c0) / dx);

					sum[tile] += cells[from + x];
					if (samples)
						count[tile] += samples[from + x];
				}
			}
			count.forEach((n, i) => { sum[i] = n ? sum[i] / n : 0; });
			return { sum, wide, high, c0, c1, r0, r1, dx, dy };
		}
		function drawPart(part, s, peak) {
			const image = new ImageData(Math.max(1, s.wide), Math.max(1, s.high)), n = data.columns, b = part.band;

			for (let i = 0; i < s.sum.length; i++) {
				const rgb = s.sum[i] ? colour(s.sum[i], peak) : data.none;

				image.data.set([rgb >> 16, rgb >> 8 & 255, rgb & 255, 255], 4 * i);
			}
			tiles.width = image.width;
			tiles.height = image.height;
			tiles.getContext("2d").putImageData(image, 0, 0);
			// The first and last tile may lie partly outside of the view.
			const px = plot() / ((view.x1 - view.x0) * n), py = part.high / ((part.to - part.from) * b.rows);
			c.save();
			c.beginPath();
			c.rect(left, part.y, plot(), part.high);
			c.clip();
			c.imageSmoothingEnabled = false;
			c.fillStyle = "#" + data.none.toString(16).padStart(6, "0");
			c.fillRect(left, part.y, plot(), part.high);
			c.drawImage(tiles, left + (s.c0 - view.x0 * n) * px, part.y + (b.rows - s.r1 - part.from * b.rows) * py,
				s.wide * s.dx * px, s.high * s.dy * py);
			c.restore();
		}
		function address(band, row) {
			return band.start + BigInt(Math.floor(row)) * (band.end - band.start) / BigInt(band.rows);
		}
		function hex(n) {
			return "0x" + n.toString(16);
		}
		// What the band holds, and its addresses
		function range(b) {
			return (b.names ? b.names + ": " : "") + hex(b.start) + "-" + hex(b.end);
		}
		// What there is room for: all, or the names alone, or their beginning
		function caption(b) {
			const fits = (text) => c.measureText(text).width < left + plot() - 1, end = ", " + b.share + "%";
			const long = range(b) + (b.size ? ", " + b.size : "") + end + " of samples";
			let names = b.names || range(b);

			if (fits(long) || fits(names + end))
				return fits(long) ? long : names + end;
			while (names && !fits(names + "\u2026" + end))
				names = names.slice(0, -1);
			return names + "\u2026" + end;
		}
		function drawText(part, style) {
			const b = part.band, label = caption(b);
			const step = Math.max(1, Math.ceil(44 * (part.to - part.from) * b.rows / part.high));

			c.fillStyle = style.getPropertyValue("--text");
			c.textAlign = "left";
			// An underscore begins a bit to the left of where it is drawn.
			c.fillText(label, 1, part.y - 5);
			c.fillStyle = style.getPropertyValue("--soft");
			if (b.gap && c.measureText(label + b.gap).width + 110 < left + plot()) {
				c.textAlign = "right";
				c.fillText(b.gap + " cut out below", left + plot(), part.y - 5);
			}
			c.textAlign = "right";
			if (part.high < LABEL)
				return;
			c.textBaseline = "middle";
			const low = b.rows - part.to * b.rows, high = b.rows - part.from * b.rows;
			for (let row = Math.ceil(low / step) * step; row < high; row += step) {
				const y = part.y + part.high * (1 - (row - low) / (high - low));

				c.fillRect(left - 4, y - 1, 4, 1);
				// Beside its own band, clear of the captions above and below
				c.fillText(hex(address(b, row)), left - 7, Math.max(part.y + LABEL / 2, Math.min(part.y + part.high - LABEL / 2, y)));
			}
			c.textBaseline = "alphabetic";
		}
		function drawTimes(style) {
			const y = canvas.clientHeight - BOTTOM, ticks = Math.max(2, Math.floor(plot() / 130));

			c.fillStyle = style.getPropertyValue("--soft");
			for (let i = 0; i <= ticks; i++) {
				const x = left + plot() * i / ticks, at = view.x0 + (view.x1 - view.x0) * i / ticks;

				c.textAlign = i === ticks ? "right" : i ? "center" : "left";
				c.fillRect(Math.min(x, left + plot() - 1), y, 1, 4);
				c.fillText(moment(at), x, y + 15);
			}
			c.textAlign = "center";
			c.fillText(data.timed ? "time since the first sample" : "samples in their order", left + plot() / 2, y + 29);
		}
		function drawCursor() {
			const at = cursor && parts.find((p) => p.band === cursor.band);

			if (!at)
				return;
			const b = at.band, n = data.columns, px = plot() / ((view.x1 - view.x0) * n), py = at.high / ((at.to - at.from) * b.rows);
			const x = left + (cursor.column - view.x0 * n) * px, y = at.y + (b.rows - 1 - cursor.row - at.from * b.rows) * py;

			c.save();
			c.beginPath();
			c.rect(left - 2, at.y - 2, plot() + 4, at.high + 4);
			c.clip();
			c.lineWidth = 2;
			c.strokeStyle = "#ffffff";
			c.strokeRect(x - 2, y - 2, Math.max(px, 2) + 4, Math.max(py, 2) + 4);
			c.restore();
		}
		function draw() {
			const scale = devicePixelRatio || 1, style = getComputedStyle(root);

			canvas.width = Math.max(1, Math.round(canvas.clientWidth * scale));
			canvas.height = Math.max(1, Math.round(canvas.clientHeight * scale));
			c.setTransform(scale, 0, 0, scale, 0, 0);
			c.font = FONT;
			// The texts are legible on paper too, whose colour is not that of the page.
			c.fillStyle = style.getPropertyValue("--bg");
			c.fillRect(0, 0, canvas.clientWidth, canvas.clientHeight);
			left = Math.ceil(Math.max(...bands.map((b) => c.measureText(hex(b.end)).width))) + 10;
			parts = layout();
			const made = parts.map(sums);
			const peak = made.reduce((a, s) => s.sum.reduce((m, v) => Math.max(m, v), a), 1);
			parts.forEach((part, i) => drawPart(part, made[i], peak));
			parts.forEach((part) => drawText(part, style));
			drawTimes(style);
			drawCursor();
			legend.lastChild.textContent = page.number(Math.round(peak)) + " " + units[mode] + (peak === 1 ? "" : "s") + (mode === "mean" ? " mean" : " a cell");
			canvas.dataset.view = [view.x0, view.x1, view.y0, view.y1].map((v) => v.toFixed(6)).join(" ");
			root.querySelector("[data-zoom=reset]").disabled = whole();
			hint();
		}
		function whole() {
			return view.x0 === limits[0] && view.x1 === limits[1] && view.y0 === 0 && view.y1 === 1;
		}
		// The cell at a point of the canvas, or null
		function cellAt(x, y) {
			const part = parts.find((p) => y >= p.y && y < p.y + p.high), along = (x - left) / plot();

			if (!part || along < 0 || along >= 1)
				return null;
			const b = part.band, down = part.from + (part.to - part.from) * (y - part.y) / part.high;
			return { band: b, row: Math.max(0, b.rows - 1 - Math.floor(down * b.rows)),
				column: Math.min(data.columns - 1, Math.floor((view.x0 + (view.x1 - view.x0) * along) * data.columns)) };
		}
		function words(cell) {
			const b = cell.band, at = (b.row + cell.row) * data.columns + cell.column, n = layers.sample[at];

			return hex(address(b, cell.row)) + "-" + hex(address(b, cell.row + 1)) + "\n" +
				(data.timed ? "" : "samples ") + moment(cell.column / data.columns) + " to " + moment((cell.column + 1) / data.columns) + "\n" + page.number(n) + " sample" + (n === 1 ? "" : "s") +
				(layers.cycle[at] ? ", " + page.number(layers.cycle[at]) + " cycles, " + (layers.cycle[at] / n).toFixed(1) + " each" : "") +
				(b.names ? "\nall of " + hex(b.start) + "-" + hex(b.end) + ": " + b.names : "");
		}
		// What is drawn below the pointer may change while the pointer rests.
		function hint() {
			const cell = pointer && cellAt(pointer.x, pointer.y);

			if (pointer)
				page.tip(cell ? words(cell) : "", pointer.clientX, pointer.clientY);
		}
		function clamp(low, high, [least, most] = [0, 1]) {
			const wide = Math.min(most - least, high - low), from = Math.max(least, Math.min(most - wide, low));

			return [from, wide === most - least ? most : from + wide];
		}
		function look(x0, x1, y0, y1) {
			const [a, b] = clamp(x0, x1, limits), [d, e] = clamp(y0, y1);

			view = { x0: a, x1: b, y0: d, y1: e };
			draw();
			where.textContent = whole() ? limits[1] - limits[0] < 1 ? "All addresses of the selected time." : "All addresses and times." : "Zoomed: " + moment(view.x0) + " to " + moment(view.x1) + ", " + parts.length + " of " + bands.length + " ranges.";
		}
		// Zoom by a factor; @fx and @fy say which point of the view stays where it is.
		function zoom(by, fx, fy) {
			const all = limits[1] - limits[0], least = Math.min(all, 4 / data.columns), wide = Math.max(least, Math.min(all, (view.x1 - view.x0) * by));
			const high = Math.max(0.01, Math.min(1, (view.y1 - view.y0) * by));
			const x = view.x0 + (view.x1 - view.x0) * fx, y = view.y0 + (view.y1 - view.y0) * fy;

			look(x - wide * fx, x + wide * (1 - fx), y - high * fy, y + high * (1 - fy));
		}
		function pan(dx, dy) {
			look(view.x0 + dx * (view.x1 - view.x0), view.x1 + dx * (view.x1 - view.x0),
				view.y0 + dy * (view.y1 - view.y0), view.y1 + dy * (view.y1 - view.y0));
		}
		// Where the cursor is in the view, from 0 to 1
		function cursorAt() {
			const b = cursor && cursor.band;

			if (!b)
				return [0.5, 0.5];
			const x = ((cursor.column + 0.5) / data.columns - view.x0) / (view.x1 - view.x0);
			const y = (b.top + (b.bottom - b.top) * (b.rows - 0.5 - cursor.row) / b.rows - view.y0) / (view.y1 - view.y0);

			return [Math.max(0, Math.min(1, x)), Math.max(0, Math.min(1, y))];
		}
		// Cells that one step moves over: as many as a pixel or two hold
		function stride(part) {
			const b = part.band, n = data.columns;

			return [Math.max(1, Math.round((view.x1 - view.x0) * n / plot() * 8)), Math.max(1, Math.round((part.to - part.from) * b.rows / part.high * 8))];
		}
		function move(dx, dy) {
			const part = parts.find((p) => cursor && p.band === cursor.band);

			if (!part) {
				cursor = cellAt(left + plot() / 2, parts[0].y + parts[0].high / 2);
			} else {
				const [sx, sy] = stride(part), at = bands.indexOf(cursor.band), row = cursor.row + dy * sy;

				cursor.column = Math.max(Math.floor(limits[0] * data.columns), Math.min(Math.ceil(limits[1] * data.columns) - 1, cursor.column + dx * sx));
				if (row >= cursor.band.rows && at > 0)
					cursor = { band: bands[at - 1], row: 0, column: cursor.column };
				else if (row < 0 && at + 1 < bands.length)
					cursor = { band: bands[at + 1], row: bands[at + 1].rows - 1, column: cursor.column };
				else
					cursor.row = Math.max(0, Math.min(cursor.band.rows - 1, row));
			}
			follow();
			draw();
			if (cursor)
				where.textContent = words(cursor).replace(/\n/g, ", ");
		}
		function follow() {
			const b = cursor && cursor.band;

			if (!b)
				return;
			const x = (cursor.column + 0.5) / data.columns, y = b.top + (b.bottom - b.top) * (b.rows - 0.5 - cursor.row) / b.rows;
			const wide = view.x1 - view.x0, high = view.y1 - view.y0;

			if (x < view.x0 || x > view.x1)
				[view.x0, view.x1] = clamp(x - wide / 2, x + wide / 2, limits);
			if (y < view.y0 || y > view.y1)
				[view.y0, view.y1] = clamp(y - high / 2, y + high / 2);
		}
		function key(event) {
			const step = event.shiftKey ? pan : null, keys = {
				ArrowLeft: () => step ? pan(-0.2, 0) : move(-1, 0), ArrowRight: () => step ? pan(0.2, 0) : move(1, 0),
				ArrowUp: () => step ? pan(0, -0.2) : move(0, 1), ArrowDown: () => step ? pan(0, 0.2) : move(0, -1),
				"+": () => zoom(0.5, ...cursorAt()), "=": () => zoom(0.5, ...cursorAt()),
				"-": () => zoom(2, ...cursorAt()), _: () => zoom(2, ...cursorAt()),
				0: () => zoom(1e9, 0.5, 0.5), Escape: () => zoom(1e9, 0.5, 0.5),
			};

			if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey)
				return;
			keys[event.key]();
			event.preventDefault();
		}
		// From 0 to 1 in the view; labels between bands count to the band below them.
		function part(x, y) {
			const at = parts.find((p) => y < p.y + p.high) || parts[parts.length - 1];
			const down = Math.max(0, Math.min(1, (y - at.y) / at.high)), b = at.band;
			const unitY = b.top + (b.bottom - b.top) * (at.from + (at.to - at.from) * down);

			return [Math.max(0, Math.min(1, (x - left) / plot())), (unitY - view.y0) / (view.y1 - view.y0)];
		}
		function samplesOf(band) {
			const n = data.columns, c0 = Math.round(limits[0] * n), c1 = Math.round(limits[1] * n);
			let sum = 0;

			for (let row = band.row; row < band.row + band.rows; row++)
				for (let x = c0; x < c1; x++)
					sum += layers.sample[row * n + x];
			return sum;
		}
		// Columns are finer than the slices that can be selected: their borders come near enough.
		function limit(range) {
			const at = (time) => Math.round(Number(time - BigInt(data.from)) / (data.span + 1) * data.columns) / data.columns;

			if (!data.timed)
				return;
			cursor = null;
			limits = range ? [Math.max(0, Math.min(1 - 1 / data.columns, at(range.start))), Math.min(1, Math.max(1 / data.columns, at(range.end)))] : [0, 1];
			if (limits[1] <= limits[0])
				limits[1] = limits[0] + 1 / data.columns;
			bands.forEach(function (b) {
				b.whole = b.whole || b.share;
				b.share = range ? (range.memory ? 100 * samplesOf(b) / range.memory : 0).toFixed(1) : b.whole;
			});
			zoom(1e9, 0.5, 0.5);
		}
		// Room for a label and a few rows of each band
		canvas.style.height = Math.min(780, 220 + bands.length * 46) + "px";
		legend.querySelector(".ramp").style.background = "linear-gradient(90deg, " + [0.22, 0.4, 0.6, 0.8, 1].map((part) =>
			"#" + data.colours[Math.round(part * (data.colours.length - 1))].toString(16).padStart(6, "0")).join(", ") + ")";
		canvas.addEventListener("keydown", key);
		canvas.addEventListener("wheel", function (event) {
			if (document.activeElement !== canvas && !event.ctrlKey)
				return;
			event.preventDefault();
			zoom(event.deltaY > 0 ? 1.25 : 0.8, ...part(event.offsetX, event.offsetY));
		}, { passive: false });
		canvas.addEventListener("dblclick", (event) => zoom(0.5, ...part(event.offsetX, event.offsetY)));
		canvas.addEventListener("pointerdown", function (event) {
			canvas.focus({ preventScroll: true });
			canvas.setPointerCapture(event.pointerId);
			drag = { x: event.offsetX, y: event.offsetY };
		});
		canvas.addEventListener("pointerup", () => { drag = null; });
		canvas.addEventListener("pointermove", function (event) {
			pointer = { x: event.offsetX, y: event.offsetY, clientX: event.clientX, clientY: event.clientY };
			if (drag) {
				pan((drag.x - event.offsetX) / plot(), (drag.y - event.offsetY) / canvas.clientHeight);
				drag = { x: event.offsetX, y: event.offsetY };
			}
			hint();
		});
		canvas.addEventListener("pointerleave", function () {
			pointer = null;
			page.tip("");
		});
		const colours = Array.from(root.querySelectorAll("[data-colour]"));
		function choose(button) {
			mode = button.dataset.colour;
			colours.forEach((b) => b.setAttribute("aria-pressed", b === button));
			draw();
		}
		colours.forEach(function (button) {
			button.disabled = button.dataset.colour !== "sample" && !layers.cycle.some(Boolean);
			button.setAttribute("aria-pressed", button.dataset.colour === mode);
			button.addEventListener("click", () => choose(button));
		});
		root.querySelector("[data-zoom=in]").addEventListener("click", () => zoom(0.5, ...cursorAt()));
		root.querySelector("[data-zoom=out]").addEventListener("click", () => zoom(2, ...cursorAt()));
		root.querySelector("[data-zoom=reset]").addEventListener("click", () => zoom(1e9, 0.5, 0.5));
		document.addEventListener("timerange", (event) => limit(event.detail));
		document.addEventListener("themechange", draw);
		matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
		new ResizeObserver(draw).observe(canvas);
	}
	document.querySelectorAll("[data-heat]").forEach(heatMap);
})();
