// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/memory/memory.h"

/* The names of one band; any number of them */
struct names {
	struct band_name *all;
	size_t nr, room;
};

static void add_name(struct names *to, const struct line *line, const struct line_name *name)
{
	size_t i;

	for (i = 0; i < to->nr; i++)
		if (to->all[i].place.object == name->place.object &&
		    to->all[i].place.symbol == name->place.symbol)
			break;
	if (i == to->nr) {
		to->all = array_grow(to->all, to->nr, &to->room, sizeof(*to->all));
		to->all[to->nr++] = (struct band_name){ name->place, 0, line->address };
	}
	to->all[i].count += name->count;
	if (line->address < to->all[i].line)
		to->all[i].line = line->address;
}

static int by_count(const void *a, const void *b)
{
	const struct band_name *x = a, *y = b;

	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

void bands_name(struct bands *b, uint32_t whose, const struct lines *l)
{
	struct names names[BANDS_MAX] = { 0 };
	struct line **slot = NULL;
	size_t i, k;

	while ((slot = lines_next(l, slot))) {
		const struct line *line = *slot;
		const struct band *band = line->physical || line->process != whose ? NULL :
					  bands_find(b, line->address);

		for (i = 0; band && i < line->nr_names; i++)
			add_name(&names[band - b->band], line, &line->names[i]);
	}
	memset(b->name, 0, sizeof(b->name));
	for (i = 0; i < b->count; i++) {
		if (names[i].nr)
			qsort(names[i].all, names[i].nr, sizeof(*names[i].all), by_count);
		for (k = 0; k < names[i].nr && k < BAND_NAMES; k++)
			b->name[i][k] = names[i].all[k];
		free(names[i].all);
	}
}
