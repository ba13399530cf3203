/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far successive samples agree in each of 64 properties, such as events.  Unlike the rows
 * of lag.h, a sample may have several of them.
 */
#ifndef PERF_SPE_LAG_BITS_H
#define PERF_SPE_LAG_BITS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/rows/fields.h"

struct lag_bits {
	uint64_t samples, of;		/* all, and those that tell the properties */
	uint64_t pairs, inside;		/* of successive samples; both of which tell */
	/* Pairs whose samples both have it, and samples with it in pairs that tell */
	uint64_t both[64], beside[64];
	const struct piece *piece;	/* of the sample before, which has these bits */
	uint64_t bits;
	bool tells;
};

/* The next sample has these @bits, if it @tells them. */
void lag_bits_add(struct lag_bits *l, const struct piece *piece, uint64_t bits, bool tells);
/* The correlation in the share of property @bit, which @count samples have, -1 to 1 */
double lag_bits_correlation(const struct lag_bits *l, unsigned int bit, uint64_t count);

#endif
