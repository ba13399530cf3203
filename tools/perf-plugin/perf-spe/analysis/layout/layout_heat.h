/* SPDX-License-Identifier: GPL-2.0-only */
/* The samples of each member of one type, and the cache lines that its instances are in. */
#ifndef PERF_SPE_LAYOUT_HEAT_H
#define PERF_SPE_LAYOUT_HEAT_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/layout/id_set.h"
#include "analysis/layout/layout_types.h"
#include "analysis/memory/lines.h"
#include "analysis/rows/fields.h"
#include "analysis/stats/hist.h"

struct layout_sums {
	uint64_t samples, loads, stores;
	struct hist total;		/* cycles of total latency */
	struct id_set cpus[2];		/* that read, and that write */
	struct id_set threads[2];
	uint64_t last;			/* sample that was counted here */
};

struct layout_heat {
	const struct layout_types *types;	/* knows the types of rows */
	const struct layout_type *type;
	const struct layout *layout;	/* of @type */
	struct layout_sums all;		/* of the type */
	struct layout_sums *rows;	/* of each row of the layout */
	uint64_t unknown;		/* samples whose member is not known */
	uint64_t astride;		/* in instances that do not begin with a cache line */
	struct lines lines;
};

/* @bytes: size of a cache line.  @heat is all zero. */
void layout_heat_begin(struct layout_heat *heat, const struct layout_types *types,
		       const struct layout_type *type, unsigned int bytes);
/* A row_fn, of rows with their place; @context is the struct layout_heat. */
void layout_heat_add(void *context, const struct row *row);
/* The row that lines.h's accesses to the type have as their symbol; NULL: other data */
const struct layout_row *layout_heat_row(const struct layout_heat *heat, const struct access *access);
void layout_heat_free(struct layout_heat *heat);

#endif
