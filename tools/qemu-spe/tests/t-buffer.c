// SPDX-License-Identifier: GPL-2.0-only
/*
 * The buffer filling up, and memory that the SPU must never write (D17.7,
 * D17.8.2).  PMBIRQ at the interrupt controller.  Runs at EL1 and, with E2H 0,
 * at EL2.
 */

#include "test.h"
#include "profile.h"

#define GICD		0x08000000ul
#define GICR_SGI	0x080b0000ul
#define INTID		21

static uint32_t mmio(uint64_t address)
{
	return *(volatile uint32_t *)address;
}

static bool pending(void)
{
	return mmio(GICR_SGI + 0x200) >> INTID & 1;	/* GICR_ISPENDR0 */
}

static bool untouched(uint64_t from, uint64_t to)
{
	for (uint64_t p = from; p < to; p++) {
		if (*(volatile uint8_t *)p != 0xa5) {
			note("written at", p);
			return false;
		}
	}
	return true;
}

static void setup(uint64_t base, uint64_t limit)
{
	spe_setup(base, limit);
	write_reg(PMSIRR_EL1, 1 << 8);
	isb();
}

/*
 * RFJDLW, RNXZXG: a buffer that fills is a management event, and sets S, the
 * syndrome and DL as D17.8.2 says.  RTHGCR: nothing is written past the limit.
 */
static void fills(void)
{
	struct record r;
	bool good = true;

	setup(BUFFER, BUFFER + 4096);
	ok(!pending(), "PMBIRQ is not asserted before");
	start();
	spin(100000);
	stop();
	ok(read_reg(PMBSR_EL1) & PMBSR_S, "S is set when the buffer is full");
	ok_eq(PMBSR_EC(read_reg(PMBSR_EL1)), 0, "EC is other");
	ok_eq(PMBSR_MSS(read_reg(PMBSR_EL1)), 1, "BSC is buffer filled");
	ok_eq(read_reg(PMBSR_EL1) & PMBSR_DL, 0, "DL is not set");
	ok_eq(read_reg(PMBPTR_EL1), BUFFER + 4096, "all 64 records fit");
	for (uint64_t p = BUFFER; p < BUFFER + 4096; p += 64)
		good &= spe_decode(p, &r);
	ok(good, "each of them is well-formed");
	ok(untouched(BUFFER + 4096, BUFFER + 8192), "nothing at or past LIMIT");
	ok(pending(), "PMBIRQ is pending at INTID 21");
}

/* RWVKFM: once the event is recorded no further operation is sampled. */
static void holds(void)
{
	uint64_t pointer = read_reg(PMBPTR_EL1), counter = read_reg(PMSICR_EL1);

	start();
	spin(10000);
	stop();
	ok_eq(read_reg(PMBPTR_EL1), pointer, "stopped: PMBPTR_EL1 holds");
	ok_eq(read_reg(PMSICR_EL1), counter, "stopped: PMSICR_EL1 holds");
	write_reg(PMBSR_EL1, 0);
	isb();
	ok(!pending(), "clearing S takes PMBIRQ back");
}

/* RHXSYK permits the same pointer with a larger limit. */
static void goes_on(void)
{
	write_reg(PMBLIMITR_EL1, (BUFFER + 8192) | 1);
	isb();
	start();
	spin(5000);
	stop();
	ok(read_reg(PMBPTR_EL1) > BUFFER + 4096 &&
	   !(read_reg(PMBSR_EL1) & PMBSR_S), "goes on with a larger limit");
}

static void last_record(void)
{
	setup(BUFFER + 4096 - 64, BUFFER + 4096);
	start();
	spin(1000);
	stop();
	ok_eq(read_reg(PMBPTR_EL1), BUFFER + 4096,
	      "LIMIT minus MaxSize: one record");
	ok_eq(PMBSR_MSS(read_reg(PMBSR_EL1)), 1, "then the buffer is filled");
	ok(untouched(BUFFER + 4096, BUFFER + 8192), "nothing at or past LIMIT");
}

static void no_room(void)
{
	setup(BUFFER + 4096, BUFFER + 4096);
	start();
	spin(1000);
	stop();
	ok_eq(read_reg(PMBSR_EL1) & 0xfc0ffffful, PMBSR_S | PMBSR_DL,
	      "no room from the start: access not allowed, DL");
	ok(untouched(BUFFER + 4096, BUFFER + 8192), "and nothing is written");
	setup(0, 0);
	start();
	spin(1000);
	stop();
	ok(read_reg(PMBSR_EL1) & PMBSR_S, "LIMIT 0: access not allowed");
}

static void unaligned(void)
{
	setup(BUFFER + 8, BUFFER + 4096);
	start();
	spin(1000);
	stop();
	ok_eq(PMBSR_EC(read_reg(PMBSR_EL1)), 0x24,
	      "unaligned pointer: stage 1 abort");
	ok_eq(PMBSR_MSS(read_reg(PMBSR_EL1)), 0x21, "FSC is Alignment fault");
	ok_eq(read_reg(PMBPTR_EL1), BUFFER + 8, "the pointer stays");
}

static void disabled_and_discard(void)
{
	setup(BUFFER, BUFFER + 4096);
	write_reg(PMBLIMITR_EL1, BUFFER + 4096);
	isb();
	start();
	spin(10000);
	stop();
	ok(untouched(BUFFER, BUFFER + 4096), "E 0: nothing is written");
	ok_eq(read_reg(PMSICR_EL1), 0, "E 0: nothing is counted");

	setup(BUFFER, BUFFER + 4096);
	write_reg(PMBLIMITR_EL1, (BUFFER + 4096) | 2ul << 1 | 1);
	isb();
	start();
	spin(100000);
	stop();
	ok(untouched(BUFFER, BUFFER + 4096), "discard mode: nothing is written");
	ok_eq(read_reg(PMBPTR_EL1), BUFFER, "discard mode: the pointer stays");
	ok_eq(read_reg(PMBSR_EL1), 0, "discard mode: no management event");
	ok(read_reg(PMSICR_EL1) != 0, "discard mode: operations are counted");
}

static void written_s(void)
{
	write_reg(PMBSR_EL1, PMBSR_S);
	isb();
	ok(pending(), "a direct write that sets S asserts PMBIRQ");
	write_reg(PMBSR_EL1, 0);
	isb();
	ok(!pending(), "and one that clears it does not");
}

void test_main(uint64_t el)
{
	at_el2 = el == 2;
	*(volatile uint32_t *)GICD = 0x37;
	mmu_on();
	fills();
	holds();
	goes_on();
	last_record();
	no_room();
	unaligned();
	disabled_and_discard();
	written_s();
}
