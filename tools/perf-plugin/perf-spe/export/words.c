// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "export/words.h"

/* Slot of the word, or the empty one where it belongs */
static uint32_t *find(const struct words *w, const char *text, size_t len)
{
	size_t i = hash_bytes(text, len);

	for (;; i++) {
		uint32_t *slot = &w->slots[i & (w->nr_slots - 1)];
		size_t begin;

		if (*slot == NO_WORD)
			return slot;
		begin = *slot ? (size_t)w->end[*slot - 1] : 0;
		if ((size_t)w->end[*slot] - begin == len &&
		    !memcmp(w->bytes + begin, text, len))
			return slot;
	}
}

/* Room for one more; the table is never more than half full. */
static void grow(struct words *w)
{
	size_t i;

	w->end = array_grow(w->end, w->count, &w->room, sizeof(*w->end));
	if (2 * w->count < w->nr_slots)
		return;
	w->nr_slots = w->nr_slots ? 2 * w->nr_slots : 64;
	w->slots = xrealloc(w->slots, w->nr_slots * sizeof(*w->slots));
	memset(w->slots, 0xff, w->nr_slots * sizeof(*w->slots));
	for (i = 0; i < w->count; i++) {
		size_t begin = i ? (size_t)w->end[i - 1] : 0;

		*find(w, w->bytes + begin, (size_t)w->end[i] - begin) =
			(uint32_t)i;
	}
}

uint32_t words_number(struct words *w, const char *text)
{
	size_t len = strlen(text);
	uint32_t *slot;

	grow(w);
	slot = find(w, text, len);
	if (*slot != NO_WORD)
		return *slot;
	if (len > INT32_MAX - w->len)
		return NO_WORD;
	if (w->len + len >= w->room_bytes) {
		w->room_bytes = 2 * (w->len + len) + 4096;
		w->bytes = xrealloc(w->bytes, w->room_bytes);
	}
	memcpy(w->bytes + w->len, text, len);
	w->len += len;
	w->end[w->count] = (int32_t)w->len;
	*slot = (uint32_t)w->count++;
	return *slot;
}

void words_forget(struct words *w)
{
	w->len = w->count = 0;
	if (w->nr_slots)
		memset(w->slots, 0xff, w->nr_slots * sizeof(*w->slots));
	memset(w->known, 0, sizeof(w->known));
}

void words_free(struct words *w)
{
	free(w->bytes);
	free(w->end);
	free(w->slots);
}
