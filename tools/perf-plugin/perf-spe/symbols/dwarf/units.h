/* SPDX-License-Identifier: GPL-2.0-only */
/* The units of a file's DWARF. */
#ifndef PERF_SPE_UNITS_H
#define PERF_SPE_UNITS_H

#include <elfutils/libdw.h>

typedef void (*unit_fn)(void *context, Dwarf_Die *unit);

/*
 * Call @fn for each unit; with -gsplit-dwarf for that of the .dwo file, if that is there.  @dwarf
 * may be NULL.  Under elf_lock().
 */
void units_each(Dwarf *dwarf, unit_fn fn, void *context);

#endif
