// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rules of D17 that no table contains: RNXPMV for PSB CSYNC, D17.6.3 for an
 * illegal exception return, RSXWCP and RVCYWL, and D17.6.4.2 with EL2
 * profiled.  If a rule permits several outcomes, a comment lists them, and the
 * test expects the one that Documentation/qemu-model.rst names.
 *
 * Runs at EL3 with EL2, FEAT_SPE_EXC, FEAT_EBEP and spe-collision-window=600.
 * The SPU writes a record 600 operations after it samples, or at PSB CSYNC.
 */

#include "levels.h"

#define LIMIT		(PAGES + 0x1000)
#define VNCR_PAGE	(PAGES + 0x30000)
#define VNCR_EL2	"S3_4_C2_C2_0"
#define HCR_NESTED	(HCR_NV | HCR_NV1 | HCR_NV2)
#define PMSCR_E2SPE	PMSCR_E1SPE		/* the bit's name in PMSCR_EL2 */
#define UNTOUCHED	0xa5
#define BRANCH		2
#define EC_ILLEGAL	0x0e
#define TARGET_EL(a)	((a) >> 61 & 3)
#define SPSR_EL2H	0x3c9ul

/*
 * EL1 executes all of this code.  PMSICR_EL1 holds the number of one of its
 * operations.
 */
#define CODE(name, text)						\
extern char name[];							\
asm(".section .el0, \"ax\"\n.globl " #name "\n" #name ":\n\t" text	\
    "\n\t.text")

extern char psb_full_psb[], psb_full_behind[];
CODE(psb_full, "nop\n\tnop\n\tnop\n\tnop\n\tisb\n"
     ".globl psb_full_psb, psb_full_behind\n"
     "psb_full_psb:\thint #17\n\tisb\n"
     "psb_full_behind:\tnop\n\tnop\n\tsvc #1");
CODE(nops, "nop\n\tnop\n\tnop\n\tnop\n\tsvc #1");
CODE(psb_and_leave, "isb\n\thint #17\n\tdsb sy\n\tisb\n\tsvc #1");
CODE(read_pmsirr, "nop\n\tmrs x0, " PMSIRR_EL1 "\n\tnop\n\tsvc #1");
CODE(write_pmsirr, "nop\n\tmsr " PMSIRR_EL1 ", x0\n\tnop\n\tsvc #1");
extern char illegal_eret[], illegal_target[];
CODE(illegal, "adr x1, illegal_target\n\tmsr elr_el1, x1\n\tmsr spsr_el1, x0\n"
     ".globl illegal_eret, illegal_target\n"
     "illegal_eret:\teret\n\tnop\n"
     "illegal_target:\tnop\n\tsvc #1");

static uint64_t record_size(void)
{
	return 1ul << (read_reg(PMSIDR_EL1) >> 12 & 15);
}

/*
 * Prepares to sample operation @number of EL1, with space for @records in the
 * buffer.
 */
static void prepare(unsigned int number, unsigned int records, unsigned int e2pb)
{
	set_hcr(0);
	clear_pmbsr();
	enter_world(NONSECURE, false, 0);
	set_mdcr3(owner_bits(NONSECURE) | MDCR3_PMSEE(1));
	set_mdcr2(MDCR_E2PB(e2pb));
	set_pmscr2(PMSCR_EE(1));
	spe_setup(PAGES, LIMIT);
	write_reg(PMBPTR_EL1, LIMIT - records * record_size());
	write_reg(PMSICR_EL1, number);
	write_reg(PMSCR_EL1, PMSCR_E1SPE);
	isb();
}

static void finish(void)
{
	write_reg(PMSCR_EL1, 0);
	write_reg(PMBLIMITR_EL1, 0);
	set_hcr(0);
	enter_world(NONSECURE, false, 0);
	clear_pmbsr();
	isb();
}

static uint64_t first(unsigned int records)
{
	return LIMIT - records * record_size();
}

/*
 * RNXPMV: A is the PSB CSYNC that causes the event, B is the ISB, and C is the
 * instruction after it.  IMLGHW describes the ISB before A.  The PE must take
 * the exception before C.
 */
