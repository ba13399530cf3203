// SPDX-License-Identifier: GPL-2.0-only
#include "symbols/types/types.h"
#include "util/util.h"

static uint64_t distance(int64_t a, int64_t b)
{
	return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

static int64_t sum(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

bool value_same(const struct register_value *a, const struct register_value *b)
{
	return a->kind == b->kind && a->id == b->id && a->offset == b->offset &&
	       a->stride == b->stride && a->type == b->type;
}

/* The stride and the id of @v and a value with n times @stride */
static void add_stride(struct register_value *v, const struct register_value *other, uint32_t id)
{
	if (!other->stride)
		return;
	if (!v->stride) {
		v->stride = other->stride;
		v->id = other->id;
	} else if (v->id && v->id == other->id) {
		v->stride += other->stride;
	} else {
		v->stride = common_divisor(v->stride, other->stride);
		v->id = id;
	}
}

struct register_value value_add(struct register_value a, struct register_value b, uint32_t id)
{
	if (a.kind == VALUE_NUMBER && b.kind != VALUE_NUMBER)
		return value_add(b, a, id);
	if (b.kind != VALUE_NUMBER)
		return value_any(id);
	a.offset = sum(a.offset, b.offset);
	add_stride(&a, &b, id);
	return a;
}

struct register_value value_subtract(struct register_value a, struct register_value b,
				     uint32_t id)
{
	if (b.kind != VALUE_NUMBER) {
		bool exact = !a.stride && !b.stride && a.kind == b.kind &&
			     a.kind != VALUE_POINTER;

		if (!exact)
			return value_any(id);
		return value_number((int64_t)((uint64_t)a.offset - (uint64_t)b.offset));
	}
	a.offset = (int64_t)((uint64_t)a.offset - (uint64_t)b.offset);
	if (a.stride && b.stride && a.id && a.id == b.id) {
		a.stride = a.stride < b.stride ? b.stride - a.stride : a.stride - b.stride;
		a.id = a.stride ? a.id : 0;
	} else {
		b.id = b.stride ? id : 0;
		add_stride(&a, &b, id);
	}
	return a;
}

struct register_value value_multiply(struct register_value a, struct register_value b,
				     uint32_t id)
{
	if (a.kind != VALUE_NUMBER || b.kind != VALUE_NUMBER)
		return value_any(id);
	if (a.stride && b.stride)
		return value_any(id);
	if (a.stride)
		return value_multiply(b, a, id);
	if (!a.offset)
		return value_number(0);
	b.offset = (int64_t)((uint64_t)b.offset * (uint64_t)a.offset);
	b.stride *= a.offset < 0 ? -(uint64_t)a.offset : (uint64_t)a.offset;
	if (a.offset < 0 && b.stride)
		b.id = id;
	return b;
}

struct register_value value_shift(struct register_value a, unsigned int bits, uint32_t id)
{
	if (!bits)
		return a;
	if (bits > 62)
		return value_any(id);
	return value_multiply(value_number((int64_t)(UINT64_C(1) << bits)), a, id);
}

static bool is_null(const struct register_value *v)
{
	return value_is_exact(v, VALUE_NUMBER) && !v->offset;
}

static bool same_type(const struct data_type *a, const struct data_type *b)
{
	return a == b || (a && b && a->name == b->name && a->size == b->size);
}

struct register_value value_join(struct register_value a, struct register_value b, uint32_t id)
{
	uint64_t stride;

	if (is_null(&a) && b.kind == VALUE_POINTER)
		return b;
	if (is_null(&b) && a.kind == VALUE_POINTER)
		return a;
	if (a.kind != b.kind || !same_type(a.type, b.type))
		return value_any(id);
	stride = common_divisor(common_divisor(a.stride, b.stride), distance(a.offset, b.offset));
	if (stride != a.stride || a.id != b.id || a.offset != b.offset)
		a.id = stride ? id : 0;
	a.stride = stride;
	return a;
}
