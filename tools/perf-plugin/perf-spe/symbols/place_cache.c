// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "armspe.h"
#include "symbols/symbols.h"
#include "util/util.h"

/* Which samples an answer is for */
enum kind {
	OF_OWNER, OF_SURE_OWNER,	/* of one program: see struct owner */
	OF_FILE,			/* of all programs that map the file */
};

struct key {
	uint64_t pc;			/* raw payload; OF_FILE: the offset in the file */
	uint32_t number;		/* owner_number(), 0: the kernel; OF_FILE: of the file */
	enum kind kind;
};

/*
 * An entry fills one cache line, so that a lookup misses at most once.  So the time from which
 * on it holds stands in place.address, which is 0 for known objects; others are not kept.
 */
struct answer {
	uint64_t pc;			/* of struct key */
	uint32_t number;
	uint32_t kind : 2;
	uint32_t epoch : 30;		/* valid only if it is the cache's */
	struct place place;
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct answer) == 64, "one line of a cache");

/* What resolve_page() found */
struct page {
	uint64_t address;		/* raw payload, without the bits in the page */
	uint32_t number;		/* owner_number() */
	uint32_t epoch;
	uint64_t from, offset;
	uint32_t file;			/* its number; 0: none */
};

#define ANSWERS	32768		/* a power of two */
#define PAGES	1024		/* the same */

struct place_cache {
	void *memory;
	struct answer *answers;		/* in it, aligned */
	struct page pages[PAGES];
	uint32_t epoch;
};

/* calloc() maps large blocks lazily: unused entries take no memory. */
struct place_cache *place_cache_new(void)
{
	struct place_cache *c = xapart(sizeof(*c));

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
	if (++c->epoch >> 30) {
		memset(c->answers, 0, ANSWERS * sizeof(*c->answers));
		memset(c->pages, 0, sizeof(c->pages));
		c->epoch = 1;
	}
}

static bool has_pc(const struct armspe_record *rec)
{
	return rec->addr_valid >> SPE_ADDR_PC & 1;
}

static inline struct page *page_at(struct place_cache *c, uint32_t number, uint64_t pc)
{
	return &c->pages[(pc / PROCESS_PAGE + number * 37) & (PAGES - 1)];
}

/*
 * Programs share the kernel and what they map of a file, so that a new one finds answers.
 * False if the page must be found first.
 */
static inline bool key_find(struct place_cache *c, const struct owner *owner, uint64_t pc,
			    uint64_t time, struct key *key)
{
	uint64_t inside = pc & (PROCESS_PAGE - 1);
	const struct page *page;

	if (resolve_is_kernel(pc)) {
		*key = (struct key){ pc, 0, OF_OWNER };
		return true;
	}
	*key = (struct key){ pc, owner_number(*owner), owner->sure ? OF_SURE_OWNER : OF_OWNER };
	page = page_at(c, key->number, pc);
	if (page->address != pc - inside || page->number != key->number || page->epoch != c->epoch)
		return false;
	if (page->file && time >= page->from)
		*key = (struct key){ page->offset + inside, page->file, OF_FILE };
	return true;
}

static inline struct answer *answer_at(const struct place_cache *c, const struct key *key)
{
	return &c->answers[hash_add(key->number, key->pc) & (ANSWERS - 1)];
}

void place_cache_prefetch(struct place_cache *c, const struct owner *owner,
			  const struct armspe_record *rec, uint64_t time)
{
	struct key key;

	if (has_pc(rec) && key_find(c, owner, rec->addr[SPE_ADDR_PC], time, &key))
		__builtin_prefetch(answer_at(c, &key));
}

static struct key key_make(struct place_cache *c, const struct resolver *r,
			   const struct owner *owner, uint64_t pc, uint64_t time)
{
	struct page page = { .address = pc & ~(uint64_t)(PROCESS_PAGE - 1), .epoch = c->epoch };
	const struct dso *file;
	struct key key;

	if (key_find(c, owner, pc, time, &key))
		return key;
	page.number = key.number;
	file = resolve_page(r, *owner, pc, &page.offset, &page.from);
	if (file)
		page.file = file->number;
	*page_at(c, key.number, pc) = page;
	key_find(c, owner, pc, time, &key);
	return key;
}

/* Apart from place_cache_resolve(), which needs no stack then */
static __attribute__((noinline))
uint32_t *find(struct place_cache *c, const struct resolver *r, const struct owner *owner,
	       const struct armspe_record *rec, uint64_t time, struct place *place)
{
	uint64_t from = 0;
	struct answer *a;
	struct key key;

	resolve_place(r, *owner, rec, place);
	if (!has_pc(rec))
		return NULL;
	key = key_make(c, r, owner, rec->addr[SPE_ADDR_PC], time);
	if (key.kind != OF_FILE && !resolve_is_stable(r, *owner, rec, &from))
		return NULL;
	if (r->session && place->address)
		return NULL;
	a = answer_at(c, &key);
	*a = (struct answer){ key.pc, key.number, key.kind, c->epoch, *place };
	if (r->session)
		a->place.address = from;
	return &a->place.hint;
}

uint32_t *place_cache_resolve(struct place_cache *c, const struct resolver *r,
			      const struct owner *owner,
			      const struct armspe_record *rec, uint64_t time,
			      struct place *place)
{
	struct answer *a;
	struct key key;

	if (!has_pc(rec) || !key_find(c, owner, rec->addr[SPE_ADDR_PC], time, &key))
		return find(c, r, owner, rec, time, place);
	a = answer_at(c, &key);
	if (a->epoch != c->epoch || a->pc != key.pc || a->number != key.number ||
	    a->kind != key.kind || (r->session && time < a->place.address))
		return find(c, r, owner, rec, time, place);
	*place = a->place;
	if (r->session)
		place->address = 0;
	return &a->place.hint;
}
