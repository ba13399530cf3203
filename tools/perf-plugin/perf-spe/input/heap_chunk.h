/* SPDX-License-Identifier: GPL-2.0-only */
/* The records of one chunk of a heap's log. */
#ifndef PERF_SPE_HEAP_CHUNK_H
#define PERF_SPE_HEAP_CHUNK_H

#include <stddef.h>
#include <stdint.h>

#include "input/heap_format.h"

#define HEAP_CHUNK_WORDS (HEAP_CHUNK / 8)

/* One call of the program; a HEAP_ALLOC stands for HEAP_LARGE too. */
struct heap_record {
	enum heap_kind kind;	/* HEAP_ALLOC or HEAP_FREE */
	int32_t tid;
	uint64_t time;		/* of the log's clock */
	uint64_t address;
	uint64_t site, size;	/* HEAP_ALLOC */
};

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
