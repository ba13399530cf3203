// SPDX-License-Identifier: GPL-2.0-only
/*
 * The NS, NSE and EL fields of Address packets (D18.2.1) in each Security
 * state: for the PC, for a physical address and for a branch target.  Runs at
 * EL3, which is not profiled.  The first operation of the level below is
 * therefore operation 1.
 */

#include "levels.h"

#define NS	(1ul << 63)
#define NSE	(1ul << 60)
#define EL(n)	((uint64_t)(n) << 61)
#define DATA	(PAGES + 0x8000)

extern char load_code[], return_code[];
asm(".section .el0, \"ax\"\n"
    "load_code: ldr x1, [x0]\n\t"
    "hint #17\n\tdsb sy\n\tisb\n\tsvc #1\n"
    "return_code: msr elr_el1, x0\n\t"
    "mov x1, #0x3c0\n\tmsr spsr_el1, x1\n\tisb\n\teret\n\t"
    ".text");

static struct record r;

static bool sampled(enum world world, int el, const void *code, uint64_t x0,
		    uint64_t number)
{
	enter_world(world, world == SECURE, 0);
	set_hcr(0);
	clear_pmbsr();
	set_mdcr3(owner_bits(world));
	set_mdcr2(MDCR_E2PB(el == 2 ? 0 : 3));
	write_reg(PMBPTR_EL1, PAGES);
	write_reg(PMBLIMITR_EL1, (PAGES + 0x1000) | 1);
	write_reg(PMSFCR_EL1, 0);
	write_reg(PMSIRR_EL1, 0xfffffful << 8);
	write_reg(PMSICR_EL1, number);
	write_reg(PMSCR_EL1, 3 | PMSCR_PA);
	set_pmscr2(3 | PMSCR_PA);
	visit_with(el, code, true, x0);
	write_reg(PMBLIMITR_EL1, 0);
	return read_reg(PMBPTR_EL1) == PAGES + 64 && spe_decode(PAGES, &r);
}

static void in_world(enum world world, uint64_t space, const char *const *name)
{
	for (int el = 0; el < 3; el++)
		ok(sampled(world, el, load_code, DATA, 1) &&
		   r.pc == (PC(load_code) | space | EL(el)), name[el]);
	ok(r.pa_valid && r.pa == (DATA | space) && r.va == DATA, name[3]);
	ok(sampled(world, 1, return_code, (uint64_t)visit_leave, 5) &&
	   r.class == 2 && r.pc == (PC(return_code + 16) | space | EL(1)) &&
	   r.target_valid && r.target == (PC(visit_leave) | space),
	   name[4]);
}

void test_main(uint64_t el)
{
	static const char *const names[][5] = {
		[NONSECURE] = { "Non-secure EL0: PC", "Non-secure EL1: PC",
				"Non-secure EL2: PC",
				"Non-secure: physical address",
				"Non-secure: exception return to EL0" },
		[SECURE] = { "Secure EL0: PC", "Secure EL1: PC",
			     "Secure EL2: PC", "Secure: physical address",
			     "Secure: exception return to EL0" },
		[REALM] = { "Realm EL0: PC", "Realm EL1: PC", "Realm EL2: PC",
			    "Realm: physical address",
			    "Realm: exception return to EL0" },
	};

	levels_init();
	if (el != 3 || !have_el2) {
		ok(false, "this test runs at EL3, with EL2");
		return;
	}
	in_world(NONSECURE, NS, names[NONSECURE]);
	in_world(SECURE, 0, names[SECURE]);
	if (have_rme)
		in_world(REALM, NS | NSE, names[REALM]);
}
