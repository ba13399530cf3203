// SPDX-License-Identifier: GPL-2.0-only
/*
 * The contents of the record of a known operation (D17.6, D18.2).  The test
 * sets PMSICR_EL1 so that the SPU samples exactly this operation.  Runs at EL1.
 */

#include "test.h"

#define OTHER	0
#define LDST	1
#define BRANCH	2

/* The CR field, with FEAT_SPE_CRR */
#define CALL	0x08
#define RETURN	0x10
#define NEITHER	0x18

#define E_EXCEPTION	(1ul << 0)
#define E_RETIRED	(1ul << 1)
#define E_L1D		(1ul << 2)
#define E_L1D_REFILL	(1ul << 3)
#define E_TLB		(1ul << 4)
#define E_TLB_WALK	(1ul << 5)
#define E_NOT_TAKEN	(1ul << 6)
#define E_MISPREDICTED	(1ul << 7)
#define E_LLC		(1ul << 8)
#define E_LLC_MISS	(1ul << 9)
#define E_MISALIGNED	(1ul << 11)
#define E_MODIFIED	(1ul << 21)

static uint64_t control = PMSCR_E1SPE;
static uint64_t sampled_pc;
static struct record r;
static uint64_t data[64] __attribute__((aligned(64)));

/*
 * PMSICR_EL1 is 2: the SPU samples the second operation after the one that
 * enables profiling.
 */
#define sample(text, a1, a2, a3) ({					\
	spe_setup(BUFFER, BUFFER + 4096);				\
	register uint64_t r1_ asm("x1") = (uint64_t)(a1);		\
	register uint64_t r2_ asm("x2") = (uint64_t)(a2);		\
	register uint64_t r3_ asm("x3") = (uint64_t)(a3);		\
	asm volatile("msr " PMSICR_EL1 ", %[one]\n\t"			\
		     "msr " PMSCR_EL1 ", %[on]\n\t"			\
		     "isb\n"						\
		     "1:\t" text "\n\t"					\
		     "msr " PMSCR_EL1 ", xzr\n\t"			\
		     "isb\n\thint #17\n\tdsb sy\n\tisb\n\t"		\
		     "adr %[pc], 1b"					\
		     : [pc] "=&r"(sampled_pc), "+r"(r1_), "+r"(r2_),	\
		       "+r"(r3_)					\
		     : [one] "r"(2ul), [on] "r"(control)		\
		     : "x0", "x4", "x5", "x6", "x7", "x30", "cc",	\
		       "memory");					\
	spe_records(BUFFER) == 1 && spe_decode(BUFFER, &r) &&		\
		PC(r.pc) == sampled_pc;					\
})

static bool is(uint8_t class, uint8_t subclass)
{
	if (r.class == class && r.subclass == subclass)
		return true;
	note("class", r.class);
	note("subclass", r.subclass);
	return false;
}

static bool at(uint64_t va)
{
	if (r.va_valid && r.va == va)
		return true;
	note("data address", r.va);
	note("expected", va);
	return false;
}

#define ldst(name, text, sub, offset) \
	ok(sample(text, data + 8, 3, data + 24) && is(LDST, sub) && \
	   at((uint64_t)(data + 8) + (offset)) && \
	   !(r.events & (E_EXCEPTION | E_NOT_TAKEN)) && !r.target_valid, name)

