// SPDX-License-Identifier: GPL-2.0-only
/*
 * Repeats a long walk over an array that the caches hold.  tests/run migrates
 * the machine meanwhile, and the caches, the TLB and the predictor must migrate
 * too.  Runs at EL1 with every access seen, an L1D of 1 MiB and a TLB of 256
 * pages.
 */

#include "test.h"
#include "memory.h"

#define BASE		0x4a000000ul
#define LIMIT		0x4f000000ul
#define ARRAY		0x49000000ul
#define LINES		16384u
#define WALKS		1200u	/* must last until the machine is stopped */

void walks(uint64_t array, uint64_t count, uint64_t lines);
asm(".text\nwalks:\n\t"
    "mov x3, #2\n\t"
    "msr " PMSCR_EL1 ", x3\n\t"
    "isb\n"
    "2:\tmov x4, x0\n\t"
    "mov x5, x2\n"
    "1:\tldr x6, [x4], #64\n\t"
    "sub x5, x5, #1\n\t"
    "cbnz x5, 1b\n\t"
    "sub x1, x1, #1\n\t"
    "cbnz x1, 2b\n\t"
    "msr " PMSCR_EL1 ", xzr\n\t"
    "isb\n\thint #17\n\tdsb sy\n\tisb\n\tret");

static void start(uint64_t interval)
{
	write_reg(PMBSR_EL1, 0);
	write_reg(PMBPTR_EL1, BASE);
	write_reg(PMBLIMITR_EL1, LIMIT | 1);
	write_reg(PMSICR_EL1, 0);
	write_reg(PMSIRR_EL1, interval << 8);
	isb();
}

void test_main(uint64_t el)
{
	unsigned int loads = 0, refills = 0, tlb_walks = 0, mispredicted = 0;
	struct record r;
	uint64_t n;

	(void)el;
	mmu_on();
	start(0xffffff);
	walks(ARRAY, 2, LINES);
	start(4);
	note("profiling from", BASE);
	walks(ARRAY, WALKS, LINES);
	n = spe_records(BASE);
	for (uint64_t i = 0; i < n; i++) {
		if (!spe_decode(BASE + 64 * i, &r))
			break;
		loads += r.class == 1;
		refills += (r.events & E_L1D_REFILL) != 0;
		tlb_walks += (r.events & E_TLB_WALK) != 0;
		mispredicted += (r.events & E_MISPREDICTED) != 0;
	}
	note("loads", loads);
	ok(loads > n / 4 && loads > 4000, "a third of the records are loads");
	ok_eq(refills, 0, "no refill: the array stays in the L1D");
	ok_eq(tlb_walks, 0, "no walk: its pages stay in the TLB");
	note("mispredicted", mispredicted);
	ok(mispredicted < 10, "hardly a branch is mispredicted");
}
