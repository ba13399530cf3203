/* SPDX-License-Identifier: GPL-2.0-only */
/* What the intervals of mem's tables need, from the second reading */
#ifndef PERF_SPE_TOUCHED_PRECISE_H
#define PERF_SPE_TOUCHED_PRECISE_H

#include <stddef.h>

#include "analysis/memory/pages.h"
#include "analysis/stats/precise.h"

/* By index in pages.regions, pages.hot and pages.nodes.shares, as far as they are printed */
struct touched_precise {
	struct precise regions, pages, nodes;
};

/* Collect for the first @limit rows of each table, after pages_finish() and touchers_begin(). */
void touched_precise_init(struct touched_precise *t, const struct pages *p, size_t limit);
/* Add the access @touch of @row, or NULL for a row without address. */
void touched_precise_add(struct touched_precise *t, const struct pages *p,
			 const struct row *row, const struct touch *touch);
/* After the last one */
void touched_precise_finish(struct touched_precise *t, const struct rows *rows);
void touched_precise_free(struct touched_precise *t);

#endif
