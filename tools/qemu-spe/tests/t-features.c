// SPDX-License-Identifier: GPL-2.0-only
/*
 * Optional features that properties of the CPU select: FEAT_SPE_CRR,
 * FEAT_SPE_FPF and FEAT_SPE_EFT.  The test takes its expectations from
 * PMSIDR_EL1, and tests/run checks that PMSIDR_EL1 matches the properties.
 * Runs at EL1.
 */

#include "test.h"

#define CRR	(1ul << 25)
#define EFT	(1ul << 26)
#define FPF	(1ul << 27)

#define FT		(1ul << 1)
#define TYPE(bits)	((uint64_t)(bits) << 16)
#define MASK(bits)	((uint64_t)(bits) << 48)
#define B	1
#define LD	2
#define ST	4
#define FP	8
#define SIMD	16

static uint64_t features;
static struct record r;
static uint64_t word[8] __attribute__((aligned(64)));

enum operation { CALL, RETURN, BRANCH, SCALAR_FP, VECTOR_FP, VECTOR, LOAD,
		 LOAD_D, LOAD_Q, STORE_D, ATOMIC, PLAIN };

#define one(text)							\
	asm volatile("msr " PMSICR_EL1 ", %[two]\n\t"			\
		     "msr " PMSCR_EL1 ", %[on]\n\t"			\
		     "isb\n\t" text "\n"				\
		     "9:\tmsr " PMSCR_EL1 ", xzr\n\t"			\
		     "isb\n\thint #17\n\tdsb sy\n\tisb"			\
		     : : [two] "r"(2ul), [on] "r"(PMSCR_E1SPE),		\
		       [p] "r"(word) : "x0", "x1", "x30", "memory")

static bool kept(enum operation operation, uint64_t pmsfcr)
{
	spe_setup(BUFFER, BUFFER + 4096);
	write_reg(PMSFCR_EL1, pmsfcr);
	isb();
	switch (operation) {
	case CALL:
		one("bl 9f");
		break;
	case RETURN:
		asm volatile("adr x30, 9f\n\t"
			     "msr " PMSICR_EL1 ", %[two]\n\t"
			     "msr " PMSCR_EL1 ", %[on]\n\t"
			     "isb\n\tret\n"
			     "9:\tmsr " PMSCR_EL1 ", xzr\n\t"
			     "isb\n\thint #17\n\tdsb sy\n\tisb"
			     : : [two] "r"(2ul), [on] "r"(PMSCR_E1SPE)
			     : "x30", "memory");
		break;
	case BRANCH:
		one("b 9f");
		break;
	case SCALAR_FP:
		one("fadd d0, d1, d2");
		break;
	case VECTOR_FP:
		one("fadd v0.2d, v1.2d, v2.2d");
		break;
	case VECTOR:
		one("add v0.2d, v1.2d, v2.2d");
		break;
	case LOAD:
		one("ldr x0, [%[p]]");
		break;
	case LOAD_D:
		one("ldr d0, [%[p]]");
		break;
	case LOAD_Q:
		one("ldr q0, [%[p]]");
		break;
	case STORE_D:
		one("str d0, [%[p]]");
		break;
	case ATOMIC:
		one("ldadd x0, x1, [%[p]]");
		break;
	case PLAIN:
		one("nop");
		break;
	}
	return spe_records(BUFFER) == 1 && spe_decode(BUFFER, &r);
}

static void call_return(void)
{
	bool crr = features & CRR;

	ok(kept(CALL, 0) && r.subclass == (crr ? 0x08 : 0), "BL: CR");
	ok(kept(RETURN, 0) && r.subclass == (crr ? 0x12 : 2), "RET: CR");
	ok(kept(BRANCH, 0) && r.subclass == (crr ? 0x18 : 0), "B: CR");
}

static void floating_point_flag(void)
{
	bool fpf = features & FPF;

	ok(kept(SCALAR_FP, 0) && r.subclass == (fpf ? 2 : 0), "FADD: FP");
	ok(kept(VECTOR_FP, 0) && r.subclass == (fpf ? 6 : 0),
	   "FADD of vectors: ASE, FP");
	ok(kept(VECTOR, 0) && r.subclass == (fpf ? 4 : 0),
	   "ADD of vectors: ASE");
}

static void without_masks(void)
{
	write_reg(PMSFCR_EL1, ~0ul);
	ok_eq(read_reg(PMSFCR_EL1), 0x7001f, "no EFT: masks, FP, SIMD are RES0");
	write_reg(PMSFCR_EL1, 0);
}

/*
 * RNYZKJ: any of the types without a mask may match; those with a mask must all
 * match exactly.
 */
static void with_masks(void)
{
	write_reg(PMSFCR_EL1, ~0ul);
	ok_eq(read_reg(PMSFCR_EL1), 0x1f0000001f001ful, "EFT: all bits exist");
	ok(kept(PLAIN, FT), "no type, no mask: everything is kept");
	ok(kept(SCALAR_FP, FT | TYPE(FP)), "FP keeps FADD");
	ok(!kept(VECTOR, FT | TYPE(FP)), "FP rejects an integer vector");
	ok(kept(VECTOR_FP, FT | TYPE(FP)), "FP keeps a vector FADD");
	ok(kept(VECTOR, FT | TYPE(SIMD)), "SIMD keeps an integer vector");
	ok(!kept(SCALAR_FP, FT | TYPE(SIMD)), "SIMD rejects a scalar FADD");
	ok(kept(LOAD_D, FT | TYPE(FP)), "FP keeps a load of D");
	ok(!kept(LOAD_Q, FT | TYPE(FP)), "FP rejects a load of Q");
	ok(kept(LOAD_Q, FT | TYPE(SIMD)), "SIMD keeps a load of Q");
	ok(kept(LOAD_D, FT | TYPE(FP | LD) | MASK(FP | LD)),
	   "FP and LD masked: keeps a load of D");
	ok(!kept(STORE_D, FT | TYPE(FP | LD) | MASK(FP | LD)),
	   "FP and LD masked: rejects a store of D");
	ok(!kept(LOAD, FT | TYPE(FP | LD) | MASK(FP | LD)),
	   "FP and LD masked: rejects a load of X");
	ok(kept(LOAD, FT | TYPE(LD) | MASK(LD | ST)),
	   "LD but not ST: keeps a load");
	ok(!kept(ATOMIC, FT | TYPE(LD) | MASK(LD | ST)),
	   "LD but not ST: rejects an atomic");
	ok(kept(ATOMIC, FT | TYPE(LD | ST) | MASK(LD | ST)),
	   "LD and ST: keeps an atomic");
	ok(!kept(LOAD_D, FT | TYPE(LD) | MASK(FP)), "LD without FP: not LDR D");
	ok(kept(LOAD, FT | TYPE(LD) | MASK(FP)), "LD without FP: LDR X");
	ok(!kept(LOAD, FT | MASK(LD)), "mask alone: no loads");
	ok(kept(PLAIN, FT | MASK(LD)), "mask alone: the others");
}

void test_main(uint64_t el)
{
	(void)el;
	mmu_on();
	features = read_reg(PMSIDR_EL1);
	note("features", features >> 25);
	call_return();
	floating_point_flag();
	if (features & EFT)
		with_masks();
	else
		without_masks();
}
