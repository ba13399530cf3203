// SPDX-License-Identifier: GPL-2.0-only
/*
 * SME as D17.6.6 and D18.2.7 describe it, with and without FEAT_SPE_SME: sizes
 * of vectors and of tiles of ZA, two governing predicates, streaming mode and
 * the alternate clock.  Runs at EL1.
 */

#include "sample.h"

#define PREDICATE (E_PARTIAL | E_EMPTY)

static uint64_t data[512] __attribute__((aligned(64)));
static bool sme, altclk;

/*
 * Sets SMCR_EL1.LEN and FA64.  The streaming vector length is 128 bits times
 * @quads.
 */
static void vector_length(unsigned int quads)
{
	write_reg("S3_0_C1_C2_6", 1ul << 31 | (quads - 1));
	isb();
}

/*
 * RCYBGV, RLQXZR: true for the expected payload of an operation on ZA.  The function does not
 * check the predicates.
 */
static bool array(unsigned int ets, uint8_t fp)
{
	return sme ? is(OTHER, SME | ETS(ets) | fp) : is(OTHER, fp);
}

/*
 * RJCLMP: the same for a load or store of ZA.  Without FEAT_SPE_SME, two payloads are
 * permitted; the model uses that of unspecified registers.
 */
static bool access_za(uint8_t fields)
{
	return is(LDST, sme ? SVE | EVL(3) | fields : UNSPEC | (fields & ST));
}

#define zero(tiles) sample(".inst 0xc0080000 | " #tiles, 0, 0, 0)
#define MOVA "mova za0h.s[w12, 0], p0/m, z0.s"
#define FMOPA(size) "fmopa za0." size ", p0/m, p1/m, z0." size ", z1." size

/*
 * Every value of ETS: for a vector, for tiles of 64 and 32 bits, and for the
 * whole array.
 */
static void sizes(void)
{
	asm volatile("ptrue p0.b\n\tptrue p1.b\n\tmov w12, #0" : : : "x12");
	vector_length(1);
	ok(sample(MOVA, 0, 0, 0) && array(0, 0), "ETS: 128 bits, MOVA");
	ok(sample(FMOPA("d"), 0, 0, 0) && array(1, O_FP),
	   "ETS: 256 bits, FMOPA of doublewords");
	ok(sample(FMOPA("s"), 0, 0, 0) && array(2, O_FP),
	   "ETS: 512 bits, FMOPA of words");
	ok(zero(0x0f) && array(3, 0), "ETS: 1024 bits, ZERO of four tiles");
	ok(zero(0xff) && array(15, 0), "ETS: the whole array, ZERO");
	ok(zero(0x07) && array(3, 0), "ETS: three tiles are rounded up");
	ok(zero(0) && array(0, 0), "ETS: 128 bits, ZERO of no tile, vectors of 128");
	vector_length(4);
	ok(sample(MOVA, 0, 0, 0) && array(2, 0), "ETS: 512 bits, MOVA");
	ok(sample(FMOPA("d"), 0, 0, 0) && array(5, O_FP),
	   "ETS: 4096 bits, FMOPA of doublewords");
	ok(sample(FMOPA("s"), 0, 0, 0) && array(6, O_FP),
	   "ETS: 8192 bits, FMOPA of words");
	ok(zero(0x0f) && array(7, 0), "ETS: 16384 bits, ZERO of four tiles");
	ok(zero(0) && array(0, 0), "ETS: 128 bits, ZERO of no tile, vectors of 512");
	vector_length(16);
	ok(sample(MOVA, 0, 0, 0) && array(4, 0), "ETS: 2048 bits, MOVA");
	ok(sample(FMOPA("d"), 0, 0, 0) && array(9, O_FP),
	   "ETS: 65536 bits, FMOPA of doublewords");
	ok(sample(FMOPA("s"), 0, 0, 0) && array(10, O_FP),
	   "ETS: 131072 bits, FMOPA of words");
	ok(zero(0x0f) && array(11, 0), "ETS: 262144 bits, ZERO of four tiles");
	ok(zero(0) && array(0, 0), "ETS: 128 bits, ZERO of no tile, vectors of 2048");
	vector_length(8);
	ok(sample(FMOPA("s"), 0, 0, 0) && array(8, O_FP),
	   "ETS: 32768 bits, FMOPA of words");
	vector_length(2);
}

static void integers(void)
{
	ok(sample("smopa za0.s, p0/m, p1/m, z0.b, z1.b", 0, 0, 0) &&
	   array(4, 0), "SMOPA is not floating-point");
	ok(sample("addha za0.d, p0/m, p1/m, z0.d", 0, 0, 0) && array(3, 0),
	   "ADDHA");
	ok(sample("mova z0.b, p0/m, za0h.b[w12, 0]", 0, 0, 0) && array(1, 0),
	   "MOVA from ZA");
	ok(sample("smstart za", 0, 0, 0) && is(OTHER, 0), "SMSTART is Other");
	ok(sample("rdsvl x0, #1", 0, 0, 0) && is(OTHER, 0), "RDSVL is Other");
}

