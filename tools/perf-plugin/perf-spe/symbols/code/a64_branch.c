// SPDX-License-Identifier: GPL-2.0-only
#include <stddef.h>

#include "symbols/code/code.h"

/* A direct branch has a signed offset in instructions: @bits bits from bit @low on. */
static const struct {
	uint32_t mask, value;
	enum a64_branch_kind kind;
	uint8_t low, bits;	/* 0 bits: indirect */
} encodings[] = {
	{ 0xfc000000, 0x14000000, A64_JUMP, 0, 26 },		/* B */
	{ 0xfc000000, 0x94000000, A64_CALL, 0, 26 },		/* BL */
	{ 0xff000000, 0x54000000, A64_CONDITIONAL, 5, 19 },	/* B.cond, BC.cond */
	{ 0x7e000000, 0x34000000, A64_CONDITIONAL, 5, 19 },	/* CBZ, CBNZ */
	{ 0x7e000000, 0x36000000, A64_CONDITIONAL, 5, 14 },	/* TBZ, TBNZ */
	{ 0x7e000000, 0x74000000, A64_CONDITIONAL, 5, 9 },	/* FEAT_CMPBR: CB<cc> */
	/* Bit 24 and bits 11:10 tell the forms with pointer authentication. */
	{ 0xfefff000, 0xd61f0000, A64_INDIRECT_JUMP, 0, 0 },	/* BR, BRAA ... */
	{ 0xfefff000, 0xd63f0000, A64_INDIRECT_CALL, 0, 0 },	/* BLR, BLRAA ... */
	{ 0xfffff000, 0xd65f0000, A64_RETURN, 0, 0 },		/* RET, RETAA, RETAB */
	{ 0xffc0001f, 0x5500001f, A64_RETURN, 0, 0 },		/* RETAASPPC, RETABSPPC */
	{ 0xfffff000, 0xd69f0000, A64_RETURN, 0, 0 },		/* ERET, ERETAA, ERETAB */
};

static uint64_t offset_of(uint32_t word, unsigned int low, unsigned int bits)
{
	uint64_t field = (uint64_t)word << (64 - low - bits);

	return (uint64_t)((int64_t)field >> (64 - bits)) * 4;
}

struct a64_branch a64_branch(uint32_t word, uint64_t address)
{
	struct a64_branch branch = { A64_NO_BRANCH, false, 0 };
	size_t i;

	for (i = 0; i < sizeof(encodings) / sizeof(encodings[0]); i++) {
		if ((word & encodings[i].mask) != encodings[i].value)
			continue;
		branch.kind = encodings[i].kind;
		branch.direct = encodings[i].bits;
		if (branch.direct)
			branch.target = address + offset_of(word, encodings[i].low,
							    encodings[i].bits);
		break;
	}
	return branch;
}
