// SPDX-License-Identifier: GPL-2.0-only
/*
 * A PE powers itself off, and that very operation is sampled.  Its record is
 * lost, and the report must say so.  Runs at EL1.
 */

#include "test.h"

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

static volatile uint64_t rounds;

void second(void);
void second(void)
{
	mmu_join();
	if (rounds++) {
		for (;;)
			asm volatile("wfi");
	}
	spe_setup(BUFFER, BUFFER + 4096);
	/* The fourth operation is the HVC of CPU_OFF. */
	asm volatile("msr " PMSICR_EL1 ", %0\n\tmsr " PMSCR_EL1 ", %1\n\t"
		     "isb\n\tmovz x0, #2\n\tmovk x0, #0x8400, lsl #16\n\t"
		     "hvc #0" : : "r"(4ul), "r"(PMSCR_E1SPE) : "x0");
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
		while (rounds != (uint64_t)i + 1)
			;
		/* AFFINITY_INFO returns 1 if the PE is off. */
		while (i == 0 && psci(0xc4000004, 1, 0, 0) != 1)
			;
	}
	ok(*(volatile uint8_t *)BUFFER == 0xa5, "it left no record");
}
