// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "symbols/types/types.h"
#include "symbols/types/types_private.h"

/* Damaged DWARF could let a search go on for ever. */
#define STEPS	10000u

const struct data_type spot_stack = { .name = "(stack)" };
const struct data_type spot_constant = { .name = "(constant)" };

struct search {
	struct data_types *types;
	unsigned int left;			/* types that may still be looked at */
	const struct data_type *exact;		/* found */
	bool several;				/* of different types, in a union */
};

static bool fits(struct search *s, const struct data_type *type, struct reach at, int depth);

/* Of the members that have the byte, one must fit; of a union several may. */
static bool fits_member(struct search *s, const struct data_type *type, struct reach at, int depth)
{
	uint64_t low = (uint64_t)at.offset * 8;
	struct member m = { 0 };
	bool any = false;

	while (member_next(s->types, type, &m)) {
		struct reach inner = at;

		if (low + 8 <= m.low || low >= m.high)
			continue;
		if (m.bit_field) {
			any |= !at.stride;
			continue;
		}
		inner.offset -= (int64_t)(m.low / 8);
		any |= fits(s, m.type, inner, depth + 1);
	}
	return any;
}

static bool fits_array(struct search *s, const struct data_type *type, struct reach at, int depth)
{
	const struct data_type *element = data_type_element(s->types, type);

	if (!element || !element->size)
		return false;
	if (at.stride % element->size == 0)
		at.stride = 0;
	at.offset %= (int64_t)element->size;
	return fits(s, element, at, depth + 1);
}

/* Byte @at.offset of @type exists; what begins there? */
static bool fits(struct search *s, const struct data_type *type, struct reach at, int depth)
{
	uint64_t offset = (uint64_t)at.offset;

	if (depth == TYPE_DEPTH || !s->left)
		return false;
	s->left--;
	switch (type->class) {
	case CLASS_SCALAR:
	case CLASS_POINTER:
		if (at.stride || (offset && offset + at.size > type->size))
			return false;
		if (!offset && at.size == type->size) {
			s->several |= s->exact && s->exact->name != type->name;
			s->exact = type;
		}
		return true;
	case CLASS_ARRAY:
		return fits_array(s, type, at, depth);
	case CLASS_RECORD:
	case CLASS_UNION:
		return fits_member(s, type, at, depth);
	default:
		return false;
	}
}

static bool spot_at(struct data_types *types, const struct data_type *type,
		    const struct reach *at, struct type_spot *spot)
{
	struct search s = { types, STEPS, NULL, false };

	if (at->offset < 0 || (uint64_t)at->offset >= type->size || type->size > INT64_MAX ||
	    at->size > type->size - (uint64_t)at->offset || !fits(&s, type, *at, 0))
		return false;
	*spot = (struct type_spot){ type, (uint64_t)at->offset, s.several ? NULL : s.exact };
	return true;
}

bool type_spot_object(struct data_types *types, const struct data_type *type,
		      const struct reach *reach, struct type_spot *spot)
{
	return type && type->size && spot_at(types, type, reach, spot);
}

static int64_t modulo(int64_t value, uint64_t by)
{
	int64_t rest = value % (int64_t)by;

	return rest < 0 ? rest + (int64_t)by : rest;
}

/* Numbers and pointers: neighbours of the same type may be accessed together. */
static bool number_spot(const struct data_type *type, const struct reach *reach,
			struct type_spot *spot)
{
	uint64_t offset = (uint64_t)modulo(reach->offset, type->size);

	if (type->size == 1 && reach->size > 1 && !reach->whole)
		return false;
	if (reach->size >= type->size ? offset || reach->size % type->size :
	    offset + reach->size > type->size)
		return false;
	*spot = (struct type_spot){ type, offset, reach->size == type->size ? type : NULL };
	return true;
}

bool type_spot_target(struct data_types *types, const struct data_type *type,
		      const struct reach *reach, struct type_spot *spot)
{
	struct reach at = *reach;

	if (!type || !type->size || type->size > INT64_MAX)
		return false;
	if (type->class == CLASS_SCALAR || type->class == CLASS_POINTER)
		return number_spot(type, reach, spot);
	if (at.stride && at.stride % type->size == 0) {
		at.offset = modulo(at.offset, type->size);
		at.stride = 0;
	}
	return spot_at(types, type, &at, spot);
}