static void psb_case(void)
{
	for (int ke = 1; ke >= 0; ke--) {
		bool taken;

		prepare(2, 1, 3);
		write_reg(PMSCR_EL1, PMSCR_E1SPE | PMSCR_EE(3) | PMSCR_KE(ke));
		isb();
		visit(1, psb_full, false);
		taken = visit_profiling() && outcome.el == 1 &&
			outcome.elr > (uint64_t)psb_full_psb &&
			outcome.elr <= (uint64_t)psb_full_behind;
		if (ke)
			ok(taken, "RNXPMV: PSB CSYNC synchronizes a buffer full, then ISB");
		else
			ok(visit_left(), "RNXPMV: not if it is masked, KE 0");
		ok_eq(get_pmbsr(1), PMBSR_S | 1, "and PMBSR_EL1 has the event");
		finish();
	}
}

/*
 * D17.6.3: the context of the target is the actual one, EL1, or the one in the
 * SPSR, EL2.  D1.4.4: the return goes to ELR_EL1 and sets PSTATE.IL.
 */
static void illegal_return(void)
{
	struct record r;

	prepare(4, 8, 3);
	visit_with(1, illegal, true, SPSR_EL2H);
	ok(outcome.el == 1 && ESR_EC(outcome.esr) == EC_ILLEGAL &&
	   outcome.elr == (uint64_t)illegal_target,
	   "an illegal exception return to EL2 leaves EL1 with PSTATE.IL");
	asm volatile("isb; hint #17; dsb sy; isb" : : : "memory");
	ok(spe_decode(first(8), &r) && PC(r.pc) == (uint64_t)illegal_eret,
	   "the illegal exception return is sampled");
	ok(r.class == BRANCH && !(r.subclass & 1) && (r.events & 3) == 2,
	   "as an unconditional branch, executed and without an exception");
	ok(r.target_valid && PC(r.target) == (uint64_t)illegal_target,
	   "its target is where ELR_EL1 says");
	ok_eq(TARGET_EL(r.target), 1, "its target's context is the actual one");
	finish();
}

static bool untouched(void)
{
	for (const uint8_t *p = (uint8_t *)PAGES; p < (uint8_t *)LIMIT; p++) {
		if (*p != UNTOUCHED)
			return false;
	}
	return true;
}

static void psb(void)
{
	asm volatile("isb; hint #17; dsb sy; isb" : : : "memory");
}

/*
 * Each of these makes ProfilingBufferEnabled() FALSE while a record is in
 * flight.
 */
static void nothing(void)
{
}

static void disable_buffer(void)
{
	write_reg(PMBLIMITR_EL1, LIMIT);
}

static void stop_profiling(void)
{
	set_pmbsr(1, PMBSR_S);
}

static void take_buffer(void)
{
	set_mdcr3(owner_bits(SECURE) | MDCR3_PMSEE(1));
}

static void enter_secure(void)
{
	enter_world(SECURE, false, 0);
}

static void enter_realm(void)
{
	enter_world(REALM, false, 0);
}

static void undo(void)
{
	enter_world(NONSECURE, false, 0);
	set_mdcr3(owner_bits(NONSECURE) | MDCR3_PMSEE(1));
	clear_pmbsr();
	write_reg(PMBLIMITR_EL1, LIMIT | 1);
	isb();
}

/*
 * RSXWCP permits the SPU to write the record, to discard it silently, or to
 * discard it with an Access not allowed event (S, DL, EC and BSC 0).  RVCYWL
 * permits the same, and also a write through the addresses of the other
 * Security state.  The model discards the record silently.
 */
static void discarded(void (*change)(void), const char *what, const char *pointer)
{
	uint64_t pmbsr;

	prepare(2, 8, 3);
	visit(1, nops, true);
	ok(visit_left() && read_reg(PMBPTR_EL1) == first(8) && untouched(),
	   "a sample is in flight");
	change();
	isb();
	psb();
	pmbsr = get_pmbsr(1);
	undo();
	psb();
	visit(1, psb_and_leave, true);
	ok(untouched() && !(pmbsr & ~PMBSR_S), what);
	ok_eq(read_reg(PMBPTR_EL1), first(8), pointer);
	finish();
}

