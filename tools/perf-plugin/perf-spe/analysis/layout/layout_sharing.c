// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/layout/layout.h"
#include "util/util.h"

static void note(struct layout_sharing *s, const struct layout_conflict *c)
{
	size_t i;

	s->falsely[c->a] = s->falsely[c->b] = true;
	for (i = 0; i < s->nr; i++) {
		struct layout_conflict *old = &s->all[i];

		if (old->apart != c->apart || old->a != c->a || old->b != c->b ||
		    !same_string(old->other, c->other))
			continue;
		old->lines++;
		old->part = c->part > old->part ? c->part : old->part;
		return;
	}
	s->all = array_grow(s->all, s->nr, &s->room, sizeof(*s->all));
	s->all[s->nr++] = *c;
}

#define PAGE	4096u

/*
 * The other members that have bytes in common, as of a load of a pair.  A line by physical address and the
 * instance's virtual address have the same place in a page alone.
 */
static void mark_others(struct layout_sharing *s, const struct layout_heat *heat, const struct line *line,
			const struct line_pair *pair)
{
	const struct layout *l = heat->layout;
	const uint64_t first = pair->a_first > pair->b_first ? pair->a_first : pair->b_first;
	const uint64_t end = pair->a_end < pair->b_end ? pair->a_end : pair->b_end;
	const uint64_t from = (line->address + first - pair->a->pc) % PAGE;
	size_t i;

	for (i = 0; i < l->nr && l->size <= PAGE && pair->a->pc == pair->b->pc && first < end; i++) {
		const struct layout_row *row = &l->rows[i];

		if (row->kind == LAYOUT_MEMBER && heat->rows[i].samples &&
		    row->low < (from + end - first) * 8 && row->high > from * 8)
			s->truly[i] = true;
	}
}

static void add_pair(struct layout_sharing *s, const struct layout_heat *heat, const struct line *line,
		     const struct line_pair *pair)
{
	const struct layout_row *a = layout_heat_row(heat, pair->a), *b = layout_heat_row(heat, pair->b);
	const struct layout_row *rows = heat->layout->rows;
	struct layout_conflict c = { .lines = 1, .part = pair->part };
	bool same = pair->a->pc == pair->b->pc;

	if (!a && !b)
		return;
	/* However small its part: of many members that all CPUs use, none has a large one. */
	if (a && b && (pair->common || (same && a == b && !a->element))) {
		s->truly[a - rows] = s->truly[b - rows] = true;
		mark_others(s, heat, line, pair);
		return;
	}
	if (pair->common || pair->part < CONFLICT_PART || line->verdict != LINE_FALSE_SHARING)
		return;
	if (!a || !b) {
		c.apart = APART_OTHERS;
		c.other = a ? pair->b->symbol : pair->a->symbol;
		a = b = a ? a : b;
	} else {
		c.apart = !same ? APART_INSTANCES : a == b ? APART_ELEMENTS : APART_MEMBERS;
	}
	c.a = (size_t)((a < b ? a : b) - rows);
	c.b = (size_t)((a < b ? b : a) - rows);
	note(s, &c);
}

static bool has_type(const struct layout_heat *heat, const struct line *line)
{
	size_t i;

	for (i = 0; i < line->nr_accesses; i++)
		if (layout_heat_row(heat, &line->accesses[i]))
			return true;
	return false;
}

static int conflict_order(const void *a, const void *b)
{
	const struct layout_conflict *x = a, *y = b;

	if (x->apart != y->apart)
		return x->apart < y->apart ? -1 : 1;
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return x->b < y->b ? -1 : x->b > y->b;
}

void layout_sharing_judge(struct layout_sharing *s, struct layout_heat *heat)
{
	size_t i, k;

	s->truly = xcalloc(heat->layout->nr, sizeof(*s->truly));
	s->falsely = xcalloc(heat->layout->nr, sizeof(*s->falsely));
	lines_finish(&heat->lines);
	for (i = 0; i < heat->lines.nr_sorted; i++) {
		const struct line *line = heat->lines.sorted[i];

		if (!has_type(heat, line))
			continue;
		s->few += line->verdict == LINE_FEW;
		if (line->verdict != LINE_FALSE_SHARING && line->verdict != LINE_COMMON)
			continue;
		for (k = 0; k < line->nr_pairs; k++)
			add_pair(s, heat, line, &line->pairs[k]);
	}
	if (s->nr)
		qsort(s->all, s->nr, sizeof(*s->all), conflict_order);
}

void layout_sharing_free(struct layout_sharing *s)
{
	free(s->truly);
	free(s->falsely);
	free(s->all);
	memset(s, 0, sizeof(*s));
}

struct id_slot {
	int32_t id;
	bool used;
};

static const struct hash_kind id_kind = {
	HASH_SLOTS(struct id_slot, used), .key = { HASH_NUMBER(struct id_slot, id) },
};

void id_set_add(struct id_set *s, int32_t id)
{
	struct id_slot *slot = hash_table_add(&s->known, &id_kind, &id);

	if (slot->used)
		return;
	*slot = (struct id_slot){ id, true };
	s->ids = array_grow(s->ids, s->nr, &s->room, sizeof(*s->ids));
	s->ids[s->nr++] = id;
}

static int id_order(const void *a, const void *b)
{
	const int32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

char *id_set_text(const struct id_set *s)
{
	int32_t *ids = xcalloc(s->nr, sizeof(*ids));
	char *text = NULL;
	size_t i, end, len;
	FILE *to = open_memstream(&text, &len);

	if (s->nr)
		memcpy(ids, s->ids, s->nr * sizeof(*ids));
	qsort(ids, s->nr, sizeof(*ids), id_order);
	for (i = 0; to && i < s->nr; i = end) {
		for (end = i + 1; end < s->nr && ids[end] == ids[end - 1] + 1; end++)
			;
		fprintf(to, "%s%" PRId32, i ? "," : "", ids[i]);
		if (end - i > 1)
			fprintf(to, "-%" PRId32, ids[end - 1]);
	}
	free(ids);
	if (to && !fclose(to))
		return text;
	free(text);
	return xformat("%s", "");
}

void id_set_free(struct id_set *s)
{
	free(s->ids);
	hash_table_free(&s->known);
}
