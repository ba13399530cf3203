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

/* The row of this path, or that of an array that the path goes into; l->nr: none.  Cuts @path. */
static size_t row_of(const struct layout *l, char *path)
{
	size_t len = strlen(path), i;

	while (len) {
		path[len] = '\0';
		for (i = 0; i < l->nr; i++)
			if (!is_gap(&l->rows[i]) && !strcmp(l->rows[i].path, path))
				return i;
		while (len && path[--len] != '.')
			;
	}
	return l->nr;
}

/* One path, or "u.real|wide": the words behind the first one have the same path before them. */
static void add_path(struct touched_rows *t, const char *path, size_t len)
{
	size_t first = strcspn(path, "|"), prefix, start = 0, end;
	char word[2 * MEMBER_PATH];

	if (len >= strlen(PADDING) && !strncmp(path + len - strlen(PADDING), PADDING, strlen(PADDING))) {
		add_gap(t);
		return;
	}
	for (prefix = first < len ? first : len; prefix && path[prefix - 1] != '.'; prefix--)
		;
	for (; start < len; start = end + 1) {
		size_t row;

		end = start + strcspn(path + start, "|");
		end = end < len ? end : len;
		snprintf(word, sizeof(word), "%.*s%.*s", start ? (int)prefix : 0, path,
			 (int)(end - start), path + start);
		row = row_of(t->layout, word);
		if (row < t->layout->nr)
			add(t, row);
	}
}

size_t layout_touched(const struct layout *l, const char *path, uint64_t offset, size_t *rows,
		      size_t room)
{
	struct touched_rows t = { l, offset, rows, 0, room };
	const char *range = strstr(path, "..");
	size_t i, last;

	if (!*path) {
		add_flexible(&t);
		return t.count;
	}
	add_path(&t, path, range ? (size_t)(range - path) : strlen(path));
	if (!range || !t.count)
		return t.count;
	i = t.rows[0];
	add_path(&t, range + 2, strlen(range + 2));
	last = t.rows[t.count - 1];
	for (; i < last; i++)
		if (l->rows[i].kind == LAYOUT_MEMBER)
			add(&t, i);
	return t.count;
}
