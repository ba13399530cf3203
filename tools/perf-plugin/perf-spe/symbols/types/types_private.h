/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_SYMBOLS_TYPES_TYPES_PRIVATE_H
#define PERF_SPE_SYMBOLS_TYPES_TYPES_PRIVATE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/code/code.h"
#include "symbols/elf/elf.h"
#include "symbols/types/types.h"

/*
 * function_code.c: The instructions of a function, in blocks that run from their first to
 * their last one.
 */

struct code_word {
	uint64_t address;
	uint32_t word;
	uint32_t block;
};

/* Words [first, end) of the function */
struct code_block {
	uint32_t first, end;
	bool entered;		/* a branch, or the block before it, leads to it */
};

struct function_code {
	struct code_word *words;	/* by address */
	size_t nr_words, room;
	struct code_block *blocks;
	size_t nr_blocks;
	uint32_t entry;			/* block */
};

#define NO_BLOCK UINT32_MAX

/* Read the DW_TAG_subprogram @function; false if there is no code, or too much. */
bool function_code_read(struct function_code *f, const struct a64_code *code,
			Dwarf_Die *function);
void function_code_free(struct function_code *f);
/* The block that begins at @address; NO_BLOCK: none does */
uint32_t function_code_block(const struct function_code *f, uint64_t address);
/* The block behind @block if the code goes on there; or NO_BLOCK */
uint32_t function_code_next(const struct function_code *f, uint32_t block);

/*
 * register_state.c: What is known of the general registers and of the frame's memory before an
 * instruction.
 */

/* Eight bytes of the frame at the CFA plus @offset, where a register was stored */
struct stack_slot {
	int64_t offset;
	struct register_value value;
};

struct register_state {
	struct register_value reg[32];	/* x0 to x30; A64_SP */
	struct stack_slot *slots;	/* by offset */
	size_t nr_slots, room;
	bool reached;			/* false: no path here is known yet */
};

/* Nothing is known.  The ids of the values are @id and those after it, up to 32. */
void register_state_any(struct register_state *s, uint32_t id);
void register_state_copy(struct register_state *to, const struct register_state *from);
void register_state_free(struct register_state *s);
/* Let @to hold what holds for both.  Returns whether @to has changed; ids as above. */
bool register_state_join(struct register_state *to, const struct register_state *from,
			 uint32_t id);

/* The value of eight bytes of the frame; NULL: not known */
const struct register_value *register_state_slot(const struct register_state *s,
						 int64_t offset);
/* @size bytes were written: forget the slots in them. */
void register_state_clear(struct register_state *s, int64_t offset, unsigned int size);
void register_state_spill(struct register_state *s, int64_t offset,
			  const struct register_value *value);

/* scope_variables.c: Where the variables and parameters of a function are, from DWARF. */

enum variable_place {
	PLACE_VALUE,		/* its value is register @reg plus @offset */
	PLACE_REGISTER,		/* it is in memory at register @reg plus @offset */
	PLACE_FRAME,		/* it is in memory at the CFA plus @offset */
};

/* x29, which functions use as the frame pointer */
#define FRAME_POINTER	29

/* A variable that is at a place while the PC is in [low, high) */
struct scope_variable {
	uint64_t low, high;
	const struct data_type *type;
	enum variable_place place;
	uint8_t reg;		/* 0 to 30, or A64_SP */
	uint8_t depth;		/* of the scope: the innermost has the largest */
	bool indirect;		/* the memory has the variable's address instead */
	int64_t offset;
	/* Where it is declared: code before that may use its memory for others.  Line 0: a parameter, or unknown */
	const char *file;
	int line;
};

/* Code of an inlined function */
struct inlined_span {
	uint64_t low, high;
	uint8_t depth;		/* of its scope */
};

struct scope_variables {
	Dwarf_Die unit;			/* of the function */
	struct inlined_span *inlined;
	size_t nr_inlined, room_inlined;
	/* Variables that a register points to, by register; then those of the frame */
	struct scope_variable *list;
	size_t count, room;
	size_t first[33];		/* by register; the last: of the frame */
	/* Those of registers once more, by where they begin, the innermost last */
	struct scope_variable *starts;
};

/* Those of the DW_TAG_subprogram @function, with inlined functions.  Under elf_lock(). */
void scope_variables_read(struct scope_variables *v, struct data_types *types,
			  Dwarf_Die *function);
/* Whether the code at @pc, which is in the scope of @one, may be before its declaration */
bool scope_variable_is_ahead(const struct scope_variables *v, const struct scope_variable *one, uint64_t pc);
void scope_variables_free(struct scope_variables *v);

/*
 * The innermost variable at @pc that says what register @reg points to, or the next one @after
 * that; NULL: none
 */
