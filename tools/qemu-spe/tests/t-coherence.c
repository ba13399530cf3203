// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines that two PEs share, with a hierarchy that sees every access.  Runs at
 * EL1 with -smp 2.  The machine's last argument says where PE 1 is, as a data
 * source: 0x9, 0xc or 0xd.  With 0xd, PE 1 is on the second of two sockets,
 * whose memory begins at 0x4c000000.
 */

#include "test.h"
#include "memory.h"

#define BUFFER_OF(pe)	(BUFFER + 0x100000ul * (pe))
#define NEAR		0x49000000ul
#define FAR		0x4d000000ul

static uint32_t peer;
static uint64_t unused = NEAR;

/* The access that PE 1 has to make, and its result. */
static volatile struct {
	uint64_t address;
	bool store;
	uint64_t turn;		/* odd while PE 1 has to act */
	uint64_t events;
	uint32_t source;
} order;

static uint64_t fresh(void)
{
	return unused += 4096;
}

void second(void);
void second(void)
{
	struct record r;

	mmu_join();
	for (;;) {
		while (!(order.turn & 1))
			asm volatile("yield");
		asm volatile("dsb sy" : : : "memory");
		order.events = events_of(order.store ? store_walk : load_walk,
					 order.address, BUFFER_OF(1), &r);
		order.source = r.source;
		asm volatile("dsb sy" : : : "memory");
		order.turn++;
	}
}

asm(".text\n.globl second_entry\nsecond_entry:\n\t"
    "mov sp, x0\n\t"
    "bl second");
extern char second_entry[];

static struct record r;

static uint64_t by_0(bool store, uint64_t address)
{
	return events_of(store ? store_walk : load_walk, address, BUFFER_OF(0),
			 &r) & ~(E_TLB | E_TLB_WALK | E_RECENT);
}

/*
 * The same access by PE 1.  r.source receives the data source, as from by_0().
 */
static uint64_t by_1(bool store, uint64_t address)
{
	order.address = address;
	order.store = store;
	asm volatile("dsb sy" : : : "memory");
	order.turn++;
	while (order.turn & 1)
		asm volatile("yield");
	asm volatile("dsb sy" : : : "memory");
	r.source = order.source;
	return order.events & ~(E_TLB | E_TLB_WALK | E_RECENT);
}

#define MISS	(E_L1D | E_L1D_REFILL | E_L2 | E_L2_MISS | E_LLC | E_LLC_MISS)
#define HIT	E_L1D

static void snoops(void)
{
	uint64_t a = fresh(), remote = peer == FROM_REMOTE ? E_REMOTE : 0;

	by_1(true, a);
	ok_eq(by_0(false, a), MISS | E_SNOOPED | E_MODIFIED | remote,
	      "a line that PE 1 wrote: snooped, modified");
	ok_eq(r.source, peer, "its source is where PE 1 is");
	ok_eq(by_0(false, a), HIT, "now it is PE 0's as well, to read");
	ok_eq(by_1(false, a), HIT, "and still PE 1's");
	/* The home of the line is PE 0's socket. */
	ok_eq(by_1(true, a), HIT | remote,
	      "PE 1 writes it again: there already, to be had alone");
	ok_eq(by_0(false, a), MISS | E_SNOOPED | E_MODIFIED | remote,
	      "which took it away from PE 0");
	ok_eq(by_0(true, a), HIT | remote, "PE 0 writes it");
	ok_eq(by_1(false, a), MISS | E_SNOOPED | E_MODIFIED | remote,
	      "PE 1 finds it modified at PE 0");
	ok_eq(r.source, peer, "its source is where PE 0 is");

	a = fresh();
	by_1(false, a);
	ok_eq(by_0(false, a), MISS | E_SNOOPED | remote,
	      "a line that PE 1 alone has read: snooped, not modified");
	a = fresh();
	by_1(true, a);
	ok_eq(by_0(true, a), E_L1D | E_L1D_REFILL | E_LLC | E_LLC_MISS | remote,
	      "a store to what PE 1 wrote: no events of loads");
	ok_eq(by_1(false, a), MISS | E_SNOOPED | E_MODIFIED | remote,
	      "but it is PE 0's now");
}

static void ping_pong(void)
{
	uint64_t a = fresh();
	unsigned int snooped = 0, upgraded = 0;

	by_0(true, a);
	for (int i = 0; i < 20; i++) {
		snooped += (by_1(false, a) & (E_SNOOPED | E_MODIFIED)) ==
			   (E_SNOOPED | E_MODIFIED) && r.source == peer;
		upgraded += (by_1(true, a) & (E_L1D | E_L1D_REFILL)) == E_L1D;
		snooped += (by_0(false, a) & (E_SNOOPED | E_MODIFIED)) ==
			   (E_SNOOPED | E_MODIFIED) && r.source == peer;
		upgraded += (by_0(true, a) & (E_L1D | E_L1D_REFILL)) == E_L1D;
	}
	ok_eq(snooped, 40, "to and fro: each first load is snooped and modified");
	ok_eq(upgraded, 40, "each store after it is a hit");
}

/*
 * PE 0 evicts a line that it wrote.  PE 1 finds the line in a last level cache.
 */
static void written_back(void)
{
	uint64_t a = fresh(), want = MISS & ~E_LLC_MISS;

	by_0(true, a);
	unused += 0x100000;
	load_walk(unused - 0x100000, 64, 0x100000 / 64, 0);
	if (peer == FROM_REMOTE)
		want = MISS | E_SNOOPED | E_REMOTE;
	ok_eq(by_1(false, a), want | E_MODIFIED,
	      "a line that PE 0 wrote and evicted: modified, in the last level");
	ok_eq(r.source, peer == FROM_REMOTE ? FROM_REMOTE : FROM_LLC,
	      "whose source is that of this last level");
}

static void memory(void)
{
	bool two = peer == FROM_REMOTE;

	ok_eq(by_0(false, fresh()), MISS, "memory of PE 0's socket: a miss");
	ok_eq(r.source, FROM_DRAM, "its source is memory");
	ok_eq(by_0(false, FAR), MISS | (two ? E_REMOTE : 0),
	      "memory further on: remote if there is another socket");
	ok_eq(r.source, two ? FROM_REMOTE : FROM_DRAM, "its source tells");
	ok_eq(by_1(false, FAR + 4096), MISS, "PE 1 finds that memory near");
	ok_eq(by_0(false, FAR), HIT, "once it is cached nothing is remote");
}

void test_main(uint64_t el)
{
	(void)el;
	peer = machine_argument();
	note("data source of PE 1", peer);
	mmu_on();
	spe_setup(BUFFER, BUFFER + 4096);
	ok_eq(psci_cpu_on(1, second_entry, (uint64_t)stack_top - 32768), 0,
	      "the second PE starts");
	snoops();
	ping_pong();
	written_back();
	memory();
}
