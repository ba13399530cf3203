/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Remembers which stack samples of a place have with the same callers.
 *
 * Consecutive samples mostly have the same callers and are in few places.  These places have
 * numbers near each other, as they were seen first one after the other.  So a block has the
 * stacks of neighbouring places for one list of callers: consecutive samples need few blocks,
 * however often their callers take turns.
 */
#ifndef PERF_SPE_STACK_MEMORY_H
#define PERF_SPE_STACK_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "util/hash_table.h"

#define STACK_BLOCK	16		/* places; with 4 bytes each they fill a line of a cache */

struct stack_memory {
	/* Private */
	uint32_t (*blocks)[STACK_BLOCK];
	size_t nr_blocks, room_blocks;
	struct hash_table table;	/* number of the block, by callers and first place */
	uint64_t last_key;		/* of the block used last, if there is one */
	uint32_t *last;
};

/* For stack_memory_at(); do not call it. */
uint32_t *stack_memory_block(struct stack_memory *m, uint64_t key);

/*
 * Where the user keeps the stack of samples in @place with @callers, which are numbers of the
 * user's own.  It holds 0 if nothing was put there yet, or if it was dropped, because only so many
 * are kept.  Valid until the next call.
 */
static inline uint32_t *stack_memory_at(struct stack_memory *m, uint32_t callers, uint32_t place)
{
	uint64_t key = (uint64_t)callers << 32 | place / STACK_BLOCK;
	uint32_t *block = m->last && m->last_key == key ? m->last : stack_memory_block(m, key);

	return &block[place % STACK_BLOCK];
}

/* Numbers of callers or places have another meaning from now on. */
void stack_memory_forget(struct stack_memory *m);
void stack_memory_free(struct stack_memory *m);

#endif
