// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "util/util.h"

static const struct hash_kind texts = {
	.size = sizeof(char *), .used = { 0, sizeof(char *) }, .key = { { 0, HASH_IS_TEXT } },
};

const char *string_set_add(struct string_set *s, const char *text)
{
	char **slot = hash_table_add(&s->table, &texts, &text);

	if (!*slot)
		*slot = xstrndup(text, strlen(text));
	return *slot;
}

bool string_set_has(const struct string_set *s, const char *text)
{
	return hash_table_find(&s->table, &texts, &text);
}

const char *const *string_set_next(const struct string_set *s, const char *const *last)
{
	return hash_table_next(&s->table, &texts, last);
}

void string_set_free(struct string_set *s)
{
	char **slot = NULL;

	while ((slot = hash_table_next(&s->table, &texts, slot)))
		free(*slot);
	hash_table_free(&s->table);
}

char *text_list_add(char *list, const char *text)
{
	const char *found;
	size_t len;

	/* An empty name of a file is none, and would be found behind the end. */
	if (!text || !*text)
		return list;
	len = strlen(text);
	for (found = list ? strstr(list, text) : NULL; found; found = strstr(found + 1, text))
		if ((found == list || found[-1] == ' ') &&
		    (!found[len] || found[len] == ','))
			return list;
	return xappend(list, "%s%s", list ? ", " : "", text);
}

char *text_list_take(char *list, char *text)
{
	list = text_list_add(list, text);
	free(text);
	return list;
}
