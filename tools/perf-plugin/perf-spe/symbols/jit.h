/* SPDX-License-Identifier: GPL-2.0-only */
/* Symbols of code that JIT compilers generated. */
#ifndef PERF_SPE_JIT_H
#define PERF_SPE_JIT_H

#include <stdbool.h>

struct symtab;

/* Whether a mapping of this name may hold generated code */
bool jit_is_code(const char *file);
/*
 * Add the symbols of the map file @path, if it exists.  Without @believe the file
 * is used only if root or this user owns it.
 */
void jit_load(const char *path, bool believe, struct symtab *t);

#endif
