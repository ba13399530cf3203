// SPDX-License-Identifier: GPL-2.0-only
/*
 * Heat as a picture with its axes, one block of cells for each band of accessed
 * addresses, the highest on top:
 *
 *          title
 *          0x7f001000-0x7f003000 8 KiB, 12.3% of samples: [heap] 100%
 * 0x7f001000 +---------------------+  []  most
 *          0x1000-0x2000 4 KiB, 87.7% of samples  (2031 MiB cut out above)
 *   0x1800 +-----------------------+  []
 *   0x1000 +-----------------------+  []  1
 *          0      1 ms      2 ms
 *          working set, a bar a step  [] pages
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "output/memory/memory.h"
#include "output/picture/picture.h"
#include "output/text/text.h"
#include "util/util.h"

#define CELL		4u
#define LEFT		128u
#define TOP		26u
#define RIGHT		100u
#define AXIS		40u	/* the times below the cells, and their name */
#define SET_TITLE	14u
#define SET_HEIGHT	64u
#define BOTTOM		14u
#define X_TICKS		8u
#define Y_TICK_SPACE	64u
#define BAND_LABEL	18u	/* the line of text above a band */
#define BAND_LEAST	12u	/* height of a band of one row */
#define WARM_LEAST	40u	/* and of a warm band */
#define CELLS_LEAST	160u	/* height of all bands, for the legend */
#define COLOUR_NONE	0x12101e
#define COLOUR_AXIS	0x888888
#define COLOUR_CUT	0xbbbbbb

static unsigned int plot_width(const struct heat *h)
{
	return CELL * (unsigned int)h->columns;
}

/* A band of a few lines has few rows, which are higher then. */
static unsigned int row_height(const struct heat *h, const struct band *band)
{
	unsigned int rows = (unsigned int)band->rows, high = CELL;
	unsigned int least = band->warm ? WARM_LEAST : BAND_LEAST;

	if (rows * high < least)
		high = least / rows;
	if (h->bands.count == 1 && rows * high < CELLS_LEAST)
		high = CELLS_LEAST / rows;
	return high;
}

static unsigned int band_height(const struct heat *h, const struct band *band)
{
	return row_height(h, band) * (unsigned int)band->rows;
}

static unsigned int plot_height(const struct heat *h)
{
	unsigned int height = 0;
	size_t i;

	for (i = 0; i < h->bands.count; i++)
		height += BAND_LABEL + band_height(h, &h->bands.band[i]);
	return height;
}

/* Where the cells of band @index begin; the highest address is on top. */
static unsigned int band_top(const struct heat *h, size_t index)
{
	unsigned int top = TOP + BAND_LABEL;
	size_t i;

	for (i = h->bands.count; i-- > index + 1;)
		top += band_height(h, &h->bands.band[i]) + BAND_LABEL;
	return top;
}

static void draw_cells(const struct heat *h, struct canvas *c, size_t index)
{
	const struct band *band = &h->bands.band[index];
	unsigned int high = row_height(h, band), top = band_top(h, index);
	size_t row, column;

	canvas_rect(c, LEFT, top, plot_width(h), band_height(h, band),
		    COLOUR_NONE, NULL);
	for (row = 0; row < band->rows; row++) {
		for (column = 0; column < h->columns; column++) {
			uint64_t cell = heat_number(h, heat_cell(h, band->row + row, column));
			char *about;

			if (!cell)
				continue;
			about = xformat("0x%" PRIx64 ": %" PRIu64 " %s%s",
					heat_address(h, band->row + row), cell,
					h->by_latency ? "cycle" : "sample",
					plural(cell));
			canvas_rect(c, LEFT + CELL * (unsigned int)column,
				    top + high * (unsigned int)(band->rows - 1 - row),
				    CELL, high, canvas_heat(heat_part(h, cell)),
				    about);
			free(about);
		}
	}
}

