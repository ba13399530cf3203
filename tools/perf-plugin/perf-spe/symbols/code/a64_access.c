// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "symbols/code/code.h"

static uint32_t field(uint32_t word, unsigned int low, unsigned int bits)
{
	return word >> low & ((1u << bits) - 1);
}

static int64_t signed_field(uint32_t word, unsigned int low, unsigned int bits)
{
	return (int64_t)((uint64_t)word << (64 - low - bits)) >> (64 - bits);
}

static void use_data(struct a64_access *a, uint32_t word)
{
	a->data[0] = (uint8_t)field(word, 0, 5);
	if (a->count == 2)
		a->data[1] = (uint8_t)field(word, 10, 5);
}

/* CAS and CASP leave what memory had in Rs. */
static bool compare_and_swap(uint32_t word, struct a64_access *a)
{
	bool pair = !field(word, 23, 1);

	if (field(word, 10, 5) != 31)
		return false;
	a->load = a->store = true;
	a->size = pair ? 4 << field(word, 30, 1) : 1 << field(word, 30, 2);
	a->count = pair ? 2 : 1;
	a->old = (uint8_t)field(word, 16, 5);
	a->data[0] = (uint8_t)field(word, 0, 5);
	if (pair)
		a->data[1] = a->data[0] + 1;
	return !pair || !((a->old | a->data[0]) & 1);
}

/* LDXR, STXR, LDXP, STXP, LDAR, STLR and what is ordered in other ways */
static bool exclusive(uint32_t word, struct a64_access *a)
{
	bool ordered = field(word, 23, 1), pair = field(word, 21, 1);

	if (pair && (ordered || field(word, 30, 2) < 2))
		return compare_and_swap(word, a);
	a->load = field(word, 22, 1);
	a->store = !a->load;
	a->size = 1 << field(word, 30, 2);
	a->count = pair ? 2 : 1;
	use_data(a, word);
	if (a->store && !ordered)
		a->status = (uint8_t)field(word, 16, 5);
	return true;
}

static void post_index(uint32_t word, struct a64_access *a)
{
	uint8_t index = (uint8_t)field(word, 16, 5);

	if (!field(word, 23, 1))
		return;
	a->mode = A64_POST;
	if (index == 31)
		a->offset = a->size * a->count;
	else
		a->index = index;
}

/* LD1 to LD4 and ST1 to ST4 of whole registers */
static bool structures(uint32_t word, struct a64_access *a)
{
	static const uint8_t registers[16] = {
		[0] = 4, [2] = 4, [4] = 3, [6] = 3, [7] = 1, [8] = 2, [10] = 2,
	};

	a->simd = true;
	a->load = field(word, 22, 1);
	a->store = !a->load;
	a->size = 8 << field(word, 30, 1);
	a->count = registers[field(word, 12, 4)];
	if (field(word, 21, 1) || (!field(word, 23, 1) && field(word, 16, 5)))
		return false;
	/* Several registers of one double each would be interleaved: reserved. */
	if (field(word, 10, 2) == 3 && !field(word, 30, 1) &&
	    !(field(word, 13, 1)))
		return false;
	post_index(word, a);
	return a->count;
}

/* The same of one lane, or of all lanes from one element */
static bool structure(uint32_t word, struct a64_access *a)
{
	uint32_t opcode = field(word, 13, 3), size = field(word, 10, 2);
	uint32_t scale = opcode >> 1, lane = field(word, 12, 1);

	a->simd = true;
	a->load = field(word, 22, 1);
	a->store = !a->load;
	a->count = (uint8_t)((opcode & 1) << 1 | field(word, 21, 1)) + 1;
	if (scale == 1 && size & 1)
		return false;
	if (scale == 2 && (size & 2 || (size == 1 && lane)))
		return false;
	if (scale == 3 && (a->store || lane))
		return false;
	if (scale == 2 && size == 1)
		scale = 3;
	else if (scale == 3)
		scale = size;
	a->size = 1 << scale;
	if (!field(word, 23, 1) && field(word, 16, 5))
		return false;
	post_index(word, a);
	return true;
}

static bool literal(uint32_t word, struct a64_access *a)
{
	static const uint8_t general[4] = { 4, 8, 4, 0 }, simd[4] = { 4, 8, 16, 0 };
	uint32_t opc = field(word, 30, 2);

	a->load = true;
	a->mode = A64_LITERAL;
	a->base = A64_NO_REGISTER;
	a->offset = signed_field(word, 5, 19) * 4;
	a->simd = field(word, 26, 1);
	a->size = a->simd ? simd[opc] : general[opc];
	a->sign = !a->simd && opc == 2;
	use_data(a, word);
	return a->size;
}

static bool pair(uint32_t word, struct a64_access *a)
{
	static const enum a64_mode modes[4] = {
		A64_OFFSET, A64_POST, A64_OFFSET, A64_PRE,
	};
	uint32_t opc = field(word, 30, 2), mode = field(word, 23, 2);

	a->simd = field(word, 26, 1);
	a->load = field(word, 22, 1);
	a->store = !a->load;
	a->mode = modes[mode];
	a->count = 2;
	/* STGP stores a tag too, and has no form without allocation. */
	if (opc == 3 || (opc == 1 && !a->simd && !mode))
		return false;
	a->sign = opc == 1 && !a->simd && a->load;
	a->size = a->simd ? 4 << opc : a->sign ? 4 : opc ? 8 : 4;
	a->offset = signed_field(word, 15, 7) *
		    (opc == 1 && !a->simd && a->store ? 16 : a->size);
	use_data(a, word);
	return true;
}

