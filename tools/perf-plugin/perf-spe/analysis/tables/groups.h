/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples grouped by place in the code. */
#ifndef PERF_SPE_GROUPS_H
#define PERF_SPE_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/fields.h"
#include "analysis/stats/hist.h"
#include "analysis/stats/measure.h"
#include "symbols/resolve.h"
#include "util/hash_table.h"

struct group {
	struct place place;
	size_t number;			/* in groups.all */
	uint64_t count;
	struct hist latency[3];		/* total, issue, translation */
	struct lag lag;			/* where the groups are precise */
};

struct groups {
	struct hash_table table;	/* struct group *, by names */
	struct group **all;
	size_t nr, room;
	uint64_t with_pc, with_pid;	/* samples */
	bool totals_only;		/* count without grouping */
	bool precise;			/* collect what intervals need */
	struct lag_chain chain;
	/* After groups_sort() */
	struct group **sorted;
	size_t nr_sorted;
	struct measured_all sum;
};

/* A row_fn, of rows with their place; @context is the struct groups. */
void groups_add(void *context, const struct row *row);
/* MEASURE_NAME sorts by symbol. */
void groups_sort(struct groups *g, enum measure by);
/* Add all of @from. */
void groups_merge(struct groups *g, const struct groups *from);
void groups_free(struct groups *g);

#endif
