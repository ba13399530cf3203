// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "armspe.h"
#include "util/util.h"

/* Names that a line keeps: enough that outputs, which show three, say that there are more */
#define NAMES_MAX 64

static bool same_place(const struct data_place *a, const struct data_place *b)
{
	return a->object == b->object && a->symbol == b->symbol &&
	       (!a->symbol || a->base == b->base);
}

/* The number of @place in the line's names, from 1 on; 0 if there are @most others */
static uint32_t name_number(struct line *line, const struct data_place *place, size_t most)
{
	size_t i;

	for (i = 0; i < line->nr_names; i++)
		if (same_place(&line->names[i].place, place))
			return (uint32_t)i + 1;
	if (i >= most)
		return 0;
	line->names = array_grow(line->names, line->nr_names, &line->room_names,
				 sizeof(*line->names));
	line->names[i] = (struct line_name){ .place = *place, .order = (uint32_t)i };
	line->nr_names++;
	return (uint32_t)line->nr_names;
}

void line_name_find(struct line *line, struct access *a, const struct row_batch *b, size_t i)
{
	struct data_place place;
	size_t had = line->nr_names;

	a->name = 0;
	if (!batch_memory(b, i, &place) || !place.object)
		return;
	place.base -= armspe_addr_virtual(b->va[i]) - a->offset;
	a->name = name_number(line, &place, NAMES_MAX);
	if (line->nr_names > had)
		line->names[had].first = b->piece;
}


void line_names_merge(struct line *line, const struct line *from)
{
	size_t i;

	for (i = 0; i < from->nr_names; i++) {
		const struct line_name *name = &from->names[i];
		const uint32_t number = name_number(line, &name->place, SIZE_MAX);
		struct line_name *to = &line->names[number - 1];

		if (!to->first || first_order(name->first, name->order, to->first, to->order) < 0) {
			to->first = name->first;
			to->order = name->order;
		}
		to->count += name->count;
	}
}

uint32_t line_name_of(struct line *line, const struct data_place *place)
{
	return name_number(line, place, SIZE_MAX);
}

static int by_first(const void *a, const void *b)
{
	const struct line_name *x = a, *y = b;

	return first_order(x->first, x->order, y->first, y->order);
}

/* Count the names as lines_add() would have done it for these accesses, which are in order. */
static void count_again(struct line *line)
{
	struct line_name *old = line->names;
	size_t i;

	line->names = NULL;
	line->nr_names = line->room_names = 0;
	for (i = 0; i < line->nr_accesses; i++) {
		struct access *a = &line->accesses[i];

		if (a->name)
			a->name = name_number(line, &old[a->name - 1].place, NAMES_MAX);
		if (a->name)
			line->names[a->name - 1].count += a->count;
	}
	free(old);
}

void line_names_in_order(struct line *line, bool blocks)
{
	if (!blocks) {
		count_again(line);
		return;
	}
	if (line->nr_names)
		qsort(line->names, line->nr_names, sizeof(*line->names), by_first);
	if (line->nr_names > NAMES_MAX)
		line->nr_names = NAMES_MAX;
}

static int name_order(const void *a, const void *b)
{
	const struct line_name *x = a, *y = b;
	int64_t m = (int64_t)x->place.base, n = (int64_t)y->place.base;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return m < n ? -1 : m > n;
}

void line_names_sort(struct line *line)
{
	if (line->nr_names)
		qsort(line->names, line->nr_names, sizeof(*line->names), name_order);
}
