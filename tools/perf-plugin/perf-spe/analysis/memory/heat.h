/* SPDX-License-Identifier: GPL-2.0-only */
/* How often which address was accessed when. */
#ifndef PERF_SPE_HEAT_H
#define PERF_SPE_HEAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/memory/bands.h"
#include "analysis/memory/pages.h"

struct heat {
	const struct pages *pages;
	uint32_t whose;			/* whose addresses */
	struct bands bands;
	bool by_latency;		/* cycles instead of samples */
	size_t rows, columns;		/* addresses upwards, time to the right */
	uint64_t *cells;		/* rows from the lowest address */
	uint64_t most;			/* largest cell */
};

/* Where @part, of 0 to @last, comes in so many steps */
size_t heat_scale(uint64_t part, uint64_t last, size_t steps);

/* Of one range of addresses, accessed or not */
void heat_of_range(struct heat *h, const struct pages *pages,
		   const struct region *range, size_t rows, size_t columns);
/* Of what the program @whose, an owner_number() accessed, with the gaps cut out */
void heat_of_process(struct heat *h, const struct pages *pages, uint32_t whose,
		     size_t rows, size_t columns);
/*
 * Begin a picture of each process that has at least a hundredth of the samples, and of the
 * one with the hottest region, at most @max in @list.  Returns their number.
 */
size_t heat_of_owners(struct heat *list, size_t max, const struct pages *pages,
		      size_t rows, size_t columns);
void heat_add(struct heat *h, const struct touch *t);
/* The first address of a row */
uint64_t heat_address(const struct heat *h, size_t row);
/* 0 for the least heat to 1 for the most: the logarithm, as it spans decades */
double heat_part(const struct heat *h, uint64_t cell);
void heat_free(struct heat *h);

#endif
