// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "export/dictionary.h"
#include "util/hash.h"
#include "util/hash_table.h"
#include "util/memory.h"

struct word_slot {
	uint32_t hash;			/* of the text */
	uint32_t number;		/* one more than the word's; 0: no word */
};

struct word_key {
	const struct dictionary *words;
	const char *text;
	size_t len;
	uint32_t hash;
};

static bool word_used(const void *slot)
{
	return ((const struct word_slot *)slot)->number;
}

static uint64_t word_hash(const void *slot)
{
	return ((const struct word_slot *)slot)->hash;
}

static bool same_word(const void *slot, const void *key)
{
	const struct word_slot *word = slot;
	const struct word_key *k = key;
	const int32_t *end = &k->words->end[word->number - 1];
	size_t begin = word->number > 1 ? (size_t)end[-1] : 0;

	return word->hash == k->hash && (size_t)*end - begin == k->len &&
	       !memcmp(k->words->bytes + begin, k->text, k->len);
}

static const struct hash_kind word_table = {
	sizeof(struct word_slot), 64, word_used, word_hash, same_word,
};

static uint32_t add_word(struct dictionary *w, const char *text, size_t len)
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

uint32_t dictionary_number(struct dictionary *w, const char *text)
{
	size_t len = strlen(text);
	struct word_key key = { w, text, len, (uint32_t)hash_bytes(text, len) };
	struct word_slot *slot =
		hash_table_find(&w->table, &word_table, key.hash, &key);

	if (slot)
		return slot->number - 1;
	if (len > INT32_MAX - w->len)
		return NO_WORD;
	slot = hash_table_add(&w->table, &word_table, key.hash, &key);
	slot->hash = key.hash;
	slot->number = add_word(w, text, len) + 1;
	return slot->number - 1;
}

void dictionary_forget(struct dictionary *w)
{
	w->len = w->count = 0;
	hash_table_clear(&w->table, &word_table);
	memset(w->known, 0, sizeof(w->known));
}

void dictionary_free(struct dictionary *w)
{
	free(w->bytes);
	free(w->end);
	hash_table_free(&w->table);
}
