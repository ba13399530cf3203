// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "util/util.h"

static uint64_t text_hash(const void *slot)
{
	return hash_string(*(const char *const *)slot);
}

static bool same_text(const void *slot, const void *key)
{
	return !strcmp(*(const char *const *)slot, key);
}

static const struct hash_kind texts = {
	sizeof(char *), 256, hash_pointer_used, text_hash, same_text,
};

const char *string_set_add(struct string_set *s, const char *text)
{
	char **slot = hash_table_add(&s->table, &texts, hash_string(text), text);

	if (!*slot)
		*slot = xstrndup(text, strlen(text));
	return *slot;
}

void string_set_free(struct string_set *s)
{
	char **slot = NULL;

	while ((slot = hash_table_next(&s->table, &texts, slot)))
		free(*slot);
	hash_table_free(&s->table);
}
