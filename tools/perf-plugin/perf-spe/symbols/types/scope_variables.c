// SPDX-License-Identifier: GPL-2.0-only
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/code/code.h"
#include "symbols/dwarf/dwarf.h"
#include "symbols/types/types_private.h"
#include "util/util.h"

/* A tree of DIEs that is deeper is damaged; the walk is recursive. */
#define DEEPEST		200

struct span {
	uint64_t low, high;
};

/* The addresses of a scope */
struct spans {
	struct span *list;
	size_t count, room;
};

struct reader {
	struct scope_variables *v;
	struct data_types *types;
	/* What DW_OP_fbreg adds to: PLACE_FRAME or PLACE_REGISTER */
	struct scope_variable frame;
	bool has_frame;
};

static bool read_spans(Dwarf_Die *scope, struct spans *spans)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(scope, at, &base, &low, &high)) > 0) {
		if (low >= high)
			continue;
		spans->list = array_grow(spans->list, spans->count, &spans->room,
					 sizeof(*spans->list));
		spans->list[spans->count++] = (struct span){ low, high };
	}
	return spans->count;
}

/* The general register of DW_OP_reg0 and so on, or A64_NO_REGISTER */
static uint8_t plain_register(const Dwarf_Op *op)
{
	if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
		return (uint8_t)(op->atom - DW_OP_reg0);
	if (op->atom == DW_OP_regx && op->number < 32)
		return (uint8_t)op->number;
	return A64_NO_REGISTER;
}

static bool base_register(const Dwarf_Op *op, struct scope_variable *to)
{
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
		to->reg = (uint8_t)(op->atom - DW_OP_breg0);
		to->offset = (int64_t)op->number;
		return true;
	}
	if (op->atom != DW_OP_bregx || op->number >= 32)
		return false;
	to->reg = (uint8_t)op->number;
	to->offset = (int64_t)op->number2;
	return true;
}

/* The place of a DWARF expression; false for others than the usual ones */
static bool read_place(const struct reader *r, const Dwarf_Op *ops, size_t count,
		       struct scope_variable *to)
{
	bool value = count == 2 && ops[1].atom == DW_OP_stack_value;

	to->indirect = count == 2 && ops[1].atom == DW_OP_deref;
	if (count != 1 && !value && !to->indirect)
		return false;
	to->reg = plain_register(&ops[0]);
	if (to->reg != A64_NO_REGISTER) {
		to->place = PLACE_VALUE;
		to->offset = 0;
		return count == 1;
	}
	if (base_register(&ops[0], to)) {
		to->place = value ? PLACE_VALUE : PLACE_REGISTER;
		return true;
	}
	if (ops[0].atom == DW_OP_fbreg && r->has_frame && !value) {
		to->place = r->frame.place;
		to->reg = r->frame.reg;
		to->offset = (int64_t)((uint64_t)r->frame.offset + ops[0].number);
		return true;
	}
	return false;
}

static void read_frame(struct reader *r, Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t count;

	if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation(&attr, &ops, &count) || count != 1)
		return;
	r->has_frame = true;
	if (ops[0].atom == DW_OP_call_frame_cfa) {
		r->frame.place = PLACE_FRAME;
		return;
	}
	r->frame.place = PLACE_REGISTER;
	r->frame.reg = plain_register(&ops[0]);
	r->has_frame = r->frame.reg != A64_NO_REGISTER || base_register(&ops[0], &r->frame);
}

static void add(struct reader *r, const struct spans *scope, const struct scope_variable *one)
{
	struct scope_variables *v = r->v;
	size_t i;

	for (i = 0; i < scope->count; i++) {
		const struct span *s = &scope->list[i];
		struct scope_variable part = *one;

		part.low = s->low > one->low ? s->low : one->low;
		part.high = s->high < one->high ? s->high : one->high;
		if (part.low >= part.high)
			continue;
		v->list = array_grow(v->list, v->count, &v->room, sizeof(*v->list));
		v->list[v->count++] = part;
	}
}

static bool is_of_frame(const struct scope_variable *v)
{
	return v->indirect || v->place == PLACE_FRAME ||
	       (v->place == PLACE_REGISTER && (v->reg == A64_SP || v->reg == FRAME_POINTER));
}

/*
 * A number in a register says nothing of memory, and no void pointer does.  A number that is in
 * memory at a register was stored to a member, and says nothing of what is around.
 */
static bool is_useful(const struct reader *r, const struct scope_variable *one)
{
	enum data_class class = one->type->class;
	const struct data_type *target;

	if (one->place == PLACE_REGISTER && !is_of_frame(one))
		return class == CLASS_RECORD || class == CLASS_UNION || class == CLASS_ARRAY;
	if (one->place != PLACE_VALUE)
		return true;
	if (one->type->class != CLASS_POINTER || one->indirect)
		return false;
	target = data_type_target(r->types, one->type);
	return target && target->size;
}

