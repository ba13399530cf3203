// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/heat.h"
#include "analysis/wset.h"

void wset_add(struct wset *w, const struct touch *t)
{
	struct page *page = pages_find(w->pages, t->pid, t->address);
	size_t step = heat_scale(t->time, w->pages->last - w->pages->first,
				 WSET_STEPS);

	if (!page)
		return;
	w->samples[step]++;
	page->when |= UINT64_C(1) << step;
}

/* A bit for each of @steps that has one of the WSET_STEPS bits of @when */
static uint64_t coarser(uint64_t when, unsigned int steps)
{
	unsigned int each = WSET_STEPS / steps, step;
	uint64_t mask = each == 64 ? UINT64_MAX : (UINT64_C(1) << each) - 1;
	uint64_t bits = 0;

	for (step = 0; step < steps; step++)
		if (when >> step * each & mask)
			bits |= UINT64_C(1) << step;
	return bits;
}

static void count_steps(uint64_t bits, struct wset_step *to, bool huge)
{
	if (bits && !huge)
		to[__builtin_ctzll(bits)].fresh++;
	for (; bits; bits &= bits - 1) {
		struct wset_step *step = &to[__builtin_ctzll(bits)];

		if (huge)
			step->huge++;
		else
			step->pages++;
	}
}

void wset_steps(const struct wset *w, struct wset_step *to, unsigned int steps)
{
	const struct pages *p = w->pages;
	uint64_t huge = 0, bits;
	size_t i;

	memset(to, 0, steps * sizeof(*to));
	for (i = 0; i < WSET_STEPS; i++)
		to[i / (WSET_STEPS / steps)].samples += w->samples[i];
	for (i = 0; i < p->nr_table; i++) {
		const struct page *page = p->by_address[i];

		bits = coarser(page->when, steps);
		count_steps(bits, to, false);
		huge |= bits;
		if (i + 1 == p->nr_table ||
		    !pages_same_huge(page, p->by_address[i + 1])) {
			count_steps(huge, to, true);
			huge = 0;
		}
	}
}

#define TEXT_STEPS	16
#define TEXT_BAR	32

void wset_text(const struct wset *w, FILE *to)
{
	const struct pages *p = w->pages;
	uint64_t span = p->last - p->first, so_far = 0, most = 1, bar;
	struct wset_step steps[TEXT_STEPS];
	unsigned int i;

	wset_steps(w, steps, TEXT_STEPS);
	for (i = 0; i < TEXT_STEPS; i++)
		if (steps[i].pages > most)
			most = steps[i].pages;
	fprintf(to, "\n# working set over %s: pages of 4 KiB and of 2 MiB that samples saw\n# %8s %10s %10s %10s %8s  from\n",
		p->timed ? "time" : "the samples' order", "count", "KiB",
		"new KiB", "so far", "2 MiB");
	for (i = 0; i < TEXT_STEPS; i++) {
		const struct wset_step *s = &steps[i];
		char *from = span_text((uint64_t)((double)span * i /
						  TEXT_STEPS), p->timed);

		so_far += s->fresh;
		fprintf(to, "%10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 " %8" PRIu64 "  %12s%s",
			s->samples, s->pages * PAGE_BYTES / 1024,
			s->fresh * PAGE_BYTES / 1024,
			so_far * PAGE_BYTES / 1024, s->huge, from,
			s->pages ? " " : "");
		/* '+' is what was touched for the first time. */
		for (bar = 0; bar * most < s->pages * TEXT_BAR; bar++)
			putc(bar * most < s->fresh * TEXT_BAR ? '+' : '=', to);
		putc('\n', to);
		free(from);
	}
}

#define COLOUR_AGAIN	0x5b7fb5
#define COLOUR_FRESH	0xeb6432
#define COLOUR_FRAME	0xf2f2f2

void wset_draw(const struct wset *w, struct canvas *c, unsigned int left,
	       unsigned int top, unsigned int width, unsigned int height)
{
	struct wset_step steps[WSET_STEPS];
	unsigned int i, each = width / WSET_STEPS, bottom = top + height;
	uint64_t most = 1;

	wset_steps(w, steps, WSET_STEPS);
	for (i = 0; i < WSET_STEPS; i++)
		if (steps[i].pages > most)
			most = steps[i].pages;
	canvas_rect(c, left, top, width, height, COLOUR_FRAME, NULL);
	for (i = 0; i < WSET_STEPS; i++) {
		const struct wset_step *s = &steps[i];
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