const struct scope_variable *scope_variables_pointer(const struct scope_variables *v, uint64_t pc,
						     uint8_t reg,
						     const struct scope_variable *after);
/* What v->reg points to, which is *offset bytes before; NULL: void */
const struct data_type *scope_variable_target(const struct scope_variable *v,
					      struct data_types *types, int64_t *offset);
/* The first of v->starts that begins at @pc or later, up to the first of the frame */
const struct scope_variable *scope_variables_start(const struct scope_variables *v,
						   uint64_t pc);

/*
 * type_spot.c: What an access at an offset of a type touches, where the offset may be known
 * but for an index.
 */

/* Bytes from @offset on, or from there plus any multiple of @stride (0: exact) */
struct reach {
	int64_t offset;
	uint64_t stride;
	unsigned int size;	/* of the access */
	bool whole;		/* by registers that hold whole objects: of SIMD, or a pair */
};

/* What has no variable: memory of the function's frame, and constants of the compiler */
extern const struct data_type spot_stack, spot_constant;

struct type_spot {
	const struct data_type *type;	/* what a user should read of: an object or an element */
	uint64_t offset;		/* in it */
	/* The number or pointer there, if the access is to all of it; or NULL */
	const struct data_type *exact;
};

/*
 * The spot of an access to an object of @type.  False if the access does not fit: if it begins or
 * ends outside, or begins inside a number and ends in the next one, or if an index has no array.
 */
bool type_spot_object(struct data_types *types, const struct data_type *type,
		      const struct reach *reach, struct type_spot *spot);
/*
 * The same through a pointer to @type, which may point into an array.  A number of structures
 * that is not an index is refused: another structure around the pointer's may be meant.
 */
bool type_spot_target(struct data_types *types, const struct data_type *type,
		      const struct reach *reach, struct type_spot *spot);

/* What the analysis of a function reads, and where it is. */

struct data_flow {
	const struct function_code *code;
	const struct scope_variables *variables;
	struct globals *globals;
	const struct dso *dso;
	struct data_types *types;
	/* The type that a function returns, at its file address; NULL: void, or not known */
	const struct data_type *(*returned)(void *context, uint64_t address);
	/* What the load or store at @address accesses */
	void (*found)(void *context, uint64_t address, const struct type_spot *spot);
	void *context;
};

/* An instruction of the function, and the registers before it */
struct data_flow_point {
	const struct data_flow *flow;
	const struct register_state *state;
	uint64_t address;
	uint32_t id;		/* for values that begin here, and the next 31 */
};

/*
 * function_flow.c: Follow the values of registers through a function, to find what its loads
 * and stores access.
 *
 * The analysis goes forward over the blocks until nothing changes.  What it knows comes from
 * variables in registers, from members that pointers were loaded from, from addresses of global
 * and stack variables, and from the types that called functions return.
 */

/* Call @found for each load and store that is understood.  Under elf_lock(). */
void function_flow(const struct data_flow *flow);

/* function_index.c: The functions of a file by address, from DWARF. */

/* Addresses [low, high) of a function, which may have several such parts */
struct function_part {
	uint64_t low, high;
	Dwarf_Die die;
};

struct function_index {
	struct function_part *list;	/* by address */
	size_t count, room;
};

/* All functions of @dwarf, which may be NULL.  Under elf_lock(). */
void function_index_read(struct function_index *x, Dwarf *dwarf);
void function_index_free(struct function_index *x);
const struct function_part *function_index_find(const struct function_index *x,
						uint64_t address);

/* operand_spot.c: What a load or store accesses, given what is known of the registers. */

/* The value of a register: that of a variable's pointer, or what the state has */
struct register_value flow_register(const struct data_flow_point *p, uint8_t reg);
/* The same without the variables; the zero register too */
struct register_value flow_state(const struct data_flow_point *p, uint8_t reg);

/* What a variable tells of the register that it is in; false: nothing */
bool flow_variable(const struct data_flow_point *p, const struct scope_variable *v,
		   struct register_value *value);
/* The variable whose address is in the frame at the CFA plus @offset; NULL: none */
const struct data_type *flow_pointed(const struct data_flow_point *p, int64_t offset);

/* The address that @access begins at, with @base as the base register's value */
struct register_value operand_address(const struct data_flow_point *p,
				      const struct a64_access *access,
				      struct register_value base);
/*
 * What the access at the address @at touches: a variable, what a pointer points to, spot_stack or
 * spot_constant.  Returns false if that is not known.
 */
bool operand_spot(const struct data_flow_point *p, const struct a64_access *access,
		  const struct register_value *at, struct type_spot *spot);

#endif
