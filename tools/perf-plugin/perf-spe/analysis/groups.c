// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/groups.h"

static const unsigned int latency_index[3] = {
	SPE_COUNTER_TOTAL, SPE_COUNTER_ISSUE, SPE_COUNTER_XLAT,
};

void groups_init(struct groups *g, struct session *session,
		 struct symbols *symbols)
{
	memset(g, 0, sizeof(*g));
	g->resolver.session = session;
	g->resolver.symbols = symbols;
	g->cache = xcalloc(GROUP_CACHE, sizeof(*g->cache));
}

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

static size_t place_slot(const struct groups *g, const struct place *place)
{
	uint64_t hash = hash_bytes(place->object, strlen(place->object));
	size_t mask = g->room_table - 1, slot;

	if (place->symbol)
		hash ^= hash_bytes(place->symbol, strlen(place->symbol)) * 3;
	hash ^= (place->address + place->has_address) * 0x9e3779b97f4a7c15ULL;
	slot = (hash ^ hash >> 32) & mask;
	while (g->table[slot] && !same_place(&g->table[slot]->place, place))
		slot = (slot + 1) & mask;
	return slot;
}

static void table_grow(struct groups *g)
{
	struct group **old = g->table;
	size_t i, room = g->room_table;

	g->room_table = room ? 2 * room : 1024;
	g->table = xcalloc(g->room_table, sizeof(*g->table));
	for (i = 0; i < room; i++)
		if (old[i])
			g->table[place_slot(g, &old[i]->place)] = old[i];
	free(old);
}

static struct group *group_get(struct groups *g, const struct place *place)
{
	struct group *group;
	size_t slot;

	if (2 * g->nr_table >= g->room_table)
		table_grow(g);
	slot = place_slot(g, place);
	if (!g->table[slot]) {
		group = xcalloc(1, sizeof(*group));
		group->place = *place;
		g->table[slot] = group;
		g->nr_table++;
	}
	return g->table[slot];
}

static struct group *group_find(struct groups *g, struct owner owner,
				const struct armspe_record *rec)
{
	bool has_pc = rec->addr_valid >> SPE_ADDR_PC & 1;
	uint64_t pc = has_pc ? rec->addr[SPE_ADDR_PC] : 0;
	struct group_cache *c = NULL;
	struct place place;
	struct group *group;

	if (has_pc) {
		uint64_t hash = (pc + (uint32_t)owner.pid * 977ULL) *
				0x9e3779b97f4a7c15ULL;

		c = &g->cache[hash >> 48 & (GROUP_CACHE - 1)];
		if (c->group && c->pc == pc && c->pid == owner.pid &&
		    c->sure == owner.sure)
			return c->group;
	}
	resolve_place(&g->resolver, owner, rec, &place);
	group = group_get(g, &place);
	if (c && resolve_is_stable(&g->resolver, owner, rec)) {
		c->pc = pc;
		c->pid = owner.pid;
		c->sure = owner.sure;
		c->group = group;
	}
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
	group = group_find(g, row->owner, rec);
	group->count++;
	for (i = 0; i < 3; i++)
		if (rec->counter_valid >> latency_index[i] & 1)
			hist_add(&group->latency[i],
				 rec->counter[latency_index[i]]);
}

void groups_merge(struct groups *g, const struct groups *from)
{
	size_t i;
	unsigned int n;

	for (i = 0; i < from->room_table; i++) {
		const struct group *other = from->table[i];
		struct group *group;

		if (!other)
			continue;
		group = group_get(g, &other->place);
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

/* Larger first; ties by count, then by name: one input, one order. */
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
	size_t i;

	free(g->sorted);
	g->sorted = xcalloc(g->nr_table, sizeof(*g->sorted));
	g->nr_sorted = 0;
	for (i = 0; i < g->room_table; i++)
		if (g->table[i])
			g->sorted[g->nr_sorted++] = g->table[i];
	if (g->nr_sorted)
		qsort(g->sorted, g->nr_sorted, sizeof(*g->sorted),
		      order[sort]);
}

void groups_forget(struct groups *g)
{
	memset(g->cache, 0, GROUP_CACHE * sizeof(*g->cache));
}

void groups_free(struct groups *g)
{
	size_t i;
	unsigned int n;

	for (i = 0; i < g->room_table; i++) {
		if (!g->table[i])
			continue;
		for (n = 0; n < 3; n++)
			hist_free(&g->table[i]->latency[n]);
		free(g->table[i]);
	}
	free(g->table);
	free(g->cache);
	free(g->sorted);
	memset(g, 0, sizeof(*g));
}
