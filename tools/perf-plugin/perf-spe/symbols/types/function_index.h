/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions of a file by address, from DWARF. */
#ifndef PERF_SPE_FUNCTION_INDEX_H
#define PERF_SPE_FUNCTION_INDEX_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Addresses [low, high) of a function, which may have several such parts */
struct function_part {
	uint64_t low, high;
	Dwarf_Die die;
};

struct function_index {
	struct function_part *list;	/* by address */
	size_t count, room;
};

/* All functions of @dwarf, which may be NULL.  Under elf_lock(). */
void function_index_read(struct function_index *x, Dwarf *dwarf);
void function_index_free(struct function_index *x);
const struct function_part *function_index_find(const struct function_index *x,
						uint64_t address);

#endif
