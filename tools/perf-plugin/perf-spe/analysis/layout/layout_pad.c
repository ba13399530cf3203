// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/layout/layout.h"
#include "util/util.h"

/* Two members of one group that are to be on different lines */
struct apart {
	size_t a, b;
};

static int apart_order(const void *x, const void *y)
{
	const struct apart *a = x, *b = y;

	if (a->b != b->b)
		return a->b < b->b ? -1 : 1;
	return a->a < b->a ? -1 : a->a > b->a;
}

static bool contains(const struct layout *l, int group, size_t row)
{
	return group < 0 || (row > (size_t)group && row < l->rows[group].end);
}

/* The member of @group that has @row */
static size_t member_of(const struct layout *l, int group, size_t row)
{
	while (l->rows[row].parent != group)
		row = (size_t)l->rows[row].parent;
	return row;
}

static struct apart in_group(const struct layout *l, const struct layout_conflict *c)
{
	int group = l->rows[c->a].parent;

	while (!contains(l, group, c->b))
		group = l->rows[group].parent;
	return (struct apart){ member_of(l, group, c->a), member_of(l, group, c->b) };
}

static struct pad_step *add_step(struct layout_pad *pad, enum pad_kind kind, size_t row, size_t other)
{
	pad->steps = array_grow(pad->steps, pad->nr, &pad->room, sizeof(*pad->steps));
	pad->steps[pad->nr] = (struct pad_step){ .kind = kind, .row = row, .other = other };
	return &pad->steps[pad->nr++];
}

/* Add the step, and what it costs. */
static void take(struct layout_pad *pad, enum pad_kind kind, size_t row, size_t other)
{
	struct pad_step *step = add_step(pad, kind, row, other);
	uint64_t before = pad->fit.size;

	if (kind == PAD_BEFORE)
		pad->fit.rows[row].line = true;
	else if (kind == PAD_ELEMENTS)
		pad->fit.rows[row].spread = true;
	else
		pad->fit.line = true;
	layout_fit_arrange(&pad->fit);
	step->cost = pad->fit.size - before;
}

/* The last member of (a, b] that is no bit-field, as those take no alignas; or l->nr */
static size_t place_for(const struct layout *l, const struct apart *p)
{
	size_t i, found = l->nr;
	int group = l->rows[p->a].parent;

	if (group < 0 ? l->is_union : l->rows[group].is_union)
		return l->nr;
	for (i = l->rows[p->a].end; i <= p->b; i = l->rows[i].end)
		if (l->rows[i].type && !l->rows[i].bit_field)
			found = i;
	return found;
}

static bool is_apart(const struct layout_pad *pad, const struct apart *p)
{
	const struct layout *l = pad->fit.layout;
	size_t i;

	for (i = l->rows[p->a].end; i <= p->b; i = l->rows[i].end)
		if (pad->fit.rows[i].line)
			return true;
	return false;
}

static void separate(struct layout_pad *pad, const struct layout_sharing *s)
{
	const struct layout *l = pad->fit.layout;
	struct apart *all = xcalloc(s->nr, sizeof(*all));
	size_t i, nr = 0;

	for (i = 0; i < s->nr; i++)
		if (s->all[i].apart == APART_MEMBERS)
			all[nr++] = in_group(l, &s->all[i]);
	if (nr)
		qsort(all, nr, sizeof(*all), apart_order);
	for (i = 0; i < nr; i++) {
		size_t row = place_for(l, &all[i]);

		if (is_apart(pad, &all[i]))
			continue;
		if (row < l->nr)
			take(pad, PAD_BEFORE, row, all[i].a);
		else
			add_step(pad, PAD_NONE, all[i].b, all[i].a);
	}
	free(all);
}

static void add_cold(struct layout_pad *pad, const struct layout_row *row)
{
	pad->cold = xappend(pad->cold, "%s%s", pad->cold ? ", " : "", row->name);
	pad->cold_bytes += (row->high - row->low) / 8;
}

/* Members of the type itself that no sample touches, if together they are as long as a line */
static void find_cold(struct layout_pad *pad, const struct layout_heat *heat)
{
	const struct layout *l = pad->fit.layout;
	size_t i;

	for (i = 0; i < l->nr; i = l->rows[i].end)
		if (l->rows[i].type && l->rows[i].name && !l->rows[i].bit_field && !heat->rows[i].samples)
			add_cold(pad, &l->rows[i]);
	if (pad->cold_bytes >= pad->fit.bytes)
		return;
	free(pad->cold);
	pad->cold = NULL;
}

void layout_pad_plan(struct layout_pad *pad, const struct layout_heat *heat,
		     const struct layout_sharing *s)
{
	size_t i;
	bool other = false;

	pad->fit = (struct layout_fit){ .layout = heat->layout, .bytes = heat->lines.bytes };
	layout_fit_learn(&pad->fit);
	layout_fit_arrange(&pad->fit);
	separate(pad, s);
	if (pad->nr && pad->steps[0].kind == PAD_BEFORE && heat->layout->rows[pad->steps[0].row].parent < 0)
		find_cold(pad, heat);
	for (i = 0; i < s->nr; i++) {
		if (s->all[i].apart == APART_ELEMENTS && !pad->fit.rows[s->all[i].a].spread)
			take(pad, PAD_ELEMENTS, s->all[i].a, s->all[i].a);
		other |= s->all[i].apart == APART_INSTANCES || s->all[i].apart == APART_OTHERS;
	}
	/* An instance with a member that begins a line does so itself, and is as long as whole lines. */
	for (i = 0; i < pad->nr; i++)
		other &= pad->steps[i].kind == PAD_NONE;
	if (other)
		take(pad, PAD_TYPE, 0, 0);
	for (i = 0; i < pad->nr; i++)
		if (pad->steps[i].kind != PAD_TYPE)
			pad->steps[i].offset = layout_fit_offset(&pad->fit, pad->steps[i].row);
}

void layout_pad_free(struct layout_pad *pad)
{
	layout_fit_free(&pad->fit);
	free(pad->steps);
	free(pad->cold);
	memset(pad, 0, sizeof(*pad));
}
