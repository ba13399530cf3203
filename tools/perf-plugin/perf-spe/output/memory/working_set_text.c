// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/memory/memory.h"
#include "output/memory/memory.h"
#include "output/text/text.h"

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
