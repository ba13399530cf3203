// SPDX-License-Identifier: GPL-2.0-only
/*
 * A mixture of operations, sampled with all packets that the SPU can output.
 * tests/run takes the records from the log and decodes them with perf-spe.
 * They must contain the same packets in every layout.  Runs at EL1.
 */

#include "test.h"

#define ROUNDS 6000

static uint64_t words[64] __attribute__((aligned(4096)));

/* 16 operations for each round, or 17 if TBZ does not branch. */
void mixture(uint64_t pmscr, uint64_t rounds, uint64_t *words);
asm(".text\nmixture:\n\t"
    "mov x9, x30\n\t"
    "msr " PMSCR_EL1 ", x0\n"
    "1:\tldr x3, [x2]\n\t"
    "str x3, [x2, #64]\n\t"
    "ldur x4, [x2, #60]\n\t"
    "ldadd x3, x4, [x2]\n\t"
    "ldar x5, [x2]\n\t"
    "ldp q0, q1, [x2, #128]\n\t"
    "fadd d2, d0, d1\n\t"
    "add v3.2d, v0.2d, v1.2d\n\t"
    "csel x6, x3, x4, eq\n\t"
    "udiv x7, x3, x4\n\t"
    "tbz x1, #1, 2f\n\t"
    "nop\n"
    "2:\tbl 3f\n\t"
    "subs x1, x1, #1\n\t"
    "b.ne 1b\n\t"
    "msr " PMSCR_EL1 ", xzr\n\t"
    "isb\n\thint #17\n\tdsb sy\n\tisb\n\t"
    "mov x30, x9\n\tret\n"
    "3:\tadd x8, x8, #1\n\tret");

void test_main(uint64_t el)
{
	uint64_t size = 1ul << (read_reg(PMSIDR_EL1) >> 12 & 0xf);
	/* plus the write that disables profiling */
	uint64_t operations = 16 * ROUNDS + ROUNDS / 2 + 1;

	(void)el;
	mmu_on();
	spe_setup(BUFFER, BUFFER + (1 << 20));
	write_reg(PMSIRR_EL1, 1 << 8);
	isb();
	mixture(PMSCR_E1SPE | PMSCR_CX | PMSCR_PA | PMSCR_TS | PMSCR_PCT(1),
		ROUNDS, words);
	ok_eq(read_reg(PMBPTR_EL1), BUFFER + operations / 257 * size,
	      "as many records as samples");
	ok_eq(read_reg(PMBSR_EL1), 0, "no management event");
}
