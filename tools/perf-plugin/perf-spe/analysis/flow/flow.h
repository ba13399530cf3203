/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How often a program went from one instruction to another.  Addresses are those of the
 * ELF file, not run-time ones.  Counts are of executions: a sample counts for the
 * operations of its event's interval.
 */
#ifndef PERF_SPE_FLOW_H
#define PERF_SPE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/hash_table.h"

enum flow_kind {
	FLOW_RANGE,		/* executed in sequence, @from to @to, both included */
	FLOW_ADDRESS,		/* executed at @from */
	FLOW_BRANCH,		/* branched, @from to @to */
	FLOW_STEP,		/* from the last instruction of a block to the next block */
	FLOW_AWAY,		/* branched from @from to another file */
	FLOW_ENTRY,		/* another file branched to @from */
	NR_FLOWS
};

struct flow {
	enum flow_kind kind;
	uint64_t from, to;
	uint64_t count, mispredicted;
	bool ends_in_branch;	/* of a range */
};

/* Sorted by kind, then by @from, @to and @ends_in_branch */
struct flow_list {
	struct flow *flows;
	size_t count, room;
	size_t first[NR_FLOWS + 1];	/* of each kind; set by flow_list_sort() */
};

/* Add @flow's counts to those of the flow that has the same kind and addresses. */
void flow_add(struct hash_table *table, const struct flow *flow);
/* Move all flows of @table to @list, sorted, and free @table. */
void flow_list_of(struct flow_list *list, struct hash_table *table);
void flow_list_add(struct flow_list *list, const struct flow *flow);
void flow_list_sort(struct flow_list *list);
void flow_list_free(struct flow_list *list);

static inline size_t flow_nr(const struct flow_list *list, enum flow_kind kind)
{
	return list->first[kind + 1] - list->first[kind];
}

/*
 * The first flow of @kind at or behind @from; the flows of the kind end at
 * list->first[kind + 1].
 */
size_t flow_list_find(const struct flow_list *list, enum flow_kind kind, uint64_t from);

#define flow_each(flow, list, kind)					\
	for ((flow) = (list)->flows + (list)->first[kind];		\
	     (flow) < (list)->flows + (list)->first[(kind) + 1]; (flow)++)

#endif
