// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/memory/memory.h"
#include "output/memory/memory.h"
#include "output/picture/picture.h"
#include "output/text/text.h"
#include "util/util.h"

#define COLOURS	64

static void put_band(FILE *to, const struct heat *h, size_t index)
{
	const struct band *b = &h->bands.band[index];
	char *size = size_text(b->end - b->start), *names;

	fprintf(to, "%s{\"start\":\"0x%" PRIx64 "\",\"end\":\"0x%" PRIx64 "\",\"size\":\"%s\",\"warm\":%s,\"row\":%zu,\"rows\":%zu,\"share\":\"%.1f\"",
		index ? "," : "", b->start, b->end, size,
		b->warm ? "true" : "false", b->row, b->rows,
		percent(b->samples, h->pages->samples));
	free(size);
	names = heat_names(h, index);
	fputs(",\"names\":", to);
	json_script_text(names, to);
	free(names);
	if (index && b->start > b[-1].end) {
		size = size_text(b->start - b[-1].end);
		fprintf(to, ",\"gap\":\"%s\"", size);
		free(size);
	}
	putc('}', to);
}

/* Of each row the cells that are not 0: how many columns further, and the number */
static void put_cells(FILE *to, const struct heat *h, bool cycles)
{
	size_t row, column;

	for (row = 0; row < h->rows; row++) {
		size_t last = 0;
		bool any = false;

		fputs(row ? ",\n[" : "\n[", to);
		for (column = 0; column < h->columns; column++) {
			const struct heat_cell *cell = heat_cell(h, row, column);
			const uint64_t number = cycles ? cell->cycles : cell->samples;

			if (!number)
				continue;
			fprintf(to, "%s%zu,%" PRIu64, any ? "," : "", column - last, number);
			last = column;
			any = true;
		}
		putc(']', to);
	}
}

static void put_data(FILE *to, const struct heat *h, unsigned int number)
{
	unsigned int i;

	fprintf(to, "<script type=\"application/json\" id=\"heat-%u\">{\"rows\":%zu,\"columns\":%zu,\"timed\":%s,\"from\":\"%" PRIu64 "\",\"span\":%" PRIu64 ",\"unit\":\"%s\",\"none\":%d,\"colours\":[",
		number, h->rows, h->columns, h->pages->timed ? "true" : "false",
		h->pages->first, h->pages->last - h->pages->first,
		h->by_latency ? "cycle" : "sample", 0x12101e);
	for (i = 0; i < COLOURS; i++)
		fprintf(to, "%s%u", i ? "," : "",
			canvas_heat((double)i / (COLOURS - 1)));
	fputs("],\"bands\":[", to);
	for (i = 0; i < h->bands.count; i++)
		put_band(to, h, i);
	fputs("],\"cells\":[", to);
	put_cells(to, h, h->by_latency);
	fputs("],\"other\":[", to);
	put_cells(to, h, !h->by_latency);
	fputs("]}</script>\n", to);
}

void page_heat(FILE *to, const struct heat *h, unsigned int number,
	       const char *title)
{
	fprintf(to, "<div class=\"heat scripted\" data-heat=\"heat-%u\">\n<h3 id=\"heat-title-%u\">",
		number, number);
	put_escaped(title, to);
	fputs("</h3>\n<div class=\"tools\"><span class=\"group\"><button type=\"button\" data-zoom=\"in\" aria-label=\"Zoom in\">+</button><button type=\"button\" data-zoom=\"out\" aria-label=\"Zoom out\">&#8722;</button><button type=\"button\" data-zoom=\"reset\">All</button></span>\n<span class=\"group\" role=\"group\" aria-label=\"Colour\"><button type=\"button\" data-colour=\"sample\">Samples</button><button type=\"button\" data-colour=\"cycle\">Cycles</button><button type=\"button\" data-colour=\"mean\">Mean latency</button></span>\n<span class=\"scale\">1 <span class=\"ramp\"></span> <span></span></span></div>\n", to);
	fputs("<p class=\"soft keys\">Keys: arrows move the cursor, + and - zoom, shift with arrows moves the view, 0 shows all. Click first, then the wheel zooms; drag moves.</p>\n", to);
	fprintf(to, "<canvas tabindex=\"0\" role=\"application\" aria-roledescription=\"heat map\" aria-labelledby=\"heat-title-%u\" aria-describedby=\"heat-where-%u\"></canvas>\n<p class=\"where\" id=\"heat-where-%u\" role=\"status\">All addresses and times.</p>\n</div>\n",
		number, number, number);
	put_data(to, h, number);
}
