// SPDX-License-Identifier: GPL-2.0-only
/*
 * Other kinds of loads and stores, for each version: Allocation Tags, Memory
 * Copy and Memory Set, cache maintenance.  Also the tag bits of physical
 * addresses (D17.6.4, D18.2.1).  Runs at EL1.  The cases for Allocation Tags
 * run if MTE is implemented.
 */

#include "sample.h"

#define TAGGED	PAGES			/* 64 KiB of Tagged memory */
#define CH	(1ul << 62)
#define NS	(1ul << 63)

static uint64_t data[4096] __attribute__((aligned(4096)));
static unsigned int version;		/* ID_AA64DFR0_EL1.PMSVer */

/*
 * Before FEAT_SPEv1p1, the payload was that of an access to general-purpose
 * registers.
 */
static bool is_unspecified(uint8_t st)
{
	return is(LDST, (version >= 2 ? UNSPEC : GP) | st);
}

/*
 * Before FEAT_SPEv1p3, accesses to tags, copies and sets have no payload of
 * their own.
 */
static bool is_own(uint8_t subclass)
{
	return version >= 4 ? is(LDST, subclass)
			    : is_unspecified(subclass & ST);
}

/*
 * SVE has its own payload from FEAT_SPEv1p1 on, and PRED of loads exists from
 * FEAT_SPEv1p2 on.
 */
static void vectors(void)
{
	uint8_t load = SVE | EVL(3) | (version >= 3 ? PRED : 0);
	uint8_t store = SVE | EVL(3) | PRED | ST;

	write_reg("S3_0_C1_C2_0", 1);			/* ZCR_EL1 */
	isb();
	asm volatile("ptrue p0.b");
	ok(sample("ld1d {z0.d}, p0/z, [x1]", data, 0, 0) &&
	   is(LDST, version >= 2 ? load : SIMD_FP), "LD1D of SVE");
	ok(sample("st1d {z0.d}, p0, [x1]", data, 0, 0) &&
	   is(LDST, version >= 2 ? store : SIMD_FP | ST), "ST1D of SVE");
	ok(sample("fadd z0.s, z1.s, z2.s", 0, 0, 0) &&
	   (version >= 2 ? is(OTHER, SVE | EVL(3) | S_FP)
			 : r.class == OTHER && !(r.subclass & SVE)),
	   "FADD of SVE");
}

static void maintenance(void)
{
	ok(sample("dc civac, x1", data, 0, 0) && is(OTHER, 0) && !r.va_valid,
	   "DC CIVAC is Other");
	ok(sample("dc cvac, x1", data, 0, 0) && is(OTHER, 0),
	   "DC CVAC is Other");
	ok(sample("ic ivau, x1", data, 0, 0) && is(OTHER, 0),
	   "IC IVAU is Other");
	ok(sample("at s1e1r, x1", data, 0, 0) && is(OTHER, 0),
	   "AT S1E1R is Other");
	ok(sample("prfm pldl1keep, [x1]", data, 0, 0) && is(OTHER, 0) &&
	   !r.va_valid, "PRFM is Other");
	ok(sample("dmb ish", 0, 0, 0) && is(OTHER, 0), "DMB is Other");
	ok(sample("isb", 0, 0, 0) && is(OTHER, 0), "ISB is Other");
	ok(sample("dc zva, x1", data + 8, 0, 0) && is_unspecified(ST) &&
	   r.va_valid && events(E_L1D, E_L1D), "DC ZVA");
}

/* The stages of a Memory Set and of a Memory Copy. */
#define SETP ".inst 0x19c00443\n\t"	/* [x3]!, x2!, x0 */
#define SETM ".inst 0x19c04443\n\t"
#define SETE ".inst 0x19c08443\n\t"
#define CPYP ".inst 0x1d010443\n\t"	/* [x3]!, [x1]!, x2! */
#define CPYM ".inst 0x1d410443\n\t"
#define CPYE ".inst 0x1d810443\n\t"

#define BYTES 9000

static bool within(uint64_t base, uint64_t size)
{
	return r.va_valid && r.va >= base && r.va < base + size;
}