/* The addresses on the left */
static void draw_ticks(const struct heat *h, struct canvas *c, size_t index)
{
	const struct band *band = &h->bands.band[index];
	unsigned int high = row_height(h, band);
	unsigned int bottom = band_top(h, index) + band_height(h, band);
	size_t row, step = (Y_TICK_SPACE + high - 1) / high;

	for (row = 0; row < band->rows; row += step) {
		unsigned int y = bottom - high * (unsigned int)row;

		canvas_rect(c, LEFT - 4, y - 1, 4, 1, COLOUR_AXIS, NULL);
		canvas_text(c, LEFT - 8, y + 2, ANCHOR_END, "0x%" PRIx64,
			    heat_address(h, band->row + row));
	}
}

#define CUT_SPACE	20u	/* characters, for "2031 MiB not drawn" */

/* The part of @text that has room in @room characters; to be freed */
static char *fitting(const char *text, size_t room)
{
	const uint8_t *at = (const uint8_t *)text;
	size_t len = 0, next, i;

	if (strlen(text) <= room)
		return xformat("%s", text);
	for (i = 0; i + 3 < room && at[len]; i++, len += next ? next : 1)
		next = utf8_len(at + len);
	return room > 3 ? xformat("%.*s...", (int)len, text) : xformat("%s", "");
}

/* Above the cells: which addresses, what part of the samples, what is there, and the cut */
static void draw_label(const struct heat *h, struct canvas *c, size_t index)
{
	const struct band *band = &h->bands.band[index];
	unsigned int y = band_top(h, index) - 5, x;
	char *size = size_text(band->end - band->start), *names = heat_names(h, index);
	char *label = xformat("0x%" PRIx64 "-0x%" PRIx64 "  %s, %.1f%% of samples%s%s",
			      band->start, band->end, size, percent(band->samples, h->pages->samples),
			      *names ? ": " : "", names);
	char *fits = fitting(label, plot_width(h) / TEXT_WIDTH - CUT_SPACE);

	canvas_text(c, LEFT, y, ANCHOR_START, "%s", fits);
	free(fits);
	free(label);
	free(names);
	free(size);
	if (index + 1 == h->bands.count || band[1].start == band->end)
		return;
	size = size_text(band[1].start - band->end);
	canvas_text(c, LEFT + plot_width(h), y, ANCHOR_END,
		    "%s not drawn", size);
	free(size);
	for (x = LEFT; x < LEFT + plot_width(h); x += 8)
		canvas_rect(c, x, y - 11, 4, 1, COLOUR_CUT, NULL);
}

static void draw_times(const struct heat *h, struct canvas *c)
{
	unsigned int width = plot_width(h), bottom = TOP + plot_height(h), i;
	double span = (double)(h->pages->last - h->pages->first);

	for (i = 0; i <= X_TICKS; i++) {
		char *text = span_text((uint64_t)(span * i / X_TICKS),
				       h->pages->timed);
		unsigned int x = LEFT + width * i / X_TICKS;

		canvas_rect(c, x, bottom, 1, 4, COLOUR_AXIS, NULL);
		canvas_text(c, x, bottom + 14, i ? ANCHOR_MIDDLE : ANCHOR_START,
			    "%s", text);
		free(text);
	}
	canvas_text(c, LEFT + width / 2, bottom + 27, ANCHOR_MIDDLE, "%s",
		    h->pages->timed ? "time since the first sample" :
		    "samples in their order");
}

#define LEGEND_WIDTH	12u
#define LEGEND_STEPS	64u
#define LINE		11u	/* of text */

/* The colours from 1 to the most there is, with the powers of ten */
static void draw_legend(const struct heat *h, struct canvas *c)
{
	unsigned int left = LEFT + plot_width(h) + 14;
	unsigned int top = TOP + BAND_LABEL, height = plot_height(h) - BAND_LABEL;
	unsigned int step, last = 0, y, at;
	uint64_t ten;

	if (!h->most)
		return;
	for (step = 0; step < LEGEND_STEPS; step++) {
		/* Rounded down, so that no gap is left between two. */
		y = height * step / LEGEND_STEPS;
		at = height * (step + 1) / LEGEND_STEPS;
		canvas_rect(c, left, top + height - at, LEGEND_WIDTH, at - y,
			    canvas_heat((double)step / (LEGEND_STEPS - 1)),
			    NULL);
	}
	/* What there is room for, from below */
	for (ten = 1; ten <= h->most; ten *= 10) {
		at = (unsigned int)(heat_part(h, ten) * (height - LINE));
		if (ten == 1 || at >= last + LINE) {
			canvas_text(c, left + LEGEND_WIDTH + 4,
				    top + height - at, ANCHOR_START,
				    "%" PRIu64, ten);
			last = at;
		}
		if (ten > h->most / 10)
			break;
	}
	if (h->most > 1 && height >= last + 2 * LINE)
		canvas_text(c, left + LEGEND_WIDTH + 4, top + 9, ANCHOR_START,
			    "%" PRIu64, h->most);
	canvas_text(c, left, top - 6, ANCHOR_START, "%s a cell",
		    h->by_latency ? "cycles" : "samples");
}

