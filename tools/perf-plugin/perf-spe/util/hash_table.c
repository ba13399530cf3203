// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "util/util.h"

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