static void addressing(void)
{
	ldst("LDR, unsigned offset", "ldr x0, [x1, #16]", 0x00, 16);
	ldst("STR, unsigned offset", "str w0, [x1, #4]", 0x01, 4);
	ldst("LDR, pre-index", "ldr x0, [x1, #-8]!", 0x00, -8);
	ldst("LDR, post-index", "ldr x0, [x1], #24", 0x00, 0);
	ldst("LDRB, unscaled", "ldurb w0, [x1, #-3]", 0x00, -3);
	ldst("LDR, register", "ldr x0, [x1, x2]", 0x00, 3);
	ldst("LDR, register shifted", "ldr x0, [x1, x2, lsl #3]", 0x00, 24);
	ldst("LDRH, extended register", "ldrh w0, [x1, w2, uxtw #1]", 0x00, 6);
	ldst("LDP", "ldp x0, x4, [x1, #-16]", 0x00, -16);
	ldst("STP, post-index", "stp x0, x4, [x1], #16", 0x01, 0);
	ldst("LDPSW", "ldpsw x0, x4, [x1, #8]", 0x00, 8);
	/*
	 * STTR is an unprivileged access, so EL0 must have access to the page.
	 */
	*page_entry(PAGES) |= 1ul << 6;
	tlb_flush();
	ok(sample("sttr x0, [x1, #8]", PAGES, 0, 0) && is(LDST, 0x01) &&
	   at(PAGES + 8), "STTR");
	ok(sample("ldr x0, 5f\n\tb 6f\n5:\t.quad 0\n6:", 0, 0, 0) &&
	   is(LDST, 0x00) && at(sampled_pc + 8), "LDR, literal");
	ok(sample("ldr x0, [sp]", 0, 0, 0) && is(LDST, 0x00) && r.va_valid,
	   "LDR from the stack");
}

static void simd_and_fp(void)
{
	ldst("LDR of Q", "ldr q0, [x1, #32]", 0x04, 32);
	ldst("STR of D, post-index", "str d0, [x1], #8", 0x05, 0);
	ldst("STP of Q", "stp q0, q1, [x1, #-32]", 0x05, -32);
	ldst("LD4, multiple structures", "ld4 {v0.16b-v3.16b}, [x1]", 0x04, 0);
	ldst("ST1, single structure", "st1 {v0.s}[1], [x1], #4", 0x05, 0);
	ldst("LD1R", "ld1r {v0.2d}, [x1]", 0x04, 0);
	ok(sample("fadd d0, d1, d2", 0, 0, 0) && is(OTHER, 2) && !r.va_valid,
	   "FADD is Other, FP");
	ok(sample("add v0.4s, v1.4s, v2.4s", 0, 0, 0) && is(OTHER, 4),
	   "ADD of vectors is Other, ASE");
	ok(sample("fadd v0.4s, v1.4s, v2.4s", 0, 0, 0) && is(OTHER, 6),
	   "FADD of vectors is Other, ASE and FP");
}

static void ordered_and_atomic(void)
{
	ldst("LDAR", "ldar x0, [x1]", 0x12, 0);
	ldst("STLR", "stlr x0, [x1]", 0x13, 0);
	ldst("LDAPR", "ldapr x0, [x1]", 0x12, 0);
	ldst("LDAPUR", "ldapur x0, [x1, #8]", 0x12, 8);
	ldst("STLUR", "stlur x0, [x1, #-8]", 0x13, -8);
	ldst("LDXR", "ldxr x0, [x1]", 0x0a, 0);
	ldst("STXR", "stxr w0, x4, [x1]", 0x0b, 0);
	ldst("LDAXR", "ldaxr x0, [x1]", 0x1a, 0);
	ldst("STLXP", "stlxp w0, x4, x5, [x1]", 0x1b, 0);
	ldst("LDADD", "ldadd x2, x0, [x1]", 0x06, 0);
	ldst("LDADDA", "ldadda x2, x0, [x1]", 0x16, 0);
	ldst("STADD", "stadd x2, [x1]", 0x07, 0);
	ldst("SWP", "swp x2, x0, [x1]", 0x06, 0);
	ldst("SWPAL", "swpal x2, x0, [x1]", 0x16, 0);
	ldst("CAS", "cas x2, x0, [x1]", 0x06, 0);
	ldst("CASPAL", "caspal x4, x5, x6, x7, [x1]", 0x16, 0);
}

