/* SPDX-License-Identifier: GPL-2.0-only */
/* The type of a member in two parts, as C writes them before and behind its name */
#ifndef PERF_SPE_DECLARE_H
#define PERF_SPE_DECLARE_H

#include <elfutils/libdw.h>

/*
 * The type that @die, a DIE with DW_AT_type, has: "int" and "[4]", "void (*" and ")()", "char *const"
 * and "".  Both are to be freed.  The caller holds elf_lock().
 */
void declare(Dwarf_Die *die, char **before, char **after);

#endif
