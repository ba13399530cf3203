/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples one operation, chosen by its number, and decodes its record.  Runs at
 * EL1 with the MMU on.
 */
#ifndef SPE_SAMPLE_H
#define SPE_SAMPLE_H

#include "test.h"

#define OTHER	0
#define LDST	1
#define BRANCH	2

/* Operation Type payloads, D18.2.7 */
#define O_COND	0x01
#define O_FP	0x02
#define O_ASE	0x04
#define SVE	0x08
#define S_FP	0x02
#define PRED	0x04
#define SG	0x80
#define EVL(n)	((n) << 4)
#define SME	0x88
#define ETS(n)	((n) >> 1 << 4 | ((n) & 1) << 2)
#define ST	0x01
#define GP	0x00
#define SIMD_FP	0x04
#define UNSPEC	0x10
#define TAG	0x14
#define SYSREG	0x30
#define COPY	0x20
#define SET	0x25
#define EXT	0x02
#define AT	0x04
#define EXCL	0x08
#define AR	0x10
#define B_COND	0x01
#define B_IND	0x02
#define CALL	0x08
#define RETURN	0x10
#define NEITHER	0x18

#define E_EXCEPTION	(1ul << 0)
#define E_RETIRED	(1ul << 1)
#define E_L1D		(1ul << 2)
#define E_TLB		(1ul << 4)
#define E_NOT_TAKEN	(1ul << 6)
#define E_MISPREDICTED	(1ul << 7)
#define E_PARTIAL	(1ul << 17)
#define E_EMPTY		(1ul << 18)
#define E_STREAMING	(1ul << 24)
#define E_SMCU		(1ul << 25)

/*
 * Placed before all functions, because the compiler's own .arch directive does
 * not enable these extensions.
 */
asm(".arch armv8.5-a+memtag+sve2+sme+sme-f64+sme-i64");

static uint64_t control = PMSCR_E1SPE;
static uint64_t sampled_pc;
static struct record r;

/*
 * Samples the instruction @text.  PMSICR_EL1 holds the number of the operation:
 * the ISB after the write that enables profiling is number 1.  @before is code
 * of @skip operations that runs between the two.  @a1, @a2 and @a3 are in X1,
 * X2 and X3.  True if there is one record, and if its PC is that of @text.
 */
#define sample_after(skip, before, text, a1, a2, a3) ({			\
	spe_setup(BUFFER, BUFFER + 4096);				\
	register uint64_t r1_ asm("x1") = (uint64_t)(a1);		\
	register uint64_t r2_ asm("x2") = (uint64_t)(a2);		\
	register uint64_t r3_ asm("x3") = (uint64_t)(a3);		\
	asm volatile("msr " PMSICR_EL1 ", %[number]\n\t"		\
		     "msr " PMSCR_EL1 ", %[on]\n\t"			\
		     "isb\n\t" before "\n"				\
		     "1:\t" text "\n\t"					\
		     "msr " PMSCR_EL1 ", xzr\n\t"			\
		     "isb\n\thint #17\n\tdsb sy\n\tisb\n\t"		\
		     "adr %[pc], 1b"					\
		     : [pc] "=&r"(sampled_pc), "+r"(r1_), "+r"(r2_),	\
		       "+r"(r3_)					\
		     : [number] "r"(2ul + (skip)), [on] "r"(control)	\
		     : "x0", "x4", "x5", "x6", "x7", "x12", "x30",	\
		       "cc", "memory");					\
	spe_records(BUFFER) == 1 && spe_decode(BUFFER, &r) &&		\
		PC(r.pc) == sampled_pc;					\
})
#define sample(text, a1, a2, a3) sample_after(0, "", text, a1, a2, a3)

static inline bool is(uint8_t class, uint8_t subclass)
{
	if (r.class == class && r.subclass == subclass)
		return true;
	note("class", r.class);
	note("subclass", r.subclass);
	return false;
}

static inline bool at(uint64_t va)
{
	if (r.va_valid && r.va == va)
		return true;
	note("va valid", r.va_valid);
	note("va", r.va);
	return false;
}

/* True if, of the events in @mask, the record has exactly @want. */
static inline bool events(uint64_t mask, uint64_t want)
{
	if ((r.events & mask) == want)
		return true;
	note("events", r.events);
	return false;
}

#endif