static void others(void)
{
	uint64_t zva = 4ul << (read_reg("dczid_el0") & 0xf);
	uint64_t in_block = (uint64_t)data & ~(zva - 1);

	ok(sample("nop", 0, 0, 0) && is(OTHER, 0), "NOP");
	ok(sample("udiv x0, x1, x2", 100, 7, 0) && is(OTHER, 0), "UDIV");
	ok(sample("prfm pldl1keep, [x1]", data, 0, 0) && is(OTHER, 0) &&
	   !r.va_valid, "PRFM is Other");
	ok(sample("cmp x1, x2\n\tcsel x0, x1, x2, eq", 1, 1, 0) && is(OTHER, 0),
	   "CMP");
	asm volatile("cmp %0, %0" : : "r"(1ul) : "cc");
	ok(sample("csel x0, x1, x2, al", 1, 1, 0) && is(OTHER, 1) &&
	   !(r.events & E_NOT_TAKEN), "CSEL that passes");
	ok(sample("csel x0, x1, x2, nv", 1, 1, 0) && is(OTHER, 1), "CSEL, NV");
	/*
	 * spe_setup() leaves unknown condition flags, so these conditions are
	 * always true.
	 */
	ok(sample("ccmp x1, x2, #0, al", 1, 1, 0) && is(OTHER, 1), "CCMP");
	ok(sample("dc zva, x1", data + 9, 0, 0) && is(LDST, 0x11) &&
	   at(((uint64_t)(data + 9)) & ~(zva - 1)), "DC ZVA is a store");
	(void)in_block;
}

static bool target(uint64_t address)
{
	if (r.target_valid && r.target == (PC(address) | 1ul << 61 | 1ul << 63))
		return true;
	note("target", r.target);
	return false;
}

static void branches(void)
{
	ok(sample("b 5f\n\tnop\n5:", 0, 0, 0) && is(BRANCH, NEITHER) &&
	   target(sampled_pc + 8), "B");
	ok(sample("bl 5f\n\tnop\n5:", 0, 0, 0) && is(BRANCH, CALL) &&
	   target(sampled_pc + 8), "BL");
	ok(sample("cbz x1, 5f\n\tnop\n5:", 0, 0, 0) && is(BRANCH, NEITHER | 1) &&
	   target(sampled_pc + 8) && !(r.events & E_NOT_TAKEN), "CBZ, taken");
	ok(sample("cbz x1, 5f\n\tnop\n5:", 1, 0, 0) && is(BRANCH, NEITHER | 1) &&
	   !r.target_valid && (r.events & E_NOT_TAKEN), "CBZ, not taken");
	ok(sample("cbz w1, 5f\n\tnop\n5:", 1ul << 32, 0, 0) &&
	   !(r.events & E_NOT_TAKEN), "CBZ looks at 32 bits");
	ok(sample("tbnz x1, #40, 5f\n\tnop\n5:", 1ul << 40, 0, 0) &&
	   is(BRANCH, NEITHER | 1) && target(sampled_pc + 8), "TBNZ, taken");
	ok(sample("tbz x1, #40, 5f\n\tnop\n5:", 1ul << 40, 0, 0) &&
	   is(BRANCH, NEITHER | 1) && (r.events & E_NOT_TAKEN), "TBZ, not taken");

	ok(sample("b.al 5f\n5:", 0, 0, 0) && is(BRANCH, NEITHER | 1) &&
	   target(sampled_pc + 4), "B.AL to the next operation is taken");
}

/* The test puts the target of BR, BLR and RET into a register before. */
static void indirect_branches(void)
{
	extern char after_br[], after_ret[], after_blr[];

	ok(sample("br x1\n\tnop\n\t.globl after_br\nafter_br:", after_br, 0, 0) &&
	   is(BRANCH, NEITHER | 2) && target((uint64_t)after_br), "BR");
	ok(sample("blr x1\n\tnop\n\t.globl after_blr\nafter_blr:", after_blr, 0,
		  0) && is(BRANCH, CALL | 2) && target((uint64_t)after_blr), "BLR");
	ok(sample("ret x1\n\tnop\n\t.globl after_ret\nafter_ret:", after_ret, 0,
		  0) && is(BRANCH, RETURN | 2) && target((uint64_t)after_ret), "RET");
}

