// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "symbols/place_cache.h"
#include "symbols/resolve.h"
#include "util/hash.h"
#include "util/memory.h"

/*
 * An entry fills one cache line, so that a lookup misses at most once.  So the time from which
 * on it holds stands in place.address, which is 0 for known objects; others are not kept.
 */
struct answer {
	uint64_t pc;			/* raw payload */
	uint32_t owner;			/* owner_number() */
	uint32_t sure : 1;
	uint32_t epoch : 31;		/* valid only if it is the cache's */
	struct place place;
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct answer) == 64, "one line of a cache");

#define ANSWERS 32768		/* a power of two */

struct place_cache {
	void *memory;
	struct answer *answers;		/* in it, aligned */
	uint32_t epoch;
};

/* calloc() maps large blocks lazily: unused entries take no memory. */
struct place_cache *place_cache_new(void)
{
	struct place_cache *c = xcalloc(1, sizeof(*c));

	c->memory = xcalloc(ANSWERS + 1, sizeof(*c->answers));
	c->answers = (struct answer *)
		(((uintptr_t)c->memory + sizeof(*c->answers) - 1) &
		 ~(uintptr_t)(sizeof(*c->answers) - 1));
	c->epoch = 1;
	return c;
}

void place_cache_free(struct place_cache *c)
{
	if (c)
		free(c->memory);
	free(c);
}

void place_cache_forget(struct place_cache *c)
{
	if (++c->epoch >> 31) {
		memset(c->answers, 0, ANSWERS * sizeof(*c->answers));
		c->epoch = 1;
	}
}

static bool has_pc(const struct armspe_record *rec)
{
	return rec->addr_valid >> SPE_ADDR_PC & 1;
}

static struct answer *answer_at(const struct place_cache *c,
				struct owner owner,
				const struct armspe_record *rec)
{
	uint64_t hash = hash_add(owner_number(owner), rec->addr[SPE_ADDR_PC]);

	return &c->answers[hash & (ANSWERS - 1)];
}

void place_cache_prefetch(const struct place_cache *c, struct owner owner,
			  const struct armspe_record *rec)
{
	if (has_pc(rec))
		__builtin_prefetch(answer_at(c, owner, rec));
}

uint32_t *place_cache_resolve(struct place_cache *c, const struct resolver *r,
			      struct owner owner,
			      const struct armspe_record *rec, uint64_t time,
			      struct place *place)
{
	struct answer *a;
	uint64_t from;

	if (!has_pc(rec)) {
		resolve_place(r, owner, rec, place);
		return NULL;
	}
	a = answer_at(c, owner, rec);
	if (a->epoch == c->epoch && a->pc == rec->addr[SPE_ADDR_PC] &&
	    a->owner == owner_number(owner) && a->sure == owner.sure) {
		*place = a->place;
		if (!r->session)
			return &a->place.hint;
		place->address = 0;
		if (time >= a->place.address)
			return &a->place.hint;
	}
	resolve_place(r, owner, rec, place);
	if (!resolve_is_stable(r, owner, rec, &from) || (r->session && place->address))
		return NULL;
	a->epoch = c->epoch;
	a->pc = rec->addr[SPE_ADDR_PC];
	a->owner = owner_number(owner);
	a->sure = owner.sure;
	a->place = *place;
	if (r->session)
		a->place.address = from;
	return &a->place.hint;
}
