// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "analysis/fields.h"
#include "analysis/groups.h"
#include "analysis/hist.h"
#include "input/ids.h"
#include "symbols/resolve.h"
#include "util/hash.h"
#include "util/hash_table.h"
#include "util/memory.h"

static const unsigned int latency_index[3] = {
	SPE_COUNTER_TOTAL, SPE_COUNTER_ISSUE, SPE_COUNTER_XLAT,
};

static bool same_string(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_place(const struct place *a, const struct place *b)
{
	return a->address == b->address && a->has_address == b->has_address &&
	       same_string(a->symbol, b->symbol) &&
	       same_string(a->object, b->object);
}

static uint64_t group_hash(const struct place *place)
{
	uint64_t hash = hash_string(place->object);

	if (place->symbol)
		hash = hash_add(hash, hash_string(place->symbol));
	return hash_add(hash, place->address + place->has_address);
}

static uint64_t group_slot_hash(const void *slot)
{
	return group_hash(&(*(struct group *const *)slot)->place);
}

static bool same_group(const void *slot, const void *place)
{
	return same_place(&(*(struct group *const *)slot)->place, place);
}

static const struct hash_kind group_table = {
	sizeof(struct group *), 1024, hash_pointer_used, group_slot_hash,
	same_group,
};

static struct group *group_get(struct groups *g, const struct place *place)
{
	struct group **slot = hash_table_add(&g->table, &group_table,
					     group_hash(place), place);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		(*slot)->place = *place;
		(*slot)->number = g->nr;
		g->all = array_grow(g->all, g->nr, &g->room, sizeof(*g->all));
		g->all[g->nr++] = *slot;
	}
	return *slot;
}

/* row->hint holds the group's number of the last sample with this PC. */
static struct group *group_find(struct groups *g, const struct row *row)
{
	uint32_t hint = row->hint ? *row->hint : 0;
	struct group *group;

	if (hint && hint <= g->nr &&
	    same_place(&g->all[hint - 1]->place, &row->place))
		return g->all[hint - 1];
	group = group_get(g, &row->place);
	if (row->hint && group->number < UINT32_MAX)
		*row->hint = (uint32_t)group->number + 1;
	return group;
}

void groups_add(void *context, const struct row *row)
{
	const struct armspe_record *rec = row->rec;
	struct groups *g = context;
	struct group *group;
	unsigned int i;

	g->with_pc += rec->addr_valid >> SPE_ADDR_PC & 1;
	g->with_pid += row->owner.pid != NO_ID;
	if (g->totals_only)
		return;
	group = group_find(g, row);
	group->count++;
	for (i = 0; i < 3; i++)
		if (rec->counter_valid >> latency_index[i] & 1)
			hist_add(&group->latency[i],
				 rec->counter[latency_index[i]]);
}

void groups_merge(struct groups *g, const struct groups *from)
{
	unsigned int n;
	size_t i;

	for (i = 0; i < from->nr; i++) {
		const struct group *other = from->all[i];
		struct group *group = group_get(g, &other->place);

		group->count += other->count;
		for (n = 0; n < 3; n++)
			hist_merge(&group->latency[n], &other->latency[n]);
	}
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

/* Larger first.  Ties go by count, then by name, so that the order is defined. */
static int by_number(double a, double b, const struct group *x,
		     const struct group *y)
{
	if (a != b)
		return a > b ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return by_symbol(&x->place, &y->place);
}

static double mean_or_zero(const struct hist *h)
{
	return h->count ? hist_mean(h) : 0;
}

static int order_count(const void *a, const void *b)
{
	const struct group *x = *(struct group *const *)a;
	const struct group *y = *(struct group *const *)b;

	return by_number(0, 0, x, y);
}

static int order_latency(const struct group *x, const struct group *y, int n)
{
	return by_number(mean_or_zero(&x->latency[n]),
			 mean_or_zero(&y->latency[n]), x, y);
}

static int order_total(const void *a, const void *b)
{
	return order_latency(*(struct group *const *)a,
			     *(struct group *const *)b, 0);
}

static int order_issue(const void *a, const void *b)
{
	return order_latency(*(struct group *const *)a,
			     *(struct group *const *)b, 1);
}

static int order_xlat(const void *a, const void *b)
{
	return order_latency(*(struct group *const *)a,
			     *(struct group *const *)b, 2);
}

static int order_symbol(const void *a, const void *b)
{
	return by_symbol(&(*(struct group *const *)a)->place,
			 &(*(struct group *const *)b)->place);
}

void groups_sort(struct groups *g, enum group_sort sort)
{
	static int (*const order[])(const void *, const void *) = {
		[SORT_COUNT] = order_count, [SORT_TOTAL] = order_total,
		[SORT_ISSUE] = order_issue, [SORT_XLAT] = order_xlat,
		[SORT_SYMBOL] = order_symbol,
	};
	free(g->sorted);
	g->sorted = xcalloc(g->nr, sizeof(*g->sorted));
	g->nr_sorted = g->nr;
	if (g->nr)
		memcpy(g->sorted, g->all, g->nr * sizeof(*g->sorted));
	if (g->nr_sorted)
		qsort(g->sorted, g->nr_sorted, sizeof(*g->sorted),
		      order[sort]);
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
