// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "export/format/format.h"
#include "util/util.h"

struct text_slot {
	uint32_t hash;			/* of the text */
	uint32_t number;		/* the text's number plus 1; 0: unused */
};

struct text_key {
	uint32_t hash;			/* as in struct text_slot */
	const struct dictionary *dictionary;
	const char *text;
	size_t len;
};

static bool same_text(const void *slot, const void *key)
{
	const struct text_slot *text = slot;
	const struct text_key *k = key;
	const int32_t *end = &k->dictionary->end[text->number - 1];
	size_t begin = text->number > 1 ? (size_t)end[-1] : 0;

	return (size_t)*end - begin == k->len &&
	       !memcmp(k->dictionary->bytes + begin, k->text, k->len);
}

static const struct hash_kind text_table = {
	HASH_SLOTS(struct text_slot, number),
	.hashed = true, .key = { HASH_NUMBER(struct text_slot, hash) }, .same = same_text,
};

static uint32_t add_text(struct dictionary *w, const char *text, size_t len)
{
	if (w->len + len >= w->room_bytes) {
		w->room_bytes = 2 * (w->len + len) + 4096;
		w->bytes = xrealloc(w->bytes, w->room_bytes);
	}
	memcpy(w->bytes + w->len, text, len);
	w->len += len;
	w->end = array_grow(w->end, w->count, &w->room, sizeof(*w->end));
	w->end[w->count] = (int32_t)w->len;
	return (uint32_t)w->count++;
}

uint32_t dictionary_number_of(struct dictionary *w, const char *text, size_t len)
{
	struct text_key key = { (uint32_t)hash_bytes(text, len), w, text, len };
	struct text_slot *slot = hash_table_find(&w->table, &text_table, &key);

	if (slot)
		return slot->number - 1;
	if (len > INT32_MAX - w->len)
		return NO_NUMBER;
	slot = hash_table_add(&w->table, &text_table, &key);
	slot->hash = key.hash;
	slot->number = add_text(w, text, len) + 1;
	return slot->number - 1;
}

uint32_t dictionary_number(struct dictionary *w, const char *text)
{
	return dictionary_number_of(w, text, strlen(text));
}

void dictionary_forget(struct dictionary *w)
{
	w->len = w->count = 0;
	hash_table_clear(&w->table, &text_table);
	memset(w->known, 0, sizeof(w->known));
}

void dictionary_free(struct dictionary *w)
{
	free(w->bytes);
	free(w->end);
	hash_table_free(&w->table);
}
