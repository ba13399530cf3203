// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "util/util.h"

static void begin(struct heat *h, size_t rows, size_t columns)
{
	h->rows = bands_share_rows(&h->bands, rows);
	h->columns = columns;
	h->cells = xcalloc(h->rows * columns, sizeof(*h->cells));
}

void heat_of_range(struct heat *h, const struct pages *pages,
		   const struct region *range, size_t rows, size_t columns)
{
	memset(h, 0, sizeof(*h));
	h->pages = pages;
	h->whose = range->whose;
	bands_of_range(&h->bands, range->start, range->end);
	begin(h, rows, columns);
}

/* Of what the program @whose, an owner_number() accessed, with the gaps cut out */
static void heat_of_process(struct heat *h, const struct pages *pages, uint32_t whose,
			    size_t rows, size_t columns)
{
	memset(h, 0, sizeof(*h));
	h->pages = pages;
	h->whose = whose;
	bands_of_process(&h->bands, pages, whose, rows);
	begin(h, rows, columns);
}

/*
 * The owner of the next picture: the one with the hottest region of those that
 * have no picture yet and, but for the first, a hundredth of the samples.
 */
static const struct region *next_owner(const struct heat *list, size_t count,
				       const struct pages *p)
{
	size_t i, j;

	for (i = 0; i < p->nr_regions; i++) {
		const struct region *r = &p->regions[i];
		uint64_t samples = 0;

		for (j = 0; j < count; j++)
			if (list[j].whose == r->whose)
				break;
		if (j < count)
			continue;
		for (j = i; j < p->nr_regions; j++)
			if (p->regions[j].whose == r->whose)
				samples += pages_touches(&p->regions[j].touched);
		if (!count || samples * 100 >= p->samples)
			return r;
	}
	return NULL;
}

size_t heat_of_owners(struct heat *list, size_t max, const struct pages *pages,
		      size_t rows, size_t columns)
{
	const struct region *owner;
	size_t count = 0;

	while (count < max && (owner = next_owner(list, count, pages)))
		heat_of_process(&list[count++], pages, owner->whose, rows, columns);
	return count;
}

size_t heat_scale(uint64_t part, uint64_t last, size_t steps)
{
	size_t step = (size_t)((double)part / ((double)last + 1) *
			       (double)steps);

	return step < steps ? step : steps - 1;
}

bool heat_find(struct heat *h, const struct touch *t, struct heat_at *at)
{
	struct band *band = t->whose == h->whose ? bands_find(&h->bands, t->address) : NULL;
	size_t row;

	if (!band)
		return false;
	row = band->row + heat_scale(t->address - band->start,
				     band->end - band->start - 1, band->rows);
	at->cell = &h->cells[row + h->rows * heat_scale(t->time, h->pages->last - h->pages->first,
							h->columns)];
	at->heat = h;
	at->band = band;
	at->cycles = t->cycles;
	__builtin_prefetch(at->cell, 1);
	return true;
}

void heat_count(struct heat_at *at)
{
	if (!at->cell)
		return;
	at->cell->samples++;
	at->cell->cycles += at->cycles;
	if (heat_number(at->heat, at->cell) > at->heat->most)
		at->heat->most = heat_number(at->heat, at->cell);
	at->band->samples++;
	at->cell = NULL;
}

void heat_add(struct heat *h, const struct touch *t)
{
	struct heat_at at;

	if (heat_find(h, t, &at))
		heat_count(&at);
}

void heat_twin(struct heat *h, const struct heat *like)
{
	size_t i;

	if (h == like)
		free(h->cells);
	else
		*h = *like;
	h->most = 0;
	for (i = 0; i < h->bands.count; i++)
		h->bands.band[i].samples = 0;
	h->cells = xcalloc(h->rows * h->columns, sizeof(*h->cells));
}

void heat_merge(struct heat *h, const struct heat *from)
{
	size_t i;

	for (i = 0; i < h->rows * h->columns; i++) {
		h->cells[i].samples += from->cells[i].samples;
		h->cells[i].cycles += from->cells[i].cycles;
		if (heat_number(h, &h->cells[i]) > h->most)
			h->most = heat_number(h, &h->cells[i]);
	}
	for (i = 0; i < h->bands.count; i++)
		h->bands.band[i].samples += from->bands.band[i].samples;
}

uint64_t heat_address(const struct heat *h, size_t row)
{
	const struct band *band = bands_of_row(&h->bands, row);
	uint64_t below = row - band->row, bytes = band->end - band->start;

	return band->start + bytes / band->rows * below + bytes % band->rows * below / band->rows;
}

double heat_part(const struct heat *h, uint64_t cell)
{
	return h->most > 1 ? log((double)cell) / log((double)h->most) : 1;
}

void heat_free(struct heat *h)
{
	free(h->cells);
	memset(h, 0, sizeof(*h));
}
