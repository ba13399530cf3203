/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the intervals of a table's rows need, where the table itself keeps sums only: it is
 * collected in a second reading, for the rows that are printed.
 */
#ifndef PERF_SPE_PRECISE_H
#define PERF_SPE_PRECISE_H

#include <stddef.h>

#include "analysis/rows/fields.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/hist.h"
#include "analysis/stats/lag.h"
#include "analysis/stats/measure.h"

struct precise_row {
	uint64_t count;
	struct hist latency;		/* total */
	struct lag lag;
};

struct precise {
	struct precise_row *rows;
	size_t nr;
	struct lag other;		/* of all rows that are not printed */
	struct lag_chain chain;
	struct measured_all sum;	/* see precise_part_of() */
};

/* For the first @limit of @nr rows */
void precise_init(struct precise *p, size_t nr, size_t limit);
/* What the samples of @rows are a part of, after the last one */
void precise_part_of(struct measured_all *sum, const struct rows *rows);
/* The next sample is of row number @index; of another row of the table if it is @p->nr or more. */
void precise_add(struct precise *p, size_t index, const struct row *row);
/* The next sample is not in the table. */
void precise_skip(struct precise *p, const struct row *row);
struct measured precise_measured(const struct precise *p, size_t index);
void precise_free(struct precise *p);

#endif