/*
 * After CMP 1, 2 the conditions NE, CC and MI are true.  ISB and CMP are not
 * sampled.
 */
#define sample_flags(text) ({						\
	bool good_;							\
									\
	spe_setup(BUFFER, BUFFER + 4096);				\
	asm volatile("msr " PMSICR_EL1 ", %[two]\n\t"			\
		     "msr " PMSCR_EL1 ", %[on]\n\t"			\
		     "isb\n\tcmp %[one], #2\n"				\
		     "1:\t" text "\n\t"					\
		     "msr " PMSCR_EL1 ", xzr\n\t"			\
		     "isb\n\thint #17\n\tdsb sy\n\tisb\n\t"		\
		     "adr %[pc], 1b"					\
		     : [pc] "=&r"(sampled_pc)				\
		     : [one] "r"(1ul), [two] "r"(3ul),			\
		       [on] "r"(control)				\
		     : "x0", "cc", "memory");				\
	good_ = spe_records(BUFFER) == 1 && spe_decode(BUFFER, &r) &&	\
		PC(r.pc) == sampled_pc;					\
	good_;								\
})

static void conditions(void)
{
	ok(sample_flags("b.ne 5f\n\tnop\n5:") && is(BRANCH, NEITHER | 1) &&
	   target(sampled_pc + 8), "B.NE, taken");
	ok(sample_flags("b.eq 5f\n\tnop\n5:") && is(BRANCH, NEITHER | 1) &&
	   !r.target_valid && (r.events & E_NOT_TAKEN), "B.EQ, not taken");
	ok(sample_flags("b.lt 5f\n\tnop\n5:") && r.target_valid, "B.LT, taken");
	ok(sample_flags("b.ge 5f\n\tnop\n5:") && !r.target_valid,
	   "B.GE, not taken");
	ok(sample_flags("b.hi 5f\n\tnop\n5:") && !r.target_valid,
	   "B.HI, not taken");
	ok(sample_flags("b.cc 5f\n\tnop\n5:") && r.target_valid, "B.CC, taken");
	ok(sample_flags("b.mi 5f\n\tnop\n5:") && r.target_valid, "B.MI, taken");
	ok(sample_flags("b.vs 5f\n\tnop\n5:") && !r.target_valid,
	   "B.VS, not taken");
	ok(sample_flags("b.le 5f\n\tnop\n5:") && r.target_valid, "B.LE, taken");
	ok(sample_flags("csinc x0, x0, x0, eq") && is(OTHER, 1) &&
	   (r.events & E_NOT_TAKEN), "CSINC whose condition fails");
	ok(sample_flags("ccmn x0, #3, #0, ne") && is(OTHER, 1) &&
	   !(r.events & E_NOT_TAKEN), "CCMN whose condition passes");
	ok(sample_flags("fcsel d0, d1, d2, eq") && is(OTHER, 3) &&
	   (r.events & E_NOT_TAKEN), "FCSEL whose condition fails");
}

static void pc_and_exception(void)
{
	uint64_t here = 1ul << 61 | 1ul << 63;	/* EL1, Non-secure */

	ok(sample("nop", 0, 0, 0) && r.pc == (sampled_pc | here),
	   "PC packet has EL and NS");
	trap_arm();
	ok(sample("svc #2", 0, 0, 0) && (r.events & E_EXCEPTION) &&
	   (r.events & E_RETIRED) && !r.target_valid && is(OTHER, 0),
	   "SVC generates an exception");
	ok(sample("ldr x0, [x1]", 0x4000000000ul, 0, 0) &&
	   (r.events & E_EXCEPTION) && !r.va_valid && !r.pa_valid &&
	   !r.translation_valid, "LDR that aborts has no data address");
	ok(sample("udf #0", 0, 0, 0) && (r.events & E_EXCEPTION), "UDF");
	trap_disarm();
}

