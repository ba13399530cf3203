/* SPDX-License-Identifier: GPL-2.0-only */
/* The instructions of a function, in blocks that run from their first to their last one. */
#ifndef PERF_SPE_FUNCTION_CODE_H
#define PERF_SPE_FUNCTION_CODE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/code/a64_code.h"

struct code_word {
	uint64_t address;
	uint32_t word;
	uint32_t block;
};

/* Words [first, end) of the function */
struct code_block {
	uint32_t first, end;
	bool entered;		/* a branch, or the block before it, leads to it */
};

struct function_code {
	struct code_word *words;	/* by address */
	size_t nr_words, room;
	struct code_block *blocks;
	size_t nr_blocks;
	uint32_t entry;			/* block */
};

#define NO_BLOCK UINT32_MAX

/* Read the DW_TAG_subprogram @function; false if there is no code, or too much. */
bool function_code_read(struct function_code *f, const struct a64_code *code,
			Dwarf_Die *function);
void function_code_free(struct function_code *f);
/* The block that begins at @address; NO_BLOCK: none does */
uint32_t function_code_block(const struct function_code *f, uint64_t address);
/* The block behind @block if the code goes on there; or NO_BLOCK */
uint32_t function_code_next(const struct function_code *f, uint32_t block);

#endif
