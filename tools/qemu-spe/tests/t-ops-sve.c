// SPDX-License-Identifier: GPL-2.0-only
/*
 * SVE as D17.6.6 and D18.2.7 describe it: vector lengths, which operations are
 * predicated or floating-point, and predicates by element size.  Runs at EL1.
 */

#include "sample.h"

#define PREDICATE (E_PARTIAL | E_EMPTY)

static uint64_t data[512] __attribute__((aligned(64)));

/* Sets ZCR_EL1.LEN.  The vector length is 128 bits times @quads. */
static void vector_length(unsigned int quads)
{
	write_reg("S3_0_C1_C2_0", quads - 1);
	isb();
}

#define data_op(name, text, subclass)					\
	ok(sample(text, data, 1, 2) && is(OTHER, (subclass) | EVL(3)) &&\
	   events(PREDICATE, 0) && !r.va_valid, name)

/* RMDBYZ, RMJQCL: every value of EVL that one vector can have */
static void lengths(void)
{
	static const char * const names[] = {
		"EVL: 128 bits", "EVL: 256 bits", "EVL: 512 bits",
		"EVL: 1024 bits", "EVL: 2048 bits",
	};
	static const char * const load_names[] = {
		"EVL of a load: 128 bits", "EVL of a load: 256 bits",
		"EVL of a load: 512 bits", "EVL of a load: 1024 bits",
		"EVL of a load: 2048 bits",
	};

	for (int i = 0; i < 5; i++) {
		vector_length(1 << i);
		ok(sample("add z0.s, z1.s, z2.s", 0, 0, 0) &&
		   is(OTHER, SVE | EVL(2 + i)), names[i]);
		ok(sample("ldr z0, [x1]", data, 0, 0) &&
		   is(LDST, SVE | EVL(2 + i)), load_names[i]);
	}
	vector_length(2);
}

/* Operations that write a vector under a merging or zeroing predicate. */
static void predicated(void)
{
	asm volatile("ptrue p0.b");
	data_op("ADD, merging", "add z0.s, p0/m, z0.s, z1.s", SVE | PRED);
	data_op("MOVPRFX, zeroing", "movprfx z0.s, p0/z, z1.s\n\t"
		"add z0.s, p0/m, z0.s, z2.s", SVE | PRED);
	data_op("MLA", "mla z0.h, p0/m, z1.h, z2.h", SVE | PRED);
	data_op("ASR by an immediate", "asr z0.b, p0/m, z0.b, #3", SVE | PRED);
	data_op("SXTW", "sxtw z0.d, p0/m, z1.d", SVE | PRED);
	data_op("CPY of an immediate, zeroing", "mov z0.s, p0/z, #3",
		SVE | PRED);
	data_op("CPY of a register, merging", "mov z0.d, p0/m, x1", SVE | PRED);
	data_op("CPY of a SIMD&FP register", "mov z0.d, p0/m, d1", SVE | PRED);
	data_op("REVB", "revb z0.d, p0/m, z1.d", SVE | PRED);
	data_op("RBIT", "rbit z0.b, p0/m, z1.b", SVE | PRED);
	data_op("REVD", ".inst 0x052e8020", SVE | PRED);
	data_op("SQRSHL of SVE2", "sqrshl z0.s, p0/m, z0.s, z1.s", SVE | PRED);
	data_op("UADALP of SVE2", "uadalp z0.d, p0/m, z1.s", SVE | PRED);
	data_op("HISTCNT of SVE2", "histcnt z0.s, p0/z, z1.s, z2.s",
		SVE | PRED);
	data_op("FADD, merging", "fadd z0.s, p0/m, z0.s, z1.s",
		SVE | PRED | S_FP);
	data_op("FMLA", "fmla z0.d, p0/m, z1.d, z2.d", SVE | PRED | S_FP);
	data_op("FCADD", "fcadd z0.s, p0/m, z0.s, z1.s, #90",
		SVE | PRED | S_FP);
	data_op("FCVT", "fcvt z0.d, p0/m, z1.s", SVE | PRED | S_FP);
	data_op("FCVTNT of SVE2", "fcvtnt z0.s, p0/m, z1.d",
		SVE | PRED | S_FP);
	data_op("FADDP of SVE2", "faddp z0.s, p0/m, z0.s, z1.s",
		SVE | PRED | S_FP);
	data_op("FABS", "fabs z0.s, p0/m, z1.s", SVE | PRED | S_FP);
	data_op("FCPY", "fmov z0.s, p0/m, #1.0", SVE | PRED | S_FP);
}

/*
 * Operations without a predicate, and operations whose predicate does not make
 * them predicated.
 */
