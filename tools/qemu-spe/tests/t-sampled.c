// SPDX-License-Identifier: GPL-2.0-only
/* The default hierarchy, which sees only sampled accesses.  Runs at EL1. */

#include "test.h"
#include "memory.h"

void test_main(uint64_t el)
{
	uint64_t a = 0x49000000ul;
	struct record r;

	(void)el;
	mmu_on();
	spe_setup(BUFFER, BUFFER + 4096);
	load_walk(a, 64, 64, 0);
	ok(sample_walk(load_walk, a, 64, 64, 5, 0, BUFFER, &r) &&
	   (r.events & E_L1D_REFILL) && r.source == FROM_DRAM,
	   "a line that no sample touched is not cached");
	ok(sample_walk(load_walk, a, 64, 64, 5, 0, BUFFER, &r) &&
	   !(r.events & E_L1D_REFILL) && r.source == FROM_L1D,
	   "one that a sample touched is");
	ok(sample_walk(load_walk, a, 64, 64, 6, 0, BUFFER, &r) &&
	   (r.events & E_L1D_REFILL), "its neighbour is not");
	store_walk(a + 64 * 5, 0, 1, 0);
	ok(sample_walk(load_walk, a, 64, 64, 5, 0, BUFFER, &r) &&
	   !(r.events & E_MODIFIED), "a store that was not sampled is unknown");
	ok(sample_walk(store_walk, a, 64, 64, 5, 0, BUFFER, &r) &&
	   sample_walk(load_walk, a, 64, 64, 5, 0, BUFFER, &r) &&
	   (r.events & E_MODIFIED), "a sampled one is known");
}
