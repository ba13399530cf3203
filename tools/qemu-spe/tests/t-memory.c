// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accesses with known locality must have known events.  Runs at EL1.  The model
 * sees every access.  Its L1D has 4 KiB in 4 ways, its L2 64 KiB in 8, its last
 * level cache 256 KiB in 16.  Its TLB holds 16 pages in 4 ways, and it has 8
 * fill buffers.
 */

#include "test.h"
#include "memory.h"

#define LINE	64ul
#define PAGE	4096ul
#define KIB	1024ul

/* Memory that no case has accessed yet. */
static uint64_t unused = 0x49000000ul;

static uint64_t fresh(uint64_t bytes)
{
	uint64_t at = unused;

	unused += (bytes + PAGE - 1) & ~(PAGE - 1);
	return at;
}

/*
 * Repeats a walk, sampling another element each time.  Returns how many
 * elements have all events of @set, none of @clear, and @source.
 */
static unsigned int matching(uint64_t base, uint64_t stride, uint64_t count,
			     uint64_t step, uint64_t set, uint64_t clear,
			     int source)
{
	unsigned int n = 0;
	struct record r;

	for (uint64_t i = 0; i < count; i += step)
		if (sample_walk(load_walk, base, stride, count, i, 0, BUFFER, &r) &&
		    (r.events & set) == set && !(r.events & clear) &&
		    r.source_valid && r.source == (uint32_t)source)
			n++;
		else
			note("element", i), note("events", r.events),
			note("source", r.source);
	return n;
}

/* Each sample uses a new array, which nothing has accessed before. */
static unsigned int first_walk(uint64_t count)
{
	unsigned int n = 0;
	struct record r;

	for (uint64_t i = 0; i < count; i++)
		n += sample_walk(load_walk, fresh(count * LINE), LINE, count, i, 0,
				 BUFFER, &r) &&
		     (r.events & (E_L1D | E_L1D_REFILL | E_LLC | E_LLC_MISS |
				  E_L2 | E_L2_MISS)) ==
		     (E_L1D | E_L1D_REFILL | E_LLC | E_LLC_MISS | E_L2 |
		      E_L2_MISS) && r.source == FROM_DRAM &&
		     !(r.events & (E_MODIFIED | E_RECENT | E_SNOOPED));
	return n;
}

static void sizes(void)
{
	uint64_t a = fresh(4 * KIB);

	ok_eq(first_walk(64), 64, "the first walk misses everywhere");
	load_walk(a, LINE, 64, 0);
	ok_eq(matching(a, LINE, 64, 1, E_L1D, E_L1D_REFILL | E_L2 | E_LLC,
		       FROM_L1D), 64,
	      "an array as large as the L1D: the second walk refills nothing");
	a = fresh(16 * KIB);
	load_walk(a, LINE, 256, 0);
	ok_eq(matching(a, LINE, 256, 3, E_L1D_REFILL | E_L2, E_L2_MISS | E_LLC,
		       FROM_L2), 86,
	      "larger than the L1D: all come from the L2");
	a = fresh(128 * KIB);
	load_walk(a, LINE, 2048, 0);
	ok_eq(matching(a, LINE, 2048, 64, E_L1D_REFILL | E_L2_MISS | E_LLC,
		       E_LLC_MISS | E_SNOOPED, FROM_LLC), 32,
	      "larger than the L2: all come from the last level");
	a = fresh(512 * KIB);
	load_walk(a, LINE, 8192, 0);
	ok_eq(matching(a, LINE, 8192, 256, E_L2_MISS | E_LLC | E_LLC_MISS,
		       E_REMOTE, FROM_DRAM), 32,
	      "larger than that: all come from memory");
}

static void tlb(void)
{
	uint64_t a = fresh(32 * PAGE);
	unsigned int walks = 0, hits = 0;
	struct record r;

	load_walk(a, PAGE, 16, 0);
	for (int i = 0; i < 16; i++)
		hits += sample_walk(load_walk, a, PAGE, 16, i, 0, BUFFER, &r) &&
			!(r.events & E_TLB_WALK) && (r.events & E_TLB) &&
			r.translation_valid && r.translation == 0;
	ok_eq(hits, 16, "a page each, as many as the TLB holds: no walk");
	load_walk(a, PAGE, 32, 0);
	for (int i = 0; i < 32; i++)
		walks += sample_walk(load_walk, a, PAGE, 32, i, 0, BUFFER, &r) &&
			 (r.events & E_TLB_WALK) && r.translation == 24;
	ok_eq(walks, 32, "twice as many: every access walks");
	load_walk(PAGES, PAGE, 1, 0);
	ok(!(events_of(load_walk, PAGES, BUFFER, &r) & E_TLB_WALK),
	   "a page that was used: no walk");
	*page_entry(PAGES) += PAGE;
	tlb_flush();
	ok(events_of(load_walk, PAGES, BUFFER, &r) & E_TLB_WALK,
	   "the same address, mapped elsewhere: a walk");
	*page_entry(PAGES) -= PAGE;
	tlb_flush();
}

