// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "util/util.h"

uint64_t hash_bytes(const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	uint64_t hash = 0xcbf29ce484222325ULL;

	while (len--)
		hash = (hash ^ *p++) * 0x100000001b3ULL;
	return hash;
}

uint64_t hash_string(const char *text)
{
	return hash_bytes(text, strlen(text));
}

void hash_table_clear(struct hash_table *t, const struct hash_kind *kind)
{
	if (t->room)
		memset(t->slots, 0, t->room * kind->size);
	t->count = 0;
}

void hash_table_free(struct hash_table *t)
{
	free(t->slots);
	memset(t, 0, sizeof(*t));
}
