// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"

#define PAGE_LINES	(PAGE_BYTES / LINE_BYTES)
#define SMALLEST_GAP	(8 * LINE_BYTES)
/*
 * Samples see a part of the lines that were accessed.  Gaps of this many times
 * the mean distance between the lines that they saw come about by chance, within
 * one region.
 */
#define CHANCE		8
/* A page with so much of a process's samples has a band of its own. */
#define HOT_PART	8
/* A band with so much of them is worth more than one row. */
#define WARM_PART	100

struct unused {
	uint64_t start, end;
	bool always;		/* beside a hot page: cut, however small */
};

/*
 * The gaps to cut first: those beside hot pages, then the largest.  With one
 * more there would be too many bands.
 */
struct gaps {
	struct unused gap[BANDS_MAX - 1];
	size_t count;
	uint64_t lines;		/* accessed */
	uint64_t first, last;	/* start of the first one, end of the last */
	bool after_hot;		/* the last one is of a hot page */
};

void bands_of_range(struct bands *b, uint64_t start, uint64_t end)
{
	memset(b, 0, sizeof(*b));
	b->band[0].start = start;
	b->band[0].end = end;
	b->band[0].warm = true;
	b->count = 1;
}

static bool goes_first(const struct unused *a, const struct unused *b)
{
	if (a->always != b->always)
		return a->always;
	return a->end - a->start > b->end - b->start;
}

static void gaps_add(struct gaps *g, const struct unused *gap)
{
	size_t room = sizeof(g->gap) / sizeof(g->gap[0]), i;

	for (i = g->count; i > 0 && goes_first(gap, &g->gap[i - 1]); i--)
		if (i < room)
			g->gap[i] = g->gap[i - 1];
	if (i == room)
		return;
	g->gap[i] = *gap;
	if (g->count < room)
		g->count++;
}