static void predicates(void)
{
	asm volatile("ptrue p0.b\n\tptrue p1.s\n\tpfalse p2.b\n\t"
		     "ptrue p3.s, vl1");
	ok(sample("fmopa za0.s, p0/m, p1/m, z0.s, z1.s", 0, 0, 0) &&
	   events(PREDICATE, 0), "E[17]: FMOPA, rows and columns full");
	ok(sample("bfmopa za0.s, p0/m, p1/m, z0.h, z1.h", 0, 0, 0) &&
	   events(PREDICATE, E_PARTIAL),
	   "E[17]: BFMOPA goes by its input elements");
	ok(sample("fmopa za0.s, p0/m, p3/m, z0.s, z1.s", 0, 0, 0) &&
	   events(PREDICATE, E_PARTIAL), "E[17]: FMOPA, one column");
	ok(sample("fmopa za0.s, p0/m, p2/m, z0.s, z1.s", 0, 0, 0) &&
	   events(PREDICATE, E_PARTIAL),
	   "E[18]: FMOPA, rows but no column");
	ok(sample("fmopa za0.s, p2/m, p2/m, z0.s, z1.s", 0, 0, 0) &&
	   events(PREDICATE, E_PARTIAL | E_EMPTY),
	   "E[18]: FMOPA, neither rows nor columns");
	ok(sample("mova za0h.s[w12, 0], p3/m, z0.s", 0, 0, 0) &&
	   events(PREDICATE, E_PARTIAL), "E[17]: MOVA in part");
}

static void accesses(void)
{
	ok(sample("ld1d {za0h.d[w12, 0]}, p0/z, [x1, x2, lsl #3]", data, 2,
		  0) && access_za(PRED) &&
	   at((uint64_t)data + 16), "LD1D of a tile slice");
	ok(sample("st1b {za0v.b[w12, 0]}, p0, [x1]", data, 0, 0) &&
	   access_za(PRED | ST) && at((uint64_t)data),
	   "ST1B of a tile slice");
	ok(sample("ldr za[w12, 3], [x1, #3, mul vl]", data, 0, 0) &&
	   access_za(0) && at((uint64_t)data + 96),
	   "LDR of a vector of ZA");
	ok(sample("str za[w12, 3], [x1, #3, mul vl]", data, 0, 0) &&
	   access_za(ST), "STR of a vector of ZA");
	ok(sample("ld2d {z0.d, z1.d}, p0/z, [x1]", data, 0, 0) &&
	   is(LDST, SVE | PRED | EVL(sme ? 4 : 3)),
	   "EVL of LD2D counts both vectors with FEAT_SPE_SME");
	vector_length(16);
	ok(sample("ld2d {z0.d, z1.d}, p0/z, [x1]", data, 0, 0) &&
	   is(LDST, SVE | PRED | EVL(sme ? 7 : 6)),
	   "EVL: more than 2048 bits with FEAT_SPE_SME");
	vector_length(2);
}

static void streaming(void)
{
	uint64_t on_unit = altclk ? E_SMCU : 0;

	ok(sample("add z0.s, z1.s, z2.s", 0, 0, 0) &&
	   events(E_STREAMING | E_SMCU, sme ? E_STREAMING | on_unit : 0),
	   "E[24], E[25]: SVE in streaming mode");
	ok(r.alt_issue_valid == altclk &&
	   (!altclk || (r.alt_issue && r.alt_issue <= r.issue)),
	   "the alternate clock's issue latency");
	ok(sample("nop", 0, 0, 0) &&
	   events(E_STREAMING | E_SMCU, sme ? E_STREAMING : 0) &&
	   !r.alt_issue_valid, "E[24]: NOP in streaming mode");
	asm volatile("smstop sm");
	ok(sample("add z0.s, z1.s, z2.s", 0, 0, 0) &&
	   events(E_STREAMING | E_SMCU, 0) && !r.alt_issue_valid,
	   "E[24]: not outside of it");
	ok(sample("ldr za[w12, 1], [x1, #1, mul vl]", data, 0, 0) &&
	   access_za(0) && at((uint64_t)data + 32) &&
	   events(E_STREAMING, 0),
	   "LDR of a vector of ZA outside of streaming mode");
}

void test_main(uint64_t el)
{
	uint64_t id = read_reg(PMSIDR_EL1);

	if (el != 1) {
		ok(false, "this test runs at EL1");
		return;
	}
	sme = id >> 32 & 1;
	altclk = (id >> 28 & 15) == 1;
	mmu_on();
	write_reg("cpacr_el1", 3ul << 24 | 3ul << 20 | 3ul << 16);
	vector_length(2);
	asm volatile("smstart\n\tmov w12, #0" : : : "x12");
	sizes();
	integers();
	predicates();
	accesses();
	streaming();
}
