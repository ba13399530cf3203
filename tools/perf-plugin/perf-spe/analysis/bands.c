// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/bands.h"
#include "analysis/pages.h"

#define PAGE_LINES	(PAGE_BYTES / LINE_BYTES)
#define SMALLEST_GAP	(8 * LINE_BYTES)

struct gap {
	uint64_t start, end;
};

/* The largest gaps, largest first: with one more they would be too many. */
struct gaps {
	struct gap gap[BANDS_MAX - 1];
	size_t count;
};

void bands_of_range(struct bands *b, uint64_t start, uint64_t end)
{
	memset(b, 0, sizeof(*b));
	b->band[0].start = start;
	b->band[0].end = end;
	b->count = 1;
}

static void gaps_add(struct gaps *g, uint64_t start, uint64_t end)
{
	size_t last = sizeof(g->gap) / sizeof(g->gap[0]), i;

	for (i = g->count; i > 0; i--) {
		if (g->gap[i - 1].end - g->gap[i - 1].start >= end - start)
			break;
		if (i < last)
			g->gap[i] = g->gap[i - 1];
	}
	if (i == last)
		return;
	g->gap[i].start = start;
	g->gap[i].end = end;
	if (g->count < last)
		g->count++;
}

/* Regions are sorted by samples, so the first ones of a process are its hottest. */
static void omit_regions(struct bands *b, const struct pages *p, int32_t pid,
			 const struct region **kept, size_t *nr_kept)
{
	size_t i;

	for (i = 0; i < p->nr_regions; i++) {
		const struct region *r = &p->regions[i];

		if (r->pid != pid)
			continue;
		if (*nr_kept < BANDS_MAX) {
			kept[(*nr_kept)++] = r;
			continue;
		}
		b->omitted++;
		b->omitted_samples += pages_touches(&r->touched);
	}
}

static bool is_kept(const struct region *const *kept, size_t nr_kept,
		    const struct page *page)
{
	size_t i;

	for (i = 0; i < nr_kept; i++)
		if (page->address >= kept[i]->start &&
		    page->address < kept[i]->end)
			return true;
	return false;
}

/* @last is the end of the accessed line before, or 0 if there is none. */
static void add_page(const struct page *page, struct gaps *gaps,
		     uint64_t *first, uint64_t *last)
{
	unsigned int line;

	for (line = 0; line < PAGE_LINES; line++) {
		uint64_t start = page->address + line * LINE_BYTES;

		if (!(page->lines >> line & 1))
			continue;
		if (!*last)
			*first = start;
		else if (start > *last)
			gaps_add(gaps, *last, start);
		/* The last line of all has no end that is a number. */
		*last = start + LINE_BYTES ? start + LINE_BYTES : UINT64_MAX;
	}
}

static int by_start(const void *a, const void *b)
{
	const struct gap *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* How many of the gaps, which are sorted by size, are large enough to be cut */
static size_t gaps_to_cut(const struct gaps *g, uint64_t extent, size_t rows)
{
	size_t i;

	for (i = 0; i < g->count; i++) {
		uint64_t size = g->gap[i].end - g->gap[i].start;

		if (size < SMALLEST_GAP || size <= extent / rows * 2)
			break;
		extent -= size;
	}
	return i;
}

void bands_of_process(struct bands *b, const struct pages *p, int32_t pid,
		      size_t rows)
{
	const struct region *kept[BANDS_MAX];
	uint64_t first = 0, last = 0;
	struct gaps gaps = { 0 };
	size_t nr_kept = 0, i;

	memset(b, 0, sizeof(*b));
	omit_regions(b, p, pid, kept, &nr_kept);
	for (i = 0; i < p->table.count; i++)
		if (p->by_address[i]->pid == pid &&
		    is_kept(kept, nr_kept, p->by_address[i]))
			add_page(p->by_address[i], &gaps, &first, &last);
	gaps.count = gaps_to_cut(&gaps, last - first, rows);
	qsort(gaps.gap, gaps.count, sizeof(gaps.gap[0]), by_start);
	b->band[0].start = first;
	for (i = 0; i < gaps.count; i++) {
		b->band[i].end = gaps.gap[i].start;
		b->band[i + 1].start = gaps.gap[i].end;
	}
	b->band[i].end = last;
	b->count = i + 1;
}

static uint64_t lines_of(const struct band *band)
{
	uint64_t lines = (band->end - band->start) / LINE_BYTES;

	return lines ? lines : 1;
}

static size_t weight(const struct band *band)
{
	return 64 - (size_t)__builtin_clzll(lines_of(band));
}

size_t bands_share_rows(struct bands *b, size_t rows)
{
	size_t i, all = 0, row = 0;

	for (i = 0; i < b->count; i++)
		all += weight(&b->band[i]);
	for (i = 0; i < b->count; i++) {
		struct band *band = &b->band[i];
		uint64_t lines = lines_of(band);

		band->row = row;
		band->rows = rows * weight(band) / all;
		if (!band->rows)
			band->rows = 1;
		if (band->rows > lines)
			band->rows = (size_t)lines;
		row += band->rows;
	}
	return row;
}

struct band *bands_find(struct bands *b, uint64_t address)
{
	size_t i;

	for (i = 0; i < b->count; i++)
		if (address >= b->band[i].start && address < b->band[i].end)
			return &b->band[i];
	return NULL;
}

const struct band *bands_of_row(const struct bands *b, size_t row)
{
	size_t i;

	for (i = 0; i + 1 < b->count; i++)
		if (row < b->band[i].row + b->band[i].rows)
			break;
	return &b->band[i];
}
