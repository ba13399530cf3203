/* SPDX-License-Identifier: GPL-2.0-only */
/* Symbols, segments and build ids of ELF files. */
#ifndef PERF_SPE_ELF_H
#define PERF_SPE_ELF_H

#include <libelf.h>
#include <stddef.h>
#include <stdint.h>

struct dso;
struct symtab;

/* Only the thread that holds this lock may call elfutils. */
void elf_lock(void);
void elf_unlock(void);

/* Open an ELF file, for elf_close(); NULL with *why set. */
Elf *elf_open(const char *path, int *fd, const char **why);
void elf_close(Elf *elf, int fd);

/* Fill @dso from the ELF file at @path.  0, or -1 with *why set. */
int elf_load(const char *path, struct dso *dso, const char **why);
/* Add the variables of the ELF file at @path to @t.  0, or -1 with *why set. */
int elf_load_data(const char *path, struct symtab *t, const char **why);
/*
 * Recorded build id against the file's: 1 same, 0 different or the file has
 * none, -1 where there is no such ELF file.
 */
int elf_same_build_id(const char *path, const uint8_t *id, size_t len);

#endif
