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
	OF_GUEST,			/* of one context of a guest, or of its kernel */
};

struct key {
	uint64_t pc;			/* raw payload; OF_FILE: the offset in the file */
	/* owner_number(), 0: the kernel; OF_FILE: of the file; OF_GUEST: of struct guest */
	uint32_t number;
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

/* A context of a guest, or its kernel */
struct guest {
	uint32_t owner;			/* owner_number() */
	uint32_t context;		/* CONTEXTIDR_EL1; 0 for the kernel */
	uint32_t kernel;		/* 1 or 0 */
	uint32_t number;		/* from 1 on */
};

static const struct hash_kind guest_table = {
	HASH_SLOTS(struct guest, number),
	.key = {
		HASH_NUMBER(struct guest, owner), HASH_NUMBER(struct guest, context),
		HASH_NUMBER(struct guest, kernel),
	},
};

#define ANSWERS	32768		/* a power of two */
#define PAGES	1024		/* the same */

/* Places stand in chunks, so that they do not move. */
#define CHUNK		1024		/* a power of two */
#define PLACES_MANY	65536

struct places_known {
	struct answer *answers;
	struct page pages[PAGES];
	struct place **chunk;
	size_t nr_chunks, room_chunks;
	size_t nr;
	struct place *none;		/* places_none(), or NULL */
	struct hash_table guests;	/* struct guest */
};

struct places *places_new(bool threads)
{
	void *(*zeros)(size_t count, size_t size) = threads ? xzeroed : xcalloc;
	struct places *p = zeros(1, sizeof(*p));

	p->known = xapart(sizeof(*p->known));
	p->known->answers = zeros(ANSWERS, sizeof(*p->known->answers));
	p->epoch = 1;
	return p;
}

void places_free(struct places *p)
{
	size_t i;

	if (!p)
		return;
	for (i = 0; i < p->known->nr_chunks; i++)
		free(p->known->chunk[i]);
	free(p->known->chunk);
	hash_table_free(&p->known->guests);
	free(p->known->answers);
	free(p->known);
	free(p);
}

void places_forget(struct places *p)
{
	struct places_known *known = p->known;

	known->nr = 0;
	known->none = NULL;
	if (++p->epoch >> 30) {
		memset(known->answers, 0, ANSWERS * sizeof(*known->answers));
		memset(known->pages, 0, sizeof(known->pages));
		memset(p->last, 0, sizeof(p->last));
		p->epoch = 1;
	}
}

void places_trim(struct places *p)
{
	if (p->known->nr > PLACES_MANY)
		places_forget(p);
}

/* A new place, which the caller fills */
static struct place *place_new(struct places_known *k)
{
	if (k->nr == k->nr_chunks * CHUNK) {
		k->chunk = array_grow(k->chunk, k->nr_chunks, &k->room_chunks, sizeof(*k->chunk));
		k->chunk[k->nr_chunks++] = xcalloc(CHUNK, sizeof(**k->chunk));
	}
	k->nr++;
	return &k->chunk[(k->nr - 1) / CHUNK][(k->nr - 1) % CHUNK];
}

/* The number of a guest's context or kernel */
static uint32_t guest_number(const struct places *p, const struct owner *owner, bool kernel)
{
	const struct guest key = { owner_number(*owner), kernel ? 0 : owner->guest_context, kernel, 0 };
	struct guest *slot = hash_table_add(&p->known->guests, &guest_table, &key);

	if (!slot->number) {
		*slot = key;
		slot->number = (uint32_t)p->known->guests.count;
	}
	return slot->number;
}

uint64_t places_whose_guest(struct places *p, const struct owner *owner)
{
	return (uint64_t)guest_number(p, owner, false) << 32 | UINT64_C(1) << 31 | p->epoch << 1 | owner->sure;
}

static struct page *page_at(const struct places *p, uint32_t number, uint64_t pc)
{
	return &p->known->pages[(pc / PROCESS_PAGE + number * 37) & (PAGES - 1)];
}

/*
 * Programs share the kernel and what they map of a file, so that a new one finds answers.
 * False if the page must be found first.
 */
static bool key_find(const struct places *p, const struct owner *owner, uint64_t pc,
		     uint64_t time, struct key *key)
{
	uint64_t inside = pc & (PROCESS_PAGE - 1);
	const struct page *page;

	if (owner->guest) {
		*key = (struct key){ pc, guest_number(p, owner, resolve_is_kernel(pc)), OF_GUEST };
		return true;
	}
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

static struct key key_make(const struct places *p, const struct resolver *r,
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

/* Sets *@stable if the place holds for all samples with the key from a->from on. */
static void answer_find(struct places *p, const struct resolver *r, const struct owner *owner,
			uint64_t pc, uint64_t time, const struct key *key, struct answer *a,
			bool *stable)
{
	*a = (struct answer){
		.pc = key->pc, .number = key->number, .kind = key->kind, .epoch = p->epoch,
		.place = place_new(p->known),
	};
	resolve_address(r, *owner, pc, time, a->place);
	a->place->unsaid = a->place->lacking || a->place->doubt;
	/* What is unknown now may be known later. */
	*stable = (key->kind == OF_FILE || resolve_is_stable(r, *owner, pc, &a->from)) &&
		  (key->kind == OF_GUEST || !(r->session && a->place->address));
}

/* An answer of a file holds for a program from the time on at which it maps the file. */
struct place *places_look_up(struct places *p, const struct resolver *r,
			     const struct owner *owner, uint64_t pc, uint64_t time,
			     struct places_last *last)
{
	struct key key = key_make(p, r, owner, pc, time);
	struct answer *a = &p->known->answers[hash_add(key.number, key.pc) & (ANSWERS - 1)];
	uint64_t from = key.kind == OF_FILE ? page_at(p, owner_number(*owner), pc)->from : 0;
	struct answer found;
	bool stable;

	if (a->epoch != p->epoch || a->pc != key.pc || a->number != key.number ||
	    a->kind != key.kind || time < a->from) {
		answer_find(p, r, owner, pc, time, &key, &found, &stable);
		if (!stable)
			return found.place;
		*a = found;
	}
	*last = (struct places_last){
		pc, places_whose(p, owner), from > a->from ? from : a->from, a->place,
	};
	return a->place;
}

struct place *places_none(struct places *p)
{
	struct places_known *known = p->known;

	if (!known->none) {
		known->none = place_new(known);
		*known->none = (struct place){ .object = RESOLVE_UNKNOWN };
	}
	return known->none;
}
