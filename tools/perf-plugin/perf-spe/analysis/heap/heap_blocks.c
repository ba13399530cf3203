// SPDX-License-Identifier: GPL-2.0-only
/*
 * Blocks are grouped by their start, which allocators use again and again, and in a
 * group they are in order of time.  The starts are sorted and are a binary tree, its root
 * in the middle; each knows the largest end in its subtree.  A search visits the starts
 * that ever had a block over the address.
 *
 * The log is read twice: first to count the blocks of each start, then to put them there.
 */
#include <stdlib.h>

#include "analysis/heap/heap.h"
#include "util/util.h"

/* How many blocks of a start a search looks at: the last may have been too short. */
#define EARLIER 8

struct start {
	uint64_t address;
	uint64_t most;		/* largest end of its blocks; after sorting of its subtree */
	uint32_t first, nr;	/* its blocks */
};

/* A number for each different address */
struct numbered {
	uint64_t address;
	uint32_t number;	/* from 1 on */
};

/* The end of a block that has no beginning: of an inherited one */
struct orphan {
	uint64_t address, time;
};

struct heap_blocks {
	struct start *starts;
	size_t nr_starts, room_starts;
	uint32_t *table;	/* of number + 1 of a start, by a hash of its address */
	size_t room_table;	/* a power of two */
	struct heap_block *blocks;
	size_t nr_blocks;
	struct orphan *orphans;	/* by address, then time */
	size_t nr_orphans, room_orphans;
	struct hash_table site_numbers;
	uint64_t *sites;
	size_t nr_sites, room_sites;
};

static const struct hash_kind site_kind = {
	HASH_SLOTS(struct numbered, number),
	.key = { HASH_NUMBER(struct numbered, address) },
};

static uint32_t site_number(struct heap_blocks *b, uint64_t site)
{
	struct numbered *n = hash_table_add(&b->site_numbers, &site_kind, &site);

	if (!n->number) {
		b->sites = array_grow(b->sites, b->nr_sites, &b->room_sites, sizeof(*b->sites));
		b->sites[b->nr_sites++] = site;
		n->address = site;
		n->number = (uint32_t)b->nr_sites;
	}
	return n->number - 1;
}

static uint32_t *table_at(const struct heap_blocks *b, uint64_t address)
{
	size_t at = hash_mix(address >> 4) & (b->room_table - 1);

	while (b->table[at] && b->starts[b->table[at] - 1].address != address)
		at = (at + 1) & (b->room_table - 1);
	return &b->table[at];
}

static void fill_table(struct heap_blocks *b, size_t room)
{
	size_t i;

	free(b->table);
	b->room_table = room;
	b->table = xcalloc(room, sizeof(*b->table));
	for (i = 0; i < b->nr_starts; i++)
		*table_at(b, b->starts[i].address) = (uint32_t)i + 1;
}

static struct start *start_find(const struct heap_blocks *b, uint64_t address)
{
	uint32_t number = *table_at(b, address);

	return number ? &b->starts[number - 1] : NULL;
}

static uint64_t end_of(uint64_t start, uint64_t size)
{
	return size > UINT64_MAX - start ? UINT64_MAX : start + size;
}

/* The first reading: a heap_record_fn */
static void count_record(void *context, const struct heap_record *rec)
{
	struct heap_blocks *b = context;
	uint64_t end = end_of(rec->address, rec->size);
	struct start *s;

	if (rec->kind != HEAP_ALLOC || b->nr_blocks >= UINT32_MAX - 1)
		return;
	if (4 * b->nr_starts >= 3 * b->room_table)
		fill_table(b, 2 * b->room_table);
	s = start_find(b, rec->address);
	if (!s) {
		b->starts = array_grow(b->starts, b->nr_starts, &b->room_starts, sizeof(*s));
		*table_at(b, rec->address) = (uint32_t)b->nr_starts + 1;
		s = &b->starts[b->nr_starts++];
		*s = (struct start){ .address = rec->address };
	}
	b->nr_blocks++;
	s->nr++;
	if (end > s->most)
		s->most = end;
}

