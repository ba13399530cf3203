/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far successive samples of a recording agree.  A sample that only its place in a
 * loop decides says nothing of the next one; in a phase of the program both belong
 * to the same row.  Errors of estimates depend on it.
 */
#ifndef PERF_SPE_LAG_H
#define PERF_SPE_LAG_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/rows/fields.h"

/* Of a row: sums over pairs of successive samples, with their total latencies a and b */
struct lag {
	uint64_t both;			/* pairs whose samples are both of the row */
	uint64_t beside;		/* samples of the row in pairs of two samples of any row */
	double sum, product;		/* of these: a + b, a * b */
	double first, second;		/* a * b where this sample is of the row */
};

/* The same of all rows, and the sample before.  Samples of no row are outside. */
struct lag_chain {
	uint64_t pairs, inside;		/* all; those of two samples of any row */
	uint64_t outside;		/* samples of no row */
	double product;
	const struct piece *piece;
	struct lag *last;		/* of the sample before; NULL: of no row */
	unsigned int cycles;
};

/* The next sample is of the row with @lag. */
void lag_add(struct lag_chain *chain, struct lag *lag, const struct row *row);
/* The same with another latency than the total one */
void lag_add_cycles(struct lag_chain *chain, struct lag *lag, const struct row *row,
		    unsigned int cycles);
/* The next sample is of no row. */
void lag_skip(struct lag_chain *chain, const struct row *row);
void lag_merge(struct lag *to, const struct lag *from);
void lag_chain_merge(struct lag_chain *to, const struct lag_chain *from);

#endif
