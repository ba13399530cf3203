// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiles until QEMU's -append ends in 0x1, and then a little longer.
 * tests/streams saves the machine meanwhile, damages the stream, and loads it
 * into a QEMU with that argument.  Runs at EL2, which owns the buffer.
 */

#include "test.h"

#define BASE	0x48000000ul
#define LIMIT	0x4a000000ul
#define AFTER	20

/* Walks over more memory than the caches hold. */
void some_loop(uint64_t rounds, uint8_t *memory);
asm(".text\nsome_loop:\n"
    "1:\tand x6, x0, #0x1fff\n\t"
    "add x6, x1, x6, lsl #3\n\t"
    "ldr x4, [x6]\n\t"
    "stxr w5, x4, [x6]\n\t"
    "str x4, [x6, #72]\n\t"
    "ldp x4, x5, [x6, #56]\n\t"
    "subs x0, x0, #1\n\t"
    "b.ne 1b\n\t"
    "ret");

static uint8_t memory[1 << 17] __attribute__((aligned(64)));

static void start(void)
{
	write_reg(PMSCR_EL2, 0);
	isb();
	write_reg(PMBLIMITR_EL1, 0);
	isb();
	write_reg(PMBSR_EL1, 0);
	write_reg(PMBPTR_EL1, BASE);
	isb();
	write_reg(PMBLIMITR_EL1, LIMIT | 1);
	isb();
	write_reg(PMSCR_EL2, PMSCR_E1SPE | PMSCR_CX | PMSCR_PA | PMSCR_TS);
	isb();
}

void test_main(uint64_t el)
{
	if (el != 2) {
		ok(false, "this test runs at EL2");
		return;
	}
	mmu_on();
	write_reg("mdcr_el2", 0);
	write_reg(PMSFCR_EL1, 0);
	write_reg(PMSICR_EL1, 0);
	write_reg(PMSIRR_EL1, 1 << 8);
	start();
	note("profiling from", BASE);
	for (int rounds = 0; rounds < AFTER; rounds += machine_argument() == 1) {
		some_loop(500, memory);
		if (read_reg(PMBSR_EL1) & PMBSR_S)
			start();
	}
	write_reg(PMSCR_EL2, 0);
	asm volatile("isb; hint #17; dsb sy; isb" : : : "memory");
	ok(read_reg(PMBPTR_EL1) != BASE, "there are records");
}
