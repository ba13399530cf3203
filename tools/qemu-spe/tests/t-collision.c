// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples that stay in flight, and samples that collide with them (D17.3.7),
 * with spe-collision-window=600.  Runs at EL1.
 */

#include "test.h"
#include "profile.h"

#define COLL		(1ul << 16)
#define WINDOW		600

static void setup(void)
{
	spe_setup(BUFFER, BUFFER + (1 << 20));
	write_reg(PMSIRR_EL1, 1 << 8);
	isb();
}

/*
 * The fourth operation is sampled.  The code reads PMBPTR_EL1 with the
 * operation before the last of the window, with the last one, and with the next
 * one.
 */
struct seen {
	uint64_t before, last, after;
};
void in_window(uint64_t pmscr, struct seen *seen);
asm(".text\n"
    "in_window:\n\t"
    "msr " PMSCR_EL1 ", x0\n\t"
    ".rept 602\n\tnop\n\t.endr\n\t"
    "mrs x2, " PMBPTR_EL1 "\n\t"
    "mrs x3, " PMBPTR_EL1 "\n\t"
    "mrs x4, " PMBPTR_EL1 "\n\t"
    "msr " PMSCR_EL1 ", xzr\n\t"
    "isb\n\t"
    "stp x2, x3, [x1]\n\tstr x4, [x1, #16]\n\tret");

/* RQWTQB: this implementation supports one sampled operation at a time. */
static void exact(void)
{
	struct seen seen;

	setup();
	write_reg(PMSICR_EL1, 4);
	write_reg(PMSIRR_EL1, 100 << 8);
	isb();
	in_window(PMSCR_E1SPE, &seen);
	ok_eq(seen.before, BUFFER, "in flight while the window lasts");
	ok_eq(seen.last, BUFFER, "at its last operation too");
	ok_eq(seen.after, BUFFER + 64, "written before the next");
	ok_eq(read_reg(PMBSR_EL1), 0, "no collision");
}

/*
 * Operations 257, 1028 and 1799 are sampled.  Two samples collide after each of
 * the first two.
 */
void row(uint64_t pmscr);
asm(".text\n"
    "row:\n\t"
    "msr " PMSCR_EL1 ", x0\n"
    "row_first:\n\t"
    ".rept 2000\n\tnop\n\t.endr\n\t"
    "msr " PMSCR_EL1 ", xzr\n\t"
    "isb\n\thint #17\n\tdsb sy\n\tisb\n\tret");
extern char row_first[];

/* RLTMKQ: after a Context synchronization event COLL reads as 1. */
static void collide(void)
{
	struct record r;

	setup();
	row(PMSCR_E1SPE);
	ok_eq(spe_records(BUFFER), 3, "every third of seven is sampled");
	for (int i = 0; i < 3; i++)
		ok(spe_decode(BUFFER + 64 * i, &r) &&
		   PC(r.pc) == (uint64_t)row_first + 4 * (256 + 771 * i),
		   "the one after two that collide");
	ok_eq(read_reg(PMBSR_EL1), COLL, "COLL is set, and nothing else");
	ok_eq(read_reg(PMSICR_EL1), 257 - 2001 % 257, "the counter goes on");
}

/* Takes one sample, which is in flight when profiling is disabled. */
static void one(void)
{
	setup();
	write_reg(PMSICR_EL1, 3);
	isb();
	start();
	spin(20);
	write_reg(PMSCR_EL1, 0);
	isb();
}

/* Executes PSB CSYNC; profiling is disabled already. */
static void psb(void)
{
	stop();
}

static void synchronized(void)
{
	one();
	ok_eq(read_reg(PMBPTR_EL1), BUFFER, "disabled: not yet written");
	spin(5000);
	ok_eq(read_reg(PMBPTR_EL1), BUFFER, "no operation that is not profiled "
	      "ends the window");
	psb();
	ok_eq(read_reg(PMBPTR_EL1), BUFFER + 64, "PSB CSYNC has it written");

	one();
	write_reg(PMBLIMITR_EL1, BUFFER + (1 << 20));
	isb();
	write_reg(PMBLIMITR_EL1, (BUFFER + (1 << 20)) | 1);
	isb();
	psb();
	ok_eq(read_reg(PMBPTR_EL1), BUFFER,
	      "the buffer disabled without PSB CSYNC: the record is lost");

	one();
	write_reg(PMBSR_EL1, PMBSR_S);
	isb();
	write_reg(PMBSR_EL1, 0);
	isb();
	psb();
	ok_eq(read_reg(PMBPTR_EL1), BUFFER,
	      "stopped without PSB CSYNC: the record is lost");

	one();
	write_reg(PMSFCR_EL1, 1 << 17 | 2);	/* FT, LD */
	isb();
	psb();
	ok_eq(read_reg(PMBPTR_EL1), BUFFER, "filters apply when it is written");
	write_reg(PMSFCR_EL1, 0);
}

/* PSB CSYNC between other operations, while profiling is enabled. */
void with_psb(uint64_t pmscr);
asm(".text\n"
    "with_psb:\n\t"
    "msr " PMSCR_EL1 ", x0\n\t"
    ".rept 20\n\tnop\n\t.endr\n\t"
    "hint #17\n\t"
    ".rept 400\n\tnop\n\t.endr\n\t"
    "msr " PMSCR_EL1 ", xzr\n\t"
    "isb\n\thint #17\n\tdsb sy\n\tisb\n\tret");

static void while_profiling(void)
{
	setup();
	write_reg(PMSICR_EL1, 3);
	isb();
	with_psb(PMSCR_E1SPE);
	/*
	 * The third operation is sampled, and the (3 + 257)th, which does not
	 * collide.
	 */
	ok_eq(spe_records(BUFFER), 2, "after PSB CSYNC another can be sampled");
	ok_eq(read_reg(PMBSR_EL1), 0, "and does not collide");
	ok_eq(read_reg(PMSICR_EL1), 257 - (422 - 3) % 257,
	      "PSB CSYNC is counted once");

	setup();
	write_reg(PMBPTR_EL1, BUFFER + (1 << 20) - 64);
	write_reg(PMSICR_EL1, 3);
	isb();
	with_psb(PMSCR_E1SPE);
	ok_eq(read_reg(PMBSR_EL1), PMBSR_S | 1, "the buffer fills at PSB CSYNC");
	ok_eq(read_reg(PMSICR_EL1), 257 - (21 - 3), "where profiling stops");
}

void test_main(uint64_t el)
{
	(void)el;
	mmu_on();
	exact();
	collide();
	synchronized();
	while_profiling();
}
