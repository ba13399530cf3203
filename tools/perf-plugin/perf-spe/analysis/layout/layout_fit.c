// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "analysis/layout/layout.h"
#include "util/util.h"

/* No type needs more. */
#define ALIGN_MAX	UINT64_C(65536)

/* The members of a group, or of the type itself */
struct group {
	size_t first, end;
	uint64_t low, size;		/* bits of the type */
	bool is_union;
};

static struct group group_of(const struct layout *l, size_t row)
{
	const struct layout_row *r = &l->rows[row];

	return (struct group){ row + 1, r->end, r->low, r->high - r->low, r->is_union };
}

static struct group whole(const struct layout *l)
{
	return (struct group){ 0, l->nr, 0, l->size * 8, l->is_union };
}

static bool is_gap(const struct layout_row *row)
{
	return row->kind == LAYOUT_HOLE || row->kind == LAYOUT_BITS;
}

static uint64_t up(uint64_t value, uint64_t to)
{
	return (value + to - 1) / to * to;
}

/* The bit from @pos on where a member goes.  A bit-field may not cross its unit. */
static uint64_t put(const struct layout_row *row, uint64_t pos, uint64_t align)
{
	uint64_t width = row->high - row->low;

	if (!row->bit_field)
		return up(pos, align * 8);
	return row->unit && pos % row->unit + width > row->unit ? up(pos, row->unit) : pos;
}

/* In a packed structure some member is not where its type would be aligned. */
static bool is_packed(const struct layout *l, const struct group *g)
{
	size_t i;

	for (i = g->first; i < g->end; i = l->rows[i].end)
		if (!is_gap(&l->rows[i]) && !l->rows[i].bit_field &&
		    (l->rows[i].low - g->low) / 8 % l->rows[i].natural)
			return true;
	return false;
}

static uint64_t learn(struct layout_fit *fit, const struct group *g);

/* The alignment that puts a member where it is */
static void learn_member(struct layout_fit *fit, const struct group *g, size_t i, bool packed, uint64_t pos)
{
	const struct layout_row *row = &fit->layout->rows[i];
	struct layout_place *place = &fit->rows[i];
	struct group inner;

	place->size = row->high - row->low;
	place->align = packed ? 1 : row->bit_field ? row->unit / 8 : row->natural;
	if (!place->align)
		place->align = 1;
	if (row->kind == LAYOUT_GROUP) {
		inner = group_of(fit->layout, i);
		place->group_align = learn(fit, &inner);
		place->align = packed ? 1 : place->group_align;
	}
	while (!row->bit_field && place->align < ALIGN_MAX && put(row, pos, place->align) < row->low - g->low)
		place->align *= 2;
	if (put(row, pos, place->align) != row->low - g->low)
		fit->exact = false;
}

static uint64_t learn(struct layout_fit *fit, const struct group *g)
{
	const struct layout *l = fit->layout;
	bool packed = is_packed(l, g);
	uint64_t pos = 0, end = 0, align = 1;
	size_t i;

	for (i = g->first; i < g->end; i = l->rows[i].end) {
		if (is_gap(&l->rows[i]))
			continue;
		learn_member(fit, g, i, packed, pos);
		if (fit->rows[i].align > align)
			align = fit->rows[i].align;
		if (l->rows[i].high - g->low > end)
			end = l->rows[i].high - g->low;
		pos = g->is_union ? 0 : end;
	}
	while (align < ALIGN_MAX && up(end, align * 8) < g->size)
		align *= 2;
	if (up(end, align * 8) != g->size)
		fit->exact = false;
	return align;
}

void layout_fit_learn(struct layout_fit *fit)
{
	struct group all = whole(fit->layout);

	fit->rows = xcalloc(fit->layout->nr, sizeof(*fit->rows));
	fit->exact = !fit->layout->incomplete;
	fit->align = learn(fit, &all);
}

/* Returns the size of the group in bits, and its alignment in @align. */
static uint64_t arrange(struct layout_fit *fit, const struct group *g, uint64_t *align)
{
	const struct layout *l = fit->layout;
	uint64_t pos = 0, end = 0;
	size_t i;

	for (i = g->first; i < g->end; i = l->rows[i].end) {
		struct layout_place *place = &fit->rows[i];
		const struct layout_row *row = &l->rows[i];
		uint64_t own = place->align;
		struct group inner;

		if (is_gap(row))
			continue;
		place->size = row->high - row->low;
		if (row->kind == LAYOUT_GROUP) {
			uint64_t grown = place->group_align;

			inner = group_of(l, i);
			place->size = arrange(fit, &inner, &grown);
			own = grown > place->group_align ? grown : own;
		} else if (place->spread && row->element) {
			place->size = place->size / 8 / row->element * up(row->element, fit->bytes) * 8;
		}
		if ((place->line || place->spread) && own < fit->bytes)
			own = fit->bytes;
		place->low = put(row, pos, own);
		end = place->low + place->size > end ? place->low + place->size : end;
		pos = g->is_union ? 0 : end;
		*align = own > *align ? own : *align;
	}
	return up(end, *align * 8);
}

void layout_fit_arrange(struct layout_fit *fit)
{
	struct group all = whole(fit->layout);
	uint64_t align = fit->line && fit->align < fit->bytes ? fit->bytes : fit->align;

	fit->size = arrange(fit, &all, &align) / 8;
}

uint64_t layout_fit_offset(const struct layout_fit *fit, size_t row)
{
	uint64_t bits = 0;
	int at = (int)row;

	for (; at >= 0; at = fit->layout->rows[at].parent)
		bits += fit->rows[at].low;
	return bits / 8;
}

void layout_fit_free(struct layout_fit *fit)
{
	free(fit->rows);
}
