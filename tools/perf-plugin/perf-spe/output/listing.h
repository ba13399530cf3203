/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A function's instructions, and its source where there is any, with the
 * samples of each.
 */
#ifndef PERF_SPE_LISTING_H
#define PERF_SPE_LISTING_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/fields.h"
#include "analysis/rows.h"
#include "analysis/tally.h"

struct listing;

/*
 * Of @symbol, in the objects whose name holds @object (NULL: any).  @events has
 * those whose rates are shown; it and @rows have to outlive the listing.
 */
struct listing *listing_new(const struct rows *rows, const struct tally *events,
			    const char *symbol, const char *object);
/* A row_fn, of rows with their place */
void listing_add(void *listing, const struct row *row);
/* Lines that begin with "#", then the code; false where it had no sample. */
bool listing_print(struct listing *a, FILE *to);
/* Where more than one object has samples in such a symbol: whose this is */
const char *listing_several(const struct listing *a);
void listing_free(struct listing *a);

#endif
