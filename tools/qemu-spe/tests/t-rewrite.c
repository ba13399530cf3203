// SPDX-License-Identifier: GPL-2.0-only
/*
 * One PE rewrites a branch that another one executes all the time, as a kernel does when it
 * turns a static key (B2.2.5).  After the write has been made coherent with instruction
 * fetches (B2.7.4.2) and an ISB, the other PE must execute the new instruction.  Runs at EL1
 * with -smp 2.
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

static void rewrite(uint32_t instruction)
{
	*(volatile uint32_t *)branch = instruction;
	asm volatile("dsb ish" : : : "memory");
	if (!(read_reg("ctr_el0") & CTR_DIC))
		asm volatile("ic ivau, %0\n\tdsb ish" : : "r"(branch) : "memory");
}

void test_main(uint64_t el)
{
	(void)el;
	mmu_on();
	ok_eq(psci_cpu_on(1, second_entry, (uint64_t)stack_top - 32768), 0,
	      "the second PE starts");
	for (uint64_t i = 1; i <= ROUNDS; i++) {
		rewrite(i & 1 ? NOP : B_OVER_ONE);
		asm volatile("dmb ish" : : : "memory");
		written = i;
		while (executed != i)
			asm volatile("yield");
	}
	ok_eq(old_code, 0, "no rewritten instruction is executed");
}