static void sets(void)
{
	uint64_t to = (uint64_t)data;

	ok(sample(SETP SETM SETE, 0, BYTES, to) && is_own(SET) && at(to),
	   "SETP");
	ok(sample_after(1, SETP, SETM SETE, 0, BYTES, to) && is_own(SET) &&
	   within(to, BYTES) && events(E_L1D | E_RETIRED, E_L1D | E_RETIRED),
	   "SETM");
	ok(sample_after(2, SETP SETM, SETE, 0, BYTES, to) && is_own(SET) &&
	   (!r.va_valid || within(to, BYTES)), "SETE");
	ok(sample(SETP SETM SETE, 0, 0, to) && is_own(SET) && !r.va_valid &&
	   !r.translation_valid && events(E_L1D | E_TLB, 0),
	   "SETP of no bytes accesses nothing");
}

static void copies(void)
{
	uint64_t to = (uint64_t)data + 16384, from = (uint64_t)data;
	unsigned int loads = 0, stores = 0, wrong = 0;

	for (int i = 0; i < 16; i++) {
		if (!sample_after(1, CPYP, CPYM CPYE, from, BYTES, to))
			wrong++;
		else if (!(r.subclass & ST) && r.source_valid)
			loads++;
		else if ((r.subclass & ST) && !r.source_valid)
			stores++;
	}
	ok(!wrong && loads && stores && loads + stores == 16,
	   "CPYM is now a load, now a store");
	ok(sample_after(1, "mov x4, #2\n\t", CPYP CPYM CPYE, from, BYTES, to) &&
	   (r.subclass & ST ? is_own(COPY | ST) && at(to)
			    : is_own(COPY) && at(from)), "CPYP");
	for (int store = 0; store < 2; store++) {
		wrong = 0;
		for (int i = 0; i < 8; i++) {
			/* PMSFCR_EL1.FT, and LD or ST */
			uint64_t filter = 2 | 1ul << (17 + store);

			spe_setup(BUFFER, BUFFER + 4096);
			write_reg(PMSFCR_EL1, filter);
			write_reg(PMSICR_EL1, 2);
			isb();
			asm volatile("mov x1, %0\n\tmov x3, %1\n\t"
				     "mov x2, #9000\n\t"
				     "msr " PMSCR_EL1 ", %2\n\tisb\n\t"
				     CPYP CPYM CPYE
				     "msr " PMSCR_EL1 ", xzr\n\tisb\n\t"
				     "hint #17\n\tdsb sy\n\tisb"
				     : : "r"(from), "r"(to), "r"(control)
				     : "x1", "x2", "x3", "cc", "memory");
			wrong += spe_records(BUFFER) != 1 ||
				 !spe_decode(BUFFER, &r) ||
				 !is_own(store ? COPY | ST : COPY) ||
				 !at(store ? to : from);
		}
		ok(!wrong, store ? "CPYP with the filter on stores"
				 : "CPYP with the filter on loads");
	}
}

/* A set aborts midway at a page that is not mapped. */
static void abandoned(void)
{
	uint64_t *entry = page_entry(PAGES + 0x21000), saved = *entry;

	*entry = 0;
	tlb_flush();
	trap_arm();
	ok(sample_after(1, SETP, SETM "nop\n\t", 0, BYTES, PAGES + 0x20000) &&
	   is_own(SET) && events(E_EXCEPTION | E_RETIRED | E_L1D,
				 E_EXCEPTION | E_RETIRED) && !r.va_valid,
	   "E[0]: SETM that aborts midway");
	trap_disarm();
	*entry = saved;
	tlb_flush();
}

static bool mte(void)
{
	return (read_reg("id_aa64pfr1_el1") >> 8 & 15) >= 2;
}

static void tags_on(void)
{
	/* Attribute 2: Tagged Normal memory */
	write_reg("mair_el1", 0xf000fful);
	for (int i = 0; i < 16; i++) {
		uint64_t *entry = page_entry(TAGGED + i * 4096);

		*entry = (*entry & ~(7ul << 2)) | 2ul << 2;
	}
	/* TCR_EL1.TBI0; SCTLR_EL1.ATA and synchronous Tag Check Faults */
	write_reg("tcr_el1", read_reg("tcr_el1") | 1ul << 37);
	write_reg("sctlr_el1", read_reg("sctlr_el1") | 1ul << 43 | 1ul << 40);
	isb();
	asm volatile("msr tco, #0");
	tlb_flush();
}

#define TAG_OF(n) ((uint64_t)(n) << 56)

