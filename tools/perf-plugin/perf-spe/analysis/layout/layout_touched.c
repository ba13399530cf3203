// SPDX-License-Identifier: GPL-2.0-only
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "analysis/layout/layout.h"
#include "symbols/types/types.h"

#define PADDING	"(padding)"

/* Rows found so far */
struct touched_rows {
	const struct layout *layout;
	uint64_t offset;
	size_t *rows, count, room;
};

static bool is_gap(const struct layout_row *row)
{
	return row->kind == LAYOUT_HOLE || row->kind == LAYOUT_BITS;
}

static void add(struct touched_rows *t, size_t row)
{
	size_t i;

	for (i = 0; i < t->count; i++)
		if (t->rows[i] == row)
			return;
	if (t->count < t->room)
		t->rows[t->count++] = row;
}

static void add_gap(struct touched_rows *t)
{
	const struct layout *l = t->layout;
	size_t i;

	for (i = 0; i < l->nr; i++)
		if (is_gap(&l->rows[i]) && l->rows[i].low < t->offset * 8 + 8 &&
		    l->rows[i].high > t->offset * 8)
			add(t, i);
}

/* A flexible array has no bytes in the type: it has those behind it. */
static void add_flexible(struct touched_rows *t)
{
	const struct layout *l = t->layout;
	size_t i;

	for (i = l->nr; i-- > 0;) {
		const struct layout_row *row = &l->rows[i];

		if (row->kind != LAYOUT_MEMBER || row->low != row->high || row->low > t->offset * 8)
			continue;
		add(t, i);
		return;
	}
}

static bool has_byte(const struct layout_row *row, uint64_t offset)
{
	return row->low < offset * 8 + 8 && row->high > offset * 8;
}

/* Base classes may have members of the same name: best is a number or pointer with the byte. */
static unsigned int fitness(const struct layout_row *row, const char *path, uint64_t offset)
{
	if (is_gap(row) || strcmp(row->path, path) != 0)
		return 0;
	return 1 + 2 * (row->kind == LAYOUT_MEMBER) + has_byte(row, offset);
}

/* The row of this path, or that of an array that the path goes into; l->nr: none.  Cuts @path. */
static size_t row_of(const struct layout *l, char *path, uint64_t offset)
{
	size_t len = strlen(path), best = l->nr, i;
	unsigned int most = 0, fit;

	while (len && !most) {
		path[len] = '\0';
		for (i = 0; i < l->nr; i++) {
			fit = fitness(&l->rows[i], path, offset);
			if (fit <= most)
				continue;
			most = fit;
			best = i;
		}
		while (len && path[--len] != '.')
			;
	}
	return best;
}

/* One path, or several with "|" between them */
static void add_paths(struct touched_rows *t, const char *path, size_t len)
{
	size_t start = 0, end;
	char word[MEMBER_PATH];

	for (; start < len; start = end + 1) {
		const size_t padding = strlen(PADDING);
		size_t row;

		end = start + strcspn(path + start, "|");
		end = end < len ? end : len;
		if (end - start >= padding && !strncmp(path + end - padding, PADDING, padding)) {
			add_gap(t);
			continue;
		}
		snprintf(word, sizeof(word), "%.*s", (int)(end - start), path + start);
		row = row_of(t->layout, word, t->offset);
		if (row < t->layout->nr)
			add(t, row);
	}
}

/* A path, or "a..c": the first and the last of several bit-fields */
static void add_field(struct touched_rows *t, const char *path)
{
	const char *range = strstr(path, "..");

	add_paths(t, path, range ? (size_t)(range - path) : strlen(path));
	if (range)
		add_paths(t, range + 2, strlen(range + 2));
}

/* Whether no union is between the group @inner and the group @outer (-1: the type itself) that it is in */
static bool without_union(const struct layout *l, int inner, int outer)
{
	for (; inner > outer; inner = l->rows[inner].parent)
		if (l->rows[inner].is_union)
			return false;
	return inner == outer;
}

/* The group that both rows are in */
static int common_group(const struct layout *l, size_t a, size_t b)
{
	int group = l->rows[a].parent;

	while (group >= 0 && b >= l->rows[group].end)
		group = l->rows[group].parent;
	return group;
}

/* Members between the first and the last */
static void add_between(struct touched_rows *t, size_t first, size_t last, uint64_t bytes)
{
	const struct layout *l = t->layout;
	const uint64_t low = t->offset * 8, high = low + bytes * 8;
	const int group = common_group(l, first, last);
	size_t i;

	/* Of a union both are members, and so none is between them. */
	if (group < 0 ? l->is_union : l->rows[group].is_union)
		return;
	for (i = first + 1; i < last; i++)
		if (l->rows[i].kind == LAYOUT_MEMBER && l->rows[i].low < high && l->rows[i].high > low &&
		    without_union(l, l->rows[i].parent, group))
			add(t, i);
}

size_t layout_touched(const struct layout *l, const struct instance *access, size_t *rows, size_t room)
{
	const uint64_t offset = access->offset, end = offset + access->bytes;
	struct touched_rows t = { l, offset, rows, 0, room };
	size_t i, first, last;
	bool to_gap;

	if (!*access->field) {
		add_flexible(&t);
		return t.count;
	}
	add_field(&t, access->field);
	/* A load of the members before a gap may be as long as both. */
	to_gap = strstr(access->last, PADDING);
	if (!to_gap && t.count) {
		t.offset = end - 1;
		add_field(&t, access->last);
		t.offset = offset;
	}
	for (i = 0, first = l->nr, last = to_gap ? l->nr : 0; i < t.count; i++) {
		first = rows[i] < first ? rows[i] : first;
		last = rows[i] > last ? rows[i] : last;
	}
	if (first < last)
		add_between(&t, first, last, access->bytes ? access->bytes : 1);
	return t.count;
}
