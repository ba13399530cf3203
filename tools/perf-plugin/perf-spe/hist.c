// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hist.h"
#include "util.h"

void hist_add(struct hist *h, uint16_t cycles)
{
	size_t room = h->nr_bins ? h->nr_bins : 64;

	if (cycles >= h->nr_bins) {
		while (room <= cycles)
			room *= 2;
		h->bins = xrealloc(h->bins, room * sizeof(*h->bins));
		memset(h->bins + h->nr_bins, 0,
		       (room - h->nr_bins) * sizeof(*h->bins));
		h->nr_bins = room;
	}
	h->bins[cycles]++;
	h->count++;
	h->sum += cycles;
}

double hist_mean(const struct hist *h)
{
	return (double)h->sum / (double)h->count;
}

unsigned int hist_percentile(const struct hist *h, double percent)
{
	uint64_t rank = (uint64_t)ceil((double)h->count * percent / 100);
	uint64_t below = 0;
	size_t i;

	if (!rank)
		rank = 1;
	for (i = 0; i < h->nr_bins; i++) {
		below += h->bins[i];
		if (below >= rank)
			break;
	}
	return (unsigned int)i;
}

void hist_free(struct hist *h)
{
	free(h->bins);
	memset(h, 0, sizeof(*h));
}
