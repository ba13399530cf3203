// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>

#include "symbols/dwarf/dwarf.h"

static void visit(Dwarf_Die *die, die_fn fn, void *context, unsigned int depth)
{
	Dwarf_Die child;
	int more;

	if (!fn(context, die) || depth == DIE_DEEPEST)
		return;
	for (more = dwarf_child(die, &child); !more; more = dwarf_siblingof(&child, &child))
		visit(&child, fn, context, depth + 1);
}

void dies_each(Dwarf *dwarf, die_fn fn, void *context)
{
	Dwarf_Die die, split;
	Dwarf_CU *cu = NULL;
	uint8_t type;

	while (dwarf && !dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, &split)) {
		Dwarf_Die *full = type == DW_UT_skeleton ? &split : &die;

		if (dwarf_tag(full) != DW_TAG_invalid)
			visit(full, fn, context, 0);
	}
}

/* If the table of files is damaged, dwarf_decl_file() aborts, but dwarf_getsrcfiles() fails. */
const char *die_file(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word file;
	size_t count;
	Dwarf_Die unit;

	/* The attribute may be another DIE's, in another unit. */
	if (dwarf_formudata(dwarf_attr_integrate(die, DW_AT_decl_file, &attr), &file) ||
	    !dwarf_cu_die(attr.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) ||
	    dwarf_getsrcfiles(&unit, &files, &count) || file >= count)
		return NULL;
	return dwarf_filesrc(files, file, NULL, NULL);
}
