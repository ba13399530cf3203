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

struct answer {
	uint64_t pc;			/* of struct key */
	uint64_t from;			/* the time from which on it holds */
	uint32_t number;
	uint32_t kind : 2;
	uint32_t epoch : 30;		/* valid only if it is the cache's */
	struct place *place;
};

_Static_assert(sizeof(struct answer) == 32, "two fill a line of a cache");

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

/* Places stand in chunks, so that they do not move. */
#define CHUNK		1024		/* a power of two */
#define PLACES_MANY	65536

struct places {
	struct answer *answers;
	struct page pages[PAGES];
	uint32_t epoch;
	struct place **chunk;
	size_t nr_chunks, room_chunks;
	size_t nr;
	struct place *none;		/* places_none(), or NULL */
};

/* calloc() maps large blocks lazily: unused entries take no memory. */
struct places *places_new(void)
{
	struct places *p = xapart(sizeof(*p));

	p->answers = xcalloc(ANSWERS, sizeof(*p->answers));
	p->epoch = 1;
	return p;
}

void places_free(struct places *p)
{
	size_t i;

	for (i = 0; p && i < p->nr_chunks; i++)
		free(p->chunk[i]);
	if (p) {
		free(p->chunk);
		free(p->answers);
	}
	free(p);
}

void places_forget(struct places *p)
{
	p->nr = 0;
	p->none = NULL;
	if (++p->epoch >> 30) {
		memset(p->answers, 0, ANSWERS * sizeof(*p->answers));
		memset(p->pages, 0, sizeof(p->pages));
		p->epoch = 1;
	}
}

void places_trim(struct places *p)
{
	if (p->nr > PLACES_MANY)
		places_forget(p);
}

/* A new place, which the caller fills */
static struct place *place_new(struct places *p)
{
	if (p->nr == p->nr_chunks * CHUNK) {
		p->chunk = array_grow(p->chunk, p->nr_chunks, &p->room_chunks, sizeof(*p->chunk));
		p->chunk[p->nr_chunks++] = xcalloc(CHUNK, sizeof(**p->chunk));
	}
	p->nr++;
	return &p->chunk[(p->nr - 1) / CHUNK][(p->nr - 1) % CHUNK];
}

static inline struct page *page_at(struct places *p, uint32_t number, uint64_t pc)
{
	return &p->pages[(pc / PROCESS_PAGE + number * 37) & (PAGES - 1)];
}

/*
 * Programs share the kernel and what they map of a file, so that a new one finds answers.
 * False if the page must be found first.
 */
static inline bool key_find(struct places *p, const struct owner *owner, uint64_t pc,
			    uint64_t time, struct key *key)
{
	uint64_t inside = pc & (PROCESS_PAGE - 1);
	const struct page *page;

	if (resolve_is_kernel(pc)) {
		*key = (struct key){ pc, 0, OF_OWNER };
		return true;
	}
	*key = (struct key){ pc, owner_number(*owner), owner->sure ? OF_SURE_OWNER : OF_OWNER };
	page = page_at(p, key->number, pc);
	if (page->address != pc - inside || page->number != key->number || page->epoch != p->epoch)
		return false;
	if (page->file && time >= page->from)
		*key = (struct key){ page->offset + inside, page->file, OF_FILE };
	return true;
}

static inline struct answer *answer_at(const struct places *p, const struct key *key)
{
	return &p->answers[hash_add(key->number, key->pc) & (ANSWERS - 1)];
}

void places_prefetch(struct places *p, const struct owner *owner, uint64_t pc, uint64_t time)
{
	struct key key;

	if (key_find(p, owner, pc, time, &key))
		__builtin_prefetch(answer_at(p, &key));
}

static struct key key_make(struct places *p, const struct resolver *r,
			   const struct owner *owner, uint64_t pc, uint64_t time)
{
	struct page page = { .address = pc & ~(uint64_t)(PROCESS_PAGE - 1), .epoch = p->epoch };
	const struct dso *file;
	struct key key;

	if (key_find(p, owner, pc, time, &key))
		return key;
	page.number = key.number;
	file = resolve_page(r, *owner, pc, &page.offset, &page.from);
	if (file)
		page.file = file->number;
	*page_at(p, key.number, pc) = page;
	key_find(p, owner, pc, time, &key);
	return key;
}

/* Apart from places_find(), which needs no stack then */
static __attribute__((noinline))
struct place *find(struct places *p, const struct resolver *r, const struct owner *owner,
		   uint64_t pc, uint64_t time)
{
	struct place *place = place_new(p);
	uint64_t from = 0;
	struct key key;

	resolve_address(r, *owner, pc, time, place);
	key = key_make(p, r, owner, pc, time);
	if (key.kind != OF_FILE && !resolve_is_stable(r, *owner, pc, &from))
		return place;
	/* The place is known to be unknown at this time. */
	if (r->session && place->address)
		return place;
	*answer_at(p, &key) = (struct answer){ key.pc, from, key.number, key.kind, p->epoch, place };
	return place;
}

struct place *places_find(struct places *p, const struct resolver *r, const struct owner *owner,
			  uint64_t pc, uint64_t time)
{
	const struct answer *a;
	struct key key;

	if (!key_find(p, owner, pc, time, &key))
		return find(p, r, owner, pc, time);
	a = answer_at(p, &key);
	if (a->epoch != p->epoch || a->pc != key.pc || a->number != key.number ||
	    a->kind != key.kind || time < a->from)
		return find(p, r, owner, pc, time);
	return a->place;
}

struct place *places_none(struct places *p)
{
	if (!p->none) {
		p->none = place_new(p);
		*p->none = (struct place){ .object = RESOLVE_UNKNOWN };
	}
	return p->none;
}
