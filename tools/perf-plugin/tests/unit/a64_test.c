// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branches of A64.  LLVM's assembler gave the words, except those of FEAT_CMPBR, which are
 * made by hand from the encodings "CB<cc> (register)" and "CB<cc> (immediate)" of the Arm
 * Architecture Reference Manual, C6.2.
 */
#include "symbols/code/code.h"
#include "test.h"

static void direct_branches(void)
{
	static const struct {
		uint32_t word;
		enum a64_branch_kind kind;
		int64_t offset;
	} rows[] = {
		{ 0x14000002, A64_JUMP, 8 },			/* b .+8 */
		{ 0x97fffffe, A64_CALL, -8 },			/* bl .-8 */
		{ 0x54002001, A64_CONDITIONAL, 1024 },		/* b.ne .+1024 */
		{ 0x54ffe010, A64_CONDITIONAL, -1024 },		/* bc.eq .-1024 */
		{ 0xb4000083, A64_CONDITIONAL, 16 },		/* cbz x3, .+16 */
		{ 0x35ffff84, A64_CONDITIONAL, -16 },		/* cbnz w4, .-16 */
		{ 0xb6400105, A64_CONDITIONAL, 32 },		/* tbz x5, #40, .+32 */
		{ 0x371fff06, A64_CONDITIONAL, -32 },		/* tbnz w6, #3, .-32 */
		{ 0xf4020201, A64_CONDITIONAL, 64 },		/* cbgt x1, x2, .+64 */
		{ 0x75c2be01, A64_CONDITIONAL, -64 },		/* cbeq w1, #5, .-64 */
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct a64_branch branch = a64_branch(rows[i].word, 0x400000);

		CHECK_EQ(branch.kind, rows[i].kind);
		CHECK(branch.direct);
		CHECK_EQ(branch.target, UINT64_C(0x400000) + (uint64_t)rows[i].offset);
	}
}

static void indirect_branches(void)
{
	static const struct {
		uint32_t word;
		enum a64_branch_kind kind;
	} rows[] = {
		{ 0xd61f0200, A64_INDIRECT_JUMP },	/* br x16 */
		{ 0xd61f083f, A64_INDIRECT_JUMP },	/* braaz x1 */
		{ 0xd71f0822, A64_INDIRECT_JUMP },	/* braa x1, x2 */
		{ 0xd71f0c3f, A64_INDIRECT_JUMP },	/* brab x1, sp */
		{ 0xd63f0060, A64_INDIRECT_CALL },	/* blr x3 */
		{ 0xd63f089f, A64_INDIRECT_CALL },	/* blraaz x4 */
		{ 0xd73f0c85, A64_INDIRECT_CALL },	/* blrab x4, x5 */
		{ 0xd65f03c0, A64_RETURN },		/* ret */
		{ 0xd65f0bff, A64_RETURN },		/* retaa */
		{ 0xd65f0fff, A64_RETURN },		/* retab */
		{ 0xd69f03e0, A64_RETURN },		/* eret */
		{ 0xd69f0bff, A64_RETURN },		/* eretaa */
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CHECK_EQ(a64_branch(rows[i].word, 0).kind, rows[i].kind);
		CHECK(!a64_branch(rows[i].word, 0).direct);
	}
}

/* Neighbours in the encoding space: svc #0, drps, isb, msr nzcv, nop, ldr (literal), add */
static void no_branches(void)
{
	static const uint32_t words[] = {
		0xd4000001, 0xd6bf03e0, 0xd5033fdf, 0xd51b4200, 0xd503201f, 0x58000081,
		0x91000421,
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		CHECK_EQ(a64_branch(words[i], 0).kind, A64_NO_BRANCH);
}

const struct test_case a64_cases[] = {
	{ "a64: direct branches, and where they go", direct_branches },
	{ "a64: indirect branches and returns", indirect_branches },
	{ "a64: what is no branch", no_branches },
	{ 0 },
};
