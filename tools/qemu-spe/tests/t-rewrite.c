// SPDX-License-Identifier: GPL-2.0-only
/*
 * One PE rewrites a branch that another one executes all the time, as a kernel does when it
 * switches a static key (B2.2.5).  After the write has been made coherent with instruction
 * fetches (B2.7.4.2) and an ISB, the other PE must execute the new instruction.  Runs at EL1
 * with -smp 2.  If the machine has an argument, IC IVAU has the address of a page that EL0 may
 * read, and PSTATE.PAN is 1, which does not matter to it (D8.4.5).
 */

#include "test.h"

#define ROUNDS		20000
#define NOP		0xd503201fu
#define B_OVER_ONE	0x14000002u
#define CTR_DIC		(1ul << 29)

/* Returns 1 with a NOP at branch, 0 with a branch over the next instruction. */
uint64_t target(void);
extern uint32_t branch[];
asm(".text\n.balign 64\ntarget:\n\t"
    "mov x0, #0\n"
    "branch:\tnop\n\t"
    "mov x0, #1\n\t"
    "ret");

static volatile uint64_t written, executed;
static uint64_t old_code;

void second(void);
void second(void)
{
	mmu_join();
	for (;;) {
		target();
		if (written == executed) {
			asm volatile("yield");
			continue;
		}
		asm volatile("dmb ish\n\tisb" : : : "memory");
		old_code += target() != (written & 1);
		executed = written;
	}
}

asm(".text\n.globl second_entry\nsecond_entry:\n\t"
    "mov sp, x0\n\t"
    "bl second");
extern char second_entry[];

#define AP_EL0_RO	(3ul << 6)

/* Maps the page of the branch a second time, and returns the address of the branch there. */
static uint64_t seen_by_el0(void)
{
	uint64_t at = (uint64_t)branch;

	*page_entry(PAGES) = (*page_entry(PAGES) & 0xfff) | AP_EL0_RO | (at & ~0xffful);
	tlb_flush();
	asm volatile("msr pan, #1");
	return PAGES | (at & 0xfff);
}

static void rewrite(uint32_t instruction, uint64_t address)
{
	*(volatile uint32_t *)branch = instruction;
	asm volatile("dsb ish" : : : "memory");
	if (!(read_reg("ctr_el0") & CTR_DIC))
		asm volatile("ic ivau, %0\n\tdsb ish" : : "r"(address) : "memory");
}

void test_main(uint64_t el)
{
	uint64_t address = (uint64_t)branch;

	(void)el;
	mmu_on();
	if (machine_argument()) {
		address = seen_by_el0();
		trap_skips = true;
		ok(expect_trap((void)*(volatile uint32_t *)address),
		   "PSTATE.PAN forbids a load from the page");
	}
	ok_eq(psci_cpu_on(1, second_entry, (uint64_t)stack_top - 32768), 0,
	      "the second PE starts");
	for (uint64_t i = 1; i <= ROUNDS; i++) {
		rewrite(i & 1 ? NOP : B_OVER_ONE, address);
		asm volatile("dmb ish" : : : "memory");
		written = i;
		while (executed != i)
			asm volatile("yield");
	}
	ok_eq(old_code, 0, "no rewritten instruction is executed");
}
