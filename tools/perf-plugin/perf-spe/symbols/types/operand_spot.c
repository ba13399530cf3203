// SPDX-License-Identifier: GPL-2.0-only
#include "symbols/types/types_private.h"

/* A frame is smaller, so that offsets in it can be added. */
#define FRAME_MAX	(INT64_C(1) << 40)

struct register_value flow_state(const struct data_flow_point *p, uint8_t reg)
{
	return reg == A64_NO_REGISTER ? value_number(0) : p->state->reg[reg & 31];
}

struct register_value flow_register(const struct data_flow_point *p, uint8_t reg)
{
	struct register_value value = flow_state(p, reg);
	const struct scope_variable *v;

	/* Where an address of the stack or of a global is exact, that says more. */
	if (reg >= A64_SP || value_is_exact(&value, VALUE_STACK) ||
	    value_is_exact(&value, VALUE_ADDRESS))
		return value;
	v = scope_variables_pointer(p->flow->variables, p->address, reg, NULL);
	if (v)
		flow_variable(p, v, &value);
	return value;
}

bool flow_variable(const struct data_flow_point *p, const struct scope_variable *v,
		   struct register_value *value)
{
	int64_t offset;
	const struct data_type *target = scope_variable_target(v, p->flow->types, &offset);

	if (!target || !target->size)
		return false;
	*value = value_pointer(target, offset);
	return true;
}

/* An index that is extended from 32 bits is a number in any case. */
struct register_value operand_address(const struct data_flow_point *p,
				      const struct a64_access *access,
				      struct register_value base)
{
	struct register_value index;

	if (access->mode == A64_LITERAL)
		return value_address((int64_t)(p->address + (uint64_t)access->offset));
	if (access->mode == A64_POST)
		return base;
	if (access->index == A64_NO_REGISTER)
		return value_add(base, value_number(access->offset), p->id);
	index = access->index == 31 ? value_number(0) :
		access->extend == A64_UXTX && base.kind == VALUE_NUMBER ?
		flow_register(p, access->index) : flow_state(p, access->index);
	if (access->extend != A64_UXTX && access->extend != A64_SXTX &&
	    index.kind != VALUE_NUMBER)
		index = value_any(p->id);
	return value_add(base, value_shift(index, access->shift, p->id), p->id);
}

static struct reach reach_of(const struct a64_access *access, const struct register_value *at)
{
	return (struct reach){
		.offset = at->offset, .stride = at->stride,
		.size = (unsigned int)access->size * access->count,
		.whole = access->simd || access->count > 1,
	};
}

/* Where a variable in memory is, relative to the CFA; false: in no known place of the frame */
static bool frame_offset(const struct data_flow_point *p, const struct scope_variable *v,
			 int64_t *offset)
{
	const struct register_value *base;

	*offset = v->offset;
	if (v->place == PLACE_REGISTER) {
		base = &p->state->reg[v->reg];
		if (!value_is_exact(base, VALUE_STACK))
			return false;
		*offset = (int64_t)((uint64_t)base->offset + (uint64_t)v->offset);
	}
	return *offset >= -FRAME_MAX && *offset <= FRAME_MAX;
}

/* How a variable relates to an access to the frame */
enum relation { REL_NONE, REL_TOUCHED, REL_FITS };

static enum relation relate(const struct data_flow_point *p, const struct scope_variable *v,
			    const struct reach *at, struct type_spot *spot)
{
	struct reach inner = *at;
	int64_t offset;

	if (!frame_offset(p, v, &offset))
		return REL_NONE;
	inner.offset -= offset;
	if (type_spot_object(p->flow->types, v->type, &inner, spot))
		return REL_FITS;
	return at->offset - offset < (int64_t)v->type->size &&
	       at->offset + (int64_t)at->size > offset ? REL_TOUCHED : REL_NONE;
}

static bool in_scope(const struct data_flow_point *p, const struct scope_variable *v)
{
	return p->address >= v->low && p->address < v->high;
}

/*
 * The innermost variable in scope that has the memory.  Memory that a variable of another scope
 * has, or one that is declared below, may be shared with a third one, so that it is unknown.
 */
static bool stack_spot(const struct data_flow_point *p, const struct reach *at, struct type_spot *spot)
{
	const struct scope_variables *list = p->flow->variables;
	bool touched = false;
	size_t i;

	if (at->offset < -FRAME_MAX || at->offset > FRAME_MAX)
		return false;
	for (i = list->first[32]; i < list->count; i++) {
		const struct scope_variable *v = &list->list[i];
		enum relation relation = v->indirect ? REL_NONE : relate(p, v, at, spot);

		if (relation == REL_FITS && in_scope(p, v) && !scope_variable_is_ahead(list, v, p->address))
			return true;
		touched |= relation != REL_NONE;
	}
	*spot = (struct type_spot){ &spot_stack, 0, NULL };
	return !touched && !at->stride && at->offset < 0;
}

const struct data_type *flow_pointed(const struct data_flow_point *p, int64_t offset)
{
	const struct scope_variables *list = p->flow->variables;
	int64_t at;
	size_t i;

	for (i = list->first[32]; i < list->count; i++) {
		const struct scope_variable *v = &list->list[i];

		if (v->indirect && in_scope(p, v) && frame_offset(p, v, &at) && at == offset)
			return v->type;
	}
	return NULL;
}

/* Whether the program cannot write to the memory */
static bool is_constant(const struct dso *dso, uint64_t address)
{
	size_t i;

	for (i = 0; i < dso->nr_segments; i++) {
		const struct segment *s = &dso->segments[i];

		if (address - s->vaddr < s->memsz)
			return !s->written;
	}
	return false;
}

static bool global_spot(const struct data_flow_point *p, const struct reach *at,
			struct type_spot *spot)
{
	struct reach inner = *at;
	uint64_t offset = 0;
	const struct data_type *type = globals_find(p->flow->globals, (uint64_t)at->offset,
						    &offset);

	*spot = (struct type_spot){ &spot_constant, 0, NULL };
	if (!type)
		return !at->stride && is_constant(p->flow->dso, (uint64_t)at->offset);
	inner.offset = (int64_t)offset;
	return type_spot_object(p->flow->types, type, &inner, spot);
}

bool operand_spot(const struct data_flow_point *p, const struct a64_access *access,
		  const struct register_value *at, struct type_spot *spot)
{
	struct reach reach = reach_of(access, at);

	switch (at->kind) {
	case VALUE_STACK:
		return stack_spot(p, &reach, spot);
	case VALUE_ADDRESS:
		return global_spot(p, &reach, spot);
	case VALUE_POINTER:
		return type_spot_target(p->flow->types, at->type, &reach, spot);
	default:
		return false;
	}
}
