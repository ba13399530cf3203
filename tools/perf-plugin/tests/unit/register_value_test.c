// SPDX-License-Identifier: GPL-2.0-only
/* Arithmetic of values that are partly known.  The sums are by hand. */
#include "symbols/types/types.h"
#include "test.h"

static const struct data_type node = { .name = "struct node", .size = 24 };
static const struct data_type leaf = { .name = "struct leaf", .size = 24 };

#define CHECK_VALUE(v, k, o, s)						\
	do {								\
		struct register_value got = (v);			\
									\
		CHECK_EQ(got.kind, k);					\
		CHECK_EQ(got.offset, o);				\
		CHECK_EQ(got.stride, s);				\
	} while (0)

static void sums(void)
{
	struct register_value p = value_pointer(&node, 8), i = value_any(7);

	CHECK_VALUE(value_add(p, value_number(16), 1), VALUE_POINTER, 24, 0);
	CHECK_VALUE(value_add(value_number(16), p, 1), VALUE_POINTER, 24, 0);
	CHECK_VALUE(value_add(p, value_shift(i, 3, 1), 1), VALUE_POINTER, 8, 8);
	CHECK_VALUE(value_subtract(value_stack(-16), value_number(32), 1), VALUE_STACK, -48, 0);
	CHECK_VALUE(value_subtract(value_stack(-16), value_stack(-48), 1), VALUE_NUMBER, 32, 0);
	CHECK_VALUE(value_add(p, p, 1), VALUE_NUMBER, 0, 1);
	CHECK_VALUE(value_subtract(p, p, 1), VALUE_NUMBER, 0, 1);
}

/* The index of 24 bytes is (2 i + i) << 3; of two unknown ones 24 i + 16 j only 8 is known. */
static void indexes(void)
{
	struct register_value i = value_any(7), j = value_any(8), three;

	three = value_add(value_shift(i, 1, 1), i, 1);
	CHECK_VALUE(three, VALUE_NUMBER, 0, 3);
	CHECK_VALUE(value_shift(three, 3, 1), VALUE_NUMBER, 0, 24);
	CHECK_VALUE(value_subtract(value_shift(i, 3, 1), i, 1), VALUE_NUMBER, 0, 7);
	three = value_shift(three, 3, 1);
	CHECK_VALUE(value_add(three, value_shift(j, 4, 1), 1), VALUE_NUMBER, 0, 8);
	CHECK_VALUE(value_multiply(i, value_number(56), 1), VALUE_NUMBER, 0, 56);
	CHECK_VALUE(value_multiply(i, j, 1), VALUE_NUMBER, 0, 1);
	CHECK_VALUE(value_subtract(i, i, 1), VALUE_NUMBER, 0, 0);
}

static void joins(void)
{
	struct register_value p = value_pointer(&node, 0), q = value_pointer(&node, 24);

	CHECK_VALUE(value_join(p, p, 1), VALUE_POINTER, 0, 0);
	CHECK_VALUE(value_join(p, q, 1), VALUE_POINTER, 0, 24);
	q = value_join(p, q, 1);
	CHECK_VALUE(value_join(q, value_pointer(&node, 36), 1), VALUE_POINTER, 0, 12);
	q = value_pointer(&node, 24);
	CHECK_VALUE(value_join(p, value_number(0), 1), VALUE_POINTER, 0, 0);
	CHECK_VALUE(value_join(value_number(0), q, 1), VALUE_POINTER, 24, 0);
	CHECK_VALUE(value_join(p, value_number(8), 1), VALUE_NUMBER, 0, 1);
	CHECK_VALUE(value_join(p, value_pointer(&leaf, 0), 1), VALUE_NUMBER, 0, 1);
	CHECK_VALUE(value_join(p, value_stack(0), 1), VALUE_NUMBER, 0, 1);
}

const struct test_case register_value_cases[] = {
	{ "register values: sums of pointers and numbers", sums },
	{ "register values: indexes of which a multiple is known", indexes },
	{ "register values: what holds on two paths", joins },
	{ 0 },
};
