/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A hash table with linear probing.  The user chooses what a slot is: a pointer
 * or a small structure.  The number of slots is a power of two, at most half of
 * the slots are in use, and an unused slot is all zeros.
 */
#ifndef PERF_SPE_HASH_TABLE_H
#define PERF_SPE_HASH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hash_table {
	void *slots;
	size_t count;		/* slots in use */
	size_t room;		/* slots; 0 at first */
};

/* What a table holds.  Constant, so that the compiler can inline the functions. */
struct hash_kind {
	size_t size;		/* of a slot */
	size_t room;		/* slots at first, a power of two */
	bool (*used)(const void *slot);
	uint64_t (*hash)(const void *slot);
	bool (*same)(const void *slot, const void *key);
};

#define HASH_INLINE static inline __attribute__((always_inline))

/* struct hash_kind.used where slots are pointers */
static inline bool hash_pointer_used(const void *slot)
{
	return *(const void *const *)slot;
}

/* Double the number of slots. */
void hash_table_grow(struct hash_table *t, const struct hash_kind *kind);
/* Empty the table and keep its slots. */
void hash_table_clear(struct hash_table *t, const struct hash_kind *kind);
/* Free the slots, but not what they point to. */
void hash_table_free(struct hash_table *t);

/* The slot of @key, or the unused slot to put it in; the table must have slots. */
HASH_INLINE void *hash_table_slot(const struct hash_table *t,
				  const struct hash_kind *kind, uint64_t hash,
				  const void *key)
{
	size_t at = hash & (t->room - 1);
	char *slot;

	for (;; at = (at + 1) & (t->room - 1)) {
		slot = (char *)t->slots + at * kind->size;
		if (!kind->used(slot) || kind->same(slot, key))
			return slot;
	}
}

/* The slot of @key, or NULL */
HASH_INLINE void *hash_table_find(const struct hash_table *t,
				  const struct hash_kind *kind, uint64_t hash,
				  const void *key)
{
	void *slot = t->room ? hash_table_slot(t, kind, hash, key) : NULL;

	return slot && kind->used(slot) ? slot : NULL;
}

/* The slot of @key.  An unused slot counts as used now: the caller must fill it. */
HASH_INLINE void *hash_table_add(struct hash_table *t,
				 const struct hash_kind *kind, uint64_t hash,
				 const void *key)
{
	void *slot;

	if (2 * t->count >= t->room)
		hash_table_grow(t, kind);
	slot = hash_table_slot(t, kind, hash, key);
	t->count += !kind->used(slot);
	return slot;
}

/* The next used slot after @slot (NULL: the first one), or NULL at the end */
HASH_INLINE void *hash_table_next(const struct hash_table *t,
				  const struct hash_kind *kind,
				  const void *slot)
{
	size_t at = slot ? (size_t)((const char *)slot - (const char *)t->slots) /
			   kind->size + 1 : 0;

	for (; at < t->room; at++) {
		char *next = (char *)t->slots + at * kind->size;

		if (kind->used(next))
			return next;
	}
	return NULL;
}

#endif