static void memory_events(void)
{
	static uint64_t line[16] __attribute__((aligned(64)));

	ok(sample("ldr x0, [x1]", line, 0, 0) &&
	   (r.events & (E_L1D | E_TLB | E_RETIRED)) ==
	   (E_L1D | E_TLB | E_RETIRED) && (r.events & E_L1D_REFILL),
	   "first load of a line refills the L1D");
	ok(r.source_valid && r.source == 0xe && (r.events & E_LLC_MISS),
	   "its data come from memory");
	ok(r.total_valid && r.issue_valid && r.translation_valid &&
	   r.total > r.issue, "it has three latencies");
	ok(sample("ldr x0, [x1]", line, 0, 0) && !(r.events & E_L1D_REFILL) &&
	   !(r.events & E_TLB_WALK) && r.source_valid && r.source == 0 &&
	   r.translation == 0, "second load of the line hits");
	ok(!(r.events & E_MODIFIED), "the line is clean");
	ok(sample("str x0, [x1]", line, 0, 0) && !r.source_valid,
	   "a store has no data source");
	ok(sample("stadd x2, [x1]", line, 0, 0) && !r.source_valid,
	   "STADD has no data source");
	ok(sample("wfe", 0, 0, 0) && is(OTHER, 0) && r.total == r.issue + 1,
	   "WFE is Other, and takes one cycle");
	ok(sample("ldr x0, [x1]", line, 0, 0) && (r.events & E_MODIFIED),
	   "a load after it finds modified data");
	ok(sample("ldr x0, [x1]", (char *)line + 60, 0, 0) &&
	   (r.events & E_MISALIGNED), "a load across two lines is misaligned");
	ok(sample("ldr x0, [x1]", (char *)line + 4, 0, 0) &&
	   !(r.events & E_MISALIGNED), "a load within a line is not");
}

static void controls(void)
{
	uint64_t before, after;

	ok(sample("ldr x0, [x1]", data, 0, 0) && !r.timestamp_valid &&
	   !r.context1_valid && !r.context2_valid && !r.pa_valid,
	   "nothing is collected that is not asked for");

	write_reg("contextidr_el1", 0x12345678);
	control = PMSCR_E1SPE | PMSCR_CX;
	ok(sample("nop", 0, 0, 0) && r.context1_valid &&
	   r.context1 == 0x12345678, "CX: CONTEXTIDR_EL1");

	control = PMSCR_E1SPE | PMSCR_PA;
	ok(sample("ldr x0, [x1]", data + 1, 0, 0) && r.pa_valid &&
	   r.pa == ((uint64_t)(data + 1) | 1ul << 63), "PA: physical address");
	ok(sample("nop", 0, 0, 0) && !r.pa_valid, "PA: only of data accesses");

	control = PMSCR_E1SPE | PMSCR_TS;
	before = read_reg("cntpct_el0");
	ok(sample("nop", 0, 0, 0) && r.timestamp_valid, "TS: timestamp");
	after = read_reg("cntpct_el0");
	ok(r.timestamp >= before && r.timestamp <= after,
	   "TS: the time of the sampled operation");
	control = PMSCR_E1SPE;
}

static void tagged(void)
{
	uint64_t tcr = read_reg("tcr_el1");

	write_reg("tcr_el1", tcr | 1ul << 37);		/* TBI0 */
	tlb_flush();
	control = PMSCR_E1SPE | PMSCR_PA;
	ok(sample("ldr x0, [x1]", (uint64_t)data | 0x5aul << 56, 0, 0) &&
	   at((uint64_t)data | 0x5aul << 56) &&
	   r.pa == ((uint64_t)data | 1ul << 63),
	   "TBI: the tag is in the virtual address alone");
	control = PMSCR_E1SPE;
	write_reg("tcr_el1", tcr);
	tlb_flush();
}

/*
 * TTBR1_EL1 maps the same memory at the top of the address space.  Without TBI
 * byte 7 is bits 63:56 of the address, which is one of the two choices of
 * D18.2.1.
 */
