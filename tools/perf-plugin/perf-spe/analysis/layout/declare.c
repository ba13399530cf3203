// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/layout/layout.h"
#include "symbols/types/types.h"
#include "util/util.h"

static const char *qualifier(Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_const_type:
		return "const";
	case DW_TAG_volatile_type:
		return "volatile";
	case DW_TAG_restrict_type:
		return "restrict";
	case DW_TAG_atomic_type:
		return "_Atomic";
	default:
		return NULL;
	}
}

/* The qualifiers that stand before the type's name, as "const volatile"; to be freed */
static char *qualifiers(Dwarf_Die *die, Dwarf_Die *rest)
{
	char *text = xformat("%s", "");
	const char *word;
	int depth = 0;

	*rest = *die;
	while ((word = qualifier(rest)) && depth++ < TYPE_DEPTH) {
		text = xappend(text, "%s%s", *text ? " " : "", word);
		if (!type_of(rest, rest))
			break;
	}
	return text;
}

/*
 * Where the name goes: behind the stars of "void (*)()", else before the first bracket.  The
 * brackets of "void (*)()[4]" belong to the name too: "void (*name[4])()".
 */
static void split(const char *text, char **before, char **after)
{
	const char *star = strstr(text, "(*"), *bracket, *behind;
	size_t head;

	if (!star) {
		head = strcspn(text, "[");
		*before = xstrndup(text, head);
		*after = xformat("%s", text + head);
		return;
	}
	head = (size_t)(star - text) + 1 + strspn(star + 1, "*");
	behind = text + head;
	bracket = strstr(behind, ")[");
	/* "int (*)[4]" points to an array. */
	if (!bracket || bracket == behind) {
		*before = xstrndup(text, head);
		*after = xformat("%s", behind);
		return;
	}
	*before = xstrndup(text, head);
	*after = xformat("%s%.*s", bracket + 1, (int)(bracket + 1 - behind), behind);
}

void declare(Dwarf_Die *die, char **before, char **after)
{
	Dwarf_Die type, rest;
	char *words, *name, *text;

	if (!type_of(die, &type)) {
		*before = xformat("void");
		*after = xformat("%s", "");
		return;
	}
	words = qualifiers(&type, &rest);
	name = type_name(&rest);
	split(name, before, after);
	free(name);
	if (*words && dwarf_tag(&rest) == DW_TAG_pointer_type)
		text = xformat("%s%s", *before, words);
	else
		text = xformat("%s%s%s", words, *words ? " " : "", *before);
	free(words);
	free(*before);
	*before = text;
}
