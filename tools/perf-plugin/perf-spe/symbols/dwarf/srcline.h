/* SPDX-License-Identifier: GPL-2.0-only */
/* Source file and line of an address, from DWARF. */
#ifndef PERF_SPE_SRCLINE_H
#define PERF_SPE_SRCLINE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct dso;
struct srclines;

/*
 * Of the file's own address; false where there is no line for it.  Several
 * threads may call this at the same time.
 */
bool srcline_find(struct dso *dso, uint64_t address, const char **file,
		  int *line);
/* The same with DWARF's discriminator, which tells apart the blocks of a line. */
bool srcline_block(struct dso *dso, uint64_t address, int *line,
		   unsigned int *discriminator);
/*
 * The DWARF data that the lines are from, valid until srclines_free(); NULL if there
 * is none.  The caller must hold elf_lock().
 */
Dwarf *srclines_dwarf(struct dso *dso);
void srclines_free(struct srclines *s);

#endif
