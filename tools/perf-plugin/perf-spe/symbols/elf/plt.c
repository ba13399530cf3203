// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code through which a program calls functions of other files has no symbols.  Each stub of such a
 * procedure linkage table loads an address that a relocation names (System V ABI for the Arm 64-bit
 * Architecture, "Procedure Linkage Table").
 */
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/elf/elf.h"
#include "util/util.h"

/* What the dynamic linker stores at an address */
struct slot {
	uint64_t address;
	const char *name;	/* NULL: the function that the resolver at @resolver chooses */
	uint64_t resolver;
};

struct slots {
	struct slot *all;
	size_t nr, room;
};

static int slot_order(const void *a, const void *b)
{
	const struct slot *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

/* The names are in @elf. */
static void read_slots(Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr, struct slots *s)
{
	Elf_Scn *symbols = elf_getscn(elf, shdr->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL), *table = NULL;
	struct elf_names names = { 0 };
	GElf_Shdr linked;
	GElf_Rela rela;
	int i;

	if (symbols && gelf_getshdr(symbols, &linked) && linked.sh_type == SHT_DYNSYM &&
	    elf_names(elf, linked.sh_link, &names))
		table = elf_getdata(symbols, NULL);
	for (i = 0; data && gelf_getrela(data, i, &rela); i++) {
		struct slot slot = { .address = rela.r_offset };
		GElf_Sym sym;

		switch (GELF_R_TYPE(rela.r_info)) {
		case R_AARCH64_JUMP_SLOT:
		case R_AARCH64_GLOB_DAT:
			if (!table || !gelf_getsym(table, (int)GELF_R_SYM(rela.r_info), &sym))
				continue;
			slot.name = elf_name(&names, sym.st_name);
			if (!slot.name || !*slot.name)
				continue;
			break;
		case R_AARCH64_IRELATIVE:
			slot.resolver = (uint64_t)rela.r_addend;
			break;
		default:
			continue;
		}
		s->all = array_grow(s->all, s->nr, &s->room, sizeof(*s->all));
		s->all[s->nr++] = slot;
	}
}

/* A program of glibc that is linked statically has 30. */
#define RESOLVERS_MOST	256u

/* The name of the function whose implementation is chosen when the program starts */
static const char *name_of(const struct symtab *t, size_t count, const struct slot *slot,
			   unsigned int *resolvers)
{
	size_t i;

	if (slot->name)
		return slot->name;
	for (i = 0; *resolvers < RESOLVERS_MOST && i < count; i++)
		if (t->symbols[i].start == slot->resolver)
			return ++*resolvers, t->symbols[i].name;
	++*resolvers;
	return NULL;
}

#define BTI_C	0xd503245fu
#define BR_X17	0xd61f0220u
/* The hint, four instructions, and one of pointer authentication */
#define STUB_MOST	24u

/* ADRP X16, page; LDR X17, [X16, #offset]: the address that is loaded */
static bool loads_slot(const uint8_t *code, uint64_t pc, uint64_t *slot)
{
	uint32_t adrp = little32(code), ldr = little32(code + 4);
	uint64_t pages;

	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return false;
	pages = (uint64_t)(adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3);
	/* 21 bits with a sign */
	pages = (pages ^ 1u << 20) - (1u << 20);
	*slot = (pc & ~UINT64_C(0xfff)) + (pages << 12) + (ldr >> 10 & 0xfff) * 8;
	return true;
}

static void add_symbol(struct symtab *t, uint64_t start, uint64_t end, const char *name)
{
	char *own = xformat("%s@plt", name);

	symtab_own(t, own, strlen(own) + 1);
	symtab_add(t, &(struct symbol){ .start = start, .end = end, .name = own, .rank = RANK_LOCAL });
}

/* The bytes of the stub whose ADRP is at @at of @size, up to its branch */
static size_t stub_end(const uint8_t *code, size_t at, size_t size)
{
	size_t end = at;

	while (end + 4 <= size && end - at < STUB_MOST)
		if (end += 4, little32(code + end - 4) == BR_X17)
			return end;
	return at + 8;
}

static void add_stubs(struct symtab *t, const uint8_t *code, size_t size, uint64_t address,
		      const struct slots *s)
{
	size_t count = t->count, at, first = size;
	unsigned int resolvers = 0;

	for (at = 0; at + 8 <= size && !t->full; at += 4) {
		struct slot key = { 0 }, *slot;
		const char *name;
		size_t start = at;

		if (!loads_slot(code + at, address + at, &key.address))
			continue;
		slot = bsearch(&key, s->all, s->nr, sizeof(key), slot_order);
		name = slot ? name_of(t, count, slot, &resolvers) : NULL;
		if (!name)
			continue;
		if (at >= 4 && little32(code + at - 4) == BTI_C)
			start -= 4;
		first = first < start ? first : start;
		add_symbol(t, address + start, address + stub_end(code, at, size), name);
	}
	/* The code before the stubs calls the dynamic linker: it belongs to no function. */
	if (first && first < size)
		symtab_add(t, &(struct symbol){
			.start = address, .end = address + first, .name = ".plt", .rank = RANK_LOCAL,
		});
}

static bool is_plt(const char *name)
{
	return name && (!strncmp(name, ".plt", 4) || !strcmp(name, ".iplt"));
}

void plt_add(struct symtab *t, Elf *elf)
{
	struct slots slots = { 0 };
	Elf_Scn *scn = NULL;
	GElf_Ehdr head;
	GElf_Shdr shdr;
	size_t names;

	if (!gelf_getehdr(elf, &head) || head.e_machine != EM_AARCH64 || elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_RELA && shdr.sh_flags & SHF_ALLOC)
			read_slots(elf, scn, &shdr, &slots);
	if (slots.nr)
		qsort(slots.all, slots.nr, sizeof(*slots.all), slot_order);
	while (slots.nr && (scn = elf_nextscn(elf, scn))) {
		Elf_Data *data;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_PROGBITS ||
		    !(shdr.sh_flags & SHF_EXECINSTR) || !is_plt(elf_strptr(elf, names, shdr.sh_name)))
			continue;
		data = elf_rawdata(scn, NULL);
		if (data && data->d_buf)
			add_stubs(t, data->d_buf, data->d_size, shdr.sh_addr, &slots);
	}
	free(slots.all);
}
