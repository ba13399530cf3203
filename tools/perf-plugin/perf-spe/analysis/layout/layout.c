// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/layout/layout.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/types/types.h"
#include "util/util.h"

/* Damaged DWARF could have any number. */
#define ROWS_MAX	20000u

struct builder {
	struct layout *l;
	struct data_types types;
};

static bool is_group(const struct data_type *type)
{
	return type->class == CLASS_RECORD || type->class == CLASS_UNION;
}

static const char *word_of(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_union_type:
		return "union";
	case DW_TAG_class_type:
		return "class";
	default:
		return "struct";
	}
}

static struct layout_row *add(struct layout *l, enum layout_kind kind, int parent)
{
	struct layout_row *row;

	l->rows = array_grow(l->rows, l->nr, &l->room, sizeof(*l->rows));
	row = &l->rows[l->nr++];
	*row = (struct layout_row){
		.kind = kind, .parent = parent, .end = l->nr,
		.depth = parent < 0 ? 0 : l->rows[parent].depth + 1,
	};
	return row;
}

static void add_gap(struct layout *l, int parent, enum layout_kind kind, uint64_t low, uint64_t high)
{
	struct layout_row *row;

	if (low >= high)
		return;
	row = add(l, kind, parent);
	row->low = low;
	row->high = high;
}

/* What is left of a bit-field's @unit (in bits, 0: none) are bits, the rest are bytes. */
static void add_hole(struct layout *l, int parent, uint64_t unit, uint64_t low, uint64_t high)
{
	uint64_t end = low;

	if (unit)
		end = (low + unit - 1) / unit * unit;
	if (end > high)
		end = high;
	add_gap(l, parent, LAYOUT_BITS, low, end);
	add_gap(l, parent, LAYOUT_HOLE, end, high);
}

static uint64_t natural_of(struct data_types *types, const struct data_type *type)
{
	type = data_type_element(types, type);
	if (!type || is_group(type) || !type->size || type->size > 16 || type->size & (type->size - 1))
		return 1;
	return type->size;
}

static char *path_of(const struct layout *l, const struct layout_row *row, const struct data_type *type)
{
	const char *outer = row->parent < 0 ? "" : l->rows[row->parent].path;
	const char *name = row->name ? row->name : "";

	return xformat("%s%s%s%s", outer, *outer && *name ? "." : "", name,
		       type->class == CLASS_ARRAY && !row->bit_field ? "[]" : "");
}

static void add_members(struct builder *b, const struct data_type *type, int parent, uint64_t start, int depth);

static void add_member(struct builder *b, const struct member *m, int parent, uint64_t start, int depth)
{
	enum layout_kind kind = is_group(m->type) && !m->bit_field ? LAYOUT_GROUP : LAYOUT_MEMBER;
	struct layout *l = b->l;
	struct layout_row *row = add(l, kind, parent);
	size_t at = l->nr - 1;
	Dwarf_Die die = m->die, type = m->type->die;

	row->low = start + m->low;
	row->high = start + m->high;
	row->bit_field = m->bit_field;
	row->base = dwarf_tag(&die) == DW_TAG_inheritance;
	row->name = m->name ? xformat("%s", m->name) : NULL;
	row->natural = natural_of(&b->types, m->type);
	row->unit = m->type->size * 8;
	row->path = path_of(l, row, m->type);
	if (m->type->class == CLASS_ARRAY) {
		const struct data_type *element = data_type_element(&b->types, m->type);

		row->element = element ? element->size : 0;
	}
	if (kind == LAYOUT_MEMBER) {
		declare(&die, &row->type, &row->after);
		return;
	}
	row->is_union = m->type->class == CLASS_UNION;
	row->after = xformat("%s", "");
	row->type = dwarf_diename(&type) ? xformat("%s %s", word_of(&type), dwarf_diename(&type)) :
		    xformat("%s", word_of(&type));
	add_members(b, m->type, (int)at, start + m->low, depth + 1);
	l->rows[at].end = l->nr;
}

static void add_members(struct builder *b, const struct data_type *type, int parent, uint64_t start, int depth)
{
	struct layout *l = b->l;
	struct member m = { 0 };
	uint64_t end = start, unit = 0;
	bool is_union = type->class == CLASS_UNION;

	while (member_next(&b->types, type, &m)) {
		if (l->nr >= ROWS_MAX || depth >= TYPE_DEPTH || m.high > type->size * 8) {
			l->incomplete = true;
			return;
		}
		if (!is_union)
			add_hole(l, parent, unit, end, start + m.low);
		unit = m.bit_field ? m.type->size * 8 : 0;
		l->members += parent < 0;
		add_member(b, &m, parent, start, depth);
		if (start + m.high > end)
			end = start + m.high;
	}
	if (is_union) {
		unit = 0;
		end = (end + 7) / 8 * 8;
	}
	add_hole(l, parent, unit, end, start + type->size * 8);
}

/* "queue.h:12", to be freed; NULL if it is not known */
static char *source_of(Dwarf_Die *die)
{
	const char *file = die_file(die);
	int line;

	if (!file || dwarf_decl_line(die, &line))
		return NULL;
	return xformat("%s:%d", path_short(file), line);
}

struct layout *layout_new(Dwarf_Die *die, const char *name)
{
	struct builder b = { .l = xcalloc(1, sizeof(*b.l)) };
	const struct data_type *type = data_type_get(&b.types, die);
	Dwarf_Die own = type->die;

	b.l->name = xformat("%s", name);
	b.l->word = word_of(&own);
	b.l->size = type->size;
	b.l->is_union = type->class == CLASS_UNION;
	b.l->source = source_of(&own);
	if (is_group(type))
		add_members(&b, type, -1, 0, 0);
	data_types_free(&b.types);
	return b.l;
}

void layout_free(struct layout *l)
{
	size_t i;

	if (!l)
		return;
	for (i = 0; i < l->nr; i++) {
		free(l->rows[i].name);
		free(l->rows[i].path);
		free(l->rows[i].type);
		free(l->rows[i].after);
	}
	free(l->rows);
	free(l->name);
	free(l->source);
	free(l);
}

static bool same_row(const struct layout_row *a, const struct layout_row *b)
{
	return a->kind == b->kind && a->low == b->low && a->high == b->high && a->depth == b->depth &&
	       same_string(a->name, b->name) && same_string(a->type, b->type) && same_string(a->after, b->after);
}

bool layout_same(const struct layout *a, const struct layout *b)
{
	size_t i;

	if (a->size != b->size || a->nr != b->nr || strcmp(a->name, b->name) != 0)
		return false;
	for (i = 0; i < a->nr; i++)
		if (!same_row(&a->rows[i], &b->rows[i]))
			return false;
	return true;
}

char *layout_declaration(const struct layout_row *row)
{
	const char *name = row->name ? row->name : "";
	size_t len = row->type ? strlen(row->type) : 0;
	bool close = len && row->type[len - 1] == '*';

	if (!row->type)
		return xformat("%s", "");
	if (row->bit_field)
		return xformat("%s%s%s : %" PRIu64, row->type, *name ? " " : "", name, row->high - row->low);
	return xformat("%s%s%s%s", row->type, *name && !close ? " " : "", name, row->after);
}
