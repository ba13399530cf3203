// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters by event, inverted event, type, latency and data source (D17.5).
 * Runs at EL1.
 */

#include "test.h"

#define FE	(1ul << 0)
#define FT	(1ul << 1)
#define FL	(1ul << 2)
#define FNE	(1ul << 3)
#define FDS	(1ul << 4)
#define TYPE_B	(1ul << 16)
#define TYPE_LD	(1ul << 17)
#define TYPE_ST	(1ul << 18)

static uint64_t word[8] __attribute__((aligned(64)));

enum operation { LOAD, STORE, ATOMIC, NO_RETURN, TAKEN, NOT_TAKEN, PLAIN };

/* Samples the operation @text.  kept() returns true if it was recorded. */
#define one(text)							\
	asm volatile("msr " PMSICR_EL1 ", %[two]\n\t"			\
		     "msr " PMSCR_EL1 ", %[on]\n\t"			\
		     "isb\n\t" text "\n"				\
		     "9:\tmsr " PMSCR_EL1 ", xzr\n\t"			\
		     "isb\n\thint #17\n\tdsb sy\n\tisb"			\
		     : : [two] "r"(2ul), [one] "r"(1ul), [on] "r"(PMSCR_E1SPE),		\
		       [p] "r"(word) : "x0", "x1", "memory")

static bool kept(enum operation operation, uint64_t pmsfcr)
{
	spe_setup(BUFFER, BUFFER + 4096);
	write_reg(PMSFCR_EL1, pmsfcr);
	isb();
	switch (operation) {
	case LOAD:
		one("ldr x0, [%[p]]");
		break;
	case STORE:
		one("str x0, [%[p]]");
		break;
	case ATOMIC:
		one("ldadd x0, x1, [%[p]]");
		break;
	case NO_RETURN:
		one("stadd x0, [%[p]]");
		break;
	case TAKEN:
		one("cbnz %[one], 9f");
		break;
	case NOT_TAKEN:
		one("cbz %[one], 9f");
		break;
	case PLAIN:
		one("nop");
		break;
	}
	return spe_records(BUFFER) == 1;
}

static void by_type(void)
{
	ok(kept(LOAD, FT | TYPE_LD), "FT LD keeps a load");
	ok(!kept(LOAD, FT | TYPE_ST), "FT ST rejects a load");
	ok(!kept(LOAD, FT | TYPE_B), "FT B rejects a load");
	ok(kept(STORE, FT | TYPE_ST), "FT ST keeps a store");
	ok(!kept(STORE, FT | TYPE_LD), "FT LD rejects a store");
	ok(kept(ATOMIC, FT | TYPE_LD), "FT LD keeps an atomic");
	ok(kept(ATOMIC, FT | TYPE_ST), "FT ST keeps an atomic");
	ok(!kept(NO_RETURN, FT | TYPE_LD), "FT LD rejects STADD");
	ok(kept(NO_RETURN, FT | TYPE_ST), "FT ST keeps STADD");
	ok(kept(TAKEN, FT | TYPE_B), "FT B keeps a branch");
	ok(!kept(TAKEN, FT | TYPE_LD | TYPE_ST), "FT LD ST rejects a branch");
	ok(kept(STORE, FT | TYPE_LD | TYPE_ST), "FT LD ST keeps a store");
	ok(!kept(PLAIN, FT | TYPE_LD | TYPE_ST | TYPE_B), "FT rejects NOP");
	/*
	 * RNYZKJ; without FEAT_SPE_EFT the result is CONSTRAINED UNPREDICTABLE.
	 */
	if (read_reg(PMSIDR_EL1) & 1 << 26)
		ok(kept(LOAD, FT), "EFT: FT without a type keeps everything");
	else
		ok(!kept(LOAD, FT), "FT without a type rejects everything");
	ok(kept(PLAIN, TYPE_LD), "without FT the types are ignored");
}

static void by_event(void)
{
	write_reg(PMSEVFR_EL1, 1ul << 6);
	ok(kept(NOT_TAKEN, FE), "FE not taken keeps a branch not taken");
	ok(!kept(TAKEN, FE), "FE not taken rejects a taken branch");
	ok(kept(TAKEN, 0), "without FE, PMSEVFR_EL1 is ignored");
	write_reg(PMSEVFR_EL1, 1ul << 2 | 1ul << 4);
	ok(kept(LOAD, FE), "FE: all of two events");
	write_reg(PMSEVFR_EL1, 1ul << 2 | 1ul << 6);
	ok(!kept(LOAD, FE), "FE: one of two events is not enough");
	write_reg(PMSEVFR_EL1, 0);
	/*
	 * CONSTRAINED UNPREDICTABLE, as FnE without events, FL with MINLAT 0 and
	 * an event in both registers (D24.7.11): the model keeps what it says.
	 */
	ok(kept(PLAIN, FE), "FE without events keeps everything");

	write_reg(PMSNEVFR_EL1, 1ul << 6);
	ok(!kept(NOT_TAKEN, FNE), "FnE not taken rejects a branch not taken");
	ok(kept(TAKEN, FNE), "FnE not taken keeps a taken branch");
	ok(kept(NOT_TAKEN, 0), "without FnE, PMSNEVFR_EL1 is ignored");
	write_reg(PMSEVFR_EL1, 1ul << 2);
	write_reg(PMSNEVFR_EL1, 1ul << 3);
	ok(kept(LOAD, FE | FNE), "L1D access and no refill: a hit");
	write_reg(PMSNEVFR_EL1, 1ul << 2);
	ok(!kept(LOAD, FE | FNE) && !kept(PLAIN, FE | FNE),
	   "an event in both filters rejects everything");
	write_reg(PMSNEVFR_EL1, 0);
	ok(kept(PLAIN, FNE), "FnE without events keeps everything");
	write_reg(PMSEVFR_EL1, 0);
	write_reg(PMSNEVFR_EL1, 0);
}

static void by_latency(void)
{
	struct record r;
	uint64_t total;

	kept(LOAD, 0);			/* brings the line into the cache */
	kept(LOAD, 0);
	ok(spe_decode(BUFFER, &r) && r.total_valid, "a load has a latency");
	total = r.total;
	write_reg(PMSLATFR_EL1, total);
	ok(kept(LOAD, FL), "FL keeps what takes MINLAT");
	write_reg(PMSLATFR_EL1, total + 1);
	ok(!kept(LOAD, FL), "FL rejects what takes one cycle less");
	ok(kept(LOAD, 0), "without FL, PMSLATFR_EL1 is ignored");
	write_reg(PMSLATFR_EL1, 0);
	ok(kept(PLAIN, FL), "FL with MINLAT 0 keeps everything");
}

static void by_source(void)
{
	kept(LOAD, 0);
	write_reg(PMSDSFR_EL1, 1);
	ok(kept(LOAD, FDS), "FDS keeps a load from the L1D");
	write_reg(PMSDSFR_EL1, 1ul << 15);
	ok(!kept(LOAD, FDS), "FDS memory rejects a load from the L1D");
	ok(kept(STORE, FDS), "FDS concerns loads alone");
	write_reg(PMSDSFR_EL1, 0);
}

static void together(void)
{
	write_reg(PMSEVFR_EL1, 1ul << 6);
	ok(!kept(NOT_TAKEN, FE | FT | TYPE_LD), "all filters have to pass");
	ok(kept(NOT_TAKEN, FE | FT | TYPE_B), "a record that passes both");
	write_reg(PMSEVFR_EL1, 0);
}

void test_main(uint64_t el)
{
	(void)el;
	mmu_on();
	by_type();
	by_event();
	by_latency();
	by_source();
	together();
}