static void read_variable(struct reader *r, Dwarf_Die *die, const struct spans *scope,
			  unsigned int depth)
{
	struct scope_variable one = { .depth = (uint8_t)depth };
	Dwarf_Addr base, low, high;
	Dwarf_Attribute attr;
	ptrdiff_t at = 0;
	size_t count;
	Dwarf_Op *ops;

	if (dwarf_tag(die) != DW_TAG_variable || dwarf_decl_line(die, &one.line))
		one.line = 0;
	one.file = one.line ? die_file(die) : NULL;
	one.type = data_type_of(r->types, die);
	if (!one.type || !one.type->size || !dwarf_attr(die, DW_AT_location, &attr))
		return;
	while ((at = dwarf_getlocations(&attr, at, &base, &low, &high, &ops, &count)) > 0) {
		one.low = low;
		one.high = high;
		if (read_place(r, ops, count, &one) && is_useful(r, &one))
			add(r, scope, &one);
	}
}

static void note_inlined(struct scope_variables *v, const struct spans *spans, unsigned int depth)
{
	size_t i;

	for (i = 0; i < spans->count; i++) {
		v->inlined = array_grow(v->inlined, v->nr_inlined, &v->room_inlined, sizeof(*v->inlined));
		v->inlined[v->nr_inlined++] = (struct inlined_span){
			spans->list[i].low, spans->list[i].high, (uint8_t)depth,
		};
	}
}

static void walk(struct reader *r, Dwarf_Die *parent, const struct spans *scope,
		 unsigned int depth)
{
	Dwarf_Die die;
	int more;

	if (depth == DEEPEST)
		return;
	for (more = dwarf_child(parent, &die); !more; more = dwarf_siblingof(&die, &die)) {
		struct spans inner = { 0 };

		switch (dwarf_tag(&die)) {
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			read_variable(r, &die, scope, depth);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_inlined_subroutine:
			if (!read_spans(&die, &inner))
				break;
			if (dwarf_tag(&die) == DW_TAG_inlined_subroutine)
				note_inlined(r->v, &inner, depth + 1);
			walk(r, &die, &inner, depth + 1);
			free(inner.list);
			break;
		default:
			break;
		}
	}
}

static unsigned int group_of(const struct scope_variable *v)
{
	return is_of_frame(v) ? 32 : v->reg;
}

static int by_register(const void *a, const void *b)
{
	const struct scope_variable *x = a, *y = b;
	unsigned int one = group_of(x), other = group_of(y);

	if (one != other)
		return one < other ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth > y->depth ? -1 : 1;
	return x->low < y->low ? -1 : x->low > y->low;
}

static int by_start(const void *a, const void *b)
{
	const struct scope_variable *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static void sort(struct scope_variables *v)
{
	size_t i, group = 0;

	if (v->count)
		qsort(v->list, v->count, sizeof(*v->list), by_register);
	for (i = 0; i < v->count; i++)
		while (group <= group_of(&v->list[i]))
			v->first[group++] = i;
	while (group <= 32)
		v->first[group++] = v->count;
	v->starts = xcalloc(v->first[32] + 1, sizeof(*v->starts));
	if (!v->first[32])
		return;
	memcpy(v->starts, v->list, v->first[32] * sizeof(*v->starts));
	qsort(v->starts, v->first[32], sizeof(*v->starts), by_start);
}

void scope_variables_read(struct scope_variables *v, struct data_types *types,
			  Dwarf_Die *function)
{
	struct reader r = { .v = v, .types = types };
	struct spans scope = { 0 };

	if (!dwarf_diecu(function, &v->unit, NULL, NULL))
		return;
	read_frame(&r, function);
	if (read_spans(function, &scope))
		walk(&r, function, &scope, 0);
	free(scope.list);
	sort(v);
}

void scope_variables_free(struct scope_variables *v)
{
	free(v->list);
	free(v->starts);
	free(v->inlined);
}

bool scope_variable_is_ahead(const struct scope_variables *v, const struct scope_variable *one, uint64_t pc)
{
	Dwarf_Die unit = v->unit;
	const char *file;
	Dwarf_Line *at;
	size_t i;
	int line;

	if (!one->line || !one->file)
		return false;
	/* The lines of an inlined function do not tell where it was called. */
	for (i = 0; i < v->nr_inlined; i++)
		if (v->inlined[i].depth > one->depth && pc >= v->inlined[i].low && pc < v->inlined[i].high)
			return false;
	at = dwarf_getsrc_die(&unit, pc);
	if (!at || dwarf_lineno(at, &line) || line <= 0)
		return false;
	file = dwarf_linesrc(at, NULL, NULL);
	return line < one->line && file && !strcmp(file, one->file);
}

const struct data_type *scope_variable_target(const struct scope_variable *v,
					      struct data_types *types, int64_t *offset)
{
	*offset = (int64_t)(0 - (uint64_t)v->offset);
	return v->place == PLACE_REGISTER ? v->type : data_type_target(types, v->type);
}

const struct scope_variable *scope_variables_pointer(const struct scope_variables *v, uint64_t pc,
						     uint8_t reg,
						     const struct scope_variable *after)
{
	size_t i = after ? (size_t)(after - v->list) + 1 : v->first[reg];

	for (; i < v->first[reg + 1]; i++)
		if (pc >= v->list[i].low && pc < v->list[i].high)
			return &v->list[i];
	return NULL;
}

const struct scope_variable *scope_variables_start(const struct scope_variables *v,
						   uint64_t pc)
{
	size_t low;

	lower_bound(low, v->first[32], v->starts[low].low < pc);
	return &v->starts[low];
}
