// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "symbols/types/types.h"
#include "util/util.h"

struct global {
	uint64_t start, end;
	const struct data_type *type;
};

/* The instance that has an address; @type is NULL where no variable has it. */
struct answer {
	uint64_t address, offset;
	struct access_span span;		/* of the access */
	unsigned int bytes;		/* of the instance */
	const struct data_type *type;
	const char *field, *last;
	bool known;
};

#define ANSWERS		4096	/* a power of two */

struct globals {
	struct global *list;		/* by address */
	size_t count, room;
	struct data_types types;
	struct answer answers[ANSWERS];	/* a cache */
};

/* One address and nothing more: a variable that is always there (DWARF 5, 2.6.1.1.2) */
static bool fixed_address(Dwarf_Die *die, uint64_t *address)
{
	Dwarf_Attribute attr, place;
	Dwarf_Op *ops;
	size_t count;

	if (!dwarf_attr(die, DW_AT_location, &attr) || dwarf_getlocation(&attr, &ops, &count) ||
	    count != 1)
		return false;
	if (ops[0].atom == DW_OP_addr) {
		*address = ops[0].number;
		return true;
	}
	return (ops[0].atom == DW_OP_addrx || ops[0].atom == DW_OP_GNU_addr_index) &&
	       !dwarf_getlocation_attr(&attr, ops, &place) && !dwarf_formaddr(&place, address);
}

static void add(struct globals *g, Dwarf_Die *die)
{
	struct global global;

	/* The linker leaves 0 for variables that it has dropped. */
	if (!fixed_address(die, &global.start) || !global.start)
		return;
	global.type = data_type_of(&g->types, die);
	if (!global.type || !global.type->size)
		return;
	global.end = global.start + global.type->size;
	if (global.end < global.start)
		return;
	g->list = array_grow(g->list, g->count, &g->room, sizeof(*g->list));
	g->list[g->count++] = global;
}

static bool look(void *globals, Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_variable:
		add(globals, die);
		return false;
	case DW_TAG_compile_unit:
	case DW_TAG_subprogram:	/* static variables in functions */
	case DW_TAG_lexical_block:
	case DW_TAG_inlined_subroutine:
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
	const struct global *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static struct globals *globals_read(Dwarf *dwarf)
{
	struct globals *g = xcalloc(1, sizeof(*g));

	dies_each(dwarf, look, g);
	if (g->count)
		qsort(g->list, g->count, sizeof(*g->list), by_address);
	return g;
}

/* The last that begins at @address or before, and has it; NULL: none, or several types */
static const struct global *find(const struct globals *g, uint64_t address)
{
	size_t low, i;

	lower_bound(low, g->count, g->list[low].start <= address);
	if (!low || address >= g->list[low - 1].end)
		return NULL;
	for (i = low - 1; i && g->list[i - 1].start == g->list[low - 1].start; i--)
		if (g->list[i - 1].type->name != g->list[low - 1].type->name)
			return NULL;
	return &g->list[low - 1];
}

const struct data_type *globals_find(const struct globals *g, uint64_t address, uint64_t *offset)
{
	const struct global *global = find(g, address);

	if (!global)
		return NULL;
	*offset = address - global->start;
	return global->type;
}

struct data_types *globals_types(struct globals *g)
{
	return &g->types;
}

struct globals *globals_of(struct dso *dso)
{
	if (!dso->globals)
		dso->globals = globals_read(srclines_dwarf(dso));
	return dso->globals;
}

/* The answer of @address, from the cache or for it */
static bool answer(struct globals *g, uint64_t address, struct access_span span, struct instance *i)
{
	struct answer *a = &g->answers[hash_add(address, span.bytes) % ANSWERS];
	const struct data_type *type;
	uint64_t offset;

	if (a->known && a->address == address && a->span.bytes == span.bytes &&
	    a->span.element == span.element) {
		i->type = a->type;
		i->offset = a->offset;
		i->bytes = a->bytes;
		if (a->type) {
			strcpy(i->field, a->field);
			strcpy(i->last, a->last);
		}
		return a->type;
	}
	*a = (struct answer){ .known = true, .address = address, .span = span };
	type = globals_find(g, address, &offset);
	if (!type)
		return false;
	instance_at(&g->types, type, offset, span, i);
	a->type = i->type;
	a->offset = i->offset;
	a->bytes = i->bytes;
	a->field = string_set_add(&g->types.names, i->field);
	a->last = string_set_add(&g->types.names, i->last);
	return true;
}

bool global_type(uint64_t address, struct access_span span, struct instance *i)
{
	bool found;

	elf_lock();
	found = answer(globals_of(i->dso), address, span, i);
	elf_unlock();
	return found;
}

void globals_free(struct globals *g)
{
	if (!g)
		return;
	free(g->list);
	data_types_free(&g->types);
	free(g);
}
