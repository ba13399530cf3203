// SPDX-License-Identifier: GPL-2.0-only
/*
 * Access flag and dirty state of the pages of the Profiling Buffer (D24.7.1,
 * D17.8.3).  If PMBIDR_EL1.F is 1, the SPU's writes manage them as
 * TCR_EL1.{HA,HD} say.  Otherwise the writes do not manage them.  Runs at EL1.
 */

#include "test.h"

#define AF	(1ul << 10)
#define AP_RO	(2ul << 6)
#define DBM	(1ul << 51)
#define HA	(1ul << 39)
#define HD	(1ul << 40)

static uint64_t entry_after;

/*
 * Writes a record to a page whose descriptor has @set and lacks @clear.
 * Returns PMBSR_EL1.
 */
static uint64_t pmbsr_with(uint64_t tcr, uint64_t set, uint64_t clear)
{
	uint64_t *entry = page_entry(PAGES), saved = *entry;
	uint64_t tcr_before = read_reg("tcr_el1"), pmbsr;

	spe_setup(PAGES, PAGES + 4096);
	write_reg("tcr_el1", tcr_before | tcr);
	write_reg(PMSICR_EL1, 100);
	*entry = (saved | set) & ~clear;
	tlb_flush();
	spe_start(PMSCR_E1SPE);
	for (volatile int i = 0; i < 100; i++)
		;
	spe_stop();
	pmbsr = read_reg(PMBSR_EL1);
	entry_after = *entry;
	*entry = saved;
	write_reg("tcr_el1", tcr_before);
	tlb_flush();
	return pmbsr;
}

static bool faults(uint64_t pmbsr, uint64_t fsc)
{
	return (pmbsr & PMBSR_S) && PMBSR_EC(pmbsr) == 0x24 &&
	       PMBSR_MSS(pmbsr) == fsc && !(pmbsr & PMBSR_DL);
}

void test_main(uint64_t el)
{
	bool manages = read_reg(PMBIDR_EL1) >> 5 & 1;
	uint64_t pmbsr;

	(void)el;
	mmu_on();
	ok_eq(pmbsr_with(0, 0, 0), 0, "a page in order");
	ok(faults(pmbsr_with(0, 0, AF), 0x0b), "HA 0: Access flag fault");
	pmbsr = pmbsr_with(HA, 0, AF);
	if (manages)
		ok(!pmbsr && (entry_after & AF), "F 1, HA 1: AF is set");
	else
		ok(faults(pmbsr, 0x0b) && !(entry_after & AF),
		   "F 0, HA 1: Access flag fault, AF stays 0");
	ok(faults(pmbsr_with(HA, AP_RO | DBM, 0), 0x0f),
	   "HD 0: Permission fault");
	pmbsr = pmbsr_with(HA | HD, AP_RO | DBM, 0);
	if (manages)
		ok(!pmbsr && !(entry_after & AP_RO), "F 1, HD 1: made dirty");
	else
		ok(faults(pmbsr, 0x0f) && (entry_after & AP_RO),
		   "F 0, HD 1: Permission fault, the page stays clean");
	ok(faults(pmbsr_with(HA | HD, AP_RO, 0), 0x0f),
	   "read-only without DBM: Permission fault");
}
