// SPDX-License-Identifier: GPL-2.0-only
/*
 * FEAT_SPE_PBT across a Warm reset (D17.6.3.1).  The branches after the reset
 * execute while profiling is disabled, so the first samples must have no
 * previous branch target.  A PE powers itself off after a profiled branch, and
 * the test turns it on again.  Runs at EL1, with spe-pbt=on.
 */

#include "test.h"

static volatile uint64_t rounds;
static volatile bool done;
static struct record before, after;

static int64_t psci(uint64_t function, uint64_t a, uint64_t b, uint64_t c)
{
	register uint64_t x0 asm("x0") = function;
	register uint64_t x1 asm("x1") = a;
	register uint64_t x2 asm("x2") = b;
	register uint64_t x3 asm("x3") = c;

	asm volatile("hvc #0" : "+r"(x0) : "r"(x1), "r"(x2), "r"(x3)
		     : "memory");
	return x0;
}

/* Executes @branch, then samples an operation. */
#define sample_behind(branch, number) do {				\
	spe_setup(BUFFER, BUFFER + 4096);				\
	asm volatile("msr " PMSICR_EL1 ", %0\n\t"			\
		     "msr " PMSCR_EL1 ", %1\n\t"			\
		     branch						\
		     "nop\n\t"						\
		     : : "r"((uint64_t)(number)), "r"(PMSCR_E1SPE));	\
} while (0)

#define end() \
	asm volatile("msr " PMSCR_EL1 ", xzr\n\tisb\n\thint #17\n\t" \
		     "dsb sy\n\tisb" : : : "memory")

void second(void);
void second(void)
{
	mmu_join();
	if (rounds++ == 0) {
		sample_behind("b 1f\n1:\t", 2);
		end();
		spe_decode(BUFFER, &before);
		/*
		 * The PE powers off with profiling enabled, directly after a
		 * branch.
		 */
		sample_behind("b 1f\n1:\t", 1000);
		asm volatile("movz x0, #2\n\tmovk x0, #0x8400, lsl #16\n\t"
			     "hvc #0" : : : "x0");
	}
	sample_behind("", 1);
	end();
	spe_decode(BUFFER, &after);
	done = true;
	for (;;)
		asm volatile("wfi");
}

asm(".text\n.globl second_entry\nsecond_entry:\n\t"
    "mov sp, x0\n\tbl second");
extern char second_entry[];

void test_main(uint64_t el)
{
	(void)el;
	mmu_on();
	for (int i = 0; i < 2; i++) {
		ok_eq(psci(0xc4000003, 1, (uint64_t)second_entry,
			   (uint64_t)stack_top - 32768), 0, "the PE starts");
		/* AFFINITY_INFO returns 1 if the PE is off. */
		while (i == 0 && (!rounds || psci(0xc4000004, 1, 0, 0) != 1))
			;
	}
	while (!done)
		;
	ok(before.pc_valid && before.previous_valid,
	   "before: a sample behind a branch has the branch's target");
	ok(after.pc_valid && !after.previous_valid,
	   "after the reset: a sample without a branch before it has none");
}
