/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the variables and parameters of a function are, from DWARF. */
#ifndef PERF_SPE_SCOPE_VARIABLES_H
#define PERF_SPE_SCOPE_VARIABLES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/types/data_type.h"

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
};

struct scope_variables {
	/* Those that say what a register points to, by register; then those of the frame */
	struct scope_variable *list;
	size_t count, room;
	size_t first[33];		/* by register; the last: of the frame */
	/* The former again, by where they begin, with the innermost last */
	struct scope_variable *starts;
};

/* Those of the DW_TAG_subprogram @function, with inlined functions.  Under elf_lock(). */
void scope_variables_read(struct scope_variables *v, struct data_types *types,
			  Dwarf_Die *function);
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

#endif
