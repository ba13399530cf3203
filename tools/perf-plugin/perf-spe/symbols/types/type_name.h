/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of types in DWARF, as C writes them. */
#ifndef PERF_SPE_TYPE_NAME_H
#define PERF_SPE_TYPE_NAME_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* DIEs that refer to each other more often than this are damaged. */
#define TYPE_DEPTH	32

/* The type of @die by DW_AT_type; false: none */
bool type_of(Dwarf_Die *die, Dwarf_Die *type);
/* Replace typedefs and qualifiers by what they stand for; false: that is void */
bool type_strip(Dwarf_Die *die);

/*
 * "struct node", "uint64_t", "char *", "struct node *[4]"; to be freed.  A structure has its own
 * name, or without one that of the typedef; a number has the name of the outermost typedef.
 */
char *type_name(Dwarf_Die *die);

#endif
