// SPDX-License-Identifier: GPL-2.0-only
#include "symbols/code/code.h"

static uint32_t field(uint32_t word, unsigned int low, unsigned int bits)
{
	return word >> low & ((1u << bits) - 1);
}

/* Register 31 is the zero register, or the stack pointer where @sp is set. */
static uint8_t reg(uint32_t word, unsigned int low, bool sp)
{
	uint8_t number = (uint8_t)field(word, low, 5);

	return number < 31 ? number : sp ? A64_SP : A64_NO_REGISTER;
}

static struct a64_value result(enum a64_operation operation, uint8_t to)
{
	return (struct a64_value){
		.operation = to == A64_NO_REGISTER ? A64_NO_RESULT : operation,
		.to = to, .first = A64_NO_REGISTER, .second = A64_NO_REGISTER,
		.third = A64_NO_REGISTER, .wide = true,
	};
}

static struct a64_value any(uint32_t word, bool sp)
{
	return result(A64_ANY_RESULT, reg(word, 0, sp));
}

static struct a64_value nothing(void)
{
	return result(A64_NO_RESULT, A64_NO_REGISTER);
}

/* ADR, ADRP */
static struct a64_value place(uint32_t word, uint64_t address)
{
	struct a64_value v = result(A64_PLACE, reg(word, 0, false));
	uint64_t bits = (uint64_t)field(word, 5, 19) << 2 | field(word, 29, 2);
	int64_t offset = (int64_t)(bits << 43) >> 43;

	if (word >> 31)
		v.number = (int64_t)((address & ~UINT64_C(4095)) + (uint64_t)offset * 4096);
	else
		v.number = (int64_t)(address + (uint64_t)offset);
	return v;
}

static struct a64_value add_immediate(uint32_t word)
{
	bool flags = field(word, 29, 1);
	struct a64_value v = result(A64_ADD_NUMBER, reg(word, 0, !flags));

	v.first = reg(word, 5, true);
	v.number = (int64_t)field(word, 10, 12) << (field(word, 22, 1) ? 12 : 0);
	if (field(word, 30, 1))
		v.number = -v.number;
	v.wide = word >> 31;
	return v;
}

/* MOVN, MOVZ, MOVK */
static struct a64_value move_wide(uint32_t word)
{
	struct a64_value v = result(A64_SET, reg(word, 0, false));
	uint32_t opc = field(word, 29, 2);

	v.wide = word >> 31;
	v.shift = (uint8_t)(16 * field(word, 21, 2));
	v.number = (int64_t)((uint64_t)field(word, 5, 16) << v.shift);
	if (opc == 3)
		v.operation = v.to == A64_NO_REGISTER ? A64_NO_RESULT : A64_INSERT;
	else if (opc == 0)
		v.number = v.wide ? ~v.number : ~v.number & 0xffffffff;
	return v;
}

/* SBFM, UBFM and their aliases: LSL, SXTW, UBFIZ */
static struct a64_value bit_field(uint32_t word)
{
	struct a64_value v = any(word, false);
	uint32_t rotate = field(word, 16, 6), last = field(word, 10, 6);
	uint32_t bits = word >> 31 ? 64 : 32;

	if (field(word, 29, 2) & 1 || v.operation == A64_NO_RESULT || rotate >= bits || last >= bits)
		return v;
	v.first = reg(word, 5, false);
	v.wide = word >> 31;
	if (rotate > last) {
		v.operation = A64_SHIFT;
		v.shift = (uint8_t)(bits - rotate);
	} else if (!rotate) {
		v.operation = A64_EXTEND;
	}
	return v;
}

static struct a64_value immediate(uint32_t word, uint64_t address)
{
	switch (field(word, 23, 3)) {
	case 0: case 1:
		return place(word, address);
	case 2:
		return add_immediate(word);
	case 4:	/* logical: ANDS has no stack pointer */
		return any(word, field(word, 29, 2) != 3);
	case 5:
		return move_wide(word);
	case 6:
		return bit_field(word);
	default:
		return any(word, false);
	}
}

/* MOV of a register is ORR with the zero register. */
static struct a64_value logical(uint32_t word)
{
	struct a64_value v = any(word, false);
	bool orr = field(word, 29, 2) == 1 && !field(word, 21, 1);

