// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host tests of the model's pure files.  This file tests the classifier against
 * instructions that the assembler encoded; records.c, features.c and caches.c
 * test the other files.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "insn/insn.h"

static unsigned int cases, failures;

void ok(bool passed, const char *name)
{
	printf("%sok %u - %s\n", passed ? "" : "not ", ++cases, name);
	failures += !passed;
	if (failures && getenv("TEST_STOP"))
		exit(1);
}

struct vector {
	const char *text;
	uint8_t class, subclass;
	uint32_t flags;
	uint8_t addr;
	int size;
	int64_t imm;
};

enum {
	OTHER = SPE_CLASS_OTHER, LDST = SPE_CLASS_LDST,
	BRANCH = SPE_CLASS_BRANCH,
	LD = SPE_INSN_LD, ST = SPE_INSN_ST, BR = SPE_INSN_BR,
	IND = SPE_INSN_IND, LINK = SPE_INSN_LINK, RET = SPE_INSN_RET,
	FP = SPE_INSN_FP, SIMD = SPE_INSN_SIMD, SVE = SPE_INSN_SVE,
	DA = SPE_INSN_AUTH_DA, DB = SPE_INSN_AUTH_DB,
	UNPRIV = SPE_INSN_UNPRIV, SLOW = SPE_INSN_SLOW, EXCL = SPE_INSN_EXCL,
	TAGS = SPE_INSN_TAGS, ERET = SPE_INSN_ERET, SME = SPE_INSN_SME,
	FORWARD = SPE_INSN_FORWARD,
};

