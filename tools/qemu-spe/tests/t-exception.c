// SPDX-License-Identifier: GPL-2.0-only
/*
 * FEAT_SPE_EXC in brief: the SPE Profiling exception at EL1 or EL2, PSTATE.PM,
 * and the names of PMBSR_ELx.  Other tests check the tables of D17.8.
 */

#include "test.h"

#define PMBSR_EL2	"S3_4_C9_C10_3"
#define PMBSR_EL12	"S3_5_C9_C10_3"
#define PM		"S3_0_C4_C3_1"
#define ID_AA64DFR1	"S3_0_C0_C5_1"
#define ID_AA64DFR2	"S3_0_C0_C5_2"
#define VNCR_EL2	"S3_4_C2_C2_0"
#define HFGITR_EL2	"S3_4_C1_C1_6"
#define HCR_NV1		(1ul << 43)
#define HCR_NV2		(1ul << 45 | 1ul << 42)
#define PM_BIT		(1ul << 32)
#define SPSR_IL		(1ul << 20)

/* MSR PM, #imm */
#define pm_clear() asm volatile(".inst 0xd501421f" : : : "memory")
#define pm_set() asm volatile(".inst 0xd501431f" : : : "memory")

#define EE(n)	((uint64_t)(n) << 8)
#define KE	(1ul << 10)

#define ESR_SPE	(0x3dul << 26 | 1ul << 25 | 1ul << 1)

#define GICD		0x08000000ul
#define GICR_SGI	0x080b0000ul

static int top;
static int taken, taken_el;
static uint64_t taken_spsr, taken_pm, taken_elr;

static bool pmbirq(void)
{
	return *(volatile uint32_t *)(GICR_SGI + 0x200) >> 21 & 1;
}

/* PMBSR and PMSCR of the level at which the test runs */
static uint64_t get_pmbsr(void)
{
	return top == 2 ? read_reg(PMBSR_EL2) : read_reg(PMBSR_EL1);
}

static void set_pmbsr(uint64_t value)
{
	if (top == 2)
		write_reg(PMBSR_EL2, value);
	else
		write_reg(PMBSR_EL1, value);
}

static void set_pmscr(uint64_t value)
{
	if (top == 2)
		write_reg(PMSCR_EL2, value);
	else
		write_reg(PMSCR_EL1, value);
	isb();
}

static void hook(uint64_t esr, uint64_t elr)
{
	if (esr == ESR_SPE) {
		taken++;
		taken_el = current_el();
		taken_elr = elr;
		taken_pm = read_reg(PM);
		taken_spsr = taken_el == 2 ? read_reg("spsr_el2")
					   : read_reg("spsr_el1");
		set_pmbsr(0);
		/* EL1's register too, if the test runs at EL2 */
		write_reg(PMBSR_EL1, 0);
	} else {
		taken = -100;
	}
}

static void arm(void)
{
	taken = 0;
	trap_hook = hook;
	trap_skips = false;
	trap_arm();
}

static void disarm(void)
{
	trap_disarm();
	trap_skips = true;
	trap_hook = NULL;
}

static void registers(void)
{
	ok_eq(read_reg(ID_AA64DFR2) >> 16 & 0xf, 1, "ID_AA64DFR2_EL1.SPE_EXC");
	ok_eq(read_reg(ID_AA64DFR1) >> 48 & 0xf, 1, "ID_AA64DFR1_EL1.EBEP");
	ok_eq(read_reg("id_aa64dfr0_el1") >> 32 & 0xf, 6,
	      "SPE_EXC comes with FEAT_SPEv1p5");
	write_reg(PM, ~0ul);
	ok_eq(read_reg(PM), PM_BIT, "MSR PM sets it, and no other bit");
	write_reg(PM, ~PM_BIT);
	ok_eq(read_reg(PM), 0, "MSR PM clears it");
	pm_set();
	ok_eq(read_reg(PM), PM_BIT, "MSR PM, #1");
	pm_clear();
	ok_eq(read_reg(PM), 0, "MSR PM, #0");
	set_pmscr(EE(3) | KE);
	ok_eq((top == 2 ? read_reg(PMSCR_EL2) : read_reg(PMSCR_EL1)) & 0x700,
	      0x700, "PMSCR_ELx.EE and KE can be written");
	set_pmscr(0);
}

