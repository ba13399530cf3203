/* SPDX-License-Identifier: GPL-2.0-only */
/* Each text of a column once, by number: a dictionary. */
#ifndef PERF_SPE_WORDS_H
#define PERF_SPE_WORDS_H

#include "util/util.h"

#define WORDS_KNOWN	1024		/* a power of two */
#define NO_WORD		UINT32_MAX

struct words {
	char *bytes;			/* one behind the other */
	size_t len, room_bytes;
	int32_t *end;			/* of each, in bytes */
	size_t count, room;
	uint32_t *slots;		/* hash table: numbers, or NO_WORD */
	size_t nr_slots;		/* a power of two, 0 at first */
	/* What keys were found to be, until words_forget() */
	struct words_known {
		uint64_t key;
		uint32_t word;		/* NO_WORD: the key has no text */
		uint32_t used;		/* 0 or 1 */
	} known[WORDS_KNOWN];
};

/*
 * The number of @text, which is new where no word equals it; NO_WORD where
 * all words together have no more room (2 GiB).
 */
uint32_t words_number(struct words *w, const char *text);
/* Begin again with none. */
void words_forget(struct words *w);
void words_free(struct words *w);

static inline struct words_known *words_known(struct words *w, uint64_t key)
{
	return &w->known[key * 0x9e3779b97f4a7c15ULL >> 54 & (WORDS_KNOWN - 1)];
}

#endif