#define V(text, class, sub, flags, addr, size, imm) \
	{ text, class, sub, flags, SPE_ADDR_##addr, size, imm },
static const struct vector vectors[] = {
#include "vectors.h"
};
#undef V

#define VECTORS (sizeof(vectors) / sizeof(vectors[0]))

static void classify(const char *file)
{
	FILE *words = fopen(file, "rb");
	uint8_t bytes[4];

	if (!words) {
		perror(file);
		exit(2);
	}
	for (size_t i = 0; i < VECTORS; i++) {
		const struct vector *v = &vectors[i];
		SPEInsn insn;
		uint32_t word;

		if (fread(bytes, 1, 4, words) != 4) {
			fprintf(stderr, "%s is too short: it needs a word for each vector\n", file);
			exit(2);
		}
		word = bytes[0] | bytes[1] << 8 | bytes[2] << 16 |
		       (uint32_t)bytes[3] << 24;
		spe_insn_decode(word, &insn);
		if (insn.op_class != v->class || insn.subclass != v->subclass ||
		    insn.flags != v->flags || insn.addr != v->addr ||
		    insn.size != v->size || insn.imm != v->imm)
			printf("# word %08x decodes to class %d subclass %02x flags %x addr %d size %d imm %lld\n",
			       word, insn.op_class, insn.subclass, insn.flags,
			       insn.addr, insn.size, (long long)insn.imm);
		ok(insn.op_class == v->class && insn.subclass == v->subclass &&
		   insn.flags == v->flags && insn.addr == v->addr &&
		   insn.size == v->size && insn.imm == v->imm &&
		   same_operands(v->text, &insn), v->text);
	}
	ok(fread(bytes, 1, 1, words) == 0, "no instruction is left over");
	fclose(words);
}

static bool decodes_to(uint32_t word, uint8_t cond, uint8_t cc, uint8_t rt,
		       bool rt_64)
{
	SPEInsn insn;

	spe_insn_decode(word, &insn);
	return insn.cond == cond && insn.cc == cc && insn.rt == rt &&
	       insn.rt_64 == rt_64;
}

static void conditions(void)
{
	ok(decodes_to(0x54000040, SPE_COND_FLAGS, 0, 0, false), "B.EQ: flags, EQ");
	ok(decodes_to(0x5400004d, SPE_COND_FLAGS, 13, 0, false), "B.LE: flags, LE");
	ok(decodes_to(0xb4000045, SPE_COND_ZERO, 0, 5, true), "CBZ X5");
	ok(decodes_to(0x35000045, SPE_COND_NONZERO, 0, 5, false), "CBNZ W5");
	ok(decodes_to(0xb6080043, SPE_COND_BIT_CLEAR, 33, 3, true), "TBZ X3, #33");
	ok(decodes_to(0x37280043, SPE_COND_BIT_SET, 5, 3, true), "TBNZ W3, #5");
}

static bool governed(uint32_t word, uint8_t pg, uint8_t pg2, uint8_t esize,
		     uint8_t za_eighths)
{
	SPEInsn insn;

	spe_insn_decode(word, &insn);
	return insn.pg == pg && insn.pg2 == pg2 && insn.esize == esize &&
	       insn.za_eighths == za_eighths;
}

/*
 * Governing predicates, the element size that one predicate bit stands for, and
 * the tiles of ZA.
 */
static void predicates(void)
{
	ok(governed(0x04c00c00, 3, 0xff, 3, 0), "ADD Z0.D, P3/M: doublewords");
	ok(governed(0x04038521, 1, 0xff, 0, 0), "LSL Z1.B, P1/M: bytes");
	ok(governed(0x04438521, 1, 0xff, 2, 0), "LSL Z1.S, P1/M: words");
	ok(governed(0x05510020, 1, 0xff, 1, 0), "MOV Z0.H, P1/Z: halfwords");
	ok(governed(0x65cba420, 1, 0xff, 3, 0), "FCVT Z0.D, Z1.S: doublewords");
	ok(governed(0x6556a420, 1, 0xff, 3, 0), "SCVTF Z0.H, Z1.D: doublewords");
	ok(governed(0x651ca420, 1, 0xff, 2, 0), "FLOGB Z0.S: words");
	ok(governed(0x052e8420, 1, 0xff, 4, 0), "REVD: quadwords");
	ok(governed(0x04202000, 0xff, 0xff, 0, 0), "unpredicated");
	ok(governed(0x80824420, 1, 2, 2, 2), "FMOPA ZA0.S: words");
	ok(governed(0x80c24420, 1, 2, 3, 1), "FMOPA ZA0.D: doublewords");
	ok(governed(0x81824420, 1, 2, 1, 2), "BFMOPA: halfwords");
	ok(governed(0xa0824420, 1, 2, 0, 2), "SMOPA ZA0.S: bytes");
	ok(governed(0xa0c24420, 1, 2, 1, 1), "SMOPA ZA0.D: halfwords");
	ok(governed(0xc0904420, 1, 2, 2, 2), "ADDHA ZA0.S: words");
	ok(governed(0xc0800400, 1, 0xff, 2, 0), "MOVA ZA0H.S: words");
	ok(governed(0xc00800ff, 0xff, 0xff, 0, 8), "ZERO of all tiles");
	ok(governed(0xc0080055, 0xff, 0xff, 0, 4), "ZERO of four tiles");
	ok(governed(0xe1c00400, 1, 0xff, 4, 0), "LD1Q: quadwords");
	ok(governed(0xe1000000, 0xff, 0xff, 0, 0), "LDR ZA");
}

static bool stage_is(uint32_t word, uint8_t stage, bool forward)
{
	SPEInsn insn;

	spe_insn_decode(word, &insn);
	return insn.stage == stage && insn.rd == 3 && insn.rn == 2 &&
	       !(insn.flags & FORWARD) == !forward;
}

/* C4.1, Memory Copy and Memory Set: op1 (op2 for a set) and o0. */
static void copies_and_sets(void)
{
	ok(stage_is(0x1d010443, SPE_STAGE_PROLOGUE, false), "CPYP");
	ok(stage_is(0x1d410443, SPE_STAGE_MAIN, false), "CPYM");
	ok(stage_is(0x1d81c443, SPE_STAGE_EPILOGUE, false), "CPYEN");
	ok(stage_is(0x19010443, SPE_STAGE_PROLOGUE, true), "CPYFP");
	ok(stage_is(0x19414443, SPE_STAGE_MAIN, true), "CPYFMWN");
	ok(stage_is(0x19810443, SPE_STAGE_EPILOGUE, true), "CPYFE");
	ok(stage_is(0x19c00443, SPE_STAGE_PROLOGUE, false), "SETP");
	ok(stage_is(0x1dc04443, SPE_STAGE_MAIN, false), "SETGM");
	ok(stage_is(0x19c0a443, SPE_STAGE_EPILOGUE, false), "SETEN");
}

/* The classifier must accept any word without undefined behaviour. */
static void every_kind_of_word(void)
{
	uint64_t state = 1;
	SPEInsn insn;
	bool sane = true;

	for (int i = 0; i < 4000000; i++) {
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		spe_insn_decode(state >> 32, &insn);
		sane &= insn.op_class <= 2 && insn.addr <= SPE_ADDR_COPY;
		if (insn.op_class == SPE_CLASS_LDST)
			sane &= (insn.flags & (LD | ST)) != 0;
		if (spe_insn_stays(state >> 32))
			sane &= insn.op_class == SPE_CLASS_OTHER;
	}
	ok(sane, "four million random words");
}

static void stays(void)
{
	ok(spe_insn_stays(0x91000400), "ADD goes on");
	ok(!spe_insn_stays(0xf9400000), "LDR may abort");
	ok(!spe_insn_stays(0x14000002), "B leaves");
	ok(!spe_insn_stays(0xdac11000), "AUTIA may fault");
	ok(!spe_insn_stays(0xd503201f), "hints are not assumed to go on");
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: %s WORDS\n", argv[0]);
		return 2;
	}
	classify(argv[1]);
	conditions();
	predicates();
	copies_and_sets();
	every_kind_of_word();
	stays();
	records();
	features();
	caches();
	printf("1..%u\n", cases);
	return failures != 0;
}
