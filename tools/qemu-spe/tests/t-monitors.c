// SPDX-License-Identifier: GPL-2.0-only
/*
 * D17.7.9: the exclusive monitors.  A Store-exclusive must not systematically
 * fail because the SPU sampled it.  It should not fail because the SPU sampled
 * the Load-exclusive or an operation between the two.  The records go to an
 * unrelated address.  Runs at EL1.
 */

#include "sample.h"

#define TRIES	100

/* Stores x3 to [x1] exclusively; x2 receives the status. */
#define SEQUENCE(load, store)						\
	"msr " PMSCR_EL1 ", %[on]\n\tisb\n\t"				\
	load "\n\tadd x3, x3, #1\n\tnop\n\t" store "\n\t"		\
	"msr " PMSCR_EL1 ", xzr\n\tisb\n\thint #17\n\tdsb sy\n\tisb"

/* The ISB is the first operation, and the Load-exclusive is the second. */
#define FIRST	2
#define LAST	5

static uint64_t word[2] __attribute__((aligned(64)));

#define TRY(number, load, store) ({					\
	register uint64_t x1_ asm("x1") = (uint64_t)word;		\
	register uint32_t x2_ asm("x2") = 1;				\
	write_reg(PMSICR_EL1, number);					\
	isb();								\
	asm volatile(SEQUENCE(load, store)				\
		     : "+r"(x2_) : "r"(x1_), [on] "r"(control)		\
		     : "x3", "x4", "memory");				\
	x2_;								\
})

#define TRIES_OF(load, store, what) ({					\
	static const char *const names[] = {				\
		what ": the Load-exclusive is sampled",			\
		what ": the first operation between is sampled",	\
		what ": the second operation between is sampled",	\
		what ": the Store-exclusive is sampled",		\
	};								\
	for (int n = FIRST; n <= LAST; n++) {				\
		int failed = 0, recorded;				\
		spe_setup(BUFFER, BUFFER + 0x4000);			\
		word[0] = 0;						\
		for (int i = 0; i < TRIES; i++)				\
			failed += TRY(n, load, store);			\
		recorded = spe_records(BUFFER);				\
		ok_eq(recorded, TRIES, names[n - FIRST]);		\
		ok(failed < TRIES && word[0] == (uint64_t)TRIES - failed, \
		   names[n - FIRST]);					\
		note("failed", failed);					\
	}								\
})

void test_main(uint64_t el)
{
	(void)el;
	(void)sampled_pc;
	(void)r;
	mmu_on();
	TRIES_OF("ldxr x3, [x1]", "stxr w2, x3, [x1]", "LDXR, STXR");
	TRIES_OF("ldaxr x3, [x1]", "stlxr w2, x3, [x1]", "LDAXR, STLXR");
	TRIES_OF("ldxp x3, x4, [x1]", "stxp w2, x3, x4, [x1]", "LDXP, STXP");
}
