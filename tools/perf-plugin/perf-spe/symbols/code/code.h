/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_SYMBOLS_CODE_CODE_H
#define PERF_SPE_SYMBOLS_CODE_CODE_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* a64_access.c: Which memory an A64 load or store accesses, and which registers it changes. */

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

/* a64_code.c: Which A64 instructions branch, and where to. */

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

/* a64_code.c: The A64 instructions of a file, by the file's own addresses. */

struct dso;

struct a64_code {
	const struct dso *dso;
	Elf *elf;
	int fd;
	const uint8_t *bytes;	/* of the whole file */
	size_t size;
};

/* Open the file of @dso for a64_code_close(); false if it is no AArch64 ELF file. */
bool a64_code_open(struct a64_code *code, const struct dso *dso);
void a64_code_close(struct a64_code *code);
/* Get the instruction at @address; false if no executable segment of the file has it. */
bool a64_code_word(const struct a64_code *code, uint64_t address, uint32_t *word);
/* The same, decoded by a64_access() */
bool a64_code_access(const struct a64_code *code, uint64_t address, struct a64_access *access);

/* a64_value.c: What an A64 instruction other than a load or store leaves in a general register. */

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
/*
 * Registers x0 to x30, by bit, that a call, a system call or a copy of memory may change, beside what
 * a64_value() tells
 */
uint32_t a64_clobbers(uint32_t word);

/*
 * disasm_objdump.c: Disassemble a part of a file with LLVM's library, which knows all published
 * Arm instructions, or with objdump where the library is missing.
 */

struct disassembly;

/*
 * Call d->fn for each line: source lines, if they are found, and instructions.
 * The variable OBJDUMP names a program to use instead of the library.  Returns
 * 0, or -1 after a message.
 */
int disasm_each(const struct disassembly *d);
/* Call d->fn for the source line of the instruction at @address, if it is another one. */
struct source_text;
void disasm_source(const struct disassembly *d, struct source_text *text, uint64_t address);

/* disasm_llvm.c: Disassemble with LLVM's library. */

struct disassembly;

/* 0, or 1 where the library is missing or cannot disassemble this file */
int disasm_llvm(const struct disassembly *d);

/* What to disassemble, and the function that gets the lines. */

struct dso;
struct symtab;

/* Called for each line; @is_code: the line is the instruction at @address. */
typedef void (*disasm_fn)(void *context, bool is_code, uint64_t address,
			  const char *line);

struct disassembly {
	struct dso *dso;		/* has a path */
	const struct symtab *symbols;	/* names for where branches go */
	const struct symtab *data;	/* names of variables */
	uint64_t start, end;		/* the file's own addresses */
	disasm_fn fn;
	void *context;
};

#endif