/* Regions are sorted by samples, so the first ones of a process are its hottest. */
static void omit_regions(struct bands *b, const struct pages *p, uint32_t whose,
			 const struct region **kept, size_t *nr_kept)
{
	size_t i;

	for (i = 0; i < p->nr_regions; i++) {
		const struct region *r = &p->regions[i];

		if (r->whose != whose)
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

static void add_page(struct gaps *g, const struct page *page, bool hot)
{
	bool first_here = true;
	unsigned int line;

	for (line = 0; line < PAGE_LINES; line++) {
		struct unused gap = {
			.start = g->last,
			.end = page->address + line * LINE_BYTES,
			.always = first_here && (hot || g->after_hot),
		};

		if (!(page->lines >> line & 1))
			continue;
		if (!g->lines++)
			g->first = gap.end;
		else if (gap.end > gap.start || gap.always)
			gaps_add(g, &gap);
		/* The last line of all has no end that is a number. */
		g->last = gap.end + LINE_BYTES ? gap.end + LINE_BYTES : UINT64_MAX;
		first_here = false;
	}
	g->after_hot = hot;
}

static int by_start(const void *a, const void *b)
{
	const struct unused *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* How many of the gaps are worth a cut */
static size_t gaps_to_cut(const struct gaps *g, size_t rows)
{
	uint64_t extent = g->last - g->first;
	size_t i;

	for (i = 0; i < g->count; i++) {
		uint64_t size = g->gap[i].end - g->gap[i].start;

		if (!g->gap[i].always &&
		    (size < SMALLEST_GAP || size <= extent / rows * 2 ||
		     (size <= REGION_GAP &&
		      size <= extent / g->lines * CHANCE)))
			break;
		extent -= size;
	}
	return i;
}

static bool is_hot(const struct page *page, uint64_t samples)
{
	return pages_touches(&page->touched) >= samples / HOT_PART + 1;
}

/*
 * Samples of a page count for its accessed lines in equal parts: how many each of
 * them has is not known before the second time.
 */
static void warm_up(struct bands *b, const struct pages *p, uint32_t whose,
		    uint64_t samples)
{
	double count[BANDS_MAX] = { 0 };
	unsigned int line;
	size_t i;

	for (i = 0; i < p->table.count; i++) {
		const struct page *page = p->by_address[i];
		double each = (double)pages_touches(&page->touched) /
			      __builtin_popcountll(page->lines);

		for (line = 0; page->whose == whose && line < PAGE_LINES; line++) {
			const struct band *band = page->lines >> line & 1 ?
				bands_find(b, page->address + line * LINE_BYTES) :
				NULL;

			if (band)
				count[band - b->band] += each;
		}
	}
	for (i = 0; i < b->count; i++)
		b->band[i].warm = count[i] * WARM_PART >= (double)samples;
}

void bands_of_process(struct bands *b, const struct pages *p, uint32_t whose,
		      size_t rows)
{
	const struct region *kept[BANDS_MAX];
	struct gaps gaps = { 0 };
	uint64_t samples = 0;
	size_t nr_kept = 0, i;

	memset(b, 0, sizeof(*b));
	omit_regions(b, p, whose, kept, &nr_kept);
	for (i = 0; i < nr_kept; i++)
		samples += pages_touches(&kept[i]->touched);
	for (i = 0; i < p->table.count; i++)
		if (p->by_address[i]->whose == whose &&
		    is_kept(kept, nr_kept, p->by_address[i]))
			add_page(&gaps, p->by_address[i],
				 is_hot(p->by_address[i], samples));
	gaps.count = gaps_to_cut(&gaps, rows);
	qsort(gaps.gap, gaps.count, sizeof(gaps.gap[0]), by_start);
	b->band[0].start = gaps.first;
	for (i = 0; i < gaps.count; i++) {
		b->band[i].end = gaps.gap[i].start;
		b->band[i + 1].start = gaps.gap[i].end;
	}
	b->band[i].end = gaps.last;
	b->count = i + 1;
	warm_up(b, p, whose, samples);
}

static uint64_t lines_of(const struct band *band)
{
	uint64_t lines = (band->end - band->start) / LINE_BYTES;

	return lines ? lines : 1;
}

static size_t weight(const struct band *band)
{
	return band->warm ? 64 - (size_t)__builtin_clzll(lines_of(band)) : 0;
}

size_t bands_share_rows(struct bands *b, size_t rows)
{
	size_t i, all = 0, cold = 0, row = 0;

	for (i = 0; i < b->count; i++) {
		all += weight(&b->band[i]);
		cold += !b->band[i].warm;
	}
	for (i = 0; i < b->count; i++) {
		struct band *band = &b->band[i];
		uint64_t lines = lines_of(band);

		band->row = row;
		band->rows = all && rows > cold ?
			(rows - cold) * weight(band) / all : 0;
		if (!band->rows)
			band->rows = 1;
		/* One band of many, however large, leaves the others in sight. */
		if (b->count > 1 && band->rows > rows * 3 / 8)
			band->rows = rows * 3 / 8;
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

/* The names of one band; any number of them */
struct names {
	struct band_name *all;
	size_t nr, room;
};

static void add_name(struct names *to, const struct line *line, const struct line_name *name)
{
	size_t i;

	for (i = 0; i < to->nr; i++)
		if (to->all[i].place.object == name->place.object &&
		    to->all[i].place.symbol == name->place.symbol)
			break;
	if (i == to->nr) {
		to->all = array_grow(to->all, to->nr, &to->room, sizeof(*to->all));
		to->all[to->nr++] = (struct band_name){ name->place, 0, line->address };
	}
	to->all[i].count += name->count;
	if (line->address < to->all[i].line)
		to->all[i].line = line->address;
}

static int by_count(const void *a, const void *b)
{
	const struct band_name *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

void bands_name(struct bands *b, uint32_t whose, const struct lines *l)
{
	struct names names[BANDS_MAX] = { 0 };
	struct line **slot = NULL;
	size_t i, k;

	while ((slot = lines_next(l, slot))) {
		const struct line *line = *slot;
		const struct band *band = line->physical || line->process != whose ? NULL :
					  bands_find(b, line->address);

		for (i = 0; band && i < line->nr_names; i++)
			add_name(&names[band - b->band], line, &line->names[i]);
	}
	memset(b->name, 0, sizeof(b->name));
	for (i = 0; i < b->count; i++) {
		if (names[i].nr)
			qsort(names[i].all, names[i].nr, sizeof(*names[i].all), by_count);
		for (k = 0; k < names[i].nr && k < BAND_NAMES; k++)
			b->name[i][k] = names[i].all[k];
		free(names[i].all);
	}
}
