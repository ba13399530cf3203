// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/layout/layout.h"
#include "util/util.h"

struct id_slot {
	int32_t id;
	bool used;
};

static const struct hash_kind id_kind = {
	HASH_SLOTS(struct id_slot, used), .key = { HASH_NUMBER(struct id_slot, id) },
};

void id_set_add(struct id_set *s, int32_t id)
{
	struct id_slot *slot = hash_table_add(&s->known, &id_kind, &id);

	if (slot->used)
		return;
	*slot = (struct id_slot){ id, true };
	s->ids = array_grow(s->ids, s->nr, &s->room, sizeof(*s->ids));
	s->ids[s->nr++] = id;
}

static int id_order(const void *a, const void *b)
{
	const int32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

char *id_set_text(const struct id_set *s)
{
	int32_t *ids = xcalloc(s->nr, sizeof(*ids));
	char *text = NULL;
	size_t i, end, len;
	FILE *to = open_memstream(&text, &len);

	if (s->nr)
		memcpy(ids, s->ids, s->nr * sizeof(*ids));
	qsort(ids, s->nr, sizeof(*ids), id_order);
	for (i = 0; to && i < s->nr; i = end) {
		for (end = i + 1; end < s->nr && ids[end] == ids[end - 1] + 1; end++)
			;
		fprintf(to, "%s%" PRId32, i ? "," : "", ids[i]);
		if (end - i > 1)
			fprintf(to, "-%" PRId32, ids[end - 1]);
	}
	free(ids);
	if (to && !fclose(to))
		return text;
	free(text);
	return xformat("%s", "");
}

void id_set_free(struct id_set *s)
{
	free(s->ids);
	hash_table_free(&s->known);
}
