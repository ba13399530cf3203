/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's symbols from a copy of /proc/kallsyms. */
#ifndef PERF_SPE_KALLSYMS_H
#define PERF_SPE_KALLSYMS_H

#include <stdbool.h>

struct symtab;

/*
 * Add the functions, or with @data the variables, to @t; the caller sorts.  Returns 0,
 * or -1 after a message.
 */
int kallsyms_load(const char *path, struct symtab *t, bool data);

#endif
