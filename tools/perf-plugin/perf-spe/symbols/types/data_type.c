// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <stdlib.h>

#include "symbols/types/types.h"
#include "util/util.h"

/* By the DIE as it was asked for, with its typedefs, as the name depends on these */
struct known {
	void *die;		/* where libdw has it */
	struct data_type *type;
};

static const struct hash_kind known_table = {
	HASH_SLOTS(struct known, die),
	.key = { HASH_NUMBER(struct known, die) },
};

static enum data_class class_of(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_ptr_to_member_type:
		return CLASS_SCALAR;
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return CLASS_POINTER;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		return CLASS_RECORD;
	case DW_TAG_union_type:
		return CLASS_UNION;
	case DW_TAG_array_type:
		return CLASS_ARRAY;
	default:
		return CLASS_OTHER;
	}
}

static void describe(struct data_types *types, struct data_type *type, Dwarf_Die *die)
{
	char *name = type_name(die);
	Dwarf_Word size;

	type->name = string_set_add(&types->names, name);
	free(name);
	type->die = *die;
	if (!type_strip(&type->die))
		return;
	type->class = class_of(&type->die);
	if (dwarf_hasattr(&type->die, DW_AT_declaration))
		type->class = CLASS_OTHER;
	else if (type->class == CLASS_POINTER)
		type->size = 8;
	else if (type->class != CLASS_OTHER && !dwarf_aggregate_size(&type->die, &size))
		type->size = size;
}

const struct data_type *data_type_get(struct data_types *types, Dwarf_Die *die)
{
	struct known *known = hash_table_add(&types->by_die, &known_table, &die->addr);

	if (!known->die) {
		known->die = die->addr;
		known->type = xcalloc(1, sizeof(*known->type));
		describe(types, known->type, die);
	}
	return known->type;
}

const struct data_type *data_type_of(struct data_types *types, Dwarf_Die *die)
{
	Dwarf_Die type;

	return type_of(die, &type) ? data_type_get(types, &type) : NULL;
}

const struct data_type *data_type_target(struct data_types *types, const struct data_type *type)
{
	struct data_type *own = (struct data_type *)type;

	if (type->class != CLASS_POINTER && type->class != CLASS_ARRAY)
		return NULL;
	if (!own->has_target) {
		own->has_target = true;
		own->target = data_type_of(types, &own->die);
	}
	return own->target;
}

const struct data_type *data_type_element(struct data_types *types, const struct data_type *type)
{
	int depth = 0;

	while (type && type->class == CLASS_ARRAY && depth++ < TYPE_DEPTH)
		type = data_type_target(types, type);
	return type;
}

void data_types_free(struct data_types *types)
{
	struct known *known = NULL;

	while ((known = hash_table_next(&types->by_die, &known_table, known)))
		free(known->type);
	hash_table_free(&types->by_die);
	string_set_free(&types->names);
}