static void interrupt(void)
{
	write_reg(PMBSR_EL1, PMBSR_S);
	isb();
	ok(pmbirq(), "EE 00: PMBSR_EL1.S drives PMBIRQ");
	if (top == 1) {
		pm_set();
		set_pmscr(EE(3) | KE);
		ok(!pmbirq(), "EE 11: PMBIRQ is low");
		set_pmscr(0);
		ok(pmbirq(), "EE 00 again: PMBIRQ is high");
		pm_clear();
	}
	write_reg(PMBSR_EL1, 0);
	isb();
	ok(!pmbirq(), "S 0: PMBIRQ is low");
}

/* Raises the exception between operations that count in @n. */
#define COUNTED(reg)							\
	asm volatile("mov %0, #0\n1:\tmsr " reg ", %2\n\t"		\
		     ".rept 4\n\tadd %0, %0, #1\n\t.endr\n\tisb\n\t"	\
		     ".rept 4\n\tadd %0, %0, #1\n\t.endr\n2:\tadr %1, 1b"	\
		     : "=&r"(n), "=&r"(from) : "r"(PMBSR_S) : "memory")

/* RYMRRB: the exception is asynchronous, and precise. */
static void precise(void)
{
	uint64_t n, from;

	arm();
	pm_clear();
	set_pmscr(EE(3) | KE);
	if (top == 2)
		COUNTED(PMBSR_EL2);
	else
		COUNTED(PMBSR_EL1);
	ok(taken == 1 && taken_elr > from && taken_elr <= from + 6 * 4,
	   "taken between two operations, at the latest after the ISB");
	ok_eq(n, 8, "each operation around it executes once");
	disarm();
	set_pmscr(0);
	set_pmbsr(0);
}

static void own_level(void)
{
	arm();
	pm_clear();
	set_pmscr(EE(3) | KE);
	set_pmbsr(PMBSR_S);
	isb();
	ok(taken == 1 && taken_el == top, "KE 1, PM 0: taken at once");
	ok(taken_pm == PM_BIT, "the handler runs with PM 1");
	ok(!(taken_spsr & PM_BIT), "PM 0 is saved in the SPSR");
	ok(read_reg(PM) == 0 && get_pmbsr() == 0, "and restored from it");

	taken = 0;
	pm_set();
	set_pmbsr(PMBSR_S);
	isb();
	ok_eq(taken, 0, "KE 1, PM 1: masked");
	pm_clear();
	ok(taken == 1 && !(taken_spsr & PM_BIT), "taken once PM is cleared");

	taken = 0;
	set_pmscr(EE(3));
	set_pmbsr(PMBSR_S);
	isb();
	ok_eq(taken, 0, "KE 0, PM 0: masked");
	set_pmscr(EE(3) | KE);
	ok_eq(taken, 1, "taken once KE is set");
	set_pmscr(0);
	disarm();
}

static uint64_t saved_by_trap;

static void save_spsr(uint64_t esr, uint64_t elr)
{
	(void)esr;
	(void)elr;
	saved_by_trap = top == 2 ? read_reg("spsr_el2") : read_reg("spsr_el1");
}

static void saved_mask(void)
{
	trap_hook = save_spsr;
	trap_arm();
	pm_set();
	read_reg("S3_0_C15_C8_0");		/* UNDEFINED */
	trap_disarm();
	trap_hook = NULL;
	ok(saved_by_trap & PM_BIT, "PM 1 is saved by any exception");
	ok_eq(read_reg(PM), PM_BIT, "and comes back");
	pm_clear();
}

static void legalize(uint64_t esr, uint64_t elr)
{
	save_spsr(esr, elr);
	if (top == 2)
		write_reg("spsr_el2", saved_by_trap & ~SPSR_IL);
	else
		write_reg("spsr_el1", saved_by_trap & ~SPSR_IL);
}

/*
 * Mode 0b0010 does not exist.  The next instruction causes an Illegal Execution
 * state exception; the handler clears IL, and the PE executes the instruction
 * again.
 */
static void illegal_return(void)
{
	pm_clear();
	trap_hook = legalize;
	trap_skips = false;
	trap_arm();
	if (top == 2)
		asm volatile("adr x1, 1f\n\tmsr elr_el2, x1\n\t"
			     "msr spsr_el2, %0\n\teret\n1:\n\tnop"
			     : : "r"(PM_BIT | 0x3c2) : "x1", "memory");
	else
		asm volatile("adr x1, 1f\n\tmsr elr_el1, x1\n\t"
			     "msr spsr_el1, %0\n\teret\n1:\n\tnop"
			     : : "r"(PM_BIT | 0x3c2) : "x1", "memory");
	trap_disarm();
	trap_skips = true;
	trap_hook = NULL;
	ok(ESR_EC(trapped_esr) == 0x0e && (saved_by_trap & PM_BIT),
	   "an illegal exception return restores PM");
	pm_clear();
}

