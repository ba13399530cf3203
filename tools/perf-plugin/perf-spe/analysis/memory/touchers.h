/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the regions and pages with most samples hold, and which code accesses the pages.
 * Collected by the second reading of the samples, see pages.h.
 */
#ifndef PERF_SPE_TOUCHERS_H
#define PERF_SPE_TOUCHERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/fields.h"
#include "analysis/memory/pages.h"
#include "analysis/rows/rows.h"
#include "util/hash_table.h"

enum touched_kind { TOUCHED_REGION, TOUCHED_PAGE, TOUCHED_BY };

/* One name of a region or page, or one function that accesses a page */
struct toucher {
	enum touched_kind kind;
	uint32_t index;			/* in pages.regions or pages.hot */
	const char *object, *symbol;	/* symbol NULL: none */
	bool block;			/* they are those of a heap's block, see data_place.h */
	uint64_t count;
};

struct touchers {
	struct rows *rows;
	struct hash_table table;	/* struct toucher * */
	/* After touchers_finish() */
	struct toucher **sorted;	/* by kind, index, then most samples first */
	size_t nr_sorted;
};

/* Collect for the first @limit regions and pages of @p, after pages_finish(). */
void touchers_begin(struct touchers *t, struct rows *rows, struct pages *p,
		    size_t limit);
/* Add the access @touch of @row. */
void touchers_add(struct touchers *t, const struct pages *p, const struct row *row,
		  const struct touch *touch);
void touchers_finish(struct touchers *t);
/* The toucher with most samples of a region or page; they end at *@end. */
struct toucher *const *touchers_of(const struct touchers *t, enum touched_kind kind,
				   size_t index, struct toucher *const **end);
void touchers_free(struct touchers *t);

#endif
