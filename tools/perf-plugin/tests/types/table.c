// SPDX-License-Identifier: GPL-2.0-only
/* A hash table with chains, which grows */
#include "witness.h"

struct entry {
	struct entry *next;
	uint32_t hash;
	uint32_t key;
	int64_t value;
};
struct table {
	struct entry **buckets;
	uint32_t mask, count;
	struct {
		uint64_t hits, misses;
	} stats;
};

static struct table table;

static inline uint32_t mix(uint32_t key)
{
	LOCAL(key, uint32_t);
	return key * 2654435761u;
}

struct entry *lookup(struct table *t, uint32_t key)
{
	struct entry *e = t->buckets[mix(key) & t->mask];

	LOCAL(t, struct table *);
	LOCAL(key, uint32_t);
	LOCAL(e, struct entry *);
	for (; e; e = e->next)
		if (e->key == key) {
			t->stats.hits++;
			return e;
		}
	t->stats.misses++;
	return NULL;
}

__attribute__((noinline)) static void grow(struct table *t)
{
	uint32_t mask = t->mask * 2 + 1, i;
	struct entry **buckets = calloc(mask + 1, sizeof(*buckets)), *e, *next;

	LOCAL(t, struct table *);
	LOCAL(mask, uint32_t);
	LOCAL(i, uint32_t);
	LOCAL(buckets, struct entry **);
	LOCAL(e, struct entry *);
	LOCAL(next, struct entry *);
	OBJECTS(buckets, mask + 1, struct entry *);
	for (i = 0; t->buckets && i <= t->mask; i++)
		for (e = t->buckets[i]; e; e = next) {
			next = e->next;
			e->next = buckets[e->hash & mask];
			buckets[e->hash & mask] = e;
		}
	t->buckets = buckets;
	t->mask = mask;
}

static struct entry *entry_new(uint32_t key)
{
	struct entry *e = malloc(sizeof(*e));

	LOCAL(key, uint32_t);
	LOCAL(e, struct entry *);
	OBJECT(*e, struct entry);
	e->hash = mix(key);
	e->key = key;
	e->value = 0;
	return e;
}

void count(struct table *t, uint32_t key)
{
	struct entry *e = lookup(t, key), **bucket;

	LOCAL(t, struct table *);
	LOCAL(key, uint32_t);
	LOCAL(e, struct entry *);
	LOCAL(bucket, struct entry **);
	if (!e) {
		if (++t->count > t->mask)
			grow(t);
		e = entry_new(key);
		bucket = &t->buckets[e->hash & t->mask];
		e->next = *bucket;
		*bucket = e;
	}
	e->value += key;
}

int main(void)
{
	int64_t total = 0;
	uint32_t i;

	LOCAL(total, int64_t);
	LOCAL(i, uint32_t);
	OBJECT(table, struct table);
	MEMBER(struct entry, next, struct entry *);
	MEMBER(struct entry, hash, uint32_t);
	MEMBER(struct entry, key, uint32_t);
	MEMBER(struct entry, value, int64_t);
	MEMBER(struct table, buckets, struct entry **);
	MEMBER(struct table, mask, uint32_t);
	MEMBER(struct table, count, uint32_t);
	MEMBER(struct table, stats.hits, uint64_t);
	MEMBER(struct table, stats.misses, uint64_t);
	grow(&table);
	for (i = 0; i < 24; i++)
		count(&table, i * i % 13);
	for (i = 0; i < 13; i++)
		if (lookup(&table, i))
			total += lookup(&table, i)->value;
	printf("# %d %d\n", (int)total, (int)table.stats.misses);
	return 0;
}