void el0_loop(void);
asm(".section .el0, \"ax\"\n"
    "el0_loop:\n\t.rept 64\n\tnop\n\t.endr\n\tret\n\t.text");

static void el1_loop(void)
{
	asm volatile(".rept 64\n\tnop\n\t.endr");
}

static void lower_level(void)
{
	arm();
	/*
	 * KE is 0, so the exception is masked at this level.  From a lower
	 * level, the PE takes it regardless of KE and PM.
	 */
	set_pmscr(EE(3));
	set_pmbsr(PMBSR_S);
	isb();
	ok_eq(taken, 0, "KE 0: not taken at the own level");
	if (top == 2) {
		call_lower(el1_loop, SPSR_EL1 | PM_BIT,
			   (uint64_t)stack_top - 16384, lower_hvc);
	} else {
		mmu_on();
		call_lower(el0_loop, SPSR_EL0 | PM_BIT,
			   (uint64_t)stack_top - 16384, lower_svc);
	}
	ok(taken == 1 && taken_el == top, "taken from a lower level, PM 1");
	ok(taken_spsr & PM_BIT, "with PM 1 in the SPSR");
	ok((taken_spsr & 0xc) == (top == 2 ? 4 : 0),
	   "with the lower level in the SPSR");
	set_pmscr(0);
	disarm();
}

static void names(void)
{
	write_reg("hcr_el2", HCR_RW | HCR_E2H);
	isb();
	write_reg(PMBSR_EL1, 0x11);
	write_reg(PMBSR_EL2, 0x22);
	ok_eq(read_reg(PMBSR_EL1), 0x11, "E2H 1, EE 00: PMBSR_EL1 is EL1's");
	write_reg(PMSCR_EL2, EE(1));
	isb();
	ok_eq(read_reg(PMBSR_EL1), 0x22, "E2H 1, EE 01: PMBSR_EL1 is EL2's");
	ok_eq(read_reg(PMBSR_EL12), 0x11, "E2H 1: PMBSR_EL12 is EL1's");
	write_reg(PMBSR_EL1, 0x33);
	ok_eq(read_reg(PMBSR_EL2), 0x33, "E2H 1, EE 01: written through");
	write_reg("hcr_el2", HCR_RW);
	isb();
	ok_eq(read_reg(PMBSR_EL1), 0x11, "E2H 0: PMBSR_EL1 is EL1's");
	trap_arm();
	read_reg(PMBSR_EL12);
	ok(trap_disarm() && ESR_EC(trapped_esr) == EC_UNKNOWN,
	   "E2H 0: PMBSR_EL12 is UNDEFINED");
	write_reg(PMSCR_EL2, 0);
	write_reg(PMBSR_EL1, 0);
	write_reg(PMBSR_EL2, 0);
	isb();
}

/*
 * EL1 owns the buffer, which fills.  EE selects the register that records this.
 */
static void recorded(void)
{
	write_reg("mdcr_el2", MDCR_E2PB(3));
	spe_setup(BUFFER, BUFFER + 4096);
	write_reg(PMBSR_EL2, 0);
	write_reg(PMBPTR_EL1, BUFFER + 4096 - 64);
	write_reg(PMSIRR_EL1, 1 << 8);
	write_reg(PMSCR_EL1, PMSCR_E1SPE);
	set_pmscr(EE(3));
	arm();
	call_lower(el1_loop, SPSR_EL1, (uint64_t)stack_top - 16384, lower_hvc);
	call_lower(el1_loop, SPSR_EL1, (uint64_t)stack_top - 16384, lower_hvc);
	call_lower(el1_loop, SPSR_EL1, (uint64_t)stack_top - 16384, lower_hvc);
	call_lower(el1_loop, SPSR_EL1, (uint64_t)stack_top - 16384, lower_hvc);
	call_lower(el1_loop, SPSR_EL1, (uint64_t)stack_top - 16384, lower_hvc);
	ok(taken == 1 && taken_el == 2 && (taken_spsr & 0xc) == 4,
	   "a full buffer of EL1, EE of EL2 11: an exception to EL2");
	set_pmscr(0);
	write_reg(PMSCR_EL1, 0);
	disarm();
}

static void at_el1(void (*fn)(void))
{
	call_lower(fn, SPSR_EL1, (uint64_t)stack_top - 16384, lower_hvc);
}

static uint64_t vncr_page[512] __attribute__((aligned(4096)));
static uint64_t nested;

