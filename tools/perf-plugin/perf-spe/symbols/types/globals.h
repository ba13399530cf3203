/* SPDX-License-Identifier: GPL-2.0-only */
/* Types of the variables at fixed addresses of a program or library, from DWARF. */
#ifndef PERF_SPE_GLOBALS_H
#define PERF_SPE_GLOBALS_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/types/member.h"

struct dso;
struct globals;

/*
 * The type of the variable that has byte @address of the file of @dso, and the path of the member
 * that has it; of an array of structures those of an element.  @field is empty for a type without
 * members.  False where DWARF has no such variable, or several of different types.  Takes
 * elf_lock().  The first call reads all of the file's DWARF; @type is valid as long as @dso.
 */
bool global_type(struct dso *dso, uint64_t address, const char **type,
		 char field[MEMBER_PATH]);
/* The caller holds elf_lock(), or is the only thread.  @g may be NULL. */
void globals_free(struct globals *g);

#endif