static void tags(void)
{
	uint64_t p = TAGGED | TAG_OF(5);

	ok(sample("stg x1, [x1]", p, 0, 0) && is_own(TAG | ST) && at(p),
	   "STG");
	ok(sample("st2g x1, [x1, #16]", p, 0, 0) && is_own(TAG | ST) &&
	   at(p + 16), "ST2G");
	ok(sample("ldg x0, [x1]", p + 8, 0, 0) && is_own(TAG) && at(p),
	   "LDG");
	ok(sample("stgm x1, [x1]", p, 0, 0) && is_own(TAG | ST), "STGM");
	ok(sample("ldgm x0, [x1]", p, 0, 0) && is_own(TAG), "LDGM");
	ok(sample("dc gva, x1", p, 0, 0) && is_own(TAG | ST), "DC GVA");
	ok(sample("stzg x1, [x1]", p, 0, 0) && is_unspecified(ST),
	   "STZG stores data too: unspecified registers");
	ok(sample("stz2g x1, [x1]", p, 0, 0) && is_unspecified(ST),
	   "STZ2G");
	ok(sample("stzgm x1, [x1]", p, 0, 0) && is_unspecified(ST),
	   "STZGM");
	ok(sample("dc gzva, x1", p, 0, 0) && is_unspecified(ST),
	   "DC GZVA");
	ok(sample("stgp x1, x2, [x1]", p, 0, 0) && is(LDST, GP | ST) && at(p),
	   "STGP");
	/* SETGP [x3]!, x2!, x0, then SETGM and SETGE */
	ok(sample(".inst 0x1dc00443\n\t.inst 0x1dc04443\n\t.inst 0x1dc08443",
		  0, 64, p) && is_own(SET) && at(p), "SETGP");
}

/* The physical address shows whether the access was Tag Checked (D18.2.1). */
static void checked(void)
{
	uint64_t p = TAGGED | TAG_OF(5), sp;

	asm volatile("stg %0, [%0]" : : "r"(p) : "memory");
	control = PMSCR_E1SPE | PMSCR_PA;
	ok(sample("ldr x0, [x1]", p, 0, 0) && at(p) &&
	   r.pa == (TAGGED | TAG_OF(5) | CH | NS), "CH, PAT: LDR is checked");
	ok(sample("str x0, [x1]", p, 0, 0) &&
	   r.pa == (TAGGED | TAG_OF(5) | CH | NS), "CH, PAT: STR is checked");
	ok(sample("ldr x0, [x1]", (uint64_t)data | TAG_OF(5), 0, 0) &&
	   r.pa == ((uint64_t)data | NS), "CH: Untagged memory is not checked");
	ok(sample("ldg x0, [x1]", p, 0, 0) && r.pa == (TAGGED | NS),
	   "CH: LDG is not checked");
	asm volatile("mov %0, sp" : "=r"(sp));
	ok(sample_after(2, "mov x5, sp\n\tmov sp, x1\n\t",
			"ldr x0, [sp, #8]\n\tmov sp, x5", TAGGED | TAG_OF(7),
			0, 0) && r.pa == ((TAGGED + 8) | NS),
	   "CH: LDR from the stack pointer is not checked");
	asm volatile("msr tco, #1");
	ok(sample("ldr x0, [x1]", p, 0, 0) && r.pa == (TAGGED | NS),
	   "CH: not with Tag Check Override");
	asm volatile("msr tco, #0");
	write_reg("tcr_el1", read_reg("tcr_el1") | 1ul << 57);	/* TCMA0 */
	isb();
	ok(sample("ldr x0, [x1]", TAGGED, 0, 0) && r.pa == (TAGGED | NS),
	   "CH: not with tag 0 and TCMA0");
	trap_arm();
	ok(sample("ldr x0, [x1]", TAGGED | TAG_OF(6), 0, 0) && !r.pa_valid &&
	   events(E_EXCEPTION, E_EXCEPTION), "E[0]: Tag Check Fault");
	trap_disarm();
	control = PMSCR_E1SPE;
	asm volatile("msr tco, #1");
}

void test_main(uint64_t el)
{
	if (el != 1) {
		ok(false, "this test runs at EL1");
		return;
	}
	version = read_reg("id_aa64dfr0_el1") >> 32 & 15;
	mmu_on();
	maintenance();
	vectors();
	sets();
	copies();
	abandoned();
	if (mte()) {
		tags_on();
		tags();
		checked();
	}
}
