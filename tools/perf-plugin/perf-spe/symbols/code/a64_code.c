// SPDX-License-Identifier: GPL-2.0-only
#include <gelf.h>
#include <stddef.h>

#include "symbols/code/code.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

bool a64_code_open(struct a64_code *code, const struct dso *dso)
{
	const char *why;
	GElf_Ehdr head;

	code->dso = dso;
	code->elf = dso->path ? elf_open(dso->path, &code->fd, &why) : NULL;
	if (!code->elf)
		return false;
	code->bytes = (const uint8_t *)elf_rawfile(code->elf, &code->size);
	if (code->bytes && gelf_getehdr(code->elf, &head) &&
	    head.e_machine == EM_AARCH64)
		return true;
	a64_code_close(code);
	return false;
}

void a64_code_close(struct a64_code *code)
{
	elf_close(code->elf, code->fd);
}

bool a64_code_word(const struct a64_code *code, uint64_t address, uint32_t *word)
{
	const struct dso *dso = code->dso;
	size_t i;

	for (i = 0; i < dso->nr_segments; i++) {
		const struct segment *s = &dso->segments[i];
		uint64_t offset;

		if (!s->code || address < s->vaddr || s->filesz < 4 ||
		    address - s->vaddr > s->filesz - 4)
			continue;
		offset = address - s->vaddr + s->offset;
		if (offset < s->offset || code->size < 4 || offset > code->size - 4)
			return false;
		/* Instructions are little-endian whatever the data is. */
		*word = little32(code->bytes + offset);
		return true;
	}
	return false;
}

bool a64_code_access(const struct a64_code *code, uint64_t address, struct a64_access *access)
{
	uint32_t word;

	return a64_code_word(code, address, &word) && a64_access(word, access);
}

/* A direct branch has a signed offset in instructions: @bits bits from bit @low on. */
static const struct {
	uint32_t mask, value;
	enum a64_branch_kind kind;
	uint8_t low, bits;	/* 0 bits: indirect */
} encodings[] = {
	{ 0xfc000000, 0x14000000, A64_JUMP, 0, 26 },		/* B */
	{ 0xfc000000, 0x94000000, A64_CALL, 0, 26 },		/* BL */
	{ 0xff000000, 0x54000000, A64_CONDITIONAL, 5, 19 },	/* B.cond, BC.cond */
	{ 0x7e000000, 0x34000000, A64_CONDITIONAL, 5, 19 },	/* CBZ, CBNZ */
	{ 0x7e000000, 0x36000000, A64_CONDITIONAL, 5, 14 },	/* TBZ, TBNZ */
	{ 0x7e000000, 0x74000000, A64_CONDITIONAL, 5, 9 },	/* FEAT_CMPBR: CB<cc> */
	/* Bit 24 and bits 11:10 tell the forms with pointer authentication. */
	{ 0xfefff000, 0xd61f0000, A64_INDIRECT_JUMP, 0, 0 },	/* BR, BRAA ... */
	{ 0xfefff000, 0xd63f0000, A64_INDIRECT_CALL, 0, 0 },	/* BLR, BLRAA ... */
	{ 0xfffff000, 0xd65f0000, A64_RETURN, 0, 0 },		/* RET, RETAA, RETAB */
	{ 0xffc0001f, 0x5500001f, A64_RETURN, 0, 0 },		/* RETAASPPC, RETABSPPC */
	{ 0xfffff000, 0xd69f0000, A64_RETURN, 0, 0 },		/* ERET, ERETAA, ERETAB */
};

static uint64_t offset_of(uint32_t word, unsigned int low, unsigned int bits)
{
	uint64_t field = (uint64_t)word << (64 - low - bits);

	return (uint64_t)((int64_t)field >> (64 - bits)) * 4;
}

struct a64_branch a64_branch(uint32_t word, uint64_t address)
{
	struct a64_branch branch = { A64_NO_BRANCH, false, 0 };
	size_t i;

	for (i = 0; i < sizeof(encodings) / sizeof(encodings[0]); i++) {
		if ((word & encodings[i].mask) != encodings[i].value)
			continue;
		branch.kind = encodings[i].kind;
		branch.direct = encodings[i].bits;
		if (branch.direct)
			branch.target = address + offset_of(word, encodings[i].low,
							    encodings[i].bits);
		break;
	}
	return branch;
}
