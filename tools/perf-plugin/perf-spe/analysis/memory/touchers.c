// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "symbols/data/data.h"
#include "util/util.h"

static const struct hash_kind toucher_table = {
	HASH_POINTERS,
	.key = {
		HASH_NUMBER(struct toucher, kind), HASH_NUMBER(struct toucher, index),
		HASH_NUMBER(struct toucher, object), HASH_NUMBER(struct toucher, symbol),
	},
};

static bool inside(const struct region *r, const struct page *page)
{
	return page->whose == r->whose && page->address >= r->start &&
	       page->address < r->end;
}

void touchers_begin(struct pages *p, size_t limit)
{
	size_t i, k;

	for (i = 0; i < p->table.count && i < limit; i++)
		p->hot[i]->rank = (uint32_t)i + 1;
	for (k = 0; k < p->nr_regions && k < limit; k++)
		for (i = 0; i < p->table.count; i++)
			if (inside(&p->regions[k], p->by_address[i]))
				p->by_address[i]->region = (uint32_t)k + 1;
}

static void add(struct touchers *t, const struct toucher *key)
{
	struct toucher **slot, **latest = &t->latest[key->kind][key->index & (TOUCHERS_LATEST - 1)];

	if (*latest && (*latest)->index == key->index && (*latest)->object == key->object &&
	    (*latest)->symbol == key->symbol) {
		(*latest)->count += key->count;
		return;
	}
	slot = hash_table_add(&t->table, &toucher_table, key);
	*latest = *slot;
	if (*slot) {
		(*slot)->count += key->count;
		return;
	}
	*latest = *slot = xcalloc(1, sizeof(**slot));
	**slot = *key;
}

static void add_data(struct touchers *t, enum touched_kind kind, uint32_t index,
		     const struct data_place *data)
{
	const struct toucher key = { kind, index, data->object, data->symbol, data->block, 1 };

	add(t, &key);
}

static void add_code(struct touchers *t, uint32_t index, const struct place *place)
{
	const struct toucher key = { TOUCHED_BY, index, place->object, place->symbol, false, 1 };

	add(t, &key);
}

void touchers_add(struct touchers *t, const struct row_batch *b, size_t i, const struct touch *touch)
{
	const struct page *page = touch->page;
	struct data_place data;

	if (!page || (!page->rank && !page->region))
		return;
	if (!batch_memory(b, i, &data))
		data = (struct data_place){ 0 };
	if (page->region)
		add_data(t, TOUCHED_REGION, page->region - 1, &data);
	if (!page->rank)
		return;
	add_data(t, TOUCHED_PAGE, page->rank - 1, &data);
	add_code(t, page->rank - 1, batch_place(b, i));
}

void touchers_merge(struct touchers *t, const struct touchers *from)
{
	struct toucher **slot = NULL;

	while ((slot = hash_table_next(&from->table, &toucher_table, slot)))
		add(t, *slot);
}

static int toucher_order(const void *a, const void *b)
{
	const struct toucher *x = *(struct toucher *const *)a;
	const struct toucher *y = *(struct toucher *const *)b;
	int order;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	order = text_order(x->symbol, y->symbol);
	return order ? order : text_order(x->object, y->object);
}

void touchers_finish(struct touchers *t)
{
	struct toucher **slot = NULL;

	t->sorted = xcalloc(t->table.count + 1, sizeof(*t->sorted));
	while ((slot = hash_table_next(&t->table, &toucher_table, slot)))
		t->sorted[t->nr_sorted++] = *slot;
	qsort(t->sorted, t->nr_sorted, sizeof(*t->sorted), toucher_order);
}

struct toucher *const *touchers_of(const struct touchers *t, enum touched_kind kind,
				   size_t index, struct toucher *const **end)
{
	size_t low, high;

	lower_bound(low, t->nr_sorted, t->sorted[low]->kind < kind ||
		    (t->sorted[low]->kind == kind && t->sorted[low]->index < index));
	for (high = low; high < t->nr_sorted && t->sorted[high]->kind == kind &&
	     t->sorted[high]->index == index; high++)
		;
	*end = t->sorted + high;
	return t->sorted + low;
}

void touchers_free(struct touchers *t)
{
	struct toucher **slot = NULL;

	while ((slot = hash_table_next(&t->table, &toucher_table, slot)))
		free(*slot);
	hash_table_free(&t->table);
	free(t->sorted);
	memset(t, 0, sizeof(*t));
}
