/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The address axis of a picture: the ranges that samples accessed, with the
 * gaps between them cut out.  Without the cuts, a heap and a stack that lie
 * terabytes apart would leave nothing but empty space.
 */
#ifndef PERF_SPE_BANDS_H
#define PERF_SPE_BANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/memory/pages.h"

#define LINE_BYTES	64u
#define BANDS_MAX	12u

struct band {
	uint64_t start, end;	/* whole lines */
	bool warm;		/* a hundredth of the samples, or all of a range */
	uint64_t samples;	/* heat_add() counts them */
	size_t row, rows;	/* row: the one with the lowest address */
};

struct bands {
	struct band band[BANDS_MAX];	/* lowest address first */
	size_t count;
	/* Regions of the same process that have no band, and their samples */
	size_t omitted;
	uint64_t omitted_samples;
};

/* One band, for the whole range @start to @end */
void bands_of_range(struct bands *b, uint64_t start, uint64_t end);
/*
 * Bands for the hottest regions of the program @whose, an owner_number().  A gap between two accessed
 * lines is cut if it would fill more than two of @rows and is no chance of
 * sampling.  A page with an eighth of the samples has a band of its own.
 */
void bands_of_process(struct bands *b, const struct pages *p, uint32_t whose,
		      size_t rows);
/*
 * Shares out @rows: a warm band gets rows by the logarithm of its size, and no more
 * than it has lines.  Any other band gets one.  Returns how many rows they have.
 */
size_t bands_share_rows(struct bands *b, size_t rows);
/* The band that holds @address, or NULL */
struct band *bands_find(struct bands *b, uint64_t address);
/* The band that holds @row, which must be one of theirs */
const struct band *bands_of_row(const struct bands *b, size_t row);

#endif