static void not_predicated(void)
{
	asm volatile("pfalse p1.b");
	data_op("ADD of vectors", "add z0.s, z1.s, z2.s", SVE);
	data_op("FMLALB of SVE2", "fmlalb z2.s, z3.h, z4.h", SVE | S_FP);
	data_op("TBL", "tbl z5.h, { z6.h }, z7.h", SVE);
	data_op("FADD of vectors", "fadd z0.d, z1.d, z2.d", SVE | S_FP);
	data_op("FTMAD", "ftmad z0.s, z0.s, z1.s, #1", SVE | S_FP);
	data_op("FDUP", "fmov z0.s, #1.0", SVE | S_FP);
	data_op("AESE of SVE2", ".arch_extension sve2-aes\n\t"
		"aese z0.b, z0.b, z1.b", SVE);
	data_op("CNTP writes a scalar", "cntp x0, p1, p1.s", SVE);
	data_op("LASTA writes a scalar", "lasta w0, p1, z8.s", SVE);
	data_op("FADDV writes a scalar", "faddv s0, p1, z1.s", SVE | S_FP);
	data_op("SMAXV writes a scalar", "smaxv s0, p1, z1.s", SVE);
	data_op("SEL", "sel z0.s, p1, z1.s, z2.s", SVE);
	data_op("MOV, predicated, is SEL", "mov z0.s, p1/m, z1.s", SVE);
	data_op("COMPACT", "compact z0.s, p1, z1.s", SVE);
	data_op("SPLICE", "splice z0.s, p1, z0.s, z1.s", SVE);
	data_op("CLASTA", "clasta z0.s, p1, z0.s, z1.s", SVE);
	data_op("CMPGT writes a predicate", "cmpgt p2.s, p1/z, z0.s, z1.s",
		SVE);
	data_op("FCMEQ writes a predicate", "fcmeq p2.s, p1/z, z0.s, z1.s",
		SVE | S_FP);
	data_op("PTRUE", "ptrue p2.b", SVE);
	data_op("WHILELT", "whilelt p2.s, x2, x3", SVE);
	data_op("INCP of a scalar", "incp x0, p1.s", SVE);
	ok(sample("incb x0", 0, 0, 0) && is(OTHER, 0),
	   "INCB has no vector: Other");
	ok(sample("rdvl x0, #1", 0, 0, 0) && is(OTHER, 0),
	   "RDVL has no vector: Other");
	ok(sample("addvl x0, x1, #1", 0, 0, 0) && is(OTHER, 0),
	   "ADDVL has no vector: Other");
	ok(sample("ctermeq x1, x2", 0, 0, 0) && is(OTHER, 0),
	   "CTERMEQ has no vector: Other");
}

#define with_predicate(name, text, want)				\
	ok(sample(text, data, 0, 0) && events(PREDICATE, want), name)

/* Of the predicate bits of each element, only the lowest one counts. */
static void element_sizes(void)
{
	asm volatile("pfalse p1.b\n\tptrue p2.s\n\tptrue p3.b, vl1\n\t"
		     "ptrue p4.d");
	with_predicate("E[17]: words of a full word predicate",
		       "add z0.s, p2/m, z0.s, z1.s", 0);
	with_predicate("E[17]: bytes of a full word predicate",
		       "add z0.b, p2/m, z0.b, z1.b", E_PARTIAL);
	with_predicate("E[17]: doublewords of a full word predicate",
		       "add z0.d, p2/m, z0.d, z1.d", 0);
	with_predicate("E[17]: words of a full doubleword predicate",
		       "add z0.s, p4/m, z0.s, z1.s", E_PARTIAL);
	with_predicate("E[17]: FCVT goes by its wider element",
		       "fcvt z0.h, p2/m, z1.s", 0);
	with_predicate("E[17]: SCVTF of doublewords to words",
		       "scvtf z0.s, p4/m, z1.d", 0);
	with_predicate("E[17]: a shift's size is in tsz",
		       "lsl z0.s, p2/m, z0.s, #1", 0);
	with_predicate("E[17]: the first element alone",
		       "mul z0.d, p3/m, z0.d, z1.d", E_PARTIAL);
	with_predicate("E[18]: no element",
		       "fmul z0.d, p1/m, z0.d, z1.d", E_PARTIAL | E_EMPTY);
	with_predicate("E[18]: no element to copy to",
		       "mov z0.s, p1/z, #1", E_PARTIAL | E_EMPTY);
}

/*
 * RMJQCL, RNHSYR: loads and stores, and the address of the lowest element of a
 * contiguous one.  RBHKSC: a prefetch is Other.
 */
