// SPDX-License-Identifier: GPL-2.0-only
/*
 * Heat as a picture with its axes:
 *
 *          title
 *   0x2000 +-----------------------+  []  most
 *          |  cells                |  []
 *   0x1000 +-----------------------+  []  1
 *          0      1 ms      2 ms
 *          working set, a bar a step  [] pages
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/heat.h"
#include "analysis/working_set.h"
#include "output/canvas.h"
#include "output/heat_picture.h"
#include "output/text.h"
#include "output/working_set_picture.h"
#include "util/memory.h"

#define CELL		4u
#define LEFT		128u
#define TOP		26u
#define RIGHT		100u
#define AXIS		28u	/* the times below the cells */
#define SET_HEIGHT	64u
#define BOTTOM		14u
#define X_TICKS		8u
#define Y_TICK_ROWS	16u
#define COLOUR_NONE	0x12101e

static unsigned int plot_width(const struct heat *h)
{
	return CELL * (unsigned int)h->columns;
}

/* A region of a few lines has few rows, which are higher then. */
static unsigned int row_height(const struct heat *h)
{
	unsigned int rows = (unsigned int)h->rows;

	return rows >= 64 ? CELL : rows > 16 ? 256 / rows : 16;
}

static unsigned int plot_height(const struct heat *h)
{
	return row_height(h) * (unsigned int)h->rows;
}

static void draw_cells(const struct heat *h, struct canvas *c)
{
	unsigned int high = row_height(h);
	size_t row, column;

	canvas_rect(c, LEFT, TOP, plot_width(h), plot_height(h), COLOUR_NONE,
		    NULL);
	for (row = 0; row < h->rows; row++) {
		for (column = 0; column < h->columns; column++) {
			uint64_t cell = h->cells[row * h->columns + column];
			char *about;

			if (!cell)
				continue;
			about = xformat("0x%" PRIx64 ": %" PRIu64 " %s",
					heat_address(h, row), cell,
					h->by_latency ? "cycles" : "samples");
			canvas_rect(c, LEFT + CELL * (unsigned int)column,
				    TOP + high * (unsigned int)(h->rows - 1 - row),
				    CELL, high, canvas_heat(heat_part(h, cell)),
				    about);
			free(about);
		}
	}
}

static void draw_axes(const struct heat *h, struct canvas *c)
{
	unsigned int width = plot_width(h), bottom = TOP + plot_height(h), i;
	double span = (double)(h->pages->last - h->pages->first);
	size_t row, step = h->rows < 16 ? 1 : h->rows < 64 ? 4 : Y_TICK_ROWS;

	for (row = 0; row <= h->rows; row += step) {
		unsigned int y = bottom - row_height(h) * (unsigned int)row;

		canvas_rect(c, LEFT - 4, y, 4, 1, 0x888888, NULL);
		canvas_text(c, LEFT - 8, y + 4, ANCHOR_END, "0x%" PRIx64,
			    heat_address(h, row));
	}
	for (i = 0; i <= X_TICKS; i++) {
		char *text = span_text((uint64_t)(span * i / X_TICKS),
				       h->pages->timed);
		unsigned int x = LEFT + width * i / X_TICKS;

		canvas_rect(c, x, bottom, 1, 4, 0x888888, NULL);
		canvas_text(c, x, bottom + 14, i ? ANCHOR_MIDDLE : ANCHOR_START,
			    "%s", text);
		free(text);
	}
}

#define LEGEND_WIDTH	12u
#define LEGEND_STEPS	64u
#define LINE		11u	/* of text */

/* The colours from 1 to the most there is, with the powers of ten */
static void draw_legend(const struct heat *h, struct canvas *c)
{
	unsigned int left = LEFT + plot_width(h) + 14, height = plot_height(h);
	unsigned int step, last = 0, y, at;
	uint64_t ten;

	if (!h->most)
		return;
	for (step = 0; step < LEGEND_STEPS; step++) {
		/* Rounded down, so that no gap is left between two. */
		y = height * step / LEGEND_STEPS;
		at = height * (step + 1) / LEGEND_STEPS;
		canvas_rect(c, left, TOP + height - at, LEGEND_WIDTH, at - y,
			    canvas_heat((double)step / (LEGEND_STEPS - 1)),
			    NULL);
	}
	/* What there is room for, from below */
	for (ten = 1; ten <= h->most; ten *= 10) {
		at = (unsigned int)(heat_part(h, ten) * (height - LINE));
		if (ten == 1 || at >= last + LINE) {
			canvas_text(c, left + LEGEND_WIDTH + 4,
				    TOP + height - at, ANCHOR_START,
				    "%" PRIu64, ten);
			last = at;
		}
		if (ten > h->most / 10)
			break;
	}
	if (h->most > 1 && height >= last + 2 * LINE)
		canvas_text(c, left + LEGEND_WIDTH + 4, TOP + 9, ANCHOR_START,
			    "%" PRIu64, h->most);
	canvas_text(c, left, TOP - 8, ANCHOR_START, "%s",
		    h->by_latency ? "cycles" : "samples");
}

int heat_picture(const struct heat *h, const struct working_set *set,
		 const struct canvas_kind *kind, const char *title, FILE *to)
{
	unsigned int width = LEFT + plot_width(h) + RIGHT;
	unsigned int below = TOP + plot_height(h) + AXIS;
	struct canvas c;

	if (canvas_begin(&c, kind, to, width,
			 below + (set ? SET_HEIGHT + BOTTOM : 0), title) < 0)
		return -1;
	canvas_text(&c, LEFT, TOP - 10, ANCHOR_START, "%s", title);
	draw_cells(h, &c);
	draw_axes(h, &c);
	draw_legend(h, &c);
	if (set)
		working_set_draw(set, &c, LEFT, below, plot_width(h),
				 SET_HEIGHT);
	return canvas_end(&c);
}
