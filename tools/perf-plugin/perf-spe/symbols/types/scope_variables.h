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

/* A variable that is at a place while the PC is in [low, high) */
struct scope_variable {
	uint64_t low, high;
	const struct data_type *type;
	enum variable_place place;
	uint8_t reg;		/* 0 to 30, or A64_SP */
	uint8_t depth;		/* of the scope: the innermost has the largest */
	int64_t offset;
};

struct scope_variables {
	struct scope_variable *list;	/* PLACE_VALUE by register, then those in memory */
	size_t count, room;
	size_t first[33];		/* by register; the last: in memory */
};

/* Those of the DW_TAG_subprogram @function, with inlined functions.  Under elf_lock(). */
void scope_variables_read(struct scope_variables *v, struct data_types *types,
			  Dwarf_Die *function);
void scope_variables_free(struct scope_variables *v);

/*
 * The innermost pointer of which the value at @pc is register @reg plus *offset, and whose target
 * is a type with a size; NULL: none.
 */
const struct scope_variable *scope_variables_pointer(const struct scope_variables *v,
						     struct data_types *types, uint64_t pc,
						     uint8_t reg);

#endif
