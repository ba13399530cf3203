// SPDX-License-Identifier: GPL-2.0-only
/* Values of registers.  GNU's assembler gave the words. */
#include "symbols/code/code.h"
#include "test.h"

#define NONE A64_NO_REGISTER

static void values(void)
{
	static const struct {
		uint32_t word;
		enum a64_operation operation;
		uint8_t to, first, second, third, shift;
		int64_t number;
	} rows[] = {
		{ 0x100000a1, A64_PLACE, 1, NONE, NONE, NONE, 0, 0x401014 },	/* adr x1, .+20 */
		/* adrp x2, .+8192 */
		{ 0xd0000002, A64_PLACE, 2, NONE, NONE, NONE, 0, 0x403000 },
		/* add x3, sp, #32 */
		{ 0x910083e3, A64_ADD_NUMBER, 3, A64_SP, NONE, NONE, 0, 32 },
		/* sub x4, x5, #1, lsl #12 */
		{ 0xd14004a4, A64_ADD_NUMBER, 4, 5, NONE, NONE, 0, -4096 },
		{ 0x11000ce6, A64_ADD_NUMBER, 6, 7, NONE, NONE, 0, 3 },	/* add w6, w7, #3 */
		/* movz x8, #0x1234, lsl #16 */
		{ 0xd2a24688, A64_SET, 8, NONE, NONE, NONE, 16, 0x12340000 },
		{ 0x92800009, A64_SET, 9, NONE, NONE, NONE, 0, -1 },		/* movn x9, #0 */
		/* movk x10, #0xbeef, lsl #32 */
		{ 0xf2d7ddea, A64_INSERT, 10, NONE, NONE, NONE, 32, 0xbeef00000000 },
		/* lsl x11, x12, #3 */
		{ 0xd37df18b, A64_SHIFT, 11, 12, NONE, NONE, 3, 0 },
		{ 0x93407dcd, A64_EXTEND, 13, 14, NONE, NONE, 0, 0 },		/* sxtw x13, w14 */
		/* ubfiz x15, x16, #4, #32 */
		{ 0xd37c7e0f, A64_SHIFT, 15, 16, NONE, NONE, 4, 0 },
		/* lsr x17, x18, #2 */
		{ 0xd342fe51, A64_ANY_RESULT, 17, 18, NONE, NONE, 0, 0 },
		{ 0xaa1403f3, A64_MOVE, 19, 20, NONE, NONE, 0, 0 },		/* mov x19, x20 */
		/* add x23, x24, x25, lsl #3 */
		{ 0x8b190f17, A64_ADD, 23, 24, 25, NONE, 3, 0 },
		/* add x26, x27, w28, sxtw #2 */
		{ 0x8b3ccb7a, A64_ADD, 26, 27, 28, NONE, 2, 0 },
		{ 0xcb020020, A64_SUBTRACT, 0, 1, 2, NONE, 0, 0 },		/* sub x0, x1, x2 */
		{ 0x9b051883, A64_MULTIPLY_ADD, 3, 4, 5, 6, 0, 0 },	/* madd x3, x4, x5, x6 */
		{ 0x9b292907, A64_MULTIPLY_ADD, 7, 8, 9, 10, 0, 0 },	/* smaddl x7, w8, w9, x10 */
		{ 0x9a91120f, A64_SELECT, 15, 16, 17, NONE, 0, 0 },	/* csel x15, x16, x17, ne */
		{ 0xd53bd052, A64_THREAD, 18, NONE, NONE, NONE, 0, 0 },	/* mrs x18, tpidr_el0 */
		{ 0x9e660034, A64_ANY_RESULT, 20, NONE, NONE, NONE, 0, 0 },	/* fmov x20, d1 */
		/* and x21, x22, #7 */
		{ 0x1e780020, A64_ANY_RESULT, 0, NONE, NONE, NONE, 0, 0 },	/* fcvtzs w0, d1 */
		{ 0x92400ad5, A64_ANY_RESULT, 21, NONE, NONE, NONE, 0, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct a64_value v = a64_value(rows[i].word, 0x401000);

		CHECK_EQ(v.operation, rows[i].operation);
		CHECK_EQ(v.to, rows[i].to);
		CHECK_EQ(v.first, rows[i].first);
		CHECK_EQ(v.second, rows[i].second);
		CHECK_EQ(v.third, rows[i].third);
		CHECK_EQ(v.shift, rows[i].shift);
		CHECK_EQ(v.number, rows[i].number);
	}
}

static void halves(void)
{
	CHECK(!a64_value(0x2a1603f5, 0).wide);	/* mov w21, w22 */
	CHECK(!a64_value(0x11000ce6, 0).wide);	/* add w6, w7, #3 */
	CHECK(a64_value(0xaa1403f3, 0).wide);	/* mov x19, x20 */
}

/* cmp x19, #4; nop; fadd d0, d1, d2; ccmp x1, x2, #0, eq; scvtf d0, w1; ucvtf s3, x4 */
/* fmov d0, x1 */
static void no_values(void)
{
	static const uint32_t words[] = {
		0xf100127f, 0xd503201f, 0x1e622820, 0xfa420020, 0x1e620020, 0x9e230083, 0x9e670020,
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		CHECK_EQ(a64_value(words[i], 0).operation, A64_NO_RESULT);
}

/* ubfm w1, w2 with a rotation of 35, or with a last bit of 40: reserved */
static void reserved(void)
{
	CHECK_EQ(a64_value(0x53230041 | 5u << 10, 0).operation, A64_ANY_RESULT);
	CHECK_EQ(a64_value(0x53000041 | 40u << 10, 0).operation, A64_ANY_RESULT);
}

static void clobbers(void)
{
	static const struct {
		uint32_t word, changed;
	} rows[] = {
		{ 0x94000000, 0x4007ffff },	/* bl */
		{ 0xd63f0100, 0x4007ffff },	/* blr x8 */
		{ 0xd4000001, 1 },		/* svc #0 */
		{ 0x1d010440, 7 },		/* cpyp [x0]!, [x1]!, x2! */
		{ 0x199406b3, 0x380000 },	/* cpyfe [x19]!, [x20]!, x21! */
		{ 0x19c54483, 0x38 },		/* setm [x3]!, x4!, x5 */
		{ 0x8b020020, 0 },		/* add x0, x1, x2 */
		{ 0xf9400020, 0 },		/* ldr x0, [x1] */
		{ 0x14000000, 0 },		/* b */
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		CHECK_EQ(a64_clobbers(rows[i].word), rows[i].changed);
}

const struct test_case a64_value_cases[] = {
	{ "a64 values: what an instruction leaves in a register", values },
	{ "a64 values: 32 bits", halves },
	{ "a64 values: instructions without a result", no_values },
	{ "a64 values: reserved fields of bits", reserved },
	{ "a64 values: what calls and copies of memory change", clobbers },
	{ 0 },
};
