// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where profiling is enabled (the Non-secure rows of Table D17-1), through
 * which register name, and with which contexts and timestamps (D17.6.9).  Runs
 * at EL2.
 */

#include "test.h"

#define NS (1ul << 63)
#define IN_EL(el) ((uint64_t)(el) << 61)

static struct record r;

static void el1_row(void)
{
	asm volatile(".rept 600\n\tnop\n\t.endr");
}

void el0_row(void);
asm(".section .el0, \"ax\"\n"
    "el0_row:\n\t.rept 600\n\tnop\n\t.endr\n\tret\n\t.text");

/*
 * Executes at least 600 operations at @el, and samples one in 257.  Returns the
 * number of records.
 */
static unsigned int run(int el, uint64_t hcr, uint64_t mdcr, uint64_t pmscr1,
			uint64_t pmscr2)
{
	unsigned int n;

	spe_setup(BUFFER, BUFFER + 4096);
	write_reg(PMSIRR_EL1, 1 << 8);
	write_reg("mdcr_el2", mdcr);
	write_reg(PMSCR_EL1, pmscr1);
	write_reg("hcr_el2", HCR_RW | hcr);
	isb();
	/* This name accesses PMSCR_EL2 regardless of E2H. */
	write_reg(PMSCR_EL2, pmscr2);
	isb();
	if (el == 2)
		el1_row();
	else if (el == 1)
		call_lower(el1_row, SPSR_EL1, (uint64_t)stack_top - 16384,
			   lower_hvc);
	else
		call_lower(el0_row, SPSR_EL0, (uint64_t)stack_top - 16384,
			   lower_svc);
	write_reg(PMSCR_EL2, 0);
	write_reg("hcr_el2", HCR_RW);
	isb();
	write_reg(PMSCR_EL1, 0);
	asm volatile("isb; hint #17; dsb sy; isb" : : : "memory");
	n = spe_records(BUFFER);
	if (n && !spe_decode(BUFFER, &r))
		return 0;
	return n;
}

#define E2H_TGE (HCR_E2H | HCR_TGE)
#define OWNER_EL1 MDCR_E2PB(3)
#define OWNER_EL2 MDCR_E2PB(0)
#define BOTH (PMSCR_E0SPE | PMSCR_E1SPE)

static void owner_el2(void)
{
	ok(run(2, 0, OWNER_EL2, 0, PMSCR_E1SPE) == 2 && r.pc >> 56 == 0xc0,
	   "EL2 owns: E2SPE profiles EL2");
	ok(run(2, 0, OWNER_EL2, BOTH, PMSCR_E0SPE) == 0,
	   "EL2 owns: EL2 is not profiled without E2SPE");
	ok(run(1, 0, OWNER_EL2, PMSCR_E1SPE, 0) == 2 && r.pc >> 56 == 0xa0,
	   "EL2 owns: E1SPE profiles EL1");
	ok(run(1, 0, OWNER_EL2, PMSCR_E0SPE, PMSCR_E1SPE) == 0,
	   "EL2 owns: EL1 is not profiled without E1SPE");
	ok(run(2, HCR_E2H, OWNER_EL2, 0, PMSCR_E1SPE) == 2 &&
	   r.pc >> 56 == 0xc0, "E2H: E2SPE profiles EL2");
	ok(run(0, E2H_TGE, OWNER_EL2, 0, PMSCR_E0SPE) == 2 &&
	   r.pc >> 56 == 0x80, "E2H, TGE: E0HSPE profiles EL0");
	ok(run(0, E2H_TGE, OWNER_EL2, BOTH, PMSCR_E1SPE) == 0,
	   "E2H, TGE: EL0 is not profiled without E0HSPE");
}

static void owner_el1(void)
{
	ok(run(1, 0, OWNER_EL1, PMSCR_E1SPE, 0) == 2 && r.pc >> 56 == 0xa0,
	   "EL1 owns: E1SPE profiles EL1");
	ok(run(1, 0, OWNER_EL1, 0, BOTH) == 0,
	   "EL1 owns: EL1 is not profiled without E1SPE");
	ok(run(2, 0, OWNER_EL1, BOTH, BOTH) == 0,
	   "EL1 owns: EL2 is never profiled");
	ok(run(0, E2H_TGE, OWNER_EL1, BOTH, BOTH) == 0,
	   "EL1 owns: with TGE, EL0 is not profiled");
}

