// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host tests of the model's pure files: the classifier against instructions
 * that the assembler encoded, and the record packer against D18 by hand.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "insn.h"
#include "record.h"

static unsigned int cases, failures;

static void ok(bool passed, const char *name)
{
	printf("%sok %u - %s\n", passed ? "" : "not ", ++cases, name);
	failures += !passed;
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
			fprintf(stderr, "%s is too short\n", file);
			exit(2);
		}
		word = bytes[0] | bytes[1] << 8 | bytes[2] << 16 |
		       (uint32_t)bytes[3] << 24;
		spe_insn_decode(word, &insn);
		if (insn.op_class != v->class || insn.subclass != v->subclass ||
		    insn.flags != v->flags || insn.addr != v->addr ||
		    insn.size != v->size || insn.imm != v->imm)
			printf("# %08x class %d subclass %02x flags %x addr %d size %d imm %lld\n",
			       word, insn.op_class, insn.subclass, insn.flags,
			       insn.addr, insn.size, (long long)insn.imm);
		ok(insn.op_class == v->class && insn.subclass == v->subclass &&
		   insn.flags == v->flags && insn.addr == v->addr &&
		   insn.size == v->size && insn.imm == v->imm, v->text);
	}
	ok(fread(bytes, 1, 1, words) == 0, "no instruction is left over");
	fclose(words);
}

static bool decodes_to(uint32_t word, uint8_t cond, uint8_t cc, uint8_t rt)
{
	SPEInsn insn;

	spe_insn_decode(word, &insn);
	return insn.cond == cond && insn.cc == cc && insn.rt == rt;
}

static void conditions(void)
{
	ok(decodes_to(0x54000040, SPE_COND_FLAGS, 0, 0), "B.EQ: flags, EQ");
	ok(decodes_to(0x5400004d, SPE_COND_FLAGS, 13, 0), "B.LE: flags, LE");
	ok(decodes_to(0xb4000045, SPE_COND_ZERO, 0, 5), "CBZ X5");
	ok(decodes_to(0x35000045, SPE_COND_NONZERO, 0, 5), "CBNZ W5");
	ok(decodes_to(0xb6080043, SPE_COND_BIT_CLEAR, 33, 3), "TBZ X3, #33");
	ok(decodes_to(0x37280043, SPE_COND_BIT_SET, 5, 3), "TBNZ W3, #5");
}

/* Any word at all must be classified without undefined behaviour. */
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

static bool packs_to(const SPERecord *rec, const char *hex)
{
	uint8_t bytes[SPE_RECORD_MAX + 1];
	char text[2 * SPE_RECORD_MAX + 1] = "";
	size_t length = spe_record_pack(rec, 0xfff, bytes);

	for (size_t i = 0; i < length; i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
	if (strcmp(text, hex))
		printf("# got %s\n# not %s\n", text, hex);
	return !strcmp(text, hex);
}

static void records(void)
{
	SPERecord rec = {
		.events = SPE_EVENT_RETIRED, .op_class = 2, .subclass = 1,
		.pc = 0xa000000000001234, .issue = 2, .total = 0x12345,
	};
	uint8_t bytes[SPE_RECORD_MAX + 16];

	ok(packs_to(&rec, "b0341200000000" "00a0" "4a01" "6202000000"
			  "990200" "98ff0f" "01"),
	   "PC, type, events, saturated counter, End");
	rec.has = SPE_HAS_TARGET | SPE_HAS_TIMESTAMP;
	rec.target = 0x8000000000005678;
	rec.timestamp = 0x0102030405060708;
	rec.total = 3;
	ok(packs_to(&rec, "b034120000000000a0" "4a01" "6202000000" "990200"
			  "980300" "b17856000000000080" "710807060504030201"),
	   "branch target, Timestamp in place of End");
	memset(&rec, 0xff, sizeof(rec));
	rec.op_class = 1;
	rec.has &= ~SPE_HAS_TARGET;
	ok(spe_record_pack(&rec, 0xfff, bytes) == SPE_RECORD_MAX,
	   "the largest record has 64 bytes");
	ok(spe_instruction_address(0xffff800012345678, 2, true) ==
	   0xc0ff800012345678, "instruction address, EL2, Non-secure");
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: %s WORDS\n", argv[0]);
		return 2;
	}
	classify(argv[1]);
	conditions();
	every_kind_of_word();
	stays();
	records();
	printf("1..%u\n", cases);
	return failures != 0;
}
