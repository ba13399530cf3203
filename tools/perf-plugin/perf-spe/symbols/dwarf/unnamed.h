/* SPDX-License-Identifier: GPL-2.0-only */
/* Names for the code of stripped files: functions and ranges without a symbol. */
#ifndef PERF_SPE_UNNAMED_H
#define PERF_SPE_UNNAMED_H

#include <libelf.h>

struct symtab;

/*
 * Complete @t, the unsorted symbols of @elf and of its debugging information.  Code that
 * no symbol covers gets symbols of RANK_UNNAMED: one for each function that .eh_frame
 * describes, and one for each 4 KiB of the rest.  Their names are FILE+0xADDRESS, with
 * the last part of @path.  Also ends symbols without a size at the end of their function.
 */
void unnamed_add(struct symtab *t, Elf *elf, const char *path);

#endif
