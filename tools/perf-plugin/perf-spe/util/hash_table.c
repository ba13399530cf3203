// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "util/util.h"

void hash_table_grow(struct hash_table *t, const struct hash_kind *kind)
{
	struct hash_table old = *t;
	const char *slot = NULL;

	t->room = old.room ? 2 * old.room : kind->room;
	t->slots = xzeroed(t->room, kind->size);
	while ((slot = hash_table_next(&old, kind, slot))) {
		size_t at = kind->hash(slot) & (t->room - 1);

		while (kind->used((char *)t->slots + at * kind->size))
			at = (at + 1) & (t->room - 1);
		memcpy((char *)t->slots + at * kind->size, slot, kind->size);
	}
	free(old.slots);
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
