// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "output/memory/memory.h"
#include "output/text/text.h"
#include "util/util.h"

/* 0 for nothing, 1 to @levels */
static unsigned int level(const struct heat *h, uint64_t cell,
			  unsigned int levels)
{
	if (!cell)
		return 0;
	return 1 + (unsigned int)(heat_part(h, cell) * (levels - 1) + 0.5);
}

/* Of a terminal's 256: dark blue over red to pale yellow */
static const unsigned char terminal_colours[9] = {
	17, 19, 54, 90, 125, 160, 202, 214, 229,
};

#define NANOSECONDS 1e6

#define ADDRESS_COLUMNS	22	/* with the frame, and one that stays empty */
#define COLUMNS_MOST	64

static void text_time(const struct heat *h, FILE *to)
{
	double span = (double)(h->pages->last - h->pages->first);
	int width = (int)h->columns - 1, apart;
	char *end = h->pages->timed ?
		xformat("%.3f ms", span / NANOSECONDS) :
		xformat("sample %" PRIu64, h->pages->last + 1);

	/* A narrow picture: the second label must not touch the first one. */
	apart = (int)strlen(end) + 1;
	fprintf(to, "%18s  0%*s\n", "", width > apart ? width : apart, end);
	free(end);
}

size_t heat_text_columns(void)
{
	return terminal_rest(ADDRESS_COLUMNS, COLUMNS_MOST);
}

void heat_text(const struct heat *h, bool colours, FILE *to)
{
	static const char shades[] = " .:-=+*#%@";
	size_t row, column;

	for (row = h->rows; row-- > 0;) {
		fprintf(to, "%#18" PRIx64 " |", heat_address(h, row));
		for (column = 0; column < h->columns; column++) {
			unsigned int heat =
				level(h, heat_number(h, heat_cell(h, row, column)), 9);

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

#define TEXT_STEPS	16
#define TEXT_BAR	32	/* at most, behind */
#define TEXT_NUMBERS	68

void working_set_text(const struct working_set *w, FILE *to)
{
	const struct pages *p = w->pages;
	uint64_t span = p->last - p->first, so_far = 0, most = 1, bar;
	struct working_set_step steps[TEXT_STEPS];
	size_t length = terminal_rest(TEXT_NUMBERS, TEXT_BAR);
	unsigned int i;

	working_set_steps(w, steps, TEXT_STEPS);
	for (i = 0; i < TEXT_STEPS; i++)
		if (steps[i].pages > most)
			most = steps[i].pages;
	fprintf(to, "\n# working set over %s: pages of 4 KiB and of 2 MiB that samples saw\n# %8s %10s %10s %10s %8s  from\n",
		p->timed ? "time" : "the samples' order", "count", "KiB",
		"new KiB", "so far", "2 MiB");
	for (i = 0; i < TEXT_STEPS; i++) {
		const struct working_set_step *s = &steps[i];
		char *from = span_text((uint64_t)((double)span * i /
						  TEXT_STEPS), p->timed);

		so_far += s->fresh;
		fprintf(to, "%10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %8" PRIu64 "  %12s%s",
			s->samples, s->pages * PAGE_BYTES / 1024,
			s->fresh * PAGE_BYTES / 1024,
			so_far * PAGE_BYTES / 1024, s->huge, from,
			s->pages ? " " : "");
		/* '+' is what was touched for the first time. */
		for (bar = 0; bar * most < s->pages * length; bar++)
			putc(bar * most < s->fresh * length ? '+' : '=', to);
		putc('\n', to);
		free(from);
	}
}