/* The size and the direction of most accesses to one register; false: none such */
static bool size_and_direction(uint32_t word, struct a64_access *a)
{
	uint32_t size = field(word, 30, 2), opc = field(word, 22, 2);

	a->simd = field(word, 26, 1);
	if (a->simd) {
		if (opc & 2 && size)
			return false;
		a->size = opc & 2 ? 16 : 1 << size;
		a->load = opc & 1;
	} else {
		if ((opc == 2 && size == 3) || (opc == 3 && size >= 2))
			return false;	/* prefetches, and reserved words */
		a->size = 1 << size;
		a->load = opc;
		a->sign = opc & 2;
	}
	a->store = !a->load;
	use_data(a, word);
	return true;
}

/* STLR and LDAPR that change the base by the size of the register */
static bool ordered_step(uint32_t word, struct a64_access *a)
{
	a->load = field(word, 22, 1);
	a->store = !a->load;
	a->mode = a->load ? A64_POST : A64_PRE;
	a->size = 1 << field(word, 30, 2);
	a->offset = a->load ? a->size : -a->size;
	use_data(a, word);
	return field(word, 23, 1) && field(word, 31, 1) && !field(word, 12, 10);
}

/* LDAPUR, STLUR and the like */
static bool ordered_offset(uint32_t word, struct a64_access *a)
{
	if (!field(word, 26, 1) && field(word, 10, 2) == 2)
		return ordered_step(word, a);
	if (field(word, 21, 1) || field(word, 10, 2) != (field(word, 26, 1) ? 2 : 0) ||
	    !size_and_direction(word, a))
		return false;
	a->offset = signed_field(word, 12, 9);
	return true;
}

static bool register_offset(uint32_t word, struct a64_access *a)
{
	uint32_t extend = field(word, 13, 3);
	uint8_t shift = 0;

	if (!(extend & 2) || !size_and_direction(word, a))
		return false;
	while (1 << shift < a->size)
		shift++;
	a->index = (uint8_t)field(word, 16, 5);
	a->extend = (enum a64_extend)extend;
	a->shift = field(word, 12, 1) ? shift : 0;
	return true;
}

/* LDADD, SWP and the like; LDAPR, which only loads */
static bool atomic(uint32_t word, struct a64_access *a)
{
	uint32_t opc = field(word, 12, 3);

	if (field(word, 26, 1))
		return false;
	a->load = true;
	a->size = 1 << field(word, 30, 2);
	if (!field(word, 15, 1) || !opc) {
		a->store = true;
		a->data[0] = (uint8_t)field(word, 16, 5);
		a->old = (uint8_t)field(word, 0, 5);
		return true;
	}
	use_data(a, word);
	return opc == 4 && field(word, 16, 5) == 31 && field(word, 22, 2) == 2;
}

/* LDRAA and LDRAB */
static bool authenticated(uint32_t word, struct a64_access *a)
{
	if (field(word, 30, 2) != 3 || field(word, 26, 1))
		return false;
	a->load = true;
	a->size = 8;
	a->mode = field(word, 11, 1) ? A64_PRE : A64_OFFSET;
	a->offset = (signed_field(word, 22, 1) * 512 + (int64_t)field(word, 12, 9)) * 8;
	use_data(a, word);
	return true;
}

static bool one_register(uint32_t word, struct a64_access *a)
{
	static const enum a64_mode modes[4] = {
		A64_OFFSET, A64_POST, A64_OFFSET, A64_PRE,
	};
	uint32_t form = field(word, 10, 2);

	if (field(word, 24, 1)) {
		if (!size_and_direction(word, a))
			return false;
		a->offset = (int64_t)field(word, 10, 12) * a->size;
		return true;
	}
	if (field(word, 21, 1))
		return form == 2 ? register_offset(word, a) :
		       form ? authenticated(word, a) : atomic(word, a);
	if (!size_and_direction(word, a) || (form == 2 && a->simd))
		return false;
	a->mode = modes[form];
	a->offset = signed_field(word, 12, 9);
	return true;
}

bool a64_access(uint32_t word, struct a64_access *a)
{
	*a = (struct a64_access){
		.base = (uint8_t)field(word, 5, 5), .index = A64_NO_REGISTER,
		.extend = A64_UXTX, .count = 1, .status = A64_NO_REGISTER,
		.old = A64_NO_REGISTER, .data = { A64_NO_REGISTER, A64_NO_REGISTER },
	};
	if ((word & 0x3f000000) == 0x08000000)
		return exclusive(word, a);
	if ((word & 0xbf000000) == 0x0c000000)
		return structures(word, a);
	if ((word & 0xbf000000) == 0x0d000000)
		return structure(word, a);
	if ((word & 0x3b000000) == 0x18000000)
		return literal(word, a);
	if ((word & 0x3b000000) == 0x19000000)
		return ordered_offset(word, a);
	if ((word & 0x3a000000) == 0x28000000)
		return pair(word, a);
	if ((word & 0x3a000000) == 0x38000000)
		return one_register(word, a);
	return false;
}