static void read_pmbsr(void)
{
	nested = read_reg(PMBSR_EL1);
}

static void write_pmbsr(void)
{
	write_reg(PMBSR_EL1, 0x33);
}

static void read_pmbsr_el12(void)
{
	nested = read_reg(PMBSR_EL12);
}

static void read_pmbsr_el2(void)
{
	nested = read_reg(PMBSR_EL2);
}

/*
 * Executes @fn at EL1, where a guest hypervisor runs, and returns the value
 * that it read.
 */
static uint64_t nested_read(void (*fn)(void), uint64_t hcr, int ee2, int ee1)
{
	write_reg(PMSCR_EL2, EE(ee2));
	write_reg(PMSCR_EL1, EE(ee1));
	write_reg("hcr_el2", HCR_RW | hcr);
	isb();
	nested = 0;
	at_el1(fn);
	write_reg("hcr_el2", HCR_RW);
	isb();
	return nested;
}

static void nested_names(void)
{
	uint64_t *slot = &vncr_page[0x820 / 8];

	write_reg("mdcr_el2", MDCR_E2PB(3));
	write_reg(VNCR_EL2, (uint64_t)vncr_page);
	*slot = 0x44;
	write_reg(PMBSR_EL1, 0x11);
	ok_eq(nested_read(read_pmbsr, HCR_NV2, 0, 1), 0x44,
	      "NV2, EE of EL2 00: PMBSR_EL1 is memory");
	ok_eq(nested_read(read_pmbsr, HCR_NV2, 1, 0), 0x44,
	      "NV2, EE of EL1 00: PMBSR_EL1 is memory");
	ok_eq(nested_read(read_pmbsr, HCR_NV2, 1, 1), 0x11,
	      "NV2, EE 01 and 01: PMBSR_EL1 is the register");
	ok_eq(nested_read(read_pmbsr, HCR_NV2 | HCR_NV1, 1, 1), 0x44,
	      "NV2 and NV1: PMBSR_EL1 is memory");
	ok_eq(nested_read(read_pmbsr_el12, HCR_NV2, 1, 1), 0x44,
	      "NV2: PMBSR_EL12 is memory");
	nested_read(write_pmbsr, HCR_NV2, 1, 0);
	ok(*slot == 0x33 && read_reg(PMBSR_EL1) == 0x11,
	   "NV2, EE of EL1 00: memory is written");
	*slot = 0x44;
	nested_read(write_pmbsr, HCR_NV2, 1, 1);
	ok(*slot == 0x44 && read_reg(PMBSR_EL1) == 0x33,
	   "NV2, EE 01 and 01: the register is written");
	trap_arm();
	nested_read(read_pmbsr_el2, HCR_NV2, 1, 1);
	ok(trap_disarm() && ESR_EC(trapped_esr) == EC_SYSREG && trapped_el == 2,
	   "NV2: PMBSR_EL2 traps to EL2");
	trap_arm();
	nested_read(read_pmbsr_el12, HCR_NV2 | HCR_NV1, 1, 1);
	ok(trap_disarm() && ESR_EC(trapped_esr) == EC_SYSREG && trapped_el == 2,
	   "NV2 and NV1: PMBSR_EL12 traps to EL2");
	write_reg(PMSCR_EL2, 0);
	write_reg(PMSCR_EL1, 0);
	write_reg(PMBSR_EL1, 0);
}

static void psb_csync(void)
{
	asm volatile("hint #17" : : : "memory");
}

/* FEAT_SPEv1p5 */
static void trapped_psb_csync(void)
{
	trap_arm();
	at_el1(psb_csync);
	ok_eq(trap_disarm(), 0, "PSB CSYNC is not trapped by default");
	write_reg(HFGITR_EL2, 1ul << 63);
	trap_arm();
	at_el1(psb_csync);
	ok(trap_disarm() == (0x0aul << 26 | 1ul << 25 | 3) && trapped_el == 2,
	   "HFGITR_EL2.PSBCSYNC traps it from EL1");
	trap_arm();
	psb_csync();
	ok_eq(trap_disarm(), 0, "but not at EL2");
	write_reg(HFGITR_EL2, 0);
}

void test_main(uint64_t el)
{
	top = el;
	*(volatile uint32_t *)GICD = 0x37;
	registers();
	interrupt();
	precise();
	own_level();
	saved_mask();
	illegal_return();
	lower_level();
	if (el == 2) {
		names();
		recorded();
		nested_names();
		trapped_psb_csync();
	}
}
