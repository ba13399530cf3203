// SPDX-License-Identifier: GPL-2.0-only
#include "analysis/memory/memory.h"

void touched_precise_init(struct touched_precise *t, const struct pages *p, size_t limit)
{
	precise_init(&t->regions, p->nr_regions, limit);
	precise_init(&t->pages, p->table.count, limit);
	precise_init(&t->nodes, p->nodes.nr_shares, limit);
}

void touched_precise_add(struct touched_precise *t, const struct pages *p,
			 const struct row_batch *b, size_t i, const struct touch *touch)
{
	const struct page *page;

	if (!touch) {
		precise_skip(&t->regions, b->piece);
		precise_skip(&t->pages, b->piece);
		precise_skip(&t->nodes, b->piece);
		return;
	}
	page = pages_find(p, touch->whose, touch->address);
	/* A rank or region of 0 is one that is not printed. */
	precise_add(&t->regions, page && page->region ? page->region - 1 : SIZE_MAX, b, i);
	precise_add(&t->pages, page && page->rank ? page->rank - 1 : SIZE_MAX, b, i);
	precise_add(&t->nodes, nodes_share_of(&p->nodes, b, i), b, i);
}

void touched_precise_merge(struct touched_precise *t, const struct touched_precise *from)
{
	precise_merge(&t->regions, &from->regions);
	precise_merge(&t->pages, &from->pages);
	precise_merge(&t->nodes, &from->nodes);
}

void touched_precise_finish(struct touched_precise *t, const struct rows *rows)
{
	precise_part_of(&t->regions.sum, rows);
	precise_part_of(&t->pages.sum, rows);
	precise_part_of(&t->nodes.sum, rows);
}

void touched_precise_free(struct touched_precise *t)
{
	precise_free(&t->regions);
	precise_free(&t->pages);
	precise_free(&t->nodes);
}
