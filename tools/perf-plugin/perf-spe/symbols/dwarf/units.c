// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>

#include "symbols/dwarf/dwarf.h"

void units_each(Dwarf *dwarf, unit_fn fn, void *context)
{
	Dwarf_Die die, split;
	Dwarf_CU *cu = NULL;
	uint8_t type;

	while (dwarf && !dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, &split)) {
		Dwarf_Die *full = type == DW_UT_skeleton ? &split : &die;

		if (dwarf_tag(full) != DW_TAG_invalid)
			fn(context, full);
	}
}
