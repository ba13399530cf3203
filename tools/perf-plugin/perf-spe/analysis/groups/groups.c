// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "armspe.h"
#include "input/input.h"
#include "symbols/symbols.h"
#include "util/util.h"

/* The place is first in a group. */
static const struct hash_kind group_table = {
	HASH_POINTERS,
	.key = {
		HASH_TEXT(struct place, object), HASH_TEXT(struct place, symbol),
		HASH_NUMBER(struct place, address), HASH_NUMBER(struct place, has_address),
	},
};

static struct group *group_get(struct groups *g, const struct place *place)
{
	struct group **slot = hash_table_add(&g->table, &group_table, place);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		(*slot)->place = *place;
		(*slot)->number = g->nr;
		g->all = array_grow(g->all, g->nr, &g->room, sizeof(*g->all));
		g->all[g->nr++] = *slot;
	}
	return *slot;
}

void groups_look_up(const struct groups *g, struct place *place)
{
	struct group **slot = hash_table_find(&g->table, &group_table, place);

	place->group = slot ? *slot : NULL;
	place->group_tag = g->tag;
}

static void tag(struct groups *g)
{
	static _Atomic uint32_t tags;

	if (!g->tag)
		g->tag = ++tags;
}

/* The place keeps its group for the next sample of this PC. */
static inline struct group *group_find(struct groups *g, struct place *place)
{
	if (place->group_tag != g->tag) {
		place->group = group_get(g, place);
		place->group_tag = g->tag;
	}
	return place->group;
}

static void count_known(struct groups *g, const struct row_batch *b)
{
	const bool all = b->nr == b->cols.rows;
	uint32_t with_pc = 0;
	size_t k, end;

	/* The compiler vectorises a loop without an index to load. */
	for (k = 0; all && k < b->nr; k++)
		with_pc += b->addr_valid[k] >> SPE_ADDR_PC & 1;
	for (k = 0; !all && k < b->nr; k++)
		with_pc += b->addr_valid[b->kept[k]] >> SPE_ADDR_PC & 1;
	g->with_pc += with_pc;
	for (k = 0; k < b->nr; k = end) {
		end = batch_owner_end(b, k);
		g->with_pid += batch_owner(b, b->kept[k])->pid != NO_ID ? end - k : 0;
	}
}

/* For intervals, which need the order of samples */
static void add_lags(struct groups *g, const struct row_batch *b)
{
	size_t k;

	for (k = 0; k < b->nr; k++) {
		size_t i = b->kept[k];

		lag_add_cycles(&g->chain, &group_find(g, b->place[i])->lag, b->piece,
			       b->counter_valid[i] >> SPE_COUNTER_TOTAL & 1 ? b->total[i] : 0);
	}
}

/* Move what the arrays count to the histograms. */
static void settle(struct groups *g)
{
	unsigned int n;
	size_t i;

	for (i = 0; g->near && i < g->nr; i++) {
		struct group *group = g->all[i];

		for (n = 0; n < 3; n++)
			hist_add_near(&group->latency[n], &group->near[n]);
		memset(group->near, 0, sizeof(group->near));
	}
	g->near = 0;
}

void groups_add(void *context, const struct row_batch *b)
{
	uint16_t total[ROW_BATCH], issue[ROW_BATCH], xlat[ROW_BATCH];
	struct groups *g = context;
	size_t k;

	tag(g);
	count_known(g, b);
	if (g->totals_only)
		return;
	if (g->precise)
		add_lags(g, b);
	if (g->near + b->nr > UINT32_MAX)
		settle(g);
	g->near += b->nr;
	hist_slots(b, SPE_COUNTER_TOTAL, b->total, total);
	hist_slots(b, SPE_COUNTER_ISSUE, b->issue, issue);
	hist_slots(b, SPE_COUNTER_XLAT, b->xlat, xlat);
	for (k = 0; k < b->nr; k++) {
		const size_t i = b->kept[k];
		struct group *group = group_find(g, b->place[i]);

		group->count++;
		hist_count(&group->latency[0], &group->near[0], total[i], b->total[i]);
		hist_count(&group->latency[1], &group->near[1], issue[i], b->issue[i]);
		hist_count(&group->latency[2], &group->near[2], xlat[i], b->xlat[i]);
	}
}

const struct row_taker groups_taker = { .take = groups_add };

void groups_merge(struct groups *g, struct groups *from)
{
	unsigned int n;
	size_t i;

	settle(from);
	tag(g);
	for (i = 0; i < from->nr; i++) {
		const struct group *other = from->all[i];
		struct group *group = group_get(g, &other->place);

		group->count += other->count;
		lag_merge(&group->lag, &other->lag);
		for (n = 0; n < 3; n++)
			hist_merge(&group->latency[n], &other->latency[n]);
	}
	lag_chain_merge(&g->chain, &from->chain);
	g->with_pc += from->with_pc;
	g->with_pid += from->with_pid;
}

static int by_symbol(const struct place *a, const struct place *b)
{
	int order = strcmp(a->symbol ? a->symbol : "", b->symbol ? b->symbol : "");

	if (!order)
		order = strcmp(a->object, b->object);
	if (!order)
		order = a->address < b->address ? -1 : a->address > b->address;
	return order;
}

static int names_order(const void *a, const void *b)
{
	return by_symbol(&((const struct group *)a)->place,
			 &((const struct group *)b)->place);
}

static struct measured measured(const void *row)
{
	const struct group *g = row;

	return (struct measured){ g->count, g->latency, &g->lag };
}

void groups_sort(struct groups *g, enum measure by)
{
	size_t i;

	settle(g);
	free(g->sorted);
	g->sorted = xcalloc(g->nr, sizeof(*g->sorted));
	g->nr_sorted = g->nr;
	g->sum = (struct measured_all){
		.chain = g->precise ? &g->chain : NULL,
	};
	for (i = 0; i < g->nr; i++) {
		const struct measured row = measured(g->all[i]);

		g->sorted[i] = g->all[i];
		measured_add(&g->sum, &row);
	}
	measure_sort(by, g->sorted, g->nr, measured, names_order);
}

void groups_free(struct groups *g)
{
	unsigned int n;
	size_t i;

	for (i = 0; i < g->nr; i++) {
		for (n = 0; n < 3; n++)
			hist_free(&g->all[i]->latency[n]);
		free(g->all[i]);
	}
	hash_table_free(&g->table);
	free(g->all);
	free(g->sorted);
	memset(g, 0, sizeof(*g));
}
