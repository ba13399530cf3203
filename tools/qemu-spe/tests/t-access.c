// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accesses from each Exception level: traps by TPMS and E2PB, redirection by
 * E2H, PMSCR_EL12, UNDEFINED accesses at EL0, and PMBIDR_EL1.P.  Runs at EL2.
 */

#include "test.h"

static uint64_t esr[16];
static int count;
static int taken_to;

#define try_read(name) ({						\
	trap_arm();							\
	read_reg(name);							\
	esr[count++] = trap_disarm();					\
	taken_to = trapped_el;						\
})

static void el1_reads_pms(void)
{
	count = 0;
	try_read(PMSCR_EL1);
	try_read(PMSICR_EL1);
	try_read(PMSIRR_EL1);
	try_read(PMSFCR_EL1);
	try_read(PMSEVFR_EL1);
	try_read(PMSNEVFR_EL1);
	try_read(PMSLATFR_EL1);
	try_read(PMSIDR_EL1);
	try_read(PMSDSFR_EL1);
}

static void el1_reads_pmb(void)
{
	count = 0;
	try_read(PMBLIMITR_EL1);
	try_read(PMBPTR_EL1);
	try_read(PMBSR_EL1);
}

static uint64_t pmbidr;

static void el1_reads_pmbidr(void)
{
	count = 0;
	trap_arm();
	pmbidr = read_reg(PMBIDR_EL1);
	esr[count++] = trap_disarm();
}

static void el1_reads_el2_register(void)
{
	count = 0;
	try_read(PMSCR_EL2);
	try_read(PMSCR_EL12);
}

static void at_el1(void (*fn)(void))
{
	call_lower(fn, SPSR_EL1, (uint64_t)stack_top - 16384, lower_hvc);
}

static bool all(uint64_t ec)
{
	for (int i = 0; i < count; i++) {
		if (ESR_EC(esr[i]) != ec || (ec == 0 && esr[i] == 0 &&
					     taken_to != 0)) {
			note("esr", esr[i]);
			return false;
		}
	}
	return count > 0;
}

static bool none(void)
{
	for (int i = 0; i < count; i++)
		if (esr[i])
			return false;
	return count > 0;
}

/* The ISS of a trapped MRS: op0 3, op1 0, CRn 9, CRm, op2, and a read */
static bool iss_is(int i, unsigned int crm, unsigned int op2)
{
	uint64_t want = 3ul << 20 | (uint64_t)op2 << 17 | 9ul << 10 |
			(uint64_t)crm << 1 | 1;

	return (esr[i] & 0x3ffc1f) == want;
}

#define HDFGRTR_EL2 "S3_4_C3_C1_4"

static void el1_reads_pmsnevfr(void)
{
	count = 0;
	try_read(PMSNEVFR_EL1);
}

static void el1_reads_pmsdsfr(void)
{
	count = 0;
	try_read(PMSDSFR_EL1);
}

/* HDFGRTR2_EL2.nPMSDSFR_EL1, of FEAT_FGT2 */
static void fine_grained_2(void)
{
	write_reg("mdcr_el2", MDCR_E2PB(3));
	at_el1(el1_reads_pmsdsfr);
	ok(all(EC_SYSREG) && taken_to == 2 && iss_is(0, 10, 4),
	   "nPMSDSFR_EL1 0 traps to EL2");
	if (none())
		return;
	write_reg("S3_4_C3_C1_0", 1ul << 19);
	at_el1(el1_reads_pmsdsfr);
	ok(none(), "nPMSDSFR_EL1 1 does not trap");
}

static void traps(void)
{
	/* The register's fine-grained trap is active while its bit is 0. */
	write_reg("mdcr_el2", MDCR_E2PB(3));
	write_reg(HDFGRTR_EL2, 0);
	at_el1(el1_reads_pmsnevfr);
	ok(all(EC_SYSREG) && taken_to == 2, "nPMSNEVFR_EL1 0 traps to EL2");
	write_reg(HDFGRTR_EL2, 1ul << 62);
	write_reg("mdcr_el2", MDCR_E2PB(3));
	at_el1(el1_reads_pms);
	ok(none(), "TPMS 0: EL1 reads PMS* registers");
	at_el1(el1_reads_pmb);
	ok(none(), "E2PB 11: EL1 reads PMB* registers");

	write_reg("mdcr_el2", MDCR_E2PB(3) | MDCR_TPMS);
	at_el1(el1_reads_pms);
	ok(all(EC_SYSREG) && taken_to == 2, "TPMS 1: each PMS* traps to EL2");
	ok(iss_is(0, 9, 0) && iss_is(7, 9, 7), "TPMS 1: the syndrome says which");
	at_el1(el1_reads_pmb);
	ok(none(), "TPMS 1: PMB* do not");

	write_reg("mdcr_el2", MDCR_E2PB(0));
	at_el1(el1_reads_pmb);
	ok(all(EC_SYSREG) && taken_to == 2, "E2PB 00: each PMB* traps to EL2");
	ok(iss_is(0, 10, 0) && iss_is(2, 10, 3), "E2PB 00: the syndrome");
	at_el1(el1_reads_pms);
	ok(none(), "E2PB 00: PMS* do not");
	write_reg("mdcr_el2", MDCR_E2PB(2));
	at_el1(el1_reads_pmb);
	ok(all(EC_SYSREG) && taken_to == 2, "E2PB 10: each PMB* traps to EL2");
}

