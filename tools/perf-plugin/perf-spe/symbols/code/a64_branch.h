/* SPDX-License-Identifier: GPL-2.0-only */
/* Which A64 instructions branch, and where to. */
#ifndef PERF_SPE_A64_BRANCH_H
#define PERF_SPE_A64_BRANCH_H

#include <stdbool.h>
#include <stdint.h>

/* The last instruction of a block of code */
enum a64_branch_kind {
	A64_NO_BRANCH,
	A64_JUMP,		/* B */
	A64_CONDITIONAL,	/* B.cond, BC.cond, CBZ, CBNZ, TBZ, TBNZ, CB<cc> */
	A64_CALL,		/* BL */
	A64_INDIRECT_JUMP,	/* BR, with and without authentication */
	A64_INDIRECT_CALL,	/* BLR, the same */
	A64_RETURN,		/* RET, ERET, the same */
};

struct a64_branch {
	enum a64_branch_kind kind;
	bool direct;		/* @target is known */
	uint64_t target;
};

/*
 * Decode the instruction @word at @address by the table "Branches, Exception Generating
 * and System instructions" of the Arm Architecture Reference Manual, C4.1.
 */
struct a64_branch a64_branch(uint32_t word, uint64_t address);

/* Whether the branch goes to the instruction behind it when, or after, it is taken. */
static inline bool a64_is_call(enum a64_branch_kind kind)
{
	return kind == A64_CALL || kind == A64_INDIRECT_CALL;
}

#endif
