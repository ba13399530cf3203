/* SPDX-License-Identifier: GPL-2.0-only */
/* What an A64 instruction other than a load or store leaves in a general register. */
#ifndef PERF_SPE_A64_VALUE_H
#define PERF_SPE_A64_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/code/a64_access.h"

enum a64_operation {
	A64_NO_RESULT,		/* it changes no general register */
	A64_ANY_RESULT,		/* @to gets a value that this decoder does not compute */
	A64_SET,		/* @number */
	A64_INSERT,		/* @number replaces 16 bits of @to from bit @shift on */
	A64_PLACE,		/* the instruction's address, or its page, plus @number: @number */
	A64_MOVE,		/* @first */
	A64_ADD_NUMBER,		/* @first + @number */
	A64_ADD,		/* @first + (@second << @shift) */
	A64_SUBTRACT,		/* @first - (@second << @shift) */
	A64_MULTIPLY_ADD,	/* @third + @first * @second */
	A64_SHIFT,		/* @first << @shift, of all or of the low bits */
	A64_EXTEND,		/* the low bits of @first, as a signed or unsigned number */
	A64_SELECT,		/* @first or @second */
	A64_THREAD,		/* the thread pointer */
};

/* Registers are numbers from 0; A64_SP, or A64_NO_REGISTER for the zero register. */
struct a64_value {
	enum a64_operation operation;
	uint8_t to, first, second, third;
	uint8_t shift;
	bool wide;		/* 64 bits; else the upper half of @to becomes zero */
	int64_t number;
};

/*
 * Decode the instruction @word at @address by C4.1 of the Arm Architecture Reference Manual.
 * A word that it does not know has A64_ANY_RESULT for its low five bits.
 */
struct a64_value a64_value(uint32_t word, uint64_t address);

#endif
