// SPDX-License-Identifier: GPL-2.0-only
/* Visits, Security states and registers of each level: see levels.h. */

#include "levels.h"

bool have_el3, have_el2, have_rme, have_sel2, have_spe_exc, have_ebep,
     have_injection;
uint32_t visit_home, visit_reads_pm;
struct outcome outcome;

static uint64_t field(uint64_t reg, int shift)
{
	return reg >> shift & 15;
}

void set_scr(uint64_t value)
{
	if (have_el3)
		write_reg("scr_el3", value);
}

void set_mdcr3(uint64_t value)
{
	if (have_el3)
		write_reg("mdcr_el3", value);
}

void set_hcr(uint64_t value)
{
	if (have_el2)
		write_reg("hcr_el2", value | HCR_RW);
}

void set_mdcr2(uint64_t value)
{
	if (have_el2)
		write_reg("mdcr_el2", value);
}

void set_pmscr2(uint64_t value)
{
	if (have_el2)
		write_reg(PMSCR_EL2, value);
}

static uint64_t scr_base(void)
{
	return SCR_RW | SCR_HCE | SCR_NS | SCR_FGTEN | SCR_FGTEN2 |
	       SCR_ECVEN;
}

void levels_init(void)
{
	uint64_t pfr0 = read_reg("id_aa64pfr0_el1");
	int el = current_el();

	visit_home = el;
	have_el3 = el == 3;
	have_el2 = el >= 2 && field(pfr0, 8);
	have_sel2 = have_el3 && field(pfr0, 36);
	have_rme = have_el3 && field(pfr0, 52);
	have_spe_exc = field(read_reg("S3_0_C0_C5_2"), 16);
	have_ebep = field(read_reg("id_aa64dfr1_el1"), 48);
	if (el == 3) {
		write_reg("vbar_el3", visit_vectors);
		write_reg("cptr_el3", 0);
		set_scr(scr_base());
		set_mdcr3(MDCR3_NSPB(3));
		isb();
	}
	if (have_el2) {
		write_reg("vbar_el2", visit_vectors);
		write_reg("cptr_el2", 0);
		write_reg("sctlr_el2", 0x30c50830ul);
		set_mdcr2(MDCR_E2PB(3));
		set_hcr(0);
		isb();
	}
	write_reg("vbar_el1", visit_vectors);
	write_reg("cpacr_el1", 3ul << 20);
	write_reg("sctlr_el1", 0x30d00800ul);
	isb();
	/*
	 * Taking an exception sets PSTATE.PM (D1.4).  After this visit, PM
	 * masks SPE Profiling exceptions at the highest level.
	 */
	visit(el, visit_leave, true);
	visit(el, visit_injection, true);
	have_injection = visit_left();
}

/* Names what the machine lacks, for the totals of the tables. */
const char *levels_variant(void)
{
	if (!have_el3)
		return have_el2 ? "without EL3" : "without EL3 and EL2";
	if (!have_el2)
		return "without EL2";
	return have_rme ? "" : "without RME";
}

void visit_with(int el, const void *code, bool pm, uint64_t x0)
{
	static const uint64_t mode[] = { 0x3c0, 0x3c5, 0x3c9, 0x3cd };

	visit_spsr(code, mode[el] | (pm ? SPSR_PM : 0), x0);
}

void visit_spsr(const void *code, uint64_t spsr, uint64_t x0)
{
	memset(&outcome, 0, sizeof(outcome));
	isb();
	visit_go(code, spsr, visit_home, x0);
}

void visit(int el, const void *code, bool pm)
{
	visit_with(el, code, pm, 0);
}

bool visit_left(void)
{
	return outcome.valid && ESR_EC(outcome.esr) == EC_SVC &&
	       (outcome.esr & 0xffff) == 1;
}

/*
 * Checks that FSC reports SPE and that SYNC is 0.  The exception is
 * asynchronous, but the PE takes it through the Synchronous vector.
 */
bool visit_profiling(void)
{
	uint64_t from = outcome.spsr >> 2 & 3;
	uint64_t vector = from == outcome.el ? 0x200 : 0x400;

	/*
	 * The PE chooses the offset for AArch32 if the level below the target
	 * uses AArch32.  The test that starts from AArch32 checks the vector
	 * itself.
	 */
	if (outcome.spsr & 0x10)
		vector = outcome.vector;
	return outcome.valid && ESR_EC(outcome.esr) == EC_PROFILING &&
	       (outcome.esr & 0x1ffffff) == 2 && outcome.vector == vector &&
	       (!outcome.pm_valid || outcome.pm >> 32 & 1);
}

bool world_possible(enum world world, bool eel2)
{
	switch (world) {
	case REALM:
		return have_rme;
	case SECURE:
		return have_el3 && (!eel2 || (have_sel2 && have_el2));
	default:
		return true;
	}
}

/* SCR_EL3 does not change the state of EL3, which is Secure or Root. */
void enter_world(enum world world, bool eel2, uint64_t scr)
{
	uint64_t value = (scr_base() & ~SCR_NS) | scr;

	if (world != SECURE)
		value |= SCR_NS;
	if (world == REALM)
		value |= SCR_NSE;
	if (eel2)
		value |= SCR_EEL2;
	set_scr(value);
	isb();
}

uint64_t owner_bits(enum world world)
{
	switch (world) {
	case SECURE:
		return MDCR3_NSPB(1);
	case REALM:
		return MDCR3_NSPBE(1) | MDCR3_NSPB(3);
	default:
		return MDCR3_NSPB(3);
	}
}

void set_pmbsr(int el, uint64_t value)
{
	if (el == 1)
		write_reg(PMBSR_EL1, value);
	else if (el == 2 && have_spe_exc && have_el2)
		write_reg(PMBSR_EL2, value);
	else if (el == 3 && have_spe_exc && have_el3)
		write_reg(PMBSR_EL3, value);
}

uint64_t get_pmbsr(int el)
{
	if (el == 1)
		return read_reg(PMBSR_EL1);
	if (el == 2 && have_spe_exc && have_el2)
		return read_reg(PMBSR_EL2);
	if (el == 3 && have_spe_exc && have_el3)
		return read_reg(PMBSR_EL3);
	return 0;
}

void clear_pmbsr(void)
{
	for (int el = 1; el <= 3; el++)
		set_pmbsr(el, 0);
}

bool pmbirq_high(void)
{
	/* GICR_ISPENDR0 in the SGI frame of the first redistributor */
	return *(volatile uint32_t *)0x080b0200ul >> 21 & 1;
}
