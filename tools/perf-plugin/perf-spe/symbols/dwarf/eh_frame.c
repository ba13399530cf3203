// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each function has a frame description entry (FDE) in .eh_frame, which begins with its
 * address and size in the encoding that its common entry (CIE) names: Linux Standard
 * Base Core, "Exception Frames" and "DWARF Exception Header Encoding".
 */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/dwarf/dwarf.h"
#include "util/util.h"

/* A position in .eh_frame */
struct cursor {
	const uint8_t *at, *end;
	uint64_t address;		/* of @at in the file */
	bool is_64;			/* pointers have 8 bytes */
	bool bad;
};

static uint64_t load(struct cursor *c, size_t bytes, bool is_signed)
{
	uint64_t value = 0;
	size_t i;

	if ((size_t)(c->end - c->at) < bytes) {
		c->bad = true;
		return 0;
	}
	/* Little endian: another order is refused by eh_frame_functions(). */
	for (i = 0; i < bytes; i++)
		value |= (uint64_t)c->at[i] << 8 * i;
	if (is_signed && bytes < 8 && value >> (8 * bytes - 1))
		value |= UINT64_MAX << 8 * bytes;
	c->at += bytes;
	c->address += bytes;
	return value;
}

/* A number in the format of @encoding, the low four bits */
static uint64_t load_encoded(struct cursor *c, uint8_t encoding)
{
	switch (encoding & 0x0f) {
	case DW_EH_PE_absptr:
		return load(c, c->is_64 ? 8 : 4, false);
	case DW_EH_PE_udata2:
		return load(c, 2, false);
	case DW_EH_PE_udata4:
		return load(c, 4, false);
	case DW_EH_PE_sdata2:
		return load(c, 2, true);
	case DW_EH_PE_sdata4:
		return load(c, 4, true);
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8:
		return load(c, 8, false);
	default:		/* compilers do not use LEB128 for addresses */
		c->bad = true;
		return 0;
	}
}

/* The encoding of addresses in the FDEs of @cie; false if it cannot be found */
static bool encoding_of(const Dwarf_CIE *cie, uint8_t *encoding, bool is_64)
{
	struct cursor c = {
		.at = cie->augmentation_data, .is_64 = is_64,
		.end = cie->augmentation_data + cie->augmentation_data_size,
	};
	const char *letter = cie->augmentation;

	*encoding = DW_EH_PE_absptr;
	if (*letter != 'z')
		return !*letter;
	while (*++letter && !c.bad) {
		if (*letter == 'R')
			*encoding = (uint8_t)load(&c, 1, false);
		else if (*letter == 'L')
			load(&c, 1, false);
		else if (*letter == 'P')
			load_encoded(&c, (uint8_t)load(&c, 1, false));
		/* S and B have no data, and others that have would come last. */
	}
	return !c.bad;
}

static bool range_of(const Dwarf_FDE *fde, uint8_t encoding, struct cursor c,
		     struct range *r)
{
	uint64_t base = 0;

	c.address += (uint64_t)(fde->start - c.at);
	c.at = fde->start;
	c.end = fde->end;
	if ((encoding & 0x70) == DW_EH_PE_pcrel)
		base = c.address;
	else if (encoding & 0xf0)	/* also indirect ones, which need a running process */
		return false;
	r->start = base + load_encoded(&c, encoding);
	/* The size has the format of the address, without its base. */
	r->end = r->start + load_encoded(&c, encoding & 0x07);
	return !c.bad && r->end > r->start && r->start;
}

static Elf_Data *find_section(Elf *elf, GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name;

		/* In a file of debugging information the section has no content. */
		if (!gelf_getshdr(scn, shdr) || shdr->sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, shdr->sh_name);
		if (name && !strcmp(name, ".eh_frame"))
			return elf_rawdata(scn, NULL);
	}
	return NULL;
}

static int range_order(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

struct range *eh_frame_functions(Elf *elf, size_t *count)
{
	GElf_Ehdr head;
	GElf_Shdr shdr;
	Elf_Data *data = gelf_getehdr(elf, &head) ? find_section(elf, &shdr) : NULL;
	const unsigned char *ident = head.e_ident;
	Dwarf_Off at = 0, next, known = LIBDW_CIE_ID;
	struct range *ranges = NULL;
	Dwarf_CFI_Entry entry, cie;
	uint8_t encoding = 0;
	struct cursor c;
	size_t room = 0;
	bool usable = false;

	*count = 0;
	if (!data || !data->d_buf || ident[EI_DATA] != ELFDATA2LSB)
		return NULL;
	c = (struct cursor){ data->d_buf, NULL, shdr.sh_addr,
			     ident[EI_CLASS] == ELFCLASS64, false };
	for (; !dwarf_next_cfi(ident, data, true, at, &next, &entry); at = next) {
		struct range r;

		if (dwarf_cfi_cie_p(&entry))
			continue;
		if (entry.fde.CIE_pointer != known) {
			Dwarf_Off ignored;

			known = entry.fde.CIE_pointer;
			usable = !dwarf_next_cfi(ident, data, true, known,
						 &ignored, &cie) &&
				 dwarf_cfi_cie_p(&cie) &&
				 encoding_of(&cie.cie, &encoding, c.is_64);
		}
		if (!usable || !range_of(&entry.fde, encoding, c, &r))
			continue;
		ranges = array_grow(ranges, *count, &room, sizeof(*ranges));
		ranges[(*count)++] = r;
	}
	if (*count)
		qsort(ranges, *count, sizeof(*ranges), range_order);
	return ranges;
}