static void upper_half(void)
{
	uint64_t saved = read_reg("tcr_el1"), ttbr1 = read_reg("ttbr1_el1"), tcr;
	uint64_t va = (uint64_t)data | 0xffffff8000000000ul;

	write_reg("ttbr1_el1", read_reg("ttbr0_el1"));
	/* T1SZ, cacheable walks, TG1 4 KiB; not EPD1 */
	tcr = (saved & ~(1ul << 23)) | 25ul << 16 | 1ul << 24 | 1ul << 26 |
	      3ul << 28 | 2ul << 30;
	write_reg("tcr_el1", tcr);
	tlb_flush();
	ok(sample("ldr x0, [x1]", va, 0, 0) && at(va),
	   "TBI 0: byte 7 of the virtual address is 0xff");
	write_reg("tcr_el1", tcr | 1ul << 38);		/* TBI1 */
	tlb_flush();
	va = (va & ~(0xfful << 56)) | 0x5aul << 56;
	ok(sample("ldr x0, [x1]", va, 0, 0) && at(va),
	   "TBI 1: the tag of an address with bit 55 set");
	write_reg("tcr_el1", saved);
	write_reg("ttbr1_el1", ttbr1);
	tlb_flush();
}

static void sve(void)
{
	uint64_t vl;

	asm volatile("msr S3_0_C1_C2_0, %0\n\tisb" : : "r"(1ul)); /* ZCR_EL1 */
	asm volatile(".arch_extension sve\n\trdvl %0, #1" : "=r"(vl));
	if (vl != 32)
		note("vector length", vl);
	asm volatile("ptrue p0.b\n\tpfalse p1.b\n\tptrue p2.b, vl3");
	ok(sample("ld1b {z0.b}, p0/z, [x1]", data, 0, 0) &&
	   is(LDST, 0x0c | 3 << 4) && at((uint64_t)data) &&
	   !(r.events & 3ul << 17), "LD1B of 256 bits, predicate full");
	ok(sample("ld1w {z0.s}, p2/z, [x1, #1, mul vl]", data, 0, 0) &&
	   is(LDST, 0x0c | 3 << 4) && at((uint64_t)data + 32) &&
	   (r.events >> 17 & 3) == 1, "LD1W, predicate in part");
	ok(sample("st1d {z0.d}, p1, [x1, x2, lsl #3]", data, 2, 0) &&
	   is(LDST, 0x0d | 3 << 4) && (r.events >> 17 & 3) == 3,
	   "ST1D, predicate empty");
	ok(!r.va_valid && !r.pa_valid && !r.translation_valid &&
	   !(r.events & (E_L1D | E_TLB)), "ST1D that accesses nothing");
	ok(sample("ldr z0, [x1, #2, mul vl]", data, 0, 0) &&
	   is(LDST, 0x08 | 3 << 4) && at((uint64_t)data + 64),
	   "LDR of Z is not predicated");
	ok(sample("ld2d {z0.d, z1.d}, p0/z, [x1, #2, mul vl]", data, 0, 0) &&
	   is(LDST, 0x0c | 3 << 4) && at((uint64_t)data + 64), "LD2D");
	ok(sample("ld1b {z0.h}, p0/z, [x1, #1, mul vl]", data, 0, 0) &&
	   at((uint64_t)data + 16), "LD1B to halfwords");
	ok(sample("ld1rw {z0.s}, p0/z, [x1, #8]", data, 0, 0) &&
	   at((uint64_t)data + 8), "LD1RW");
	ok(sample("add z0.s, z1.s, z2.s", 0, 0, 0) && is(OTHER, 0x08 | 3 << 4),
	   "ADD of Z");
	ok(sample("add z0.s, p0/m, z0.s, z2.s", 0, 0, 0) &&
	   is(OTHER, 0x0c | 3 << 4), "ADD of Z, predicated");
	ok(sample("fadd z0.s, z1.s, z2.s", 0, 0, 0) &&
	   is(OTHER, 0x0a | 3 << 4), "FADD of Z");
}

/*
 * RMYPFF: the SPU records the address of a random element, and none if that
 * element is inactive.
 */
