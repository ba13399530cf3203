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

/*
 * C4.1: words without an instruction, each one field away from words that have
 * one.  "An unallocated encoding has the class Other."
 */
static void unallocated(void)
{
	static const struct {
		uint32_t word;
		const char *name;
	} words[] = {
		{ 0xd75f03c0, "branch (register), opc 0b1010" },
		{ 0x40800000, "the group of SME without bit 31" },
		{ 0xfc200000, "atomic with V 1" },
		{ 0xfc200400, "LDRAA with V 1" },
		{ 0x19000c00, "memory copy, bits 11:10 0b11" },
		{ 0x19000800, "LDAPUR, bits 11:10 0b10" },
		{ 0x99200000, "LDAPUR, bit 21 set" },
		{ 0x1d000000, "LDAPUR with V 1" },
		{ 0x89000000, "exclusive, bit 24 set" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		SPEInsn insn;

		spe_insn_decode(words[i].word, &insn);
		ok(insn.op_class == OTHER && insn.subclass == 0 && insn.flags == 0,
		   words[i].name);
	}
}

/* The classifier must accept any word without undefined behaviour. */
static void every_kind_of_word(void)
{
	uint64_t state = 1;
	SPEInsn insn;
	bool sane = true;

	for (int i = 0; i < 1000000; i++) {
		state = state * 6364136223846793005ull + 1442695040888963407ull;
		spe_insn_decode(state >> 32, &insn);
		sane &= insn.op_class <= 2 && insn.addr <= SPE_ADDR_COPY;
		/* shifts of int, and indexes of 32 registers and 16 predicates */
		sane &= insn.vl_shift <= 3 && insn.esize <= 4 && insn.rd <= 31 &&
			insn.rn <= 31 && insn.rm <= 31 &&
			(insn.pg < 16 || insn.pg == 0xff) && (insn.pg2 < 16 || insn.pg2 == 0xff);
		if (insn.op_class == SPE_CLASS_LDST)
			sane &= (insn.flags & (LD | ST)) != 0;
		if (spe_insn_stays(state >> 32))
			sane &= insn.op_class == SPE_CLASS_OTHER;
	}
	ok(sane, "a million random words");
}

/*
 * LD1Q and ST1Q of SVE2.1, "{z21.q}, p5, [z23.d, x19]" as LLVM 19 encodes them: the
 * documented simplification is that they record no address.
 */
static void quadwords(void)
{
	SPEInsn load, store;

	spe_insn_decode(0xc413b6f5, &load);
	spe_insn_decode(0xe43336f5, &store);
	ok(load.op_class == LDST && load.subclass == 0x8c && load.addr == SPE_ADDR_NONE,
	   "LD1Q: a gather without address");
	ok(store.op_class == LDST && store.subclass == 0x8d && store.addr == SPE_ADDR_NONE,
	   "ST1Q: a scatter without address");
}

static void stays(void)
{
	ok(spe_insn_stays(0x91000400), "ADD goes on");
	ok(spe_insn_stays(0xb1000401), "ADDS goes on");
	ok(spe_insn_stays(0x1e622821), "FADD goes on");
	ok(spe_insn_stays(0x9b020c21), "MADD goes on");
	ok(!spe_insn_stays(0xf9400000), "LDR may abort");
	ok(!spe_insn_stays(0x14000002), "B leaves");
	ok(!spe_insn_stays(0xdac11001), "AUTIA may fault");
	ok(!spe_insn_stays(0xd503201f), "hints are not assumed to go on");
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: %s WORDS\n", argv[0]);
		return 2;
	}
	classify(argv[1]);
	unallocated();
	quadwords();
	stays();
	records();
	features();
	caches();
	every_kind_of_word();
	printf("1..%u\n", cases);
	return failures != 0;
}
