/* SPDX-License-Identifier: GPL-2.0-only */
/* Types of the variables at fixed addresses of a program or library, from DWARF. */
#ifndef PERF_SPE_GLOBALS_H
#define PERF_SPE_GLOBALS_H

#include <stdbool.h>
#include <stdint.h>

struct globals;
struct instance;

/*
 * Which type the variable that has byte @address of the file i->dso is of; fills in the rest of @i.
 * False where DWARF has no such variable, or several of different types.  Takes elf_lock().  The
 * first call reads all of the file's DWARF; i->type is valid as long as i->dso.
 */
bool global_type(uint64_t address, struct instance *i);
/* The caller holds elf_lock(), or is the only thread.  @g may be NULL. */
void globals_free(struct globals *g);

#endif
