// SPDX-License-Identifier: GPL-2.0-only
/*
 * Without spe=on, the ID register reports no SPU, and the registers are
 * UNDEFINED.
 */

#include "test.h"

#define undefined(name) ({						\
	trap_arm();							\
	read_reg(name);							\
	ok(trap_disarm() && ESR_EC(trapped_esr) == EC_UNKNOWN,		\
	   "read of " name " is UNDEFINED");				\
})

void test_main(uint64_t el)
{
	ok_eq(read_reg("id_aa64dfr0_el1") >> 32 & 0xf, 0,
	      "ID_AA64DFR0_EL1.PMSVer is 0");
	undefined(PMSCR_EL1);
	undefined(PMSNEVFR_EL1);
	undefined(PMSICR_EL1);
	undefined(PMSIRR_EL1);
	undefined(PMSFCR_EL1);
	undefined(PMSEVFR_EL1);
	undefined(PMSLATFR_EL1);
	undefined(PMSIDR_EL1);
	undefined(PMBLIMITR_EL1);
	undefined(PMBPTR_EL1);
	undefined(PMBSR_EL1);
	undefined(PMSDSFR_EL1);
	undefined(PMBIDR_EL1);
	if (el == 2) {
		undefined(PMSCR_EL2);
		undefined(PMSCR_EL12);
	}
	/* PSB CSYNC is a hint, so it executes as a NOP. */
	asm volatile("hint #17");
	ok(true, "PSB CSYNC does not end the machine");
}
