// SPDX-License-Identifier: GPL-2.0-only
#include <gelf.h>

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
