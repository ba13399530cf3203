/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A picture of how often which address was accessed when: addresses upwards,
 * time to the right.
 */
#ifndef PERF_SPE_HEAT_H
#define PERF_SPE_HEAT_H

#include "analysis/pages.h"
#include "output/canvas.h"

struct heat {
	const struct pages *pages;
	struct region region;
	bool by_latency;		/* cycles instead of samples */
	size_t rows, columns;
	uint64_t *cells;		/* rows from the lowest address */
	uint64_t most;			/* largest cell */
};

struct wset;

/* Where @part, of 0 to @last, comes in so many steps */
size_t heat_scale(uint64_t part, uint64_t last, size_t steps);

void heat_init(struct heat *h, const struct pages *pages,
	       const struct region *region, size_t rows, size_t columns);
void heat_add(struct heat *h, const struct touch *t);
/* The first address of a row, and behind the last for h->rows */
uint64_t heat_address(const struct heat *h, size_t row);
/* 0 for the least heat to 1 for the most: the logarithm, as it spans decades */
double heat_part(const struct heat *h, uint64_t cell);
/* Characters; with @colours in those of a terminal. */
void heat_text(const struct heat *h, bool colours, FILE *to);
/*
 * A picture in a file, with axes, what the colours mean, and @wset's working
 * set below.  0, or -1 after a message or with errno set.
 */
int heat_picture(const struct heat *h, const struct wset *wset,
		 const struct canvas_kind *kind, const char *title, FILE *to);
void heat_free(struct heat *h);

#endif
