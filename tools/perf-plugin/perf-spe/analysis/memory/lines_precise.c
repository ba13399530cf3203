// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"
#include "util/util.h"

void lines_precise_init(struct lines_precise *p, struct lines *l, size_t lines,
			size_t accesses)
{
	size_t i;

	memset(p, 0, sizeof(*p));
	p->lines = l;
	precise_init(&p->share, l->nr_sorted, lines);
	p->nr = p->share.nr;
	p->of = xcalloc(p->nr + 1, sizeof(*p->of));
	for (i = 0; i < p->nr; i++) {
		precise_init(&p->of[i].share, l->sorted[i]->nr_accesses, accesses);
		precise_init(&p->of[i].mean, l->sorted[i]->nr_accesses, accesses);
	}
}

/* The number of the access among those that are printed, or their number */
static size_t access_index(const struct precise *p, const struct line *line,
			   const struct access *access)
{
	size_t i;

	for (i = 0; i < p->nr && !access_same(&line->accesses[i], access); i++)
		;
	return i;
}

static void add_access(struct line_precise *of, const struct line *line,
		       const struct access *access, bool counts, const struct row_batch *b,
		       size_t i)
{
	size_t at = access_index(&of->mean, line, access);

	precise_add(&of->mean, at, b, i);
	if (counts)
		precise_add(&of->share, at, b, i);
	else
		precise_skip(&of->share, b->piece);
}

static void add(struct lines_precise *p, const struct row_batch *b, size_t i)
{
	struct lines *l = p->lines;
	struct access access;
	struct line *line = lines_find(l, b, i, &access);
	bool shared = line && line->shared;
	size_t k, at = shared && line->rank < p->nr ? line->rank : p->nr;
	bool snooped = shared && lines_snooped(l, b, i);

	if (shared && (snooped || !l->shared_snooped))
		precise_add(&p->share, at, b, i);
	else
		precise_skip(&p->share, b->piece);
	for (k = 0; k < p->nr; k++) {
		if (k == at) {
			add_access(&p->of[k], line, &access, snooped || !line->snooped, b, i);
			continue;
		}
		precise_skip(&p->of[k].share, b->piece);
		precise_skip(&p->of[k].mean, b->piece);
	}
}

void lines_precise_add(void *context, const struct row_batch *b)
{
	size_t k;

	for (k = 0; k < b->nr; k++)
		add(context, b, b->kept[k]);
}

void lines_precise_finish(struct lines_precise *p, const struct rows *rows)
{
	size_t i;

	precise_part_of(&p->share.sum, rows);
	for (i = 0; i < p->nr; i++) {
		precise_part_of(&p->of[i].share.sum, rows);
		precise_part_of(&p->of[i].mean.sum, rows);
	}
}

void lines_precise_free(struct lines_precise *p)
{
	size_t i;

	precise_free(&p->share);
	for (i = 0; i < p->nr; i++) {
		precise_free(&p->of[i].share);
		precise_free(&p->of[i].mean);
	}
	free(p->of);
	memset(p, 0, sizeof(*p));
}

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
