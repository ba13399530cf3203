// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sampled operation that causes an exception has E[0] and no data address,
 * whatever the kind of the exception and the level that takes it.
 */

#include "levels.h"

#define E_EXCEPTION	(1ul << 0)
#define EC_GPC		0x1e
#define EC_DATA_ABORT	0x25		/* taken without a change of level */

extern char faulting_load[];
asm("	.pushsection .text\n"
    "faulting_load:\n"
    "	ldr	x0, [x0]\n"
    "	b	visit_leave\n"
    "	.popsection\n");

/* The load is operation 1. */
static bool sampled(uint64_t address, struct record *r)
{
	clear_pmbsr();
	write_reg(PMBPTR_EL1, PAGES);
	write_reg(PMBLIMITR_EL1, (PAGES + 0x10000) | 1);
	write_reg(PMSFCR_EL1, 0);
	write_reg(PMSIRR_EL1, 0xfffffful << 8);
	write_reg(PMSICR_EL1, 1);
	write_reg(PMSCR_EL1, 2);
	visit_with(1, faulting_load, true, address);
	write_reg(PMBLIMITR_EL1, 0);
	return read_reg(PMBPTR_EL1) == PAGES + 64 && spe_decode(PAGES, r) &&
	       r->pc << 8 == (uint64_t)faulting_load << 8;
}

static void check_fault(const char *name, uint64_t address, uint64_t ec)
{
	struct record r;
	bool passed = sampled(address, &r);

	note("EC", ESR_EC(outcome.esr));
	note("events", r.events);
	ok(passed && ESR_EC(outcome.esr) == ec && (r.events & E_EXCEPTION) &&
	   !r.va_valid && !r.translation_valid && !r.source_valid, name);
}

void test_main(uint64_t el)
{
	struct record r;

	(void)el;
	levels_init();
	enter_world(NONSECURE, true, SCR_EA | SCR_GPF);
	set_hcr(0);
	set_mdcr3(owner_bits(NONSECURE));
	set_mdcr2(MDCR_E2PB(3));
	gpt_on();
	ok(sampled(PAGES + 0x20000, &r) && !(r.events & E_EXCEPTION) &&
	   r.va_valid, "a load that is permitted");
	gpt_set(PAGES + 0x20000, GPI_NONE);
	check_fault("Granule Protection Check exception", PAGES + 0x20000,
		    EC_GPC);
	gpt_off();
	check_fault("External abort", NO_GPT, EC_DATA_ABORT);
	test_exit();
}
