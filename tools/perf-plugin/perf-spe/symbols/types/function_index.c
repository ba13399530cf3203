// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <stdlib.h>

#include "symbols/dwarf/dwarf.h"
#include "symbols/types/types_private.h"
#include "util/util.h"

static void add(struct function_index *x, Dwarf_Die *die)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
		/* The linker leaves 0 for functions that it has dropped. */
		if (!low || low >= high)
			continue;
		x->list = array_grow(x->list, x->count, &x->room, sizeof(*x->list));
		x->list[x->count++] = (struct function_part){ low, high, *die };
	}
}

static bool look(void *index, Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_subprogram:
		add(index, die);
		return false;
	case DW_TAG_compile_unit:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
		return true;
	default:
		return false;
	}
}

static int by_address(const void *a, const void *b)
{
	const struct function_part *x = a, *y = b;

	return x->low < y->low ? -1 : x->low > y->low;
}

void function_index_read(struct function_index *x, Dwarf *dwarf)
{
	dies_each(dwarf, look, x);
	if (x->count)
		qsort(x->list, x->count, sizeof(*x->list), by_address);
}

void function_index_free(struct function_index *x)
{
	free(x->list);
}

const struct function_part *function_index_find(const struct function_index *x,
						uint64_t address)
{
	size_t low = 0, high = x->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (x->list[middle].low <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address < x->list[low - 1].high ? &x->list[low - 1] : NULL;
}