static void recent(void)
{
	uint64_t a = fresh(4 * KIB);
	unsigned int n = 0;
	struct record r;

	for (int i = 0; i < 8; i++) {
		uint64_t line = fresh(PAGE);

		if (sample_walk(load_walk, line, 8, 8, i, 0, BUFFER, &r))
			n += !(r.events & E_RECENT) == !i &&
			     !(r.events & E_L1D_REFILL) == !!i;
	}
	ok_eq(n, 8, "eight words of a line: one refill, seven recently fetched");
	load_walk(a, LINE, 9, 0);
	ok(!(events_of(load_walk, a, BUFFER, &r) & (E_RECENT | E_L1D_REFILL)),
	   "eight lines later it is no longer recent");
	ok(events_of(load_walk, a + LINE, BUFFER, &r) & E_RECENT,
	   "seven lines later it is");
}

static void modified(void)
{
	uint64_t a = fresh(4 * KIB), b = fresh(64 * KIB);
	struct record r;

	ok_eq(events_of(store_walk, a, BUFFER, &r) & ~(E_TLB | E_TLB_WALK),
	      E_L1D | E_L1D_REFILL | E_LLC | E_LLC_MISS,
	      "a store that misses: no events of the L2, which are for loads");
	ok(!r.source_valid, "a store has no data source");
	ok((events_of(load_walk, a, BUFFER, &r) & (E_MODIFIED | E_L1D_REFILL)) ==
	   E_MODIFIED && r.source == FROM_L1D, "then a load: modified, L1D");
	load_walk(b, LINE, 64, 0);
	ok((events_of(load_walk, a, BUFFER, &r) & (E_MODIFIED | E_L2_MISS | E_L2)) ==
	   (E_MODIFIED | E_L2) && r.source == FROM_L2,
	   "the L1D walked over: modified, L2");
	load_walk(b, LINE, 1024, 0);
	ok((events_of(load_walk, a, BUFFER, &r) & (E_MODIFIED | E_L2_MISS)) ==
	   (E_MODIFIED | E_L2_MISS) && r.source == FROM_LLC,
	   "the L2 walked over: modified, last level");
	a = fresh(PAGE);
	events_of(load_walk, a, BUFFER, &r);
	ok(!(events_of(load_walk, a, BUFFER, &r) & E_MODIFIED),
	   "a line that was only read is not modified");
	store_walk(a, 0, 1, 0);
	ok(events_of(load_walk, a, BUFFER, &r) & E_MODIFIED,
	   "a store that was not sampled counts as well");
}

static void crossing(void)
{
	uint64_t a = fresh(2 * PAGE), b = fresh(32 * PAGE);
	struct record r;

	load_walk(b, PAGE, 32, 0);
	load_walk(a, 0, 1, 0);
	ok((events_of(load_walk, a + PAGE - 4, BUFFER, &r) &
	    (E_MISALIGNED | E_TLB_WALK)) == (E_MISALIGNED | E_TLB_WALK),
	   "across two pages: misaligned, and a walk for the second");
	ok((events_of(load_walk, a + PAGE, BUFFER, &r) &
	    (E_L1D_REFILL | E_TLB_WALK)) == 0, "which then is there");
}

static void branches(void)
{
	uint64_t a = fresh(PAGE);
	unsigned int n = 0, last = 0;
	struct record r;

	for (unsigned int i = 0; i < 64; i++)
		if (sample_walk(load_walk, a, 0, 64, i, 3, BUFFER, &r) &&
		    (r.events & E_MISPREDICTED)) {
			n++;
			last = i;
		}
	ok(n == 1 && last == 63, "of a loop's branches the last is mispredicted");
}

void test_main(uint64_t el)
{
	(void)el;
	mmu_on();
	spe_setup(BUFFER, BUFFER + 4096);
	load_walk(fresh(PAGE), 0, 64, 0);	/* trains the branch predictor */
	branches();
	sizes();
	tlb();
	recent();
	modified();
	crossing();
}
