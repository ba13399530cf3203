// SPDX-License-Identifier: GPL-2.0-only
/* The model's caches and TLB: which entries stay, and which are replaced. */

#include <stdlib.h>

#include "memory/cache.h"
#include "host.h"

static void lines(void)
{
	SPECache c;
	uint64_t gone;

	spe_cache_init(&c, 8, 2);
	ok(spe_cache_state(&c, 0) == SPE_INVALID, "an empty cache has not line 0");
	ok(spe_cache_add(&c, 1, SPE_EXCLUSIVE) == 0 &&
	   spe_cache_add(&c, 5, SPE_MODIFIED) == 0 &&
	   spe_cache_add(&c, 2, SPE_SHARED) == 0 &&
	   spe_cache_state(&c, 1) == SPE_EXCLUSIVE, "two ways, four sets");
	spe_cache_state(&c, 1);
	spe_cache_touch(&c, 1);
	gone = spe_cache_add(&c, 9, SPE_SHARED);
	ok(spe_line_number(gone) == 5 && spe_line_state(gone) == SPE_MODIFIED,
	   "the least recently used makes room");
	spe_cache_set(&c, 1, SPE_MODIFIED);
	spe_cache_set(&c, 9, SPE_INVALID);
	ok(spe_cache_add(&c, 13, SPE_SHARED) == 0 &&
	   spe_cache_state(&c, 1) == SPE_MODIFIED &&
	   spe_cache_state(&c, 9) == SPE_INVALID, "what was taken away left room");
	ok(spe_cache_touch(&c, 17) == SPE_INVALID &&
	   spe_cache_add(&c, 13, SPE_MODIFIED) == 0 &&
	   spe_cache_state(&c, 13) == SPE_MODIFIED, "a line is there but once");
	free(c.line);
}

static bool has_states(const SPECache *c, const enum SPELineState *states, int n)
{
	bool same = true;

	for (int line = 0; line < n; line++)
		same &= spe_cache_state(c, line) == states[line];
	return same;
}

/* Two sets of four ways: the even and the odd lines */
static void sets(void)
{
	enum SPELineState states[8];
	bool room = true;
	SPECache c;

	spe_cache_init(&c, 8, 4);
	for (int line = 0; line < 8; line++) {
		states[line] = 1 + line / 2 % 3;
		room &= spe_cache_add(&c, line, states[line]) == 0;
	}
	ok(room && has_states(&c, states, 8), "each line has a place of its own");
	ok(spe_cache_touch(&c, 2) == states[2], "a touch returns the state");
	spe_cache_set(&c, 4, SPE_INVALID);
	spe_cache_set(&c, 5, SPE_INVALID);
	states[4] = states[5] = SPE_INVALID;
	ok(has_states(&c, states, 8), "the others stay when one is taken away");
	ok(spe_cache_add(&c, 8, SPE_SHARED) == 0 && has_states(&c, states, 8),
	   "there is room for one");
	ok(spe_line_number(spe_cache_add(&c, 10, SPE_SHARED)) == 0 &&
	   spe_line_number(spe_cache_add(&c, 12, SPE_SHARED)) == 6,
	   "the least recently used go first");
	free(c.line);
}

/* Page n is at n times @stride. */
static bool misses(SPETLB *t, uint64_t pages, uint64_t stride)
{
	bool missed = true;

	for (uint64_t page = 0; page < pages; page++)
		missed &= !spe_tlb_access(t, page << 12, page * stride);
	return missed;
}

static bool hits(SPETLB *t, uint64_t pages, uint64_t stride)
{
	bool hit = true;

	for (uint64_t page = 0; page < pages; page++)
		hit &= spe_tlb_access(t, page << 12, page * stride);
	return hit;
}

static void tlb_sets(void)
{
	SPETLB t;

	spe_tlb_init(&t, 16, 4);
	ok(misses(&t, 16, 0x2000) && hits(&t, 16, 0x2000), "TLB: all entries of all sets");
	ok(!spe_tlb_access(&t, 16 << 12, 0) && !spe_tlb_access(&t, 0, 0) &&
	   spe_tlb_access(&t, 0x1000, 0x2000), "TLB: a seventeenth page takes the place of page 0");
	free(t.va);
	free(t.pa);
	spe_tlb_init(&t, 4, 4);
	ok(misses(&t, 4, 0) && hits(&t, 4, 0), "TLB: virtual pages of 4 KiB in one set");
	free(t.va);
	free(t.pa);
}

static void tlb(void)
{
	SPETLB t;

	spe_tlb_init(&t, 4, 2);
	ok(!spe_tlb_access(&t, 0, 0) && spe_tlb_access(&t, 0xfff, 0xfff),
	   "TLB: page 0 is missed once");
	ok(!spe_tlb_access(&t, 0, 0x1000) && spe_tlb_access(&t, 0, 0),
	   "TLB: another physical page is another entry");
	ok(!spe_tlb_access(&t, 0x2000, 0) && !spe_tlb_access(&t, 0, 0x1000) &&
	   !spe_tlb_access(&t, 0x1000, 0), "TLB: two ways, two sets");
	free(t.va);
	free(t.pa);
}

void caches(void)
{
	lines();
	sets();
	tlb();
	tlb_sets();
}
