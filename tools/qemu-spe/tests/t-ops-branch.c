// SPDX-License-Identifier: GPL-2.0-only
/*
 * Branches, exception returns and exceptions (D17.6.3, D17.6.10).  Also the
 * previous branch target, if FEAT_SPE_PBT is implemented.  Runs at EL1.
 */

#include "sample.h"

#define EL1_NS (1ul << 61 | 1ul << 63)

static bool pbt;
static uint64_t code;

static bool target(uint64_t address)
{
	if (r.target_valid && r.target == (PC(address) | EL1_NS))
		return true;
	note("target", r.target);
	return false;
}

/* The branch skips one operation. */
#define OVER "\n\tnop\n5:"

static void direct(void)
{
	ok(sample("b 5f" OVER, 0, 0, 0) && is(BRANCH, NEITHER) &&
	   target(sampled_pc + 8), "B");
	ok(sample("bl 5f" OVER, 0, 0, 0) && is(BRANCH, CALL) &&
	   target(sampled_pc + 8), "BL");
	ok(sample("cbz x1, 5f" OVER, 0, 0, 0) &&
	   is(BRANCH, NEITHER | B_COND) && target(sampled_pc + 8) &&
	   events(E_NOT_TAKEN, 0), "CBZ that is taken");
	ok(sample("cbz x1, 5f" OVER, 1, 0, 0) &&
	   is(BRANCH, NEITHER | B_COND) && !r.target_valid &&
	   events(E_NOT_TAKEN, E_NOT_TAKEN), "CBZ that is not taken");
	ok(sample("tbnz x1, #33, 5f" OVER, 2ul << 32, 0, 0) &&
	   is(BRANCH, NEITHER | B_COND) && target(sampled_pc + 8), "TBNZ");
	ok(sample_after(1, "cmp x1, #1\n\t", "b.eq 5f" OVER, 1, 0, 0) &&
	   is(BRANCH, NEITHER | B_COND) && target(sampled_pc + 8),
	   "B.EQ that is taken");
	ok(sample_after(1, "cmp x1, #1\n\t", ".inst 0x54000050" OVER, 1, 0,
			0) && is(BRANCH, NEITHER | B_COND) &&
	   target(sampled_pc + 8), "BC.EQ that is taken");
	ok(sample_after(1, "cmp x1, #1\n\t", ".inst 0x54000050" OVER, 2, 0,
			0) && is(BRANCH, NEITHER | B_COND) &&
	   !r.target_valid && events(E_NOT_TAKEN, E_NOT_TAKEN),
	   "BC.EQ that is not taken");
}

/* An ADR before the branch sets the register to the label. */
#define indirect(text) sample_after(1, "adr x1, 5f\n\t", text OVER, 0, 0, 0)
#define by_link(text) sample_after(1, "adr x30, 5f\n\t", text OVER, 0, 0, 0)

static void indirects(void)
{
	ok(indirect("br x1") && is(BRANCH, NEITHER | B_IND) &&
	   target(sampled_pc + 8), "BR");
	ok(indirect("blr x1") && is(BRANCH, CALL | B_IND) &&
	   target(sampled_pc + 8), "BLR");
	ok(indirect("ret x1") && is(BRANCH, RETURN | B_IND) &&
	   target(sampled_pc + 8), "RET");
	ok(indirect("braaz x1") && is(BRANCH, NEITHER | B_IND) &&
	   target(sampled_pc + 8), "BRAAZ");
	ok(indirect("blrabz x1") && is(BRANCH, CALL | B_IND) &&
	   target(sampled_pc + 8), "BLRABZ");
	ok(by_link("retaa") && is(BRANCH, RETURN | B_IND) &&
	   target(sampled_pc + 8), "RETAA");
	ok(sample_after(4, "adr x0, 5f\n\tmsr elr_el1, x0\n\t"
			"mov x0, #0x3c5\n\t"
			"msr spsr_el1, x0\n\t", "eret" OVER, 0, 0, 0) &&
	   is(BRANCH, NEITHER | B_IND) && target(sampled_pc + 8),
	   "ERET is an unconditional, indirect branch");
}

/* The branch is always at the same address, so its history predicts it. */
static __attribute__((noinline)) bool same_branch(uint64_t x)
{
	return sample("cbz x1, 5f" OVER, x, 0, 0) &&
	       r.target_valid == !x;
}

static void prediction(void)
{
	bool good = true;

	for (int i = 0; i < 4; i++)
		good &= same_branch(0);
	ok(good && events(E_MISPREDICTED, 0),
	   "E[7]: a branch as its history has it");
	ok(same_branch(1) && events(E_MISPREDICTED, E_MISPREDICTED),
	   "E[7]: a branch against its history");
}

static void conditional(void)
{
	ok(sample_after(1, "cmp x1, #1\n\t", "csel x0, x1, x2, eq", 1, 0, 0) &&
	   is(OTHER, O_COND) && events(E_NOT_TAKEN, 0), "CSEL that passes");
	ok(sample_after(1, "cmp x1, #1\n\t", "csinv x0, x1, x2, ne", 1, 0,
			0) && is(OTHER, O_COND) &&
	   events(E_NOT_TAKEN, E_NOT_TAKEN), "CSINV that fails");
	ok(sample_after(1, "cmp x1, #1\n\t", "ccmp x1, #3, #0, ne", 1, 0, 0) &&
	   is(OTHER, O_COND) && events(E_NOT_TAKEN, E_NOT_TAKEN),
	   "CCMP that fails");
	ok(sample_after(1, "cmp x1, #1\n\t", "fcsel d0, d1, d2, eq", 1, 0,
			0) && is(OTHER, O_COND | O_FP), "FCSEL");
	ok(sample_after(1, "cmp x1, #1\n\t", "fccmp d0, d1, #0, eq", 1, 0,
			0) && is(OTHER, O_COND | O_FP), "FCCMP");
	ok(sample("fadd d0, d1, d2", 0, 0, 0) && is(OTHER, O_FP), "FADD");
	ok(sample("add v0.4s, v1.4s, v2.4s", 0, 0, 0) && is(OTHER, O_ASE),
	   "ADD of vectors");
	ok(sample("fmul v0.4s, v1.4s, v2.4s", 0, 0, 0) &&
	   is(OTHER, O_ASE | O_FP), "FMUL of vectors");
	ok(sample("fcmeq d0, d1, d2", 0, 0, 0) && is(OTHER, O_ASE | O_FP),
	   "FCMEQ of Advanced SIMD scalars");
}

