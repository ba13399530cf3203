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

void touchers_begin(struct touchers *t, struct rows *rows, struct pages *p,
		    size_t limit)
{
	size_t i, k;

	t->rows = rows;
	for (i = 0; i < p->table.count && i < limit; i++)
		p->hot[i]->rank = (uint32_t)i + 1;
	for (k = 0; k < p->nr_regions && k < limit; k++)
		for (i = 0; i < p->table.count; i++)
			if (inside(&p->regions[k], p->by_address[i]))
				p->by_address[i]->region = (uint32_t)k + 1;
}

static void count(struct touchers *t, enum touched_kind kind, uint32_t index,
		  const char *object, const char *symbol, bool block)
{
	struct toucher key = { kind, index, object, symbol, block, 0 };
	struct toucher **slot = hash_table_add(&t->table, &toucher_table, &key);

	if (!*slot) {
		*slot = xcalloc(1, sizeof(**slot));
		**slot = key;
	}
	(*slot)->count++;
}

void touchers_add(struct touchers *t, const struct pages *p, const struct row *row,
		  const struct touch *touch)
{
	const struct page *page = pages_find(p, touch->whose, touch->address);
	struct data_place data;
	struct row full;

	if (!page || (!page->rank && !page->region))
		return;
	if (!row_memory(row, &data))
		data = (struct data_place){ 0 };
	if (page->region)
		count(t, TOUCHED_REGION, page->region - 1, data.object, data.symbol, data.block);
	if (!page->rank)
		return;
	count(t, TOUCHED_PAGE, page->rank - 1, data.object, data.symbol, data.block);
	full = *row;
	if (t->rows->places_later)
		rows_places(t->rows, &full, 1);
	count(t, TOUCHED_BY, page->rank - 1, full.place->object, full.place->symbol, false);
}

static int names_order(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
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
	order = names_order(x->symbol, y->symbol);
	return order ? order : names_order(x->object, y->object);
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
	size_t low = 0, high = t->nr_sorted;

	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct toucher *at = t->sorted[mid];

		if (at->kind < kind || (at->kind == kind && at->index < index))
			low = mid + 1;
		else
			high = mid;
	}
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
