/* SPDX-License-Identifier: GPL-2.0-only */
/* The records of one chunk of a heap's log. */
#ifndef PERF_SPE_HEAP_CHUNK_H
#define PERF_SPE_HEAP_CHUNK_H

#include <stddef.h>
#include <stdint.h>

#include "input/heap_log.h"

#define HEAP_CHUNK_WORDS (HEAP_CHUNK / 8)

struct heap_chunk {
	const uint64_t *words;	/* HEAP_CHUNK_WORDS of them */
	size_t at;
	uint64_t base;
	struct heap_record rec;	/* the last one that heap_chunk_next() found */
};

void heap_chunk_begin(struct heap_chunk *c, const uint64_t *words);
/* 1 if c->rec is another record, 0 at the end, -1 if the rest is damaged */
int heap_chunk_next(struct heap_chunk *c);

#endif
