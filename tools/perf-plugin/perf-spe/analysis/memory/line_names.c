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

/* The number of @place in the line's names, from 1 on; 0 if it cannot be kept */
static uint32_t name_number(struct line *line, const struct data_place *place)
{
	size_t i;

	for (i = 0; i < line->nr_names; i++)
		if (same_place(&line->names[i].place, place))
			return (uint32_t)i + 1;
	if (i == NAMES_MAX)
		return 0;
	line->names = array_grow(line->names, line->nr_names, &line->room_names,
				 sizeof(*line->names));
	line->names[line->nr_names++] = (struct line_name){ .place = *place };
	return (uint32_t)line->nr_names;
}

/* The name of a row's memory, with a base that counts from the line's start */
static uint32_t find_name(struct line *line, const struct access *a, const struct row *row)
{
	struct data_place place;

	if (!row_memory(row, &place) || !place.object)
		return 0;
	place.base -= armspe_addr_virtual(row->rec->addr[SPE_ADDR_DATA_VA]) - a->offset;
	return name_number(line, &place);
}

void line_name_add(struct line *line, struct access *access, const struct row *row)
{
	/* All rows of an access have the same name, unless it is of a block of the heap. */
	if (!access->count || row_has_blocks(row))
		access->name = find_name(line, access, row);
	if (access->name)
		line->names[access->name - 1].count++;
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
