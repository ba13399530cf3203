// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fixed amount of work for selftests/rig/bench-model; this is not a test.
 * The last argument of the machine selects profiling: 0x0 is none, 0x1000 takes
 * a sample every 0x1000 operations.  Bits 63:32 say how many times the work is
 * halved.  Runs at EL1.
 *
 * The work consists of loads, stores, arithmetic, branches and calls.  Most
 * accesses are to 32 KiB, and some to 2 MiB.  There is a system call about
 * every 8000 operations.
 */

#include "test.h"

#define ROUNDS		100000u
#define WORDS		4096u
#define FAR_WORDS	262144u
#define SIZE		0x100000ul

static uint64_t table[WORDS], far_table[FAR_WORDS];

static __attribute__((noinline)) uint64_t step(uint64_t seed)
{
	return seed * 6364136223846793005u + 1442695040888963407u;
}

static __attribute__((noinline)) uint64_t work(uint64_t seed)
{
	uint64_t sum = 0;

	for (unsigned int i = 0; i < 512; i++) {
		if (seed & 1)
			sum += table[seed >> 8 & (WORDS - 1)];
		else
			table[seed >> 8 & (WORDS - 1)] = sum;
		if (!(i & 15))
			far_table[seed >> 20 & (FAR_WORDS - 1)]++;
		seed = step(seed);
		seed ^= seed >> 33;
	}
	return sum ^ seed;
}

/*
 * Does what a driver does at each interrupt.  The test calls this so often that
 * no interrupt occurs.
 */
static void rewind(void)
{
	write_reg(PMSCR_EL1, 0);
	asm volatile("isb; hint #17; dsb sy; isb" : : : "memory");
	write_reg(PMBSR_EL1, 0);
	write_reg(PMBPTR_EL1, BUFFER);
	isb();
	write_reg(PMSCR_EL1, PMSCR_E1SPE);
	isb();
}

void test_main(uint64_t el)
{
	uint64_t argument = machine_argument(), period = argument & 0xffffffff;
	uint64_t seed = 1;

	(void)el;
	mmu_on();
	if (period) {
		spe_setup(BUFFER, BUFFER + SIZE);
		write_reg(PMSIRR_EL1, period);
	}
	trap_arm();
	for (unsigned int i = 0; i < ROUNDS >> (argument >> 32); i++) {
		if (period && !(i & 255))
			rewind();
		seed = work(seed + i);
		asm volatile("svc #2" : : : "memory");
	}
	if (period)
		spe_stop();
	note("result", seed);
	ok(!period || spe_records(BUFFER) > 0, "the work was done");
}
