/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of the value of a register: a number, or an address and what is there. */
#ifndef PERF_SPE_REGISTER_VALUE_H
#define PERF_SPE_REGISTER_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/types/data_type.h"

enum value_kind {
	VALUE_NUMBER,
	VALUE_STACK,		/* an address relative to the frame's CFA */
	VALUE_ADDRESS,		/* an address of the file */
	VALUE_POINTER,		/* of an object of a type, or into it */
};

/*
 * @offset + n * @stride, from where the kind says; n is not known.  Equal ids say that two values
 * have the same n; 0 is none.
 */
struct register_value {
	enum value_kind kind;
	uint32_t id;
	int64_t offset;
	uint64_t stride;		/* 0: the value is exact */
	const struct data_type *type;	/* of VALUE_POINTER */
};

static inline struct register_value value_number(int64_t number)
{
	return (struct register_value){ .kind = VALUE_NUMBER, .offset = number };
}

/* Any number, which other values with the same @id share */
static inline struct register_value value_any(uint32_t id)
{
	return (struct register_value){ .kind = VALUE_NUMBER, .id = id, .stride = 1 };
}

static inline struct register_value value_stack(int64_t offset)
{
	return (struct register_value){ .kind = VALUE_STACK, .offset = offset };
}

static inline struct register_value value_address(int64_t address)
{
	return (struct register_value){ .kind = VALUE_ADDRESS, .offset = address };
}

static inline struct register_value value_pointer(const struct data_type *type, int64_t offset)
{
	return (struct register_value){
		.kind = VALUE_POINTER, .offset = offset, .type = type,
	};
}

bool value_same(const struct register_value *a, const struct register_value *b);
static inline bool value_is_exact(const struct register_value *v, enum value_kind kind)
{
	return v->kind == kind && !v->stride;
}

/* @id is for results of which nothing is known, or whose n is a new one. */
struct register_value value_add(struct register_value a, struct register_value b, uint32_t id);
struct register_value value_subtract(struct register_value a, struct register_value b,
				     uint32_t id);
struct register_value value_multiply(struct register_value a, struct register_value b,
				     uint32_t id);
struct register_value value_shift(struct register_value a, unsigned int bits, uint32_t id);
/* What holds for both; a null pointer is a pointer of any type. */
struct register_value value_join(struct register_value a, struct register_value b, uint32_t id);

#endif
