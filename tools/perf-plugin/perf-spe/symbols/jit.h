/* SPDX-License-Identifier: GPL-2.0-only */
/* Symbols of code that a running program made. */
#ifndef PERF_SPE_JIT_H
#define PERF_SPE_JIT_H

#include <stdbool.h>

struct symtab;

/* Whether a mapping of this name is memory that code may be made in */
bool jit_is_code(const char *file);
/*
 * Add the symbols of the map at @path, if there is one.  Without @believe the
 * file is used only where root or the reader owns it.
 */
void jit_load(const char *path, bool believe, struct symtab *t);

#endif
