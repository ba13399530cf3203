/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The exact distribution of a counter: a count for each number of cycles.  Its
 * size depends on how many different numbers occur, not on how large they are.
 */
#ifndef PERF_SPE_HIST_H
#define PERF_SPE_HIST_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/stats/interval.h"
#include "util/hash_table.h"

struct hist_bin {
	uint64_t cycles : 16;
	uint64_t count : 48;		/* 0: empty */
};

struct hist {
	uint64_t count;
	uint64_t sum;			/* cycles */
	struct hash_table bins;		/* struct hist_bin, by cycles */
};

void hist_add_slowly(struct hist *h, uint16_t cycles);

/* Most samples find their bin in the first slot, so that is worth a check in line. */
static inline void hist_add(struct hist *h, uint16_t cycles)
{
	struct hist_bin *bin = h->bins.slots;

	if (h->bins.room) {
		bin += cycles & (h->bins.room - 1);
		if (bin->cycles == cycles && bin->count) {
			bin->count++;
			h->count++;
			h->sum += cycles;
			return;
		}
	}
	hist_add_slowly(h, cycles);
}

/* Add all of @from. */
void hist_merge(struct hist *h, const struct hist *from);
/* count must not be 0. */
double hist_mean(const struct hist *h);
/*
 * The least number of cycles that at least @percent of the samples do not
 * exceed (nearest rank); @percent above 0, at most 100, count not 0.
 */
unsigned int hist_percentile(const struct hist *h, double percent);
/* The cycles of the sample at this @rank of the sorted ones, from 1 on; count not 0 */
unsigned int hist_rank(const struct hist *h, uint64_t rank);
/* The sum of the cubes of all samples' cycles */
double hist_cubes(const struct hist *h);
/* The sum of the squares of all samples' cycles */
double hist_squares(const struct hist *h);
/* count must not be 0. */
struct moments hist_moments(const struct hist *h);
void hist_free(struct hist *h);

/* The bin after @bin (NULL: the first) in any order, or NULL at the end */
const struct hist_bin *hist_next(const struct hist *h,
				 const struct hist_bin *bin);

/* How many samples had exactly @cycles; a counter's maximum may stand for more. */
uint64_t hist_exactly(const struct hist *h, unsigned int cycles);

#endif
