/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exact distribution of a counter: how often each number of cycles came.
 * Memory grows with how many different numbers came, not with the numbers.
 */
#ifndef PERF_SPE_HIST_H
#define PERF_SPE_HIST_H

#include <stddef.h>
#include <stdint.h>

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

void hist_add(struct hist *h, uint16_t cycles);
/* All of @from besides */
void hist_merge(struct hist *h, const struct hist *from);
/* Defined where count is not 0. */
double hist_mean(const struct hist *h);
/*
 * The least number of cycles that at least @percent of the samples do not
 * exceed (nearest rank); @percent above 0, at most 100, count not 0.
 */
unsigned int hist_percentile(const struct hist *h, double percent);
void hist_free(struct hist *h);

/* The bin behind @bin (NULL: the first) in no particular order, or NULL */
const struct hist_bin *hist_next(const struct hist *h,
				 const struct hist_bin *bin);

/* How many had exactly so many: at the counter's end it may have been more. */
uint64_t hist_exactly(const struct hist *h, unsigned int cycles);

#endif
