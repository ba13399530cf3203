/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function's instructions and source lines with the samples of each
 * instruction.
 */
#ifndef PERF_SPE_LISTING_H
#define PERF_SPE_LISTING_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/rows/fields.h"
#include "analysis/rows/rows.h"
#include "analysis/tables/tally.h"
#include "output/table/grid.h"

struct listing;

/* What stands for the symbol in tables where there is none */
#define NO_SYMBOL "[no symbol]"

/*
 * List @symbol (NULL: samples without a symbol) in the objects whose name contains @object (NULL: any).  @events
 * names the events whose rates are shown.  @events and @rows must outlive the
 * listing.
 */
struct listing *listing_new(const struct rows *rows, const struct tally *events,
			    const char *symbol, const char *object);
/* A row_fn, of rows with their place */
void listing_add(void *listing, const struct row *row);
/*
 * Fill @g, which is empty, with headings and the code; *@hottest is the row of the
 * instruction with most cycles.  False without a sample.
 */
bool listing_grid(struct listing *a, struct grid *g, size_t *hottest);
/* Whether a row of that grid has an instruction, not source or a heading */
bool listing_is_code(const struct listing *a, size_t row);
/* Print the same; false without a sample. */
bool listing_print(struct listing *a, FILE *to);
/* Whether there is a sample to print */
bool listing_any(const struct listing *a);
/* The listed object if others have samples in the symbol too, else NULL */
const char *listing_several(const struct listing *a);
void listing_free(struct listing *a);

#endif