static void not_enabled(void)
{
	struct record r;

	prepare(2, 8, 3);
	visit(1, nops, true);
	nothing();
	psb();
	ok(spe_decode(first(8), &r) && PC(r.pc) == (uint64_t)nops + 4 &&
	   read_reg(PMBPTR_EL1) == first(7), "PSB CSYNC at EL3 has it written");
	finish();
	discarded(disable_buffer, "RSXWCP: PMBLIMITR_EL1.E 0: silently discarded",
		  "RSXWCP: PMBLIMITR_EL1.E 0: the pointer stays");
	discarded(stop_profiling, "RSXWCP: PMBSR_EL1.S 1: silently discarded",
		  "RSXWCP: PMBSR_EL1.S 1: the pointer stays");
	discarded(take_buffer, "RSXWCP: Secure state owns the buffer: silently discarded",
		  "RSXWCP: Secure state owns the buffer: the pointer stays");
	discarded(enter_secure, "RVCYWL: SCR_EL3 {NSE,NS} {0,0}: silently discarded",
		  "RVCYWL: SCR_EL3 {NSE,NS} {0,0}: the pointer stays");
	if (world_possible(REALM, false))
		discarded(enter_realm, "RVCYWL: SCR_EL3 {NSE,NS} {1,1}: silently discarded",
			  "RVCYWL: SCR_EL3 {NSE,NS} {1,1}: the pointer stays");
}

/*
 * D17.6.4.2: FEAT_NV2 transforms an MRS or MSR at EL1 into an access by EL2.
 * Its virtual address is not recorded if profiling is disabled at EL2.
 */
static bool nested(const char *code, uint64_t e2pb, uint64_t pmscr_el2, struct record *r)
{
	prepare(2, 8, e2pb);
	write_reg(VNCR_EL2, VNCR_PAGE);
	set_pmscr2(PMSCR_EE(1) | PMSCR_PA | pmscr_el2);
	set_hcr(HCR_NESTED);
	isb();
	visit(1, code, true);
	write_reg(PMSCR_EL1, 0);
	set_pmscr2(PMSCR_EE(1));
	set_hcr(0);
	psb();
	finish();
	return spe_decode(first(8), r) && PC(r->pc) == (uint64_t)code + 4 &&
	       r->class == 1 && (r->pc >> 61 & 3) == 1;
}

static void nv2(void)
{
	struct record r;

	ok(nested(read_pmsirr, 0, PMSCR_E2SPE, &r) && r.subclass == 0x30,
	   "D17.6.4.2: MRS, transformed, is a load at EL1");
	ok(r.va_valid && r.va == VNCR_PAGE + 0x840,
	   "D17.6.4.2: EL2 is profiled: MRS has the virtual address");
	ok(nested(write_pmsirr, 0, PMSCR_E2SPE, &r) && r.subclass == 0x31,
	   "D17.6.4.2: MSR, transformed, is a store at EL1");
	ok(r.va_valid && r.va == VNCR_PAGE + 0x840,
	   "D17.6.4.2: EL2 is profiled: MSR has the virtual address");
	ok(nested(read_pmsirr, 0, 0, &r) && !r.va_valid,
	   "D17.6.4.2: EL2 owns, E2SPE 0: no virtual address");
	ok(nested(read_pmsirr, 3, PMSCR_E2SPE, &r) && !r.va_valid,
	   "D17.6.4.2: EL1 owns, E2SPE 1: no virtual address");
}

void test_main(uint64_t el)
{
	levels_init();
	if (el != 3 || !have_el2 || !have_spe_exc || !have_ebep) {
		ok(false, "this test runs at EL3, with EL2, FEAT_SPE_EXC and FEAT_EBEP");
		return;
	}
	psb_case();
	illegal_return();
	not_enabled();
	nv2();
}
