// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "input/input.h"

/* The top byte of an address may be a tag. */
#define ADDRESS_BITS ((UINT64_C(1) << 56) - 1)

void heap_chunk_begin(struct heap_chunk *c, const uint64_t *words)
{
	memset(c, 0, sizeof(*c));
	c->words = words;
}

/* How many words a record has; 0: there is no such kind */
static size_t length(enum heap_kind kind)
{
	switch (kind) {
	case HEAP_BASE:
	case HEAP_FREE:
		return 2;
	case HEAP_ALLOC:
		return 3;
	case HEAP_LARGE:
		return 4;
	default:
		return 0;
	}
}

/* Take a HEAP_BASE; -1: it goes back in time. */
static int take_base(struct heap_chunk *c, const uint64_t *w)
{
	if (w[1] < c->base || w[1] < c->rec.time)
		return -1;
	c->base = w[1];
	c->rec.tid = (int32_t)(w[0] >> 32);
	return 0;
}

static int take_call(struct heap_chunk *c, enum heap_kind kind, const uint64_t *w)
{
	uint64_t time = c->base + (w[0] >> HEAP_KIND_BITS & HEAP_TIME_MAX);

	if (time < c->base || time < c->rec.time)
		return -1;
	c->rec.time = time;
	c->rec.kind = kind == HEAP_LARGE ? HEAP_ALLOC : kind;
	c->rec.address = w[1] & ADDRESS_BITS;
	if (kind == HEAP_FREE)
		return 1;
	c->rec.site = w[2] & ADDRESS_BITS;
	c->rec.size = kind == HEAP_LARGE ? w[3] : w[0] >> 32;
	return 1;
}

int heap_chunk_next(struct heap_chunk *c)
{
	while (c->at < HEAP_CHUNK_WORDS) {
		const uint64_t *w = c->words + c->at;
		enum heap_kind kind = w[0] & ((1 << HEAP_KIND_BITS) - 1);
		size_t words = length(kind);

		if (!w[0])
			return 0;
		if (!words || words > HEAP_CHUNK_WORDS - c->at)
			return -1;
		/* A chunk begins with the time that the other records count from. */
		if (!c->at && kind != HEAP_BASE)
			return -1;
		c->at += words;
		if (kind != HEAP_BASE)
			return take_call(c, kind, w);
		if (take_base(c, w) < 0)
			return -1;
	}
	return 0;
}
