/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of functions: the kernel's, and those of programs that run. */
#ifndef NAMES_H
#define NAMES_H

#include <stdint.h>

/*
 * Returns the name of the function that has the address in a process, or NULL.  A process that
 * has ended has names only if names_keep() saw it.
 */
const char *name_of(uint64_t pid, uint64_t address);

/* Reads the kernel's names, while nothing samples that work yet. */
void names_begin(void);

/* Reads which files a process has mapped, if that is not known yet. */
void names_keep(uint64_t pid);

#endif
