// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "analysis/flow/flow.h"
#include "util/util.h"

static const struct hash_kind flow_table = {
	HASH_SLOTS(struct flow, count),
	.key = {
		HASH_NUMBER(struct flow, from), HASH_NUMBER(struct flow, to),
		HASH_NUMBER(struct flow, kind), HASH_NUMBER(struct flow, ends_in_branch),
	},
};

void flow_add(struct hash_table *table, const struct flow *flow)
{
	struct flow *slot = hash_table_add(table, &flow_table, flow);

	if (!slot->count) {
		*slot = *flow;
		return;
	}
	slot->count += flow->count;
	slot->mispredicted += flow->mispredicted;
}

void flow_list_add(struct flow_list *list, const struct flow *flow)
{
	list->flows = array_grow(list->flows, list->count, &list->room,
				 sizeof(*list->flows));
	list->flows[list->count++] = *flow;
}

static int flow_order(const void *a, const void *b)
{
	const struct flow *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->ends_in_branch - y->ends_in_branch;
}

void flow_list_sort(struct flow_list *list)
{
	size_t i = 0;
	int kind;

	if (list->count)
		qsort(list->flows, list->count, sizeof(*list->flows), flow_order);
	for (kind = 0; kind <= NR_FLOWS; kind++) {
		while (i < list->count && (int)list->flows[i].kind < kind)
			i++;
		list->first[kind] = i;
	}
}

void flow_list_of(struct flow_list *list, struct hash_table *table)
{
	const struct flow *slot = NULL;

	while ((slot = hash_table_next(table, &flow_table, slot)))
		flow_list_add(list, slot);
	flow_list_sort(list);
	hash_table_free(table);
}

void flow_list_free(struct flow_list *list)
{
	free(list->flows);
}

size_t flow_list_find(const struct flow_list *list, enum flow_kind kind, uint64_t from)
{
	size_t low = list->first[kind], high = list->first[kind + 1];

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->flows[middle].from < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
