/* SPDX-License-Identifier: GPL-2.0-only */
/* Types of the variables at fixed addresses of a program or library, from DWARF. */
#ifndef PERF_SPE_GLOBALS_H
#define PERF_SPE_GLOBALS_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/types/data_type.h"

struct dso;
struct globals;
struct instance;

/*
 * Which type the variable that has byte @address of the file i->dso is of; fills in the rest of @i.
 * False where DWARF has no such variable, or several of different types.  Takes elf_lock().  The
 * first call reads all of the file's DWARF; i->type is valid as long as i->dso.
 */
bool global_type(uint64_t address, struct instance *i);

/* The callers of all others hold elf_lock(), or are the only thread. */

/* Those of @dso, read on first use */
struct globals *globals_of(struct dso *dso);
/* The type of the variable at @address, and which byte of the variable that is; NULL: none */
const struct data_type *globals_find(const struct globals *g, uint64_t address, uint64_t *offset);
struct data_types *globals_types(struct globals *g);
/* @g may be NULL. */
void globals_free(struct globals *g);

#endif
