// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "analysis/callers/callers.h"
#include "util/util.h"

/* Enough for a million places with their callers, in 4 MiB */
#define MOST_BLOCKS	65536

struct block_slot {
	uint64_t key;
	uint32_t number;	/* of the block, plus 1; 0: unused */
};

static const struct hash_kind blocks = {
	HASH_SLOTS(struct block_slot, number),
	.key = { HASH_NUMBER(struct block_slot, key) },
};

uint32_t *stack_memory_block(struct stack_memory *m, uint64_t key)
{
	struct block_slot *slot;

	if (m->nr_blocks == MOST_BLOCKS)
		stack_memory_forget(m);
	slot = hash_table_add(&m->table, &blocks, &key);
	if (!slot->number) {
		m->blocks = array_grow(m->blocks, m->nr_blocks, &m->room_blocks,
				       sizeof(*m->blocks));
		memset(m->blocks[m->nr_blocks], 0, sizeof(*m->blocks));
		slot->key = key;
		slot->number = (uint32_t)++m->nr_blocks;
	}
	m->last_key = key;
	m->last = m->blocks[slot->number - 1];
	return m->last;
}

void stack_memory_forget(struct stack_memory *m)
{
	hash_table_clear(&m->table, &blocks);
	m->nr_blocks = 0;
	m->last = NULL;
}

void stack_memory_free(struct stack_memory *m)
{
	free(m->blocks);
	hash_table_free(&m->table);
	memset(m, 0, sizeof(*m));
}
