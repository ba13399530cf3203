/* SPDX-License-Identifier: GPL-2.0-only */
/* The dictionary of a column: each text has a number. */
#ifndef PERF_SPE_DICTIONARY_H
#define PERF_SPE_DICTIONARY_H

#include <stddef.h>
#include <stdint.h>

#include "util/hash.h"
#include "util/hash_table.h"

#define DICTIONARY_KNOWN	1024		/* a power of two */
#define NO_NUMBER		UINT32_MAX

struct dictionary {
	char *bytes;			/* all texts, one after the other */
	size_t len, room_bytes;
	int32_t *end;			/* offset at which each text ends */
	size_t count, room;
	struct hash_table table;	/* numbers by text */
	/* A cache from keys to numbers; see struct field.each */
	struct dictionary_known {
		uint64_t key;
		uint32_t number;		/* NO_NUMBER: the key has no text */
		uint32_t used;		/* 0 or 1 */
	} known[DICTIONARY_KNOWN];
};

/*
 * The number of @text, which is added if it is new.  NO_NUMBER if all texts
 * together would exceed 2 GiB.
 */
uint32_t dictionary_number(struct dictionary *w, const char *text);
/* Empty the dictionary. */
void dictionary_forget(struct dictionary *w);
void dictionary_free(struct dictionary *w);

static inline struct dictionary_known *dictionary_known(struct dictionary *w, uint64_t key)
{
	return &w->known[hash_mix(key) >> 54 & (DICTIONARY_KNOWN - 1)];
}

#endif
