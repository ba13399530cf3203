// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/types/types.h"
#include "util/util.h"

/* DWARF 6's, which clang writes; dwarf.h may not name it. */
#define LANG_C17	0x2c

bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, type);
}

static bool is_alias(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_typedef:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_packed_type:
	case DW_TAG_immutable_type:
	case DW_TAG_shared_type:
		return true;
	default:
		return false;
	}
}

bool type_strip(Dwarf_Die *die)
{
	int depth;

	for (depth = 0; is_alias(die); depth++)
		if (depth == TYPE_DEPTH || !type_of(die, die))
			return false;
	return true;
}

/* "struct " and the like; NULL: not such a type */
static const char *tag_word(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_structure_type:
		return "struct ";
	case DW_TAG_class_type:
		return "class ";
	case DW_TAG_union_type:
		return "union ";
	case DW_TAG_enumeration_type:
		return "enum ";
	default:
		return NULL;
	}
}

/* The namespaces and classes that @die is in, as "space::box::"; to be freed */
static char *scope_name(Dwarf_Die *die)
{
	char *text = xformat("%s", ""), *longer;
	Dwarf_Die *scopes;
	int i, count = dwarf_getscopes_die(die, &scopes);

	for (i = 1; i < count; i++) {
		const char *name = dwarf_diename(&scopes[i]);

		if (!name)
			name = dwarf_tag(&scopes[i]) == DW_TAG_namespace ? "(anonymous namespace)" :
									   "(anonymous)";
		switch (dwarf_tag(&scopes[i])) {
		case DW_TAG_namespace:
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
		case DW_TAG_union_type:
			longer = xformat("%s::%s", name, text);
			free(text);
			text = longer;
			break;
		default:
			break;
		}
	}
	if (count > 0)
		free(scopes);
	return text;
}

/* In C a structure in another one has no scope. */
static bool has_scopes(Dwarf_Die *die)
{
	Dwarf_Die unit;

	if (!dwarf_diecu(die, &unit, NULL, NULL))
		return false;
	switch (dwarf_srclang(&unit)) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case LANG_C17:
		return false;
	default:
		return true;
	}
}

static char *tagged_name(Dwarf_Die *die, const char *word, const char *alias)
{
	const char *name = dwarf_diename(die);
	char *scope, *text;

	if (!name)
		return alias ? xformat("%s", alias) : xformat("%s(anonymous)", word);
	scope = has_scopes(die) ? scope_name(die) : xformat("%s", "");
	text = xformat("%s%s%s", word, scope, name);
	free(scope);
	return text;
}

static uint64_t array_count(Dwarf_Die *range)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_formudata(dwarf_attr(range, DW_AT_count, &attr), &value))
		return value;
	if (!dwarf_formudata(dwarf_attr(range, DW_AT_upper_bound, &attr), &value))
		return value + 1;
	return 0;
}

static char *named(Dwarf_Die *die, int depth);

static char *array_name(Dwarf_Die *die, int depth)
{
	char *text = named(die, depth), *longer;
	Dwarf_Die range;
	int more;

	for (more = dwarf_child(die, &range); !more; more = dwarf_siblingof(&range, &range)) {
		uint64_t count = array_count(&range);

		if (dwarf_tag(&range) != DW_TAG_subrange_type)
			continue;
		longer = count ? xformat("%s[%" PRIu64 "]", text, count) : xformat("%s[]", text);
		free(text);
		text = longer;
	}
	return text;
}

/* "double (*)[6]", "char *(*)[6]" */
static char *array_pointer_name(const char *target, const char *mark)
{
	size_t len = strcspn(target, "[");

	return xformat("%.*s%s(%s)%s", (int)len, target,
		       len && target[len - 1] != '*' ? " " : "", mark, target + len);
}

static char *pointer_name(Dwarf_Die *die, const char *mark, int depth)
{
	char *target = named(die, depth), *text;
	size_t len = strlen(target);
	char end = len ? target[len - 1] : ' ';

	if (end == ')' && len > 2 && target[len - 2] == '(')
		text = xformat("%.*s(%s)()", (int)(len - 2), target, mark);
	else if (end == ']')
		text = array_pointer_name(target, mark);
	else
		text = xformat("%s%s%s", target, end == '*' ? "" : " ", mark);
	free(target);
	return text;
}

/* The name of what @die is */
static char *name_of(Dwarf_Die *die, int depth)
{
	const char *outer = NULL, *inner = NULL, *word;

	for (; is_alias(die); depth++) {
		if (dwarf_tag(die) == DW_TAG_typedef) {
			inner = dwarf_diename(die);
			outer = outer ? outer : inner;
		}
		if (depth >= TYPE_DEPTH || !type_of(die, die))
			return xformat("%s", outer ? outer : "void");
	}
	word = tag_word(die);
	if (word)
		return tagged_name(die, word, inner);
	if (outer)
		return xformat("%s", outer);
	switch (dwarf_tag(die)) {
	case DW_TAG_pointer_type:
		return pointer_name(die, "*", depth + 1);
	case DW_TAG_reference_type:
		return pointer_name(die, "&", depth + 1);
	case DW_TAG_rvalue_reference_type:
		return pointer_name(die, "&&", depth + 1);
	case DW_TAG_array_type:
		return array_name(die, depth + 1);
	case DW_TAG_subroutine_type: {
		char *result = named(die, depth + 1), *text = xformat("%s ()", result);

		free(result);
		return text;
	}
	default:
		return xformat("%s", dwarf_diename(die) ? dwarf_diename(die) : "(unnamed)");
	}
}

/* The name of the type that @die has */
static char *named(Dwarf_Die *die, int depth)
{
	Dwarf_Die type;

	if (depth >= TYPE_DEPTH || !type_of(die, &type))
		return xformat("%s", "void");
	return name_of(&type, depth);
}

char *type_name(Dwarf_Die *die)
{
	Dwarf_Die copy = *die;

	return name_of(&copy, 0);
}
