// SPDX-License-Identifier: GPL-2.0-only
/*
 * The SPE Profiling exception beyond Tables D17-8 to D17-10: when the PE takes
 * it (RNXPMV), also for events that the SPU generates and not a write to
 * PMBSR_ELx.  The test also checks SPSR and PSTATE.PM afterwards, and PMBIRQ
 * while the controls change.
 */

#include "levels.h"

#define LIMIT		(PAGES + 0x1000)
#define SPSR_EL0_A32	0x1d0ul
#define SPSR_SVC_A32	0x1d3ul
#define EC_SMC_A32	0x13

/*
 * Writes x0 to the register, or reads the register to x0.  The PE must take a
 * pending exception at the latest at the label name_behind, after the ISB.
 */
#define STUB(name, instruction)						\
extern char name[], name##_behind[];					\
asm(".section .el0, \"ax\"\n"						\
    ".globl " #name ", " #name "_behind\n"				\
    #name ": " instruction "\n\tisb\n"					\
    #name "_behind: nop\n\tnop\n\tsvc #1\n\t.text")

STUB(set_s, "msr " PMBSR_EL1 ", x0");
STUB(set_s_el2, "msr " PMBSR_EL2 ", x0");
STUB(set_s_el12, "msr " PMBSR_EL12 ", x0");
STUB(read_s, "mrs x0, " PMBSR_EL1);
STUB(enable_el1, "msr " PMSCR_EL1 ", x0");
STUB(set_pm, "msr " PM ", x0");
STUB(clear_pm, ".inst 0xd501421f");		/* MSR PM, #0 */

/* A32: NOP, NOP, SVC #1 */
extern char a32_code[];
asm(".section .el0, \"ax\"\n"
    ".globl a32_code\n"
    "a32_code: .inst 0xe320f000, 0xe320f000, 0xef000001\n\t.text");

static void prepare(unsigned int pmsee, unsigned int ee2, unsigned int ee1,
		    uint64_t ke)
{
	set_hcr(0);
	clear_pmbsr();
	enter_world(NONSECURE, false, 0);
	set_mdcr3(owner_bits(NONSECURE) | MDCR3_PMSEE(pmsee));
	set_mdcr2(MDCR_E2PB(3));
	set_pmscr2(PMSCR_EE(ee2) | PMSCR_KE(ke));
	write_reg(PMSCR_EL1, PMSCR_EE(ee1) | PMSCR_KE(ke));
	isb();
}

static void finish(void)
{
	set_hcr(0);
	write_reg(PMBLIMITR_EL1, 0);
	clear_pmbsr();
}

static void tell_outcome(void)
{
	note("esr", outcome.esr);
	note("taken to", outcome.el);
	note("vector", outcome.vector);
	note("spsr", outcome.spsr);
}

static bool taken(int from, int to, bool pm)
{
	if (visit_profiling() && (int)outcome.el == to &&
	    (int)(outcome.spsr >> 2 & 3) == from &&
	    (outcome.spsr >> 32 & 1) == pm)
		return true;
	tell_outcome();
	return false;
}

/* The PE took it at the latest at the instruction after the ISB (RNXPMV). */
static bool in_time(const char *stub, const char *behind)
{
	return outcome.elr >= (uint64_t)stub && outcome.elr <= (uint64_t)behind;
}

static void direct_accesses(void)
{
	prepare(1, 1, 3, 1);
	visit_with(1, set_s, false, PMBSR_S);
	ok(taken(1, 1, false) && in_time(set_s, set_s_behind),
	   "RNXPMV: MSR PMBSR_EL1 at EL1, then ISB");
	finish();

	prepare(1, 1, 3, 1);
	visit_with(1, set_s, true, PMBSR_S);
	ok(visit_left(), "PSTATE.PM 1 masks it at EL1");
	visit(1, read_s, false);
	ok(taken(1, 1, false) && in_time(read_s, read_s_behind),
	   "RNXPMV: MRS PMBSR_EL1 sees S, then ISB");
	finish();

	prepare(1, 1, 0, 1);
	set_pmbsr(1, PMBSR_S);
	visit_with(1, enable_el1, false, PMSCR_EE(3) | PMSCR_KE(1));
	ok(taken(1, 1, false) && in_time(enable_el1, enable_el1_behind),
	   "PMSCR_EL1.EE is set to 11 at EL1 while S is 1");
	ok(!pmbirq_high(), "and PMBIRQ goes LOW");
	finish();
}

static void at_el2(void)
{
	prepare(1, 3, 0, 1);
	visit_with(2, set_s_el2, false, PMBSR_S);
	ok(taken(2, 2, false) && in_time(set_s_el2, set_s_el2_behind),
	   "RNXPMV: MSR PMBSR_EL2 at EL2, then ISB");
	finish();

	prepare(1, 3, 0, 1);
	set_hcr(HCR_E2H);
	visit_with(2, set_s, false, PMBSR_S);
	ok(taken(2, 2, false), "E2H: the name PMBSR_EL1 at EL2 does the same");
	ok(!(get_pmbsr(1) & PMBSR_S), "and PMBSR_EL1 has no part in it");
	finish();

	prepare(1, 2, 0, 1);
	set_hcr(HCR_E2H);
	visit_with(2, set_s_el12, false, PMBSR_S);
	ok(visit_left() && pmbirq_high(),
	   "E2H: PMBSR_EL12 at EL2 drives PMBIRQ if EL1.EE is 00");
	finish();
}

static void by_pm(void)
{
	if (!have_ebep) {
		prepare(1, 1, 3, 1);
		visit_with(1, set_pm, true, 0);
		ok(ESR_EC(outcome.esr) == EC_UNKNOWN && outcome.el == 1,
		   "without FEAT_EBEP MSR PM is UNDEFINED");
		visit(1, clear_pm, true);
		ok(ESR_EC(outcome.esr) == EC_UNKNOWN && outcome.el == 1,
		   "without FEAT_EBEP MSR PM, #0 is UNDEFINED");
		finish();
		return;
	}
	prepare(1, 1, 3, 1);
	set_pmbsr(1, PMBSR_S);
	visit_with(1, set_pm, true, 0);
	ok(taken(1, 1, false) && in_time(set_pm, set_pm_behind),
	   "MSR PM at EL1 unmasks it");
	visit(1, clear_pm, true);
	ok(taken(1, 1, false) && in_time(clear_pm, clear_pm_behind),
	   "MSR PM, #0 at EL1 unmasks it");
	finish();

	prepare(1, 3, 0, 1);
	set_pmbsr(2, PMBSR_S);
	visit_with(2, set_pm, true, 0);
	ok(taken(2, 2, false), "MSR PM at EL2 unmasks it");
	visit_with(0, set_pm, true, 0);
	ok(taken(0, 2, true), "it is not UNDEFINED at EL0 before it is taken");
	clear_pmbsr();
	visit_with(0, set_pm, true, 0);
	ok(ESR_EC(outcome.esr) == EC_UNKNOWN && outcome.el == 1,
	   "MSR PM at EL0 is UNDEFINED");
	finish();
}

/* The buffer fills while level @from executes code. */
static void fill_buffer(int from, bool pm, uint64_t hcr, unsigned int e2pb)
{
	write_reg(PMBPTR_EL1, LIMIT - (1ul << (read_reg(PMSIDR_EL1) >> 12 & 15)));
	write_reg(PMBLIMITR_EL1, LIMIT | 1);
	write_reg(PMSFCR_EL1, 0);
	write_reg(PMSIRR_EL1, 0xfffffful << 8);
	write_reg(PMSICR_EL1, VISIT_SAMPLE);
	set_mdcr2(MDCR_E2PB(e2pb));
	write_reg(PMSCR_EL1, read_reg(PMSCR_EL1) | 3);
	set_pmscr2(read_reg(PMSCR_EL2) | 3);
	set_hcr(hcr);
	visit(from, visit_work, pm);
	set_hcr(0);
}

static bool full_in_time(int el)
{
	return PMBSR_EC(get_pmbsr(el)) == 0 && PMBSR_MSS(get_pmbsr(el)) == 1 &&
	       outcome.elr >= (uint64_t)visit_work &&
	       outcome.elr < (uint64_t)visit_wait;
}

static void by_the_spu(void)
{
	prepare(1, 1, 3, 0);
	fill_buffer(0, true, 0, 3);
	ok(taken(0, 1, true) && full_in_time(1),
	   "buffer full at EL0 with PM 1: taken to EL1");
	finish();
	prepare(1, 1, 3, 1);
	fill_buffer(1, false, 0, 3);
	ok(taken(1, 1, false) && full_in_time(1),
	   "buffer full at EL1, KE 1, PM 0: taken to EL1");
	finish();
	prepare(1, 1, 3, 0);
	fill_buffer(1, false, 0, 3);
	ok(visit_left() && !pmbirq_high(), "buffer full at EL1, KE 0: masked");
	visit(0, visit_wait, false);
	ok(taken(0, 1, false), "and taken once EL0 is entered");
	finish();
	prepare(1, 3, 0, 1);
	fill_buffer(2, false, 0, 0);
	ok(taken(2, 2, false) && full_in_time(2),
	   "buffer full at EL2, KE 1, PM 0: taken to EL2");
	finish();
	prepare(1, 3, 0, 0);
	fill_buffer(0, false, HCR_E2H | HCR_TGE, 0);
	ok(taken(0, 2, false) && full_in_time(2),
	   "buffer full at EL0 of the host: taken to EL2");
	finish();
	prepare(3, 3, 3, 0);
	fill_buffer(1, true, 0, 3);
	ok(taken(1, 3, true) && full_in_time(3),
	   "PMSEE 11, buffer full at EL1: taken to EL3");
	finish();
	prepare(0, 3, 3, 1);
	fill_buffer(1, false, 0, 3);
	ok(visit_left() && pmbirq_high(), "PMSEE 00, buffer full: PMBIRQ");
	finish();
}

/* An exception for EL1 or EL2 is masked outside the owning Security state. */
static void other_owner(void)
{
	static const enum world others[] = { SECURE, REALM };

	for (int i = 0; i < 2; i++) {
		if (!world_possible(others[i], false))
			continue;
		prepare(2, 3, 3, 1);
		set_mdcr3(owner_bits(others[i]) | MDCR3_PMSEE(2));
		set_pmbsr(1, PMBSR_S);
		set_pmbsr(2, PMBSR_S);
		visit(0, visit_wait, false);
		ok(visit_left(), "EL0, not of the owning state: masked");
		visit(1, visit_wait, false);
		ok(visit_left(), "EL1, not of the owning state: masked");
		visit(2, visit_wait, false);
		ok(visit_left(), "EL2, not of the owning state: masked");
		set_pmbsr(3, PMBSR_S);
		visit(1, visit_wait, false);
		ok(taken(1, 3, false), "PMBSR_EL3 knows no owning state");
		set_pmbsr(3, 0);
		enter_world(others[i], others[i] == SECURE && have_sel2, 0);
		visit(1, visit_wait, false);
		ok(taken(1, 2, false), "EL1 of the owning state: taken");
		finish();
	}
}

/* S stays 1, and the test changes the controls one at a time. */
static void interrupt_follows(void)
{
	prepare(1, 1, 0, 0);
	set_pmbsr(1, PMBSR_S);
	ok(pmbirq_high(), "PMBIRQ with EL1.EE 00: HIGH");
	write_reg(PMSCR_EL1, PMSCR_EE(3));
	ok(!pmbirq_high(), "EL1.EE 11: LOW");
	write_reg(PMSCR_EL1, PMSCR_EE(1));
	ok(pmbirq_high(), "EL1.EE 01, as 00: HIGH");
	write_reg(PMSCR_EL1, PMSCR_EE(2));
	ok(!pmbirq_high(), "EL1.EE 10, as 11: LOW");
	set_pmscr2(PMSCR_EE(0));
	ok(pmbirq_high(), "EL2.EE 00: HIGH");
	enter_world(SECURE, false, 0);
	ok(!pmbirq_high(), "SCR_EL3.{NS,EEL2} {0,0}, EL2.EE as 01: LOW");
	if (have_sel2) {
		enter_world(SECURE, true, 0);
		ok(pmbirq_high(), "SCR_EL3.{NS,EEL2} {0,1}: HIGH");
	}
	enter_world(NONSECURE, false, 0);
	ok(pmbirq_high(), "SCR_EL3.NS 1: HIGH");
	set_pmscr2(PMSCR_EE(1));
	ok(!pmbirq_high(), "EL2.EE 01: LOW");
	set_mdcr3(owner_bits(NONSECURE) | MDCR3_PMSEE(0));
	ok(pmbirq_high(), "PMSEE 00: HIGH");
	set_mdcr3(owner_bits(NONSECURE) | MDCR3_PMSEE(3));
	ok(!pmbirq_high(), "PMSEE 11: LOW");
	write_reg(PMSCR_EL1, 0);
	ok(pmbirq_high(), "EL1.EE 00: HIGH");
	set_pmbsr(1, 0);
	ok(!pmbirq_high(), "S 0: LOW");
	finish();
}

static bool from_a32(int to, uint64_t vector, bool pm)
{
	visit_spsr(a32_code, SPSR_EL0_A32 | (pm ? SPSR_PM : 0), 0);
	if (visit_profiling() && outcome.vector == vector &&
	    (int)outcome.el == to)
		return true;
	tell_outcome();
	return false;
}

static void from_aarch32(void)
{
	if (!(read_reg("id_aa64pfr0_el1") >> 1 & 1))
		return;
	prepare(1, 1, 3, 0);
	visit_spsr(a32_code, SPSR_EL0_A32, 0);
	ok(ESR_EC(outcome.esr) == 0x11, "AArch32 EL0 runs");
	set_pmbsr(1, PMBSR_S);
	ok(from_a32(1, 0x600, true), "taken from AArch32 EL0 to EL1");
	/* EL1 is in AArch64 state, which selects this vector. */
	set_hcr(HCR_TGE);
	ok(from_a32(2, 0x400, true), "taken from AArch32 EL0 to EL2 with TGE");
	set_hcr(HCR_E2H | HCR_TGE);
	ok(from_a32(2, 0x600, true), "taken from AArch32 EL0 of the host to EL2");
	finish();
	prepare(2, 1, 3, 0);
	set_pmbsr(3, PMBSR_S);
	ok(from_a32(3, 0x400, false), "taken from AArch32 EL0 to EL3");
	finish();
}

/* A32 at EL1: NOP, NOP, SMC #0 */
extern char a32_smc[];
asm(".section .el0, \"ax\"\n"
    ".globl a32_smc\n"
    "a32_smc: .inst 0xe320f000, 0xe320f000, 0xe1600070\n\t.text");

/* If EL2 and EL1 are in AArch32 state, only EL3 can take the exception. */
static void below_aarch32_el2(void)
{
	uint64_t spsr = SPSR_SVC_A32;

	if (!have_el3 || (read_reg("id_aa64pfr0_el1") >> 8 & 15) != 2)
		return;
	prepare(3, 3, 3, 1);
	write_reg("scr_el3", read_reg("scr_el3") & ~SCR_RW);
	set_pmbsr(1, PMBSR_S);
	set_pmbsr(2, PMBSR_S);
	visit_spsr(a32_smc, spsr, 0);
	ok(outcome.el == 3 && ESR_EC(outcome.esr) == EC_SMC_A32,
	   "none is taken to an EL2 or EL1 that uses AArch32");
	set_pmbsr(3, PMBSR_S);
	visit_spsr(a32_smc, spsr, 0);
	ok(visit_profiling() && outcome.el == 3 && outcome.vector == 0x600,
	   "taken from AArch32 EL1 below AArch32 EL2 to EL3");
	enter_world(NONSECURE, false, 0);
	finish();
}

/* PSTATE.PM alone: SPSR holds the old value, and the handler runs with PM 1. */
static void mask_is_saved(void)
{
	for (int i = 0; i < 8; i++) {
		char name[] = "SVC at EL0 with PM 0: SPSR has PM";
		int el = i / 2;
		bool pm = i & 1;

		name[9] += el;
		name[19] += pm;
		prepare(1, 1, 0, 0);
		visit(el, visit_leave, pm);
		ok(visit_left() && (outcome.spsr >> 32 & 1) == pm &&
		   (!outcome.pm_valid || outcome.pm == SPSR_PM), name);
	}
	finish();
}

void test_main(uint64_t el)
{
	levels_init();
	if (el != 3 || !have_el2 || !have_spe_exc) {
		ok(false, "this test runs at EL3, with EL2 and FEAT_SPE_EXC");
		return;
	}
	visit_reads_pm = have_ebep;
	mask_is_saved();
	direct_accesses();
	at_el2();
	by_pm();
	by_the_spu();
	other_owner();
	interrupt_follows();
	from_aarch32();
	below_aarch32_el2();
}
