/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of functions of a page, and the listings that it links to. */
#ifndef PERF_SPE_PAGE_FUNCTIONS_H
#define PERF_SPE_PAGE_FUNCTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/tables/groups.h"
#include "analysis/stats/measure.h"
#include "output/table/listing.h"

/* The listing of a function */
struct page_code {
	const struct group *group;
	size_t row;			/* of the table of functions */
	struct listing *listing;
};

/*
 * Print the first @limit functions of @g, which is sorted by @sort, with links to those
 * that @codes has.
 */
void page_functions(FILE *to, const struct groups *g, enum measure sort,
		    size_t limit, const struct page_code *codes,
		    size_t nr_codes);
/* Print the listings. */
void page_codes(FILE *to, const struct groups *g, const struct page_code *codes,
		size_t nr_codes);

#endif