static int start_order(const void *a, const void *b)
{
	const struct start *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* Where the blocks of each start will be */
static void place_starts(struct heap_blocks *b)
{
	uint32_t first = 0;
	size_t i;

	if (b->nr_starts)
		qsort(b->starts, b->nr_starts, sizeof(*b->starts), start_order);
	for (i = 0; i < b->nr_starts; i++) {
		b->starts[i].first = first;
		first += b->starts[i].nr;
		b->starts[i].nr = 0;
	}
	fill_table(b, b->room_table);
	b->blocks = xcalloc(b->nr_blocks + 1, sizeof(*b->blocks));
}

static size_t room_of(const struct heap_blocks *b, const struct start *s)
{
	const struct start *next = s + 1;

	return (next < b->starts + b->nr_starts ? next->first : b->nr_blocks) - s->first;
}

static struct heap_block *last_block(const struct heap_blocks *b, const struct start *s)
{
	return s->nr ? &b->blocks[s->first + s->nr - 1] : NULL;
}

static void put_alloc(struct heap_blocks *b, struct start *s, const struct heap_record *rec)
{
	struct heap_block *last = last_block(b, s), *block;

	/* The program is still running, and the log has got longer since it was counted. */
	if (s->nr >= room_of(b, s))
		return;
	/* The record of its end was lost, or comes below with the same time. */
	if (last && last->end > rec->time)
		last->end = rec->time;
	block = &b->blocks[s->first + s->nr++];
	block->begin = rec->time;
	block->end = UINT64_MAX;
	block->size = rec->size;
	block->site = site_number(b, rec->site);
}

static void put_free(const struct heap_blocks *b, const struct start *s,
		     const struct heap_record *rec)
{
	struct heap_block *last = last_block(b, s);

	if (!last || last->end != UINT64_MAX)
		return;
	/*
	 * Of two threads with the same time the one that frees a block may come after the
	 * one that gets its address.
	 */
	if (s->nr > 1 && last->begin == rec->time && last[-1].end == rec->time)
		return;
	last->end = rec->time;
}

/* The second reading, in order of time: a heap_record_fn */
static void put_record(void *context, const struct heap_record *rec)
{
	struct heap_blocks *b = context;
	struct start *s = start_find(b, rec->address);

	if (rec->kind == HEAP_ALLOC) {
		if (s)
			put_alloc(b, s, rec);
	} else if (s && s->nr) {
		put_free(b, s, rec);
	} else {
		b->orphans = array_grow(b->orphans, b->nr_orphans, &b->room_orphans,
					sizeof(*b->orphans));
		b->orphans[b->nr_orphans++] = (struct orphan){ rec->address, rec->time };
	}
}

static int orphan_order(const void *a, const void *b)
{
	const struct orphan *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->time < y->time ? -1 : x->time > y->time;
}

/* Set ->most of the subtree from @low to @high - 1; returns it. */
static uint64_t set_most(struct heap_blocks *b, size_t low, size_t high)
{
	size_t mid = (low + high) / 2;
	uint64_t left, right;

	if (low >= high)
		return 0;
	left = set_most(b, low, mid);
	right = set_most(b, mid + 1, high);
	if (left > b->starts[mid].most)
		b->starts[mid].most = left;
	if (right > b->starts[mid].most)
		b->starts[mid].most = right;
	return b->starts[mid].most;
}

struct heap_blocks *heap_blocks_new(struct heap_log *l)
{
	struct heap_blocks *b = xcalloc(1, sizeof(*b));

	fill_table(b, 1024);
	heap_log_each(l, count_record, b);
	place_starts(b);
	heap_log_sorted(l, put_record, b);
	if (b->nr_orphans)
		qsort(b->orphans, b->nr_orphans, sizeof(*b->orphans), orphan_order);
	set_most(b, 0, b->nr_starts);
	free(b->table);
	b->table = NULL;
	hash_table_free(&b->site_numbers);
	return b;
}

void heap_blocks_free(struct heap_blocks *b)
{
	if (!b)
		return;
	free(b->starts);
	free(b->table);
	free(b->blocks);
	free(b->orphans);
	free(b->sites);
	hash_table_free(&b->site_numbers);
	free(b);
}

size_t heap_blocks_count(const struct heap_blocks *b)
{
	return b->nr_blocks;
}

size_t heap_blocks_sites(const struct heap_blocks *b)
{
	return b->nr_sites;
}

uint64_t heap_blocks_site(const struct heap_blocks *b, uint32_t number)
{
	return b->sites[number];
}

/* A search; @visit returns true when it is over. */
struct search {
	const struct heap_blocks *b;
	uint64_t address, time;
	struct heap_found *found;
	unsigned int hits;
	bool (*visit)(struct search *s, const struct start *start);
};

static bool search_tree(struct search *s, size_t low, size_t high)
{
	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct start *start = &s->b->starts[mid];

		if (start->most <= s->address)
			return false;
		if (start->address > s->address) {
			high = mid;
			continue;
		}
		if (s->visit(s, start) || search_tree(s, low, mid))
			return true;
		low = mid + 1;
	}
	return false;
}

