// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/layout/layout.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "symbols/types/types.h"
#include "util/util.h"

const char *layout_bare_name(const char *name)
{
	static const char *const words[] = { "struct ", "union ", "class " };
	size_t i;

	for (i = 0; i < 3; i++)
		if (!strncmp(name, words[i], strlen(words[i])))
			return name + strlen(words[i]);
	return name;
}

const char *layout_own_name(const char *name)
{
	const char *own = layout_bare_name(name), *at;
	unsigned int inner = 0;

	for (at = own; *at; at++) {
		inner += *at == '<';
		inner -= inner && *at == '>';
		if (*at == ':' && !inner)
			own = at + 1;
	}
	return own;
}

static bool is_named(const char *type, const char *name)
{
	return !strcmp(type, name) || !strcmp(layout_bare_name(type), name);
}

static bool is_meant(const struct layout_find *f, const struct dso *dso)
{
	return !f->object || strstr(dso->name, f->object);
}

static void found(struct layout_find *f, struct layout_type *type)
{
	const char *source = type->layout->source;
	size_t i;

	if (f->declared && (!source || !strstr(source, f->declared)))
		return;
	for (i = 0; i < f->nr; i++)
		if (f->found[i] == type)
			return;
	f->found = array_grow(f->found, f->nr, &f->room, sizeof(*f->found));
	f->found[f->nr++] = type;
}

static void find_sampled(struct layout_find *f)
{
	size_t i, k;

	for (i = 0; i < f->types->nr; i++) {
		struct layout_type *type = f->types->all[i];

		if (!type->samples || !is_named(type->layout->name, f->name))
			continue;
		for (k = 0; k < type->nr_objects; k++)
			if (is_meant(f, type->objects[k]))
				found(f, type);
	}
}

struct search {
	struct layout_find *find;
	const struct dso *dso;
};

static bool is_structure(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

/* Remember the type of the variable that the user took for a type. */
static void look_at_variable(struct layout_find *f, const struct dso *dso, Dwarf_Die *die)
{
	const char *own = dwarf_diename(die);
	Dwarf_Die type = *die, named;
	unsigned int depth = 0;

	if (f->variable || !own || strcmp(own, f->name) != 0)
		return;
	do {
		if (!type_of(&type, &type) || depth++ == TYPE_DEPTH)
			return;
		named = type;
	} while (type_strip(&type) && dwarf_tag(&type) == DW_TAG_array_type);
	f->variable = type_name(&named);
	if (is_structure(&type) && !dwarf_hasattr(&type, DW_AT_declaration))
		f->variable_at = layout_types_put(f->types, &type, f->variable, dso)->layout->source;
}

/* Remember a number, pointer or enumeration that the user took for a structure. */
static void look_at_other(struct layout_find *f, Dwarf_Die *die)
{
	const char *own = dwarf_diename(die);

	f->other |= own && !strcmp(own, strncmp(f->name, "enum ", 5) ? f->name : f->name + 5);
}

/* Take the DIE if it is the type, or a typedef of one, that the user means. */
static void look(struct layout_find *f, const struct dso *dso, Dwarf_Die *die)
{
	const char *own = dwarf_diename(die), *wanted = layout_own_name(f->name);
	Dwarf_Die type = *die;
	bool begins;
	char *name;

	if (!own || dwarf_hasattr(die, DW_AT_declaration) || !type_strip(&type) ||
	    dwarf_hasattr(&type, DW_AT_declaration))
		return;
	if (!is_structure(&type)) {
		look_at_other(f, die);
		return;
	}
	/* The scopes of all names would take too long. */
	begins = !strncmp(own, wanted, strlen(wanted));
	name = begins ? type_name(die) : NULL;
	f->list = array_grow(f->list, f->nr_names, &f->room_names, sizeof(*f->list));
	f->list[f->nr_names++] = string_set_add(&f->names, name ? layout_bare_name(name) : own);
	if (begins && !own[strlen(wanted)] &&
	    (dwarf_tag(die) == DW_TAG_typedef || is_named(name, f->name)))
		found(f, layout_types_put(f->types, &type, name, dso));
	free(name);
}

static bool visit(void *context, Dwarf_Die *die)
{
	const struct search *s = context;

	switch (dwarf_tag(die)) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
		look(s->find, s->dso, die);
		return true;
	case DW_TAG_typedef:
		look(s->find, s->dso, die);
		return false;
	case DW_TAG_base_type:
	case DW_TAG_enumeration_type:
		look_at_other(s->find, die);
		return false;
	case DW_TAG_variable:
		look_at_variable(s->find, s->dso, die);
		return false;
	case DW_TAG_compile_unit:
	case DW_TAG_partial_unit:
	case DW_TAG_type_unit:
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
		return true;
	default:
		return false;
	}
}

static void search(struct layout_find *f, struct dso *dso)
{
	size_t before = f->nr_names;

	dies_each(srclines_dwarf(dso), visit, &(struct search){ f, dso });
	if (f->nr_names > before)
		f->files++;
	else
		f->bare++;
}

void layout_find(struct layout_find *f, const struct symbols *syms)
{
	struct dso **all;
	const size_t len = strlen(f->name);
	size_t i, count;

	find_sampled(f);
	if (f->nr)
		return;
	f->other = len && strchr("]*", f->name[len - 1]);
	elf_lock();
	all = symbols_all(syms, &count);
	for (i = 0; i < count; i++)
		if (all[i]->path && is_meant(f, all[i]))
			search(f, all[i]);
	free(all);
	elf_unlock();
}

void layout_find_free(struct layout_find *f)
{
	free(f->found);
	free(f->variable);
	free(f->list);
	string_set_free(&f->names);
}
