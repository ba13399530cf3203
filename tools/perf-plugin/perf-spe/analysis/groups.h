/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples grouped by place in the code. */
#ifndef PERF_SPE_GROUPS_H
#define PERF_SPE_GROUPS_H

#include "analysis/fields.h"
#include "analysis/hist.h"
#include "symbols/resolve.h"

enum group_sort {
	SORT_COUNT,
	SORT_TOTAL,
	SORT_ISSUE,
	SORT_XLAT,
	SORT_SYMBOL,
};

struct group {
	struct place place;
	uint64_t count;
	struct hist latency[3];		/* total, issue, translation */
};

/*
 * Answers of resolve_place() that hold for good.  One that is looked at for
 * each sample has to be small.
 */
struct group_cache {
	uint64_t pc;			/* raw payload */
	int32_t pid;
	bool sure;
	struct group *group;		/* NULL: empty */
};

#define GROUP_CACHE 65536		/* a power of two */

struct groups {
	struct resolver resolver;
	struct group **table;		/* hash by place, a power of two */
	size_t nr_table, room_table;
	struct group_cache *cache;
	uint64_t with_pc, with_pid;	/* samples */
	bool totals_only;		/* symbols are not asked for */
	struct group **sorted;		/* after groups_sort() */
	size_t nr_sorted;
};

void groups_init(struct groups *g, struct session *session,
		 struct symbols *symbols);
/* A row_fn, of rows with their owner; @context is the struct groups. */
void groups_add(void *context, const struct row *row);
void groups_sort(struct groups *g, enum group_sort sort);
/* All of @from besides */
void groups_merge(struct groups *g, const struct groups *from);
/* What holds for good holds no more: there are other mappings. */
void groups_forget(struct groups *g);
void groups_free(struct groups *g);

#endif