static void accesses(void)
{
	asm volatile("ptrue p0.b\n\tptrue p2.s\n\tindex z4.d, #0, #1");
	ok(sample("ld1d {z0.d}, p0/z, [x1]", data, 0, 0) &&
	   is(LDST, SVE | PRED | EVL(3)) && at((uint64_t)data), "LD1D");
	ok(sample("st1d {z0.d}, p0, [x1]", data, 0, 0) &&
	   is(LDST, SVE | PRED | EVL(3) | ST) && at((uint64_t)data), "ST1D");
	ok(sample("str z0, [x1]", data, 0, 0) &&
	   is(LDST, SVE | EVL(3) | ST), "STR of Z is not predicated");
	ok(sample("ldr p5, [x1, #1, mul vl]", data, 0, 0) &&
	   is(LDST, SVE | EVL(3)) && at((uint64_t)data + 4), "LDR of P");
	ok(sample("ld1d {z0.d}, p0/z, [x1, z4.d, lsl #3]", data, 0, 0) &&
	   is(LDST, SVE | PRED | SG | EVL(3)) && r.va_valid, "LD1D, gather");
	ok(sample("st1d {z0.d}, p0, [x1, z4.d, lsl #3]", data, 0, 0) &&
	   is(LDST, SVE | PRED | SG | EVL(3) | ST) && r.va_valid,
	   "ST1D, scatter");
	ok(sample("ldff1d {z0.d}, p0/z, [x1, z4.d, lsl #3]", data, 0, 0) &&
	   is(LDST, SVE | PRED | SG | EVL(3)) && r.va_valid,
	   "LDFF1D, gather");
	ok(sample("ld4d {z0.d-z3.d}, p0/z, [x1, #4, mul vl]", data, 0, 0) &&
	   is(LDST, SVE | PRED | EVL(read_reg(PMSIDR_EL1) >> 32 & 1 ? 5 : 3)) &&
	   at((uint64_t)data + 128), "LD4D");
	ok(sample("ld1rqw {z0.s}, p0/z, [x1, #16]", data, 0, 0) &&
	   is(LDST, SVE | PRED | EVL(3)) && at((uint64_t)data + 16),
	   "LD1RQW");
	ok(sample(".arch_extension f64mm\n\tld1row {z0.s}, p0/z, [x1, #32]",
		  data, 0, 0) && is(LDST, SVE | PRED | EVL(3)) &&
	   at((uint64_t)data + 32), "LD1ROW");
	ok(sample("ldnt1w {z0.s}, p2/z, [x1, #1, mul vl]", data, 0, 0) &&
	   is(LDST, SVE | PRED | EVL(3)) && at((uint64_t)data + 32) &&
	   events(PREDICATE, 0), "LDNT1W");
	ok(sample("prfd pldl1keep, p0, [x1]", data, 0, 0) && is(OTHER, 0) &&
	   !r.va_valid, "PRFD is Other");
}

/*
 * D17.6.10: if a load suppresses a fault, the record has no address, and no
 * events of an access.
 */
static void suppressed(void)
{
	uint64_t hole = PAGES + 0x5000, *entry = page_entry(hole);
	uint64_t saved = *entry;

	*entry = 0;
	tlb_flush();
	asm volatile("setffr");
	ok(sample("ldnf1d {z0.d}, p0/z, [x1]", hole, 0, 0) &&
	   is(LDST, SVE | PRED | EVL(3)) && !r.va_valid && !r.pa_valid &&
	   !r.translation_valid && events(E_EXCEPTION | E_L1D | E_TLB, 0),
	   "LDNF1D that suppresses its fault");
	asm volatile("setffr");
	ok(sample("ldff1d {z0.d}, p0/z, [x1]", hole - 8, 0, 0) &&
	   at(hole - 8) && events(E_EXCEPTION, 0),
	   "LDFF1D whose second element faults");
	trap_arm();
	ok(sample("ldff1d {z0.d}, p0/z, [x1]", hole, 0, 0) &&
	   !r.va_valid && events(E_EXCEPTION, E_EXCEPTION) &&
	   r.class == LDST, "LDFF1D whose first element faults");
	trap_disarm();
	*entry = saved;
	tlb_flush();
	ok(sample("ldnf1d {z0.d}, p0/z, [x1]", hole, 0, 0) && at(hole),
	   "LDNF1D that accesses");
}

void test_main(uint64_t el)
{
	if (el != 1) {
		ok(false, "this test runs at EL1");
		return;
	}
	mmu_on();
	vector_length(2);
	lengths();
	predicated();
	not_predicated();
	element_sizes();
	accesses();
	suppressed();
}