static void gather(void)
{
	unsigned int seen[4] = { 0 }, none = 0, wrong = 0;

	asm volatile("index z4.d, #0, #2\n\tptrue p3.d, vl3");
	for (int i = 0; i < 200; i++) {
		uint64_t index;

		if (!sample("ld1d {z0.d}, p3/z, [x1, z4.d, lsl #3]", data, 0, 0)) {
			wrong++;
			continue;
		}
		index = (r.va - (uint64_t)data) / 16;
		if (!r.va_valid)
			none++;
		else if (index < 3 && (r.events & E_L1D))
			seen[index]++;
		else
			wrong++;
	}
	ok_eq(wrong, 0, "gather: active elements alone");
	ok(seen[0] > 25 && seen[1] > 25 && seen[2] > 25 && none > 25,
	   "gather: each element in its turn, no address for the inactive one");
	asm volatile("index z4.s, #-4, #0\n\tptrue p3.s");
	ok(sample("st1w {z0.s}, p3, [x1, z4.s, sxtw #2]", data + 8, 0, 0) &&
	   is(LDST, 0x8d | 3 << 4) && at((uint64_t)(data + 8) - 16),
	   "scatter: offsets are extended and scaled");
	asm volatile("dup z4.d, %0\n\tptrue p3.d" : : "r"(data));
	ok(sample("ld1w {z0.d}, p3/z, [z4.d, #12]", 0, 0, 0) &&
	   at((uint64_t)data + 12), "gather: a vector of addresses");
}

static void authenticated(void)
{
	uint64_t sctlr = read_reg("sctlr_el1"), pointer = (uint64_t)(data + 8);

	ok(sample("ldraa x0, [x1, #8]", pointer, 0, 0) && at(pointer + 8),
	   "LDRAA, authentication off");
	write_reg("S3_0_C2_C2_0", 0x1234567890abcdeful);	/* APDAKeyLo_EL1 */
	write_reg("S3_0_C2_C2_1", 0xfedcba0987654321ul);
	write_reg("sctlr_el1", sctlr | 1ul << 27);		/* EnDA */
	isb();
	asm volatile("pacdza %0" : "+r"(pointer));
	ok(pointer != (uint64_t)(data + 8), "a pointer is signed");
	control = PMSCR_E1SPE | PMSCR_PA;
	ok(sample("ldraa x0, [x1, #8]", pointer, 0, 0) && is(LDST, 0) &&
	   at((uint64_t)(data + 9)) && r.pa_valid && (r.events & E_L1D),
	   "LDRAA: the authenticated address");
	control = PMSCR_E1SPE;
	write_reg("sctlr_el1", sctlr);
	isb();
}

/* The UART is Device memory, which no cache holds. */
static void device(void)
{
	for (int i = 0; i < 2; i++)
		ok(sample("ldr w0, [x1]", 0x09000018, 0, 0) && at(0x09000018) &&
		   !(r.events & (E_L1D | E_L1D_REFILL | E_LLC | E_LLC_MISS)) &&
		   (r.events & E_TLB) && r.source == 0xe,
		   "LDR of a device goes past the caches");
}

static void memory_copy_and_set(void)
{
	/* The encodings of SETP [x3]!, x2!, x0 and CPYP [x3]!, [x1]!, x2! */
	ok(sample(".inst 0x19c00443", 0, 64, data) && is(LDST, 0x25) &&
	   at((uint64_t)data), "SETP");
	ok(sample(".inst 0x1d010443", data, 64, data + 16) &&
	   (r.subclass == 0x20 ? at((uint64_t)data)
			       : is(LDST, 0x21) && at((uint64_t)(data + 16))),
	   "CPYP");
}

void test_main(uint64_t el)
{
	if (el != 1) {
		ok(false, "this test runs at EL1");
		return;
	}
	mmu_on();
	addressing();
	simd_and_fp();
	ordered_and_atomic();
	others();
	branches();
	indirect_branches();
	conditions();
	pc_and_exception();
	memory_events();
	controls();
	tagged();
	upper_half();
	sve();
	gather();
	authenticated();
	device();
	memory_copy_and_set();
}
