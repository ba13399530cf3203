// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEs of one machine that differ (property spe-unlike).  PE 0 has the common
 * properties.  PE 1 has counters of 16 bits and no data source.  PE 2 has no
 * SPU, and PE 3 implements FEAT_SPEv1p2.  Each PE reads its own ID registers,
 * and records if it has an SPU.  Runs at EL1 with -smp 4.
 */

#include "test.h"

#define PES		4
#define BUFFER_OF(pe)	(BUFFER + 0x10000ul * (pe))
#define PMSIDR_LDS	(1ul << 4)
#define PMSIDR_FDS	(1ul << 7)

static struct {
	uint64_t version, pmsidr, records;
	volatile uint64_t done;
} pes[PES];

static void look(unsigned int pe)
{
	pes[pe].version = read_reg("id_aa64dfr0_el1") >> 32 & 0xf;
	if (pes[pe].version) {
		pes[pe].pmsidr = read_reg(PMSIDR_EL1);
		spe_setup(BUFFER_OF(pe), BUFFER_OF(pe) + 0x8000);
		write_reg(PMSIRR_EL1, 1 << 8);
		isb();
		asm volatile("msr " PMSCR_EL1 ", %0\n\tisb\n"
			     "\tmov x0, #1000\n1:\tsubs x0, x0, #1\n\tb.ne 1b\n"
			     "\tmsr " PMSCR_EL1 ", xzr\n\tisb\n\thint #17\n\tdsb sy\n\tisb"
			     : : "r"(PMSCR_E1SPE) : "x0", "memory", "cc");
		pes[pe].records = (read_reg(PMBPTR_EL1) - BUFFER_OF(pe)) / 64;
	}
	asm volatile("dsb sy" : : : "memory");
	pes[pe].done = 1;
}

void other(uint64_t pe);
void other(uint64_t pe)
{
	mmu_join();
	look(pe);
	for (;;)
		asm volatile("wfi");
}

/* MPIDR_EL1.Aff0 is the number of the PE. */
asm(".text\n.globl other_entry\nother_entry:\n\t"
    "mov sp, x0\n\t"
    "mrs x0, mpidr_el1\n\t"
    "and x0, x0, #0xff\n\t"
    "bl other");
extern char other_entry[];

static void is(unsigned int pe, uint64_t version, uint64_t count, uint64_t sources,
	       const char *what, const char *records)
{
	ok(pes[pe].version == version && (pes[pe].pmsidr >> 16 & 0xf) == count &&
	   (pes[pe].pmsidr & (PMSIDR_LDS | PMSIDR_FDS)) == sources, what);
	/*
	 * 2000 operations of the loop and a few around it; one in 257 is
	 * sampled
	 */
	ok_eq(pes[pe].records, version ? 7 : 0, records);
}

void test_main(uint64_t el)
{
	(void)el;
	mmu_on();
	for (unsigned int pe = 1; pe < PES; pe++) {
		ok_eq(psci_cpu_on(pe, other_entry, (uint64_t)stack_top - 16384 * pe), 0,
		      "a PE starts");
		while (!pes[pe].done)
			;
	}
	look(0);
	is(0, 5, 2, PMSIDR_LDS | PMSIDR_FDS, "PE 0 is what all were to be", "PE 0 records");
	is(1, 5, 3, 0, "PE 1: counters of 16 bits, no data source", "PE 1 records");
	is(2, 0, 0, 0, "PE 2 has no SPU", "PE 2 is left alone");
	is(3, 3, 2, PMSIDR_LDS, "PE 3: FEAT_SPEv1p2", "PE 3 records");
}
