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
	tlb();
}
