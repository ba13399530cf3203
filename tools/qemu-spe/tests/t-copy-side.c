// SPDX-License-Identifier: GPL-2.0-only
/*
 * If both the load and the store of a Memory Copy pass the filter, the SPU
 * records one of them at random (SPEMultiAccessSample()).  It must do so even
 * if every other sample is a copy.  If only one of them passes, the SPU records
 * that one.
 */

#include "test.h"

#define ROUNDS		100
#define PERIOD		257		/* INTERVAL 1 */
#define SFCR_FT		(1ul << 1)
#define SFCR_LD		(1ul << 17)
#define SFCR_ST		(1ul << 18)
#define CLASS_LDST	1
#define SUB_STORE	1

/* Each round takes two samples, one of which is the copy. */
void copies(uint64_t rounds, uint64_t *pair);
extern char the_copy[];
asm(".text\ncopies:\n\t"
    "mov	x7, x0\n\t"
    "mov	x8, #2\n\t"
    "msr	" PMSCR_EL1 ", x8\n"
    "1:\tmov	x3, x1\n\t"
    "add	x4, x1, #8\n\t"
    "mov	x2, #8\n\t"
    ".rept	253\n\tnop\n\t.endr\n"
    "the_copy:\n\t"
    ".inst	0x1d040443\n\t"		/* CPYP [x3]!, [x4]!, x2! */
    ".rept	255\n\tnop\n\t.endr\n\t"
    "subs	x7, x7, #1\n\t"
    "b.ne	1b\n\t"
    "msr	" PMSCR_EL1 ", xzr\n\t"
    "isb\n\thint #17\n\tdsb sy\n\tisb\n\tret");

static uint64_t pair[2];
static unsigned int loads, stores;

static void run(uint64_t pmsfcr)
{
	struct record r;

	loads = stores = 0;
	spe_setup(BUFFER, BUFFER + 0x10000);
	write_reg(PMSFCR_EL1, pmsfcr);
	write_reg(PMSIRR_EL1, 1 << 8);
	write_reg(PMSICR_EL1, PERIOD);
	isb();
	copies(ROUNDS, pair);
	for (uint64_t at = BUFFER; at < read_reg(PMBPTR_EL1); at += 64) {
		if (!spe_decode(at, &r))
			return;
		if (PC(r.pc) != (uint64_t)the_copy)
			continue;
		if (r.subclass & SUB_STORE)
			stores++;
		else
			loads++;
	}
}

void test_main(uint64_t el)
{
	(void)el;
	mmu_on();
	run(0);
	note("loads", loads);
	note("stores", stores);
	ok_eq(loads + stores, ROUNDS, "every other sample is the copy");
	ok(loads > ROUNDS / 4 && stores > ROUNDS / 4,
	   "its load and its store are recorded about as often");
	run(SFCR_FT | SFCR_LD);
	ok(loads == ROUNDS && !stores, "where loads pass the filter, its load");
	run(SFCR_FT | SFCR_ST);
	ok(stores == ROUNDS && !loads, "where stores do, its store");
	test_exit();
}
