/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A picture of how often which address was accessed when: addresses upwards,
 * time to the right.
 */
#ifndef PERF_SPE_HEAT_H
#define PERF_SPE_HEAT_H

#include "pages.h"

struct heat {
	const struct pages *pages;
	struct region region;
	bool by_latency;		/* cycles instead of samples */
	size_t rows, columns;
	uint64_t *cells;		/* rows from the lowest address */
	uint64_t most;			/* largest cell */
	uint64_t seen;			/* samples, counted as pages_add() does */
};

void heat_init(struct heat *h, const struct pages *pages,
	       const struct region *region, size_t rows, size_t columns);
/* A row_fn, of the same rows as pages_add(); @context is the struct heat. */
void heat_add(void *context, const struct row *row);
/* The first address of a row, and behind the last for h->rows */
uint64_t heat_address(const struct heat *h, size_t row);
/* Characters; with @colours in those of a terminal. */
void heat_text(const struct heat *h, bool colours, FILE *to);
/* An <svg> element */
void heat_svg(const struct heat *h, FILE *to);
void heat_free(struct heat *h);

#endif