static bool covers(const struct search *s, const struct start *start,
		   const struct heap_block *block)
{
	return s->address - start->address < block->size;
}

/*
 * Whether @block is to be preferred to the one found: a live one, and of those the one that
 * began last.  Live blocks that overlap are those whose end was not logged.
 */
static bool is_later(const struct search *s, const struct heap_block *block, bool live)
{
	const struct heap_block *found = s->found->block;

	if (!s->hits || live != (s->found->life == HEAP_LIVE))
		return !s->hits || live;
	return live ? block->begin > found->begin : block->end > found->end;
}

/* Take the block that has the address at the time, or keep the last before it. */
static bool visit_time(struct search *s, const struct start *start)
{
	const struct heap_block *blocks = s->b->blocks + start->first;
	size_t low;
	unsigned int tries = EARLIER;

	lower_bound(low, start->nr, blocks[low].begin <= s->time);
	for (; low && tries--; low--) {
		const struct heap_block *block = &blocks[low - 1];
		bool live = s->time < block->end;

		if (!is_later(s, block, live))
			return false;
		if (!covers(s, start, block))
			continue;
		s->hits = 1;
		s->found->block = block;
		s->found->start = start->address;
		s->found->life = live ? HEAP_LIVE : HEAP_FREED;
		return false;
	}
	return false;
}

static bool visit_any(struct search *s, const struct start *start)
{
	const struct heap_block *blocks = s->b->blocks + start->first;
	size_t i;

	for (i = 0; i < start->nr && s->hits < 2; i++) {
		if (!covers(s, start, &blocks[i]))
			continue;
		s->hits++;
		s->found->block = &blocks[i];
		s->found->start = start->address;
		s->found->life = HEAP_LIFE_UNKNOWN;
	}
	return s->hits > 1;
}

bool heap_blocks_find(const struct heap_blocks *b, uint64_t address, uint64_t time,
		      struct heap_found *found)
{
	struct search s = { b, address, time, found, 0, visit_time };

	search_tree(&s, 0, b->nr_starts);
	return s.hits;
}

bool heap_blocks_only(const struct heap_blocks *b, uint64_t address,
		      struct heap_found *found)
{
	struct search s = { b, address, 0, found, 0, visit_any };

	search_tree(&s, 0, b->nr_starts);
	return s.hits == 1;
}

bool heap_blocks_gave_up(const struct heap_blocks *b, uint64_t start, uint64_t time)
{
	size_t low;

	lower_bound(low, b->nr_orphans, b->orphans[low].address < start);
	return low < b->nr_orphans && b->orphans[low].address == start &&
	       b->orphans[low].time <= time;
}