/*
 * An operation that generates an exception has no other events of this mask, no
 * addresses, no translation latency and no data source (D17.6.10).
 */
static bool nothing_more(void)
{
	return events(E_EXCEPTION | E_RETIRED | E_NOT_TAKEN | E_MISPREDICTED |
		      E_L1D | E_TLB, E_EXCEPTION | E_RETIRED) &&
	       !r.target_valid && !r.va_valid && !r.pa_valid &&
	       !r.translation_valid && !r.source_valid && r.total_valid;
}

static void exceptions(void)
{
	trap_arm();
	control = PMSCR_E1SPE | PMSCR_PA | PMSCR_CX | PMSCR_TS;
	ok(sample("svc #2", 0, 0, 0) && is(OTHER, 0) && nothing_more() &&
	   r.context1_valid && r.timestamp_valid, "E[0]: SVC");
	control = PMSCR_E1SPE;
	ok(sample("brk #2", 0, 0, 0) && is(OTHER, 0) && nothing_more(),
	   "E[0]: BRK");
	ok(sample("udf #0", 0, 0, 0) && is(OTHER, 0) && nothing_more(),
	   "E[0]: UDF");
	ok(sample("mrs x0, S3_4_C1_C0_0", 0, 0, 0) && is(OTHER, 0) &&
	   nothing_more(), "E[0]: an EL2 register");
	ok(sample("ldr x0, [x1]", 0x4000000000ul, 0, 0) && is(LDST, GP) &&
	   nothing_more(), "E[0]: LDR that aborts");
	ok(sample("str x0, [x1]", 0x4000000000ul, 0, 0) &&
	   is(LDST, GP | ST) && nothing_more(), "E[0]: STR that aborts");
	ok(sample("ldxr x0, [x1]", (uint64_t)&code | 1, 0, 0) &&
	   is(LDST, EXT | EXCL) && nothing_more(),
	   "E[0]: LDXR that is misaligned");
	trap_disarm();
}

/*
 * True if the record has @address as the previous branch target.  Without
 * FEAT_SPE_PBT, true if it has none.
 */
static bool previous(uint64_t address)
{
	if (!pbt)
		return !r.previous_valid;
	if (r.previous_valid && r.previous == (PC(address) | EL1_NS))
		return true;
	note("previous", r.previous);
	return false;
}

static void previous_targets(void)
{
	ok(sample("nop", 0, 0, 0) && !r.previous_valid,
	   "PBT: none since profiling was enabled");
	ok(sample_after(1, "b 6f\n6:\t", "nop", 0, 0, 0) &&
	   previous(sampled_pc), "PBT: B");
	ok(sample_after(3, "b 6f\n\tnop\n6:\tnop\n\tnop\n\t", "b 5f" OVER, 0,
			0, 0) && previous(sampled_pc - 8) &&
	   target(sampled_pc + 8), "PBT: a branch's own is not yet the last");
	ok(sample_after(3, "b 6f\n6:\tcbz x1, 7f\n\tnop\n7:\t", "nop", 1, 0,
			0) && previous(sampled_pc - 8),
	   "PBT: a branch that is not taken does not count");
	ok(sample_after(2, "b 6f\n6:\tcbz x1, 7f\n\tnop\n7:\t", "nop", 0, 0,
			0) && previous(sampled_pc), "PBT: CBZ");
	ok(sample_after(2, "adr x0, 7f\n\tbr x0\n\tnop\n7:\t", "nop", 0, 0,
			0) && previous(sampled_pc), "PBT: BR");
	ok(sample_after(3, "bl 6f\n\tb 7f\n6:\tret\n7:\t", "nop", 0, 0, 0) &&
	   previous(sampled_pc), "PBT: B behind BL and RET");
	ok(sample_after(1, "bl 6f\n\tb 7f\n6:\t", "ret\n7:", 0, 0, 0) &&
	   previous(sampled_pc), "PBT: BL");
	ok(sample_after(2, "tbnz x1, #3, 7f\n\tnop\n7:\t", "nop", 0, 0, 0) &&
	   !r.previous_valid, "PBT: TBNZ that is not taken");
	trap_arm();
	/* The sampled operation is the first one of the exception handler. */
	ok(!sample_after(2, "b 6f\n6:\tsvc #2\n\t", "nop", 0, 0, 0) &&
	   r.pc_valid && PC(r.pc) != sampled_pc && !r.previous_valid,
	   "PBT: an exception makes it forgotten");
	trap_disarm();
}

void test_main(uint64_t el)
{
	if (el != 1) {
		ok(false, "this test runs at EL1");
		return;
	}
	pbt = read_reg(PMSIDR_EL1) >> 24 & 1;
	mmu_on();
	direct();
	indirects();
	prediction();
	conditional();
	exceptions();
	previous_targets();
}
