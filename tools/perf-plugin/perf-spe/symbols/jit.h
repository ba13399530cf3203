/* SPDX-License-Identifier: GPL-2.0-only */
/* Symbols of code that JIT compilers generated. */
#ifndef PERF_SPE_JIT_H
#define PERF_SPE_JIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct map;
struct symtab;

/* Whether a mapping may hold generated code */
bool jit_is_code(const struct map *map);
/* Whether perf inject --jit made this file of a jitdump */
bool jit_is_dumped(const struct map *map);
/*
 * The map of process @pid, which runs now, as its compiler names it in a container: with
 * the pid, and in the files, that the process sees.  NULL if there is none; to be freed.
 */
char *jit_path_now(int32_t pid);
/* Whose process @pid is, which runs now; this user's if there is none */
uid_t jit_owner_now(int32_t pid);
/*
 * Add the symbols of the map file @path; false if it does not exist.  Unless @owner is NULL
 * the file is used only if root or @owner owns it, and no symbolic link leads to it.  The
 * file is a log: where two lines have one address, the later one counts.
 */
bool jit_load(const char *path, const uid_t *owner, struct symtab *t);

#endif