#define COLOUR_AGAIN	0x5b7fb5
#define COLOUR_FRESH	0xeb6432
#define COLOUR_FRAME	0xf2f2f2

/* As wide as the plot of the picture above it */
static void working_set_draw(const struct working_set *w, struct canvas *c, unsigned int left,
			     unsigned int top, unsigned int width, unsigned int height)
{
	struct working_set_step steps[WORKING_SET_STEPS];
	unsigned int i, each = width / WORKING_SET_STEPS, bottom = top + height;
	uint64_t most = 1;

	working_set_steps(w, steps, WORKING_SET_STEPS);
	for (i = 0; i < WORKING_SET_STEPS; i++)
		if (steps[i].pages > most)
			most = steps[i].pages;
	canvas_rect(c, left, top, width, height, COLOUR_FRAME, NULL);
	for (i = 0; i < WORKING_SET_STEPS; i++) {
		const struct working_set_step *s = &steps[i];
		unsigned int all = (unsigned int)(s->pages * height / most);
		unsigned int fresh = (unsigned int)(s->fresh * height / most);
		char *about = xformat("%" PRIu64 " KiB, %" PRIu64 " KiB of them for the first time, %" PRIu64 " samples",
				      s->pages * PAGE_BYTES / 1024,
				      s->fresh * PAGE_BYTES / 1024, s->samples);

		if (all)
			canvas_rect(c, left + i * each, bottom - all, each - 1,
				    all, COLOUR_AGAIN, about);
		if (fresh)
			canvas_rect(c, left + i * each, bottom - fresh,
				    each - 1, fresh, COLOUR_FRESH, about);
		free(about);
	}
	canvas_text(c, left - 6, top + 8, ANCHOR_END, "%" PRIu64 " KiB",
		    most * PAGE_BYTES / 1024);
	canvas_text(c, left - 6, bottom, ANCHOR_END, "0");
	canvas_rect(c, left + width + 14, top, 8, 8, COLOUR_AGAIN, NULL);
	canvas_text(c, left + width + 26, top + 8, ANCHOR_START, "pages");
	canvas_rect(c, left + width + 14, top + 14, 8, 8, COLOUR_FRESH, NULL);
	canvas_text(c, left + width + 26, top + 22, ANCHOR_START, "new ones");
}

int heat_picture(const struct heat *h, const struct working_set *set,
		 const struct canvas_kind *kind, const char *title, FILE *to)
{
	unsigned int width = LEFT + plot_width(h) + RIGHT;
	unsigned int below = TOP + plot_height(h) + AXIS;
	struct canvas c;
	size_t i;

	if (canvas_begin(&c, kind, to, width,
			 below + (set ? SET_TITLE + SET_HEIGHT + BOTTOM : 0),
			 title) < 0)
		return -1;
	canvas_text(&c, LEFT, TOP - 10, ANCHOR_START, "%s", title);
	for (i = 0; i < h->bands.count; i++) {
		draw_cells(h, &c, i);
		draw_ticks(h, &c, i);
		draw_label(h, &c, i);
	}
	draw_times(h, &c);
	draw_legend(h, &c);
	if (set) {
		canvas_text(&c, LEFT, below + SET_TITLE - 5, ANCHOR_START,
			    "working set of the whole recording: pages accessed in each 64th of the time");
		working_set_draw(set, &c, LEFT, below + SET_TITLE,
				 plot_width(h), SET_HEIGHT);
	}
	return canvas_end(&c);
}
