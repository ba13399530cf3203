// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/hist.h"
#include "util/util.h"

#define ROOM_MAX 65536		/* then each number has a bin of its own */

/* Cycles cluster, so that they are their own hash. */
static struct hist_bin *bin_of(const struct hist *h, uint16_t cycles)
{
	size_t mask = h->room_bins - 1, slot = cycles & mask;

	while (h->bins[slot].count && h->bins[slot].cycles != cycles)
		slot = (slot + 1) & mask;
	return &h->bins[slot];
}

static void bins_grow(struct hist *h)
{
	struct hist_bin *old = h->bins;
	size_t i, room = h->room_bins;

	h->room_bins = room ? 2 * room : 4;
	h->bins = xcalloc(h->room_bins, sizeof(*h->bins));
	for (i = 0; i < room; i++)
		if (old[i].count)
			*bin_of(h, old[i].cycles) = old[i];
	free(old);
}

static inline void put(struct hist *h, uint16_t cycles, uint64_t count)
{
	struct hist_bin *bin;

	if (2 * h->nr_bins >= h->room_bins && h->room_bins < ROOM_MAX)
		bins_grow(h);
	bin = bin_of(h, cycles);
	if (!bin->count) {
		bin->cycles = cycles;
		h->nr_bins++;
	}
	bin->count += count;
	h->count += count;
	h->sum += count * cycles;
}

void hist_add(struct hist *h, uint16_t cycles)
{
	put(h, cycles, 1);
}

void hist_merge(struct hist *h, const struct hist *from)
{
	size_t i;

	for (i = 0; i < from->room_bins; i++)
		if (from->bins[i].count)
			put(h, from->bins[i].cycles, from->bins[i].count);
}

double hist_mean(const struct hist *h)
{
	return (double)h->sum / (double)h->count;
}

static int bin_order(const void *a, const void *b)
{
	return (int)((const struct hist_bin *)a)->cycles -
	       (int)((const struct hist_bin *)b)->cycles;
}

unsigned int hist_percentile(const struct hist *h, double percent)
{
	uint64_t rank = (uint64_t)ceil((double)h->count * percent / 100);
	struct hist_bin *sorted;
	unsigned int cycles;
	uint64_t below;
	size_t i, n = 0;

	sorted = xcalloc(h->nr_bins, sizeof(*sorted));
	for (i = 0; i < h->room_bins; i++)
		if (h->bins[i].count)
			sorted[n++] = h->bins[i];
	qsort(sorted, n, sizeof(*sorted), bin_order);
	below = sorted[0].count;
	for (i = 0; i + 1 < n && below < rank; i++)
		below += sorted[i + 1].count;
	cycles = sorted[i].cycles;
	free(sorted);
	return cycles;
}

void hist_free(struct hist *h)
{
	free(h->bins);
	memset(h, 0, sizeof(*h));
}

uint64_t hist_exactly(const struct hist *h, unsigned int cycles)
{
	size_t i;

	for (i = 0; i < h->room_bins; i++)
		if (h->bins[i].count && h->bins[i].cycles == cycles)
			return h->bins[i].count;
	return 0;
}
