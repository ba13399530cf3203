// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters saturate at the largest value that PMSIDR_EL1.CountSize allows
 * (D18.2.3), and so does what the latency filter compares.  Memory takes 65535
 * cycles on this machine, so the total latency of the first load of a line
 * exceeds both sizes.  Runs at EL1.
 */

#include "sample.h"

#define FL	(1ul << 2)
#define FRESH	0x49000000ul

/* A load of a line that nothing has accessed yet */
static bool first_load(void)
{
	static uint64_t at = FRESH;

	at += 4096;
	return sample("ldr x0, [x1]", at, 0, 0);
}

static bool filtered(uint64_t least)
{
	static uint64_t at = FRESH + (1 << 20);
	bool kept;

	write_reg(PMSLATFR_EL1, least);
	at += 4096;
	spe_setup(BUFFER, BUFFER + 4096);
	write_reg(PMSFCR_EL1, FL);
	write_reg(PMSICR_EL1, 2);
	isb();
	asm volatile("msr " PMSCR_EL1 ", %0\n\tisb\n\tldr x0, [%1]\n\t"
		     "msr " PMSCR_EL1 ", xzr\n\tisb\n\thint #17\n\tdsb sy\n\tisb"
		     : : "r"(control), "r"(at) : "x0", "memory");
	kept = spe_records(BUFFER) == 1;
	write_reg(PMSFCR_EL1, 0);
	return kept;
}

void test_main(uint64_t el)
{
	uint64_t max = (read_reg(PMSIDR_EL1) >> 16 & 15) == 3 ? 0xffff : 0xfff;

	(void)el;
	mmu_on();
	note("largest", max);
	ok(first_load() && r.total_valid, "a load from slow memory");
	ok_eq(r.total, max, "its total latency saturates");
	ok(r.issue_valid && r.issue < 100, "its issue latency does not");
	ok(sample("nop", 0, 0, 0) && r.total < 100, "that of NOP does not");
	ok(filtered(max), "MINLAT at the maximum keeps a saturated latency");
	write_reg(PMSLATFR_EL1, max);
	ok_eq(read_reg(PMSLATFR_EL1), max, "which is the largest MINLAT");
	write_reg(PMSLATFR_EL1, 0);
}
