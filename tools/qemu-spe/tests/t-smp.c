// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two PEs profile at the same time into buffers of their own.  They contend for
 * one word, so that the SPU samples atomics of both.  Runs at EL1 with -smp 2.
 */

#include "test.h"

#define BUFFER_OF(pe)	(BUFFER + 0x100000ul * (pe))
#define BUFFER_SIZE	0x80000ul
#define ROUNDS		40000

static uint64_t shared __attribute__((aligned(64)));
static volatile uint64_t done;
static uint64_t pointer_of[2];
static uint64_t left_of[2];

static void setup(unsigned int pe)
{
	spe_setup(BUFFER_OF(pe), BUFFER_OF(pe) + BUFFER_SIZE);
	write_reg(PMSIRR_EL1, 1 << 8);
	isb();
}

/* Five operations for each round, and the write that disables profiling. */
uint64_t contend(uint64_t rounds, uint64_t *word);
asm(".text\ncontend:\n\t"
    "mov x2, #1\n\t"
    "mov x3, #2\n\t"
    "msr " PMSCR_EL1 ", x3\n"
    "1:\tldadd x2, x4, [x1]\n\t"
    "add x5, x4, x2\n\t"
    "ldr x6, [x1]\n\t"
    "subs x0, x0, #1\n\t"
    "b.ne 1b\n\t"
    "msr " PMSCR_EL1 ", xzr\n\t"
    "isb\n\thint #17\n\tdsb sy\n\tisb\n\tret");

/*
 * An atomic that is not aligned within 16 bytes.  If several PEs run, the
 * emulator abandons it and repeats it exclusively, whether it is sampled or
 * not.
 */
static struct {
	uint64_t low, high;
} pair __attribute__((aligned(16)));

static uint64_t pointer_unaligned[2], left_unaligned[2];

static void work_unaligned(unsigned int pe)
{
	setup(pe + 2);
	contend(ROUNDS / 10, (uint64_t *)((char *)&pair + 4));
	pointer_unaligned[pe] = read_reg(PMBPTR_EL1);
	left_unaligned[pe] = read_reg(PMSICR_EL1);
}

static void work(unsigned int pe)
{
	setup(pe);
	contend(ROUNDS, &shared);
	pointer_of[pe] = read_reg(PMBPTR_EL1);
	left_of[pe] = read_reg(PMSICR_EL1);
}

void second(void);
void second(void)
{
	mmu_join();
	work(1);
	work_unaligned(1);
	asm volatile("dsb sy" : : : "memory");
	done = 1;
	for (;;)
		asm volatile("wfi");
}

asm(".text\n.globl second_entry\nsecond_entry:\n\t"
    "mov sp, x0\n\t"
    "mov x2, #(3 << 20)\n\t"
    "msr cpacr_el1, x2\n\tisb\n\t"
    "bl second");
extern char second_entry[];

static void check_unaligned(void)
{
	uint64_t operations = ROUNDS / 10 * 5 + 1;
	struct record r;
	bool exact = true, good = true;

	for (unsigned int pe = 0; pe < 2; pe++) {
		uint64_t base = BUFFER_OF(pe + 2);

		exact &= (pointer_unaligned[pe] - base) / 64 == operations / 257 &&
			 left_unaligned[pe] == 257 - operations % 257;
		for (uint64_t at = base; at < pointer_unaligned[pe]; at += 64)
			good &= spe_decode(at, &r) && !(r.events & 1) &&
				(r.class != 1 || r.va == (uint64_t)&pair + 4);
	}
	ok_eq(pair.low >> 32 | pair.high << 32, 2 * (ROUNDS / 10),
	      "unaligned atomics took effect once");
	ok(exact, "operations that are started over count once");
	ok(good, "and are recorded once, without an exception");
}

static void check(unsigned int pe, const char *count, const char *left,
		  const char *content)
{
	uint64_t base = BUFFER_OF(pe), operations = ROUNDS * 5 + 1;
	unsigned int n = (pointer_of[pe] - base) / 64;
	unsigned int atomics = 0, good = 0;
	struct record r;

	ok_eq(n, operations / 257, count);
	/* of the remaining operations, one loads the counter */
	ok_eq(left_of[pe], 257 - operations % 257, left);
	for (unsigned int i = 0; i < n; i++) {
		if (!spe_decode(base + 64 * i, &r))
			break;
		if (r.class == 1 && r.subclass == 6)
			atomics++;
		good += PC(r.pc) >= (uint64_t)contend &&
			PC(r.pc) < (uint64_t)contend + 64 &&
			!(r.events & 1);
	}
	ok(good == n && atomics > n / 6 && atomics < n / 4, content);
}

void test_main(uint64_t el)
{
	(void)el;
	mmu_on();
	ok_eq(psci_cpu_on(1, second_entry, (uint64_t)stack_top - 32768), 0,
	      "the second PE starts");
	work(0);
	work_unaligned(0);
	while (!done)
		;
	ok_eq(shared, 2 * ROUNDS, "every atomic took effect once");
	check(0, "PE 0: one sample in 257 operations", "PE 0: the counter is exact",
	      "PE 0: its records are of the loop, a fifth of them atomics");
	check_unaligned();
	check(1, "PE 1: one sample in 257 operations", "PE 1: the counter is exact",
	      "PE 1: its records are of the loop, a fifth of them atomics");
}
