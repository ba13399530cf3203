// SPDX-License-Identifier: GPL-2.0-only
/*
 * A long session, during which tests/run migrates the machine from one QEMU to
 * another.  No sample may be lost or repeated, and the counter must stay
 * exact.  Runs at EL1.  The interval is longer than the collision window of the
 * run, so that no samples collide.
 */

#include "test.h"

#ifndef INTERVAL
#define INTERVAL	1ul
#define ROUNDS		60000000ul
#endif
#define PERIOD		(INTERVAL * 256 + 1)
#define BASE		0x48000000ul
#define LIMIT		0x4f000000ul

uint64_t long_loop(uint64_t rounds, uint64_t *word);
asm(".text\nlong_loop:\n\t"
    "mov x3, #2\n\t"
    "msr " PMSCR_EL1 ", x3\n"
    "1:\tldr x4, [x1]\n\t"
    "add x4, x4, #1\n\t"
    "str x4, [x1]\n\t"
    "subs x0, x0, #1\n\t"
    "b.ne 1b\n\t"
    "msr " PMSCR_EL1 ", xzr\n\t"
    "isb\n\thint #17\n\tdsb sy\n\tisb\n\tret");

static uint64_t word;

/* PSTATE.PM and its accessor exist with FEAT_EBEP. */
#define PM "S3_0_C4_C3_1"

static bool has_pm(void)
{
	return read_reg("S3_0_C0_C5_1") >> 48 & 0xf;
}

void test_main(uint64_t el)
{
	uint64_t operations = ROUNDS * 5 + 1, n;
	unsigned int of[5] = { 0 };
	struct record r;

	(void)el;
	mmu_on();
	/* PMSCR_EL1 and PMSFCR_EL1 reset to UNKNOWN values. */
	write_reg(PMSCR_EL1, 0);
	write_reg(PMSFCR_EL1, 0);
	write_reg(PMBSR_EL1, 0);
	write_reg(PMBPTR_EL1, BASE);
	write_reg(PMBLIMITR_EL1, LIMIT | 1);
	write_reg(PMSICR_EL1, 0);
	write_reg(PMSIRR_EL1, INTERVAL << 8);
	isb();
	if (has_pm())
		write_reg(PM, 1ul << 32);
	note("profiling from", BASE);
	long_loop(ROUNDS, &word);
	n = spe_records(BASE);
	if (has_pm())
		ok_eq(read_reg(PM), 1ul << 32, "PSTATE.PM is as it was");
	ok_eq(word, ROUNDS, "the loop ran to its end");
	ok_eq(n, operations / PERIOD, "one sample in each interval");
	ok_eq(read_reg(PMSICR_EL1), PERIOD - operations % PERIOD,
	      "the counter is exact");
	for (uint64_t i = 0; i < n; i++) {
		uint64_t at;

		if (!spe_decode(BASE + 64 * i, &r))
			break;
		at = (PC(r.pc) - (uint64_t)long_loop - 8) / 4;
		if (at < 5)
			of[at]++;
	}
	/*
	 * The interval and 5 have no common divisor, so each operation is
	 * sampled in turn.
	 */
	for (int i = 0; i < 5; i++)
		ok(of[i] >= n / 5 && of[i] <= n / 5 + 1,
		   "each operation of the loop is sampled as often");
}
