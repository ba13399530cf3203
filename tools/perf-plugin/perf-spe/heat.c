// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "heat.h"

void heat_init(struct heat *h, const struct pages *pages,
	       const struct region *region, size_t rows, size_t columns)
{
	uint64_t lines = (region->end - region->start) / 64;

	memset(h, 0, sizeof(*h));
	h->pages = pages;
	h->region = *region;
	/* Nothing is told of less than a cache line. */
	h->rows = lines && lines < rows ? (size_t)lines : rows;
	h->columns = columns;
	h->cells = xcalloc(h->rows * columns, sizeof(*h->cells));
}

/* Where @part, of 0 to @last, comes in so many steps */
static size_t scale(uint64_t part, uint64_t last, size_t steps)
{
	size_t step = (size_t)((double)part / ((double)last + 1) *
			       (double)steps);

	return step < steps ? step : steps - 1;
}

void heat_add(void *context, const struct row *row)
{
	const struct armspe_record *rec = row->rec;
	struct heat *h = context;
	uint64_t address, time = 0, weight = 1, *cell;
	int32_t pid;

	if (!pages_address(h->pages, row, &pid, &address))
		return;
	if (!h->pages->timed ||
	    !session_time(row->session, rec->timestamp, &time))
		time = h->seen;
	h->seen++;
	if (pid != h->region.pid || address < h->region.start ||
	    address >= h->region.end)
		return;
	if (h->by_latency)
		weight = rec->counter_valid >> SPE_COUNTER_TOTAL & 1 ?
			rec->counter[SPE_COUNTER_TOTAL] : 0;
	cell = &h->cells[scale(address - h->region.start,
			       h->region.end - h->region.start - 1, h->rows) *
			 h->columns +
			 scale(time - h->pages->first,
			       h->pages->last - h->pages->first,
			       h->columns)];
	*cell += weight;
	if (*cell > h->most)
		h->most = *cell;
}

uint64_t heat_address(const struct heat *h, size_t row)
{
	double part = (double)row / (double)h->rows;

	return h->region.start +
	       (uint64_t)(part * (double)(h->region.end - h->region.start));
}

/* 0 for nothing, 1 to @levels: the logarithm, as heat spans decades */
static unsigned int level(const struct heat *h, uint64_t cell,
			  unsigned int levels)
{
	double part;

	if (!cell)
		return 0;
	part = h->most > 1 ? log((double)cell) / log((double)h->most) : 1;
	return 1 + (unsigned int)(part * (levels - 1) + 0.5);
}

/* Of a terminal's 256: dark blue over red to pale yellow */
static const unsigned char terminal_colours[9] = {
	17, 19, 54, 90, 125, 160, 202, 214, 229,
};

#define NANOSECONDS 1e6

static void text_time(const struct heat *h, FILE *to)
{
	double span = (double)(h->pages->last - h->pages->first);
	char *end = h->pages->timed ?
		xformat("%.3f ms", span / NANOSECONDS) :
		xformat("sample %" PRIu64, h->pages->last + 1);

	fprintf(to, "%18s  0%*s\n", "", (int)h->columns - 1, end);
	free(end);
}

void heat_text(const struct heat *h, bool colours, FILE *to)
{
	static const char shades[] = " .:-=+*#%@";
	size_t row, column;

	for (row = h->rows; row-- > 0;) {
		fprintf(to, "%#18" PRIx64 " |", heat_address(h, row));
		for (column = 0; column < h->columns; column++) {
			unsigned int heat =
				level(h, h->cells[row * h->columns + column], 9);

			if (colours && heat)
				fprintf(to, "\033[48;5;%um \033[0m",
					terminal_colours[heat - 1]);
			else
				putc(shades[heat], to);
		}
		fputs("|\n", to);
	}
	text_time(h, to);
}

#define CELL_X	4
#define CELL_Y	4
#define LEFT	150
#define TOP	10

/* From dark violet to yellow: blue falls while red and green rise. */
static void svg_colour(double part, FILE *to)
{
	fprintf(to, "#%02x%02x%02x", (unsigned int)(60 + 195 * part),
		(unsigned int)(220 * part * part),
		(unsigned int)(120 * (1 - part)));
}

static void svg_cells(const struct heat *h, FILE *to)
{
	size_t row, column;

	for (row = 0; row < h->rows; row++) {
		for (column = 0; column < h->columns; column++) {
			uint64_t cell = h->cells[row * h->columns + column];

			if (!cell)
				continue;
			fprintf(to, "<rect x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\" fill=\"",
				LEFT + CELL_X * column,
				TOP + CELL_Y * (h->rows - 1 - row), CELL_X,
				CELL_Y);
			svg_colour((level(h, cell, 64) - 1) / 63.0, to);
			fprintf(to, "\"><title>0x%" PRIx64 ": %" PRIu64 "%s</title></rect>\n",
				heat_address(h, row), cell,
				h->by_latency ? " cycles" : " samples");
		}
	}
}

#define TICKS 8

static void svg_axes(const struct heat *h, FILE *to)
{
	size_t width = CELL_X * h->columns, height = CELL_Y * h->rows, i;
	double span = (double)(h->pages->last - h->pages->first);

	fprintf(to, "<rect x=\"%d\" y=\"%d\" width=\"%zu\" height=\"%zu\" fill=\"none\" stroke=\"#888\"/>\n",
		LEFT, TOP, width, height);
	for (i = 0; i <= TICKS; i++) {
		size_t row = h->rows * i / TICKS;

		fprintf(to, "<text x=\"%d\" y=\"%zu\" text-anchor=\"end\">0x%" PRIx64 "</text>\n",
			LEFT - 6, TOP + height - CELL_Y * row + 4,
			heat_address(h, row));
		fprintf(to, "<text x=\"%zu\" y=\"%zu\" text-anchor=\"middle\">",
			LEFT + width * i / TICKS, TOP + height + 16);
		if (h->pages->timed)
			fprintf(to, "%.2f ms", span * (double)i / TICKS /
				NANOSECONDS);
		else
			fprintf(to, "%.0f", span * (double)i / TICKS);
		fputs("</text>\n", to);
	}
}

void heat_svg(const struct heat *h, FILE *to)
{
	fprintf(to, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%zu\" font-family=\"monospace\" font-size=\"11\">\n",
		LEFT + CELL_X * h->columns + 50, TOP + CELL_Y * h->rows + 30);
	fprintf(to, "<title>%s by address and time</title>\n",
		h->by_latency ? "Cycles" : "Samples");
	svg_cells(h, to);
	svg_axes(h, to);
	fputs("</svg>\n", to);
}

void heat_free(struct heat *h)
{
	free(h->cells);
	memset(h, 0, sizeof(*h));
}