static void programming_allowed(void)
{
	write_reg("mdcr_el2", MDCR_E2PB(0) | MDCR_TPMS);
	at_el1(el1_reads_pmbidr);
	ok(none() && (pmbidr >> 4 & 1), "E2PB 00: PMBIDR_EL1.P is 1 at EL1");
	write_reg("mdcr_el2", MDCR_E2PB(3));
	at_el1(el1_reads_pmbidr);
	ok(none() && !(pmbidr >> 4 & 1), "E2PB 11: PMBIDR_EL1.P is 0 at EL1");
}

static void undefined(void)
{
	at_el1(el1_reads_el2_register);
	ok(esr[0] && ESR_EC(esr[0]) == EC_UNKNOWN && esr[1] &&
	   ESR_EC(esr[1]) == EC_UNKNOWN && taken_to == 1,
	   "EL1: PMSCR_EL2 and PMSCR_EL12 are UNDEFINED");
	trap_arm();
	read_reg(PMSCR_EL12);
	ok(ESR_EC(trap_disarm()) == EC_UNKNOWN && trapped_el == 2,
	   "E2H 0: PMSCR_EL12 is UNDEFINED at EL2");
	trap_arm();
	write_reg(PMSIDR_EL1, 0);
	ok(trap_disarm() && ESR_EC(trapped_esr) == EC_UNKNOWN,
	   "PMSIDR_EL1 is read-only");
	trap_arm();
	write_reg(PMBIDR_EL1, 0);
	ok(trap_disarm() && ESR_EC(trapped_esr) == EC_UNKNOWN,
	   "PMBIDR_EL1 is read-only");
}

static void separate_without_e2h(void)
{
	write_reg(PMSCR_EL1, PMSCR_CX);
	write_reg(PMSCR_EL2, PMSCR_PA);
	ok(read_reg(PMSCR_EL1) == PMSCR_CX && read_reg(PMSCR_EL2) == PMSCR_PA,
	   "E2H 0: PMSCR_EL1 and PMSCR_EL2 are two registers");
}

static void redirected_with_e2h(void)
{
	write_reg("hcr_el2", HCR_RW | HCR_E2H);
	isb();
	ok_eq(read_reg(PMSCR_EL1), PMSCR_PA, "E2H 1: PMSCR_EL1 reads PMSCR_EL2");
	ok_eq(read_reg(PMSCR_EL12), PMSCR_CX, "E2H 1: PMSCR_EL12 reads PMSCR_EL1");
	write_reg(PMSCR_EL1, PMSCR_TS);
	write_reg(PMSCR_EL12, PMSCR_PA);
	ok_eq(read_reg(PMSCR_EL2), PMSCR_TS, "E2H 1: PMSCR_EL1 writes PMSCR_EL2");
	write_reg("hcr_el2", HCR_RW);
	isb();
	ok_eq(read_reg(PMSCR_EL1), PMSCR_PA, "E2H 1: PMSCR_EL12 writes PMSCR_EL1");
	write_reg(PMSCR_EL1, 0);
	write_reg(PMSCR_EL2, 0);
}

/* EL0 in the EL2&0 regime cannot access any of these registers. */
void el0_read(void);
asm(".section .el0, \"ax\"\n"
    "el0_read:\n\t"
    "mrs x0, " PMSICR_EL1 "\n\t"
    "mrs x0, " PMBPTR_EL1 "\n\t"
    "ret\n\t.text");

static int undefs;

static void count_undef(uint64_t syndrome, uint64_t elr)
{
	(void)elr;
	undefs += ESR_EC(syndrome) == EC_UNKNOWN;
}

static void el0_undefined(void)
{
	write_reg("hcr_el2", HCR_RW | HCR_E2H | HCR_TGE);
	isb();
	trap_hook = count_undef;
	trap_arm();
	call_lower(el0_read, SPSR_EL0, (uint64_t)stack_top - 16384, lower_svc);
	trap_disarm();
	trap_hook = NULL;
	ok_eq(undefs, 2, "EL0: PMS* and PMB* are UNDEFINED");
	write_reg("hcr_el2", HCR_RW);
	isb();
}

void test_main(uint64_t el)
{
	if (el != 2) {
		ok(false, "this test runs at EL2");
		return;
	}
	fine_grained_2();
	traps();
	programming_allowed();
	undefined();
	separate_without_e2h();
	redirected_with_e2h();
	el0_undefined();
}