static void contexts(void)
{
	write_reg("contextidr_el1", 0x1111);
	write_reg("S3_4_C13_C0_1", 0x2222);	/* CONTEXTIDR_EL2 */
	ok(run(1, 0, OWNER_EL2, PMSCR_E1SPE | PMSCR_CX, PMSCR_CX) == 2 &&
	   r.context1_valid && r.context1 == 0x1111 && r.context2_valid &&
	   r.context2 == 0x2222, "CX at EL1: both contexts");
	ok(run(1, 0, OWNER_EL2, PMSCR_E1SPE, PMSCR_CX) == 2 &&
	   !r.context1_valid && r.context2_valid, "CX of EL2 alone");
	ok(run(2, 0, OWNER_EL2, PMSCR_CX, PMSCR_E1SPE | PMSCR_CX) == 2 &&
	   !r.context1_valid && r.context2_valid,
	   "CX at EL2: not CONTEXTIDR_EL1");
	ok(run(0, E2H_TGE, OWNER_EL2, PMSCR_CX, PMSCR_E0SPE | PMSCR_CX) == 2 &&
	   !r.context1_valid && r.context2_valid,
	   "CX at EL0 with TGE: not CONTEXTIDR_EL1");
}

/* Table D17-3.  The virtual offset of an hour makes the two counters differ. */
#define OFFSET (3600ul * 1000000000ul)

static bool physical(void)
{
	uint64_t now = read_reg("cntpct_el0");

	return r.timestamp_valid && now - r.timestamp < OFFSET / 2;
}

static bool is_virtual(void)
{
	uint64_t now = read_reg("cntpct_el0") - OFFSET;

	return r.timestamp_valid && now - r.timestamp < OFFSET / 2;
}

static void timestamps(void)
{
	uint64_t on1 = PMSCR_E1SPE | PMSCR_TS, on2 = PMSCR_TS;

	write_reg("cntvoff_el2", OFFSET);
	ok(run(1, 0, OWNER_EL1, PMSCR_E1SPE, on2) == 2 && !r.timestamp_valid,
	   "EL1 owns, TS 0: no timestamp");
	ok(run(1, 0, OWNER_EL1, on1, 0) == 2 && is_virtual(),
	   "EL1 owns, PCT 00 and 00: virtual");
	ok(run(1, 0, OWNER_EL1, on1 | PMSCR_PCT(1), 0) == 2 && is_virtual(),
	   "EL1 owns, PCT of EL2 00: virtual");
	ok(run(1, 0, OWNER_EL1, on1 | PMSCR_PCT(1), PMSCR_PCT(1)) == 2 &&
	   physical(), "EL1 owns, PCT 01 and 01: physical");
	ok(run(1, 0, OWNER_EL1, on1, PMSCR_PCT(1)) == 2 && is_virtual(),
	   "EL1 owns, PCT of EL1 00: virtual");
	ok(run(1, 0, OWNER_EL2, on1, 0) == 2 && !r.timestamp_valid,
	   "EL2 owns, its TS 0: no timestamp");
	ok(run(1, 0, OWNER_EL2, PMSCR_E1SPE, on2) == 2 && is_virtual(),
	   "EL2 owns, PCT 00: virtual");
	ok(run(1, 0, OWNER_EL2, PMSCR_E1SPE, on2 | PMSCR_PCT(1)) == 2 &&
	   physical(), "EL2 owns, PCT 01: physical");
	write_reg("cntvoff_el2", 0);
}

static void physical_addresses(void)
{
	/* el1_row() has no loads, so no record may have a physical address. */
	ok(run(1, 0, OWNER_EL1, PMSCR_E1SPE | PMSCR_PA, PMSCR_PA) == 2 &&
	   !r.pa_valid, "PA: none for operations without data");
}

void test_main(uint64_t el)
{
	if (el != 2) {
		ok(false, "this test runs at EL2");
		return;
	}
	owner_el2();
	owner_el1();
	contexts();
	timestamps();
	physical_addresses();
}
