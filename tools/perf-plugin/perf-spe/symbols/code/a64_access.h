/* SPDX-License-Identifier: GPL-2.0-only */
/* Which memory an A64 load or store accesses, and which registers it changes. */
#ifndef PERF_SPE_A64_ACCESS_H
#define PERF_SPE_A64_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#define A64_NO_REGISTER	0xff
#define A64_SP		31	/* as base; as data register 31 is the zero register */

enum a64_mode {
	A64_OFFSET,		/* [base, #offset] or [base, index] */
	A64_PRE,		/* [base, #offset]!: the base changes first */
	A64_POST,		/* [base], #offset or [base], index: it changes afterwards */
	A64_LITERAL,		/* at @offset from the instruction */
};

/* How an index of an address, or the last operand of an addition, is extended */
enum a64_extend {
	A64_UXTB, A64_UXTH, A64_UXTW, A64_UXTX,
	A64_SXTB, A64_SXTH, A64_SXTW, A64_SXTX,
};

struct a64_access {
	bool load, store;	/* both: an atomic operation */
	bool simd;		/* the data registers are those of SIMD and floating point */
	bool sign;		/* a load of a signed number */
	enum a64_mode mode;
	uint8_t base;		/* A64_SP: the stack pointer; not with A64_LITERAL */
	uint8_t index;		/* A64_NO_REGISTER: none */
	enum a64_extend extend;	/* of the index; A64_UXTX: 64 bits as they are */
	uint8_t shift;		/* of the index, to the left */
	int64_t offset;
	uint8_t size;		/* bytes of an element in memory */
	uint8_t count;		/* elements: of a pair 2 */
	uint8_t data[2];	/* registers of the elements; A64_NO_REGISTER: no general ones */
	uint8_t status;		/* of a store exclusive; A64_NO_REGISTER: none */
	uint8_t old;		/* what memory had, by an atomic operation; the same */
};

/*
 * Decode the instruction @word by the table "Loads and Stores" of the Arm Architecture Reference
 * Manual, C4.1.  False for other instructions, prefetches, loads and stores of SVE and SME, of
 * tags alone, and for copies of memory.
 */
bool a64_access(uint32_t word, struct a64_access *access);

#endif