	if (!orr || field(word, 5, 5) != 31 || field(word, 22, 2) ||
	    v.operation == A64_NO_RESULT)
		return v;
	v.shift = (uint8_t)field(word, 10, 6);
	v.operation = v.shift ? A64_SHIFT : A64_MOVE;
	v.first = reg(word, 16, false);
	v.wide = word >> 31;
	return v;
}

static struct a64_value add_register(uint32_t word)
{
	bool extended = field(word, 21, 1), flags = field(word, 29, 1);
	struct a64_value v = any(word, extended && !flags);

	if (v.operation == A64_NO_RESULT || (!extended && field(word, 22, 2)))
		return v;
	v.operation = field(word, 30, 1) ? A64_SUBTRACT : A64_ADD;
	v.first = reg(word, 5, extended);
	v.second = reg(word, 16, false);
	v.shift = (uint8_t)(extended ? field(word, 10, 3) : field(word, 10, 6));
	v.wide = word >> 31;
	return v;
}

static struct a64_value three_sources(uint32_t word)
{
	struct a64_value v = any(word, false);
	uint32_t form = field(word, 21, 3);

	/* MADD, SMADDL, UMADDL; bit 15 subtracts. */
	if (v.operation == A64_NO_RESULT || field(word, 15, 1) ||
	    (form != 0 && form != 1 && form != 5))
		return v;
	v.operation = A64_MULTIPLY_ADD;
	v.first = reg(word, 5, false);
	v.second = reg(word, 16, false);
	v.third = reg(word, 10, false);
	v.wide = word >> 31;
	return v;
}

static struct a64_value registers(uint32_t word)
{
	if ((word & 0x1f000000) == 0x0a000000)
		return logical(word);
	if ((word & 0x1f000000) == 0x0b000000)
		return add_register(word);
	if ((word & 0x1f000000) == 0x1b000000)
		return three_sources(word);
	if ((word & 0x1fe00000) == 0x1a400000)
		return nothing();	/* CCMP, CCMN */
	if ((word & 0x7fe00c00) == 0x1a800000) {
		struct a64_value v = result(A64_SELECT, reg(word, 0, false));

		v.first = reg(word, 5, false);
		v.second = reg(word, 16, false);
		v.wide = word >> 31;
		return v;
	}
	return any(word, false);
}

/* Conversions and FMOV, which go from or to general registers; UMOV, SMOV */
static struct a64_value simd(uint32_t word)
{
	bool convert = (word & 0x5f200000) == 0x1e000000 || (word & 0x5f20fc00) == 0x1e200000;
	uint32_t opcode = field(word, 16, 3);

	/* SCVTF, UCVTF and FMOV to a register of SIMD */
	if (convert && (opcode == 2 || opcode == 3 || opcode == 7))
		return nothing();
	if (convert || (word & 0xbfe0fc00) == 0x0e003c00 || (word & 0xbfe0fc00) == 0x0e002c00)
		return any(word, false);
	return nothing();
}

/* Of system instructions, MRS and SYSL have a result. */
static struct a64_value branches_and_system(uint32_t word)
{
	if ((word & 0xffffffe0) == 0xd53bd040)	/* MRS from TPIDR_EL0 */
		return result(A64_THREAD, reg(word, 0, false));
	if ((word & 0xffe00000) == 0xd5200000)
		return any(word, false);
	return nothing();
}

struct a64_value a64_value(uint32_t word, uint64_t address)
{
	if ((word & 0x1c000000) == 0x10000000)
		return immediate(word, address);
	if ((word & 0x0e000000) == 0x0a000000)
		return registers(word);
	if ((word & 0x0e000000) == 0x0e000000)
		return simd(word);
	if ((word & 0x1c000000) == 0x14000000)
		return branches_and_system(word);
	return any(word, true);
}

uint32_t a64_clobbers(uint32_t word)
{
	/* AAPCS64: a function may change x0 to x18, and x30 is the return address. */
	if (a64_is_call(a64_branch(word, 0).kind))
		return 0x4007ffff;
	if ((word & 0xffe0001f) == 0xd4000001)	/* SVC: the kernel's result */
		return 1;
	if ((word & 0x3b200c00) == 0x19000400)	/* "Memory copy and memory set" */
		return (1u << field(word, 0, 5) | 1u << field(word, 5, 5) | 1u << field(word, 16, 5)) & 0x7fffffff;
	return 0;
}
