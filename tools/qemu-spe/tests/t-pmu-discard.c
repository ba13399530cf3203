// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU events of samples that the SPU discards before it writes them.
 * According to D14.3, SAMPLE_FEED and each SAMPLE_FEED_<x> count such samples.
 * SAMPLE_FILTRATE counts each sample counted by SAMPLE_FEED that filtering does
 * not remove.  D17.4: the SPU discards a sample if, before it is written, the
 * Profiling Buffer is disabled or profiling is stopped.  Runs at EL1.
 */

#include "test.h"
#include "profile.h"

#define FEED		0x4001
#define FILTRATE	0x4002
#define FEED_LD		0x812b
#define FEED_OP		0x812d
#define FEED_EVENT	0x812e
#define FEED_LAT	0x812f

#define PMSFCR_FT	(1ul << 1)
#define PMSFCR_LD	(1ul << 17)
#define PMSFCR_ST	(1ul << 18)

static uint64_t word;

/*
 * The first operation is a load.  The second disables the buffer or stops
 * profiling.
 */
void disable(uint64_t pmscr, uint64_t *word);
void stop_it(uint64_t pmscr, uint64_t *word);
asm(".text\n"
    ".macro session name, reg, value\n"
    "\\name:\n\t"
    "mov x3, #0x20000\n\t"		/* PMBSR_EL1.S */
    "msr " PMSCR_EL1 ", x0\n\t"
    "ldr x4, [x1]\n\t"
    "msr \\reg, \\value\n\t"
    "isb\n\t"
    "msr " PMSCR_EL1 ", xzr\n\t"
    "isb\n\thint #17\n\tdsb sy\n\tisb\n\tret\n"
    ".endm\n"
    "session disable, " PMBLIMITR_EL1 ", xzr\n"
    "session stop_it, " PMBSR_EL1 ", x3\n");

/* Samples operation @number, which is then discarded. */
static void run(void (*session)(uint64_t, uint64_t *), uint64_t number,
		uint64_t pmsfcr)
{
	spe_setup(BUFFER, BUFFER + 4096);
	write_reg(PMSFCR_EL1, pmsfcr);
	write_reg(PMSLATFR_EL1, 1);
	write_reg(PMSEVFR_EL1, 0);
	write_reg(PMSNEVFR_EL1, 0);
	write_reg(PMSICR_EL1, number);
	write_reg("pmcntenclr_el0", 0xffffffff);
	write_reg("pmevtyper0_el0", FEED);
	write_reg("pmevtyper1_el0", FILTRATE);
	write_reg("pmevtyper2_el0", FEED_LD);
	write_reg("pmevtyper3_el0", FEED_OP);
	write_reg("pmevtyper4_el0", FEED_EVENT);
	write_reg("pmevtyper5_el0", FEED_LAT);
	write_reg("pmcr_el0", 3);		/* PMCR_EL0.{E,P} */
	write_reg("pmcntenset_el0", 0x3f);
	isb();
	session(PMSCR_E1SPE, &word);
	ok_eq(read_reg(PMBPTR_EL1), BUFFER, "the sample is not written");
}

static void counts(uint64_t filtrate, uint64_t load, uint64_t op)
{
	ok_eq(read_reg("pmevcntr0_el0"), 1, "SAMPLE_FEED counts it");
	ok_eq(read_reg("pmevcntr1_el0"), filtrate,
	      filtrate ? "SAMPLE_FILTRATE counts it"
		       : "SAMPLE_FILTRATE does not: a filter removes it");
	ok_eq(read_reg("pmevcntr2_el0"), load,
	      load ? "SAMPLE_FEED_LD counts a load"
		   : "SAMPLE_FEED_LD does not count another operation");
	ok_eq(read_reg("pmevcntr3_el0"), op,
	      op ? "SAMPLE_FEED_OP counts the type of PMSFCR_EL1"
		 : "SAMPLE_FEED_OP does not count another type");
	ok_eq(read_reg("pmevcntr4_el0"), 1, "SAMPLE_FEED_EVENT counts it");
	ok_eq(read_reg("pmevcntr5_el0"), 1, "SAMPLE_FEED_LAT counts it");
}

/*
 * With spe-collision-window=600, the load is still in flight and is discarded.
 */
static bool has_window(void)
{
	bool held;

	spe_setup(BUFFER, BUFFER + 4096);
	write_reg(PMSICR_EL1, 3);
	isb();
	start();
	spin(20);
	write_reg(PMSCR_EL1, 0);
	isb();
	held = read_reg(PMBPTR_EL1) == BUFFER;
	stop();
	return held;
}

void test_main(uint64_t el)
{
	(void)el;
	mmu_on();
	if (has_window()) {
		run(disable, 1, PMSFCR_FT | PMSFCR_LD);
		counts(1, 1, 1);
		run(disable, 1, PMSFCR_FT | PMSFCR_ST);
		counts(0, 1, 0);
		run(stop_it, 1, PMSFCR_LD);
		counts(1, 1, 1);
		return;
	}
	/*
	 * The sampled operation itself disables the buffer or stops profiling.
	 */
	run(disable, 2, 0);
	counts(1, 0, 0);
	run(disable, 2, PMSFCR_FT | PMSFCR_LD);
	counts(0, 0, 0);
	run(stop_it, 2, 0);
	counts(1, 0, 0);
}
