// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/heat.h"
#include "analysis/pages.h"
#include "util/memory.h"

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

size_t heat_scale(uint64_t part, uint64_t last, size_t steps)
{
	size_t step = (size_t)((double)part / ((double)last + 1) *
			       (double)steps);

	return step < steps ? step : steps - 1;
}

void heat_add(struct heat *h, const struct touch *t)
{
	uint64_t *cell;

	if (t->pid != h->region.pid || t->address < h->region.start ||
	    t->address >= h->region.end)
		return;
	cell = &h->cells[heat_scale(t->address - h->region.start,
				    h->region.end - h->region.start - 1,
				    h->rows) * h->columns +
			 heat_scale(t->time, h->pages->last - h->pages->first,
				    h->columns)];
	*cell += h->by_latency ? t->cycles : 1;
	if (*cell > h->most)
		h->most = *cell;
}

uint64_t heat_address(const struct heat *h, size_t row)
{
	double part = (double)row / (double)h->rows;

	return h->region.start +
	       (uint64_t)(part * (double)(h->region.end - h->region.start));
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
