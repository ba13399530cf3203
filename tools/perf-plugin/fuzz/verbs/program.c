// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files for --symfs: programs with their debugging information, and lists of symbols as text.
 */
#include <elf.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static bool is_elf(const struct bytes *b)
{
	return b->len > sizeof(Elf64_Ehdr) && !memcmp(b->at, ELFMAG, SELFMAG) && b->at[EI_CLASS] == ELFCLASS64;
}

/* Section @i; false if the file has none */
static bool section_at(const struct bytes *b, size_t i, size_t *at, Elf64_Shdr *s)
{
	Elf64_Ehdr head;

	memcpy(&head, b->at, sizeof(head));
	*at = head.e_shoff + i * sizeof(*s);
	if (i >= head.e_shnum || head.e_shoff > b->len || *at + sizeof(*s) > b->len)
		return false;
	memcpy(s, b->at + *at, sizeof(*s));
	return true;
}

/* What the file has of the section */
static uint8_t *section_content(const struct bytes *b, const Elf64_Shdr *s, size_t *len)
{
	*len = 0;
	if (s->sh_type == SHT_NOBITS || s->sh_offset >= b->len)
		return NULL;
	*len = s->sh_size < b->len - s->sh_offset ? s->sh_size : b->len - s->sh_offset;
	return b->at + s->sh_offset;
}

static const char *section_name(const struct bytes *b, const Elf64_Shdr *s)
{
	Elf64_Ehdr head;
	Elf64_Shdr names;
	size_t at, len;
	const uint8_t *text;

	memcpy(&head, b->at, sizeof(head));
	if (!section_at(b, head.e_shstrndx, &at, &names))
		return "";
	text = section_content(b, &names, &len);
	return text && s->sh_name < len && memchr(text + s->sh_name, 0, len - s->sh_name) ?
		(const char *)text + s->sh_name : "";
}

/* The addresses that recordings have samples of */

static void take_segments(struct tree *t, const struct bytes *b)
{
	Elf64_Ehdr head;
	Elf64_Phdr p;
	unsigned int i;

	memcpy(&head, b->at, sizeof(head));
	for (i = 0; i < head.e_phnum && t->nr_segments < 8; i++) {
		memcpy(&p, b->at + head.e_phoff + i * sizeof(p), sizeof(p));
		if (p.p_type == PT_LOAD)
			t->segments[t->nr_segments++] = (struct load_segment){
				p.p_offset, p.p_filesz, p.p_vaddr, p.p_memsz, p.p_flags };
	}
}

static void take_symbols(struct tree *t, const uint8_t *table, size_t len)
{
	Elf64_Sym s;

	for (; len >= sizeof(s); table += sizeof(s), len -= sizeof(s)) {
		memcpy(&s, table, sizeof(s));
		if (ELF64_ST_TYPE(s.st_info) == STT_FUNC && s.st_value && t->nr_code < 128)
			t->code[t->nr_code++] = s.st_value;
		else if (ELF64_ST_TYPE(s.st_info) == STT_OBJECT && t->nr_data < 128)
			t->data[t->nr_data++] = s.st_value;
	}
}

static void take_program(struct tree *t, const struct bytes *b)
{
	size_t i, at, len;
	Elf64_Shdr s;

	take_segments(t, b);
	for (i = 0; section_at(b, i, &at, &s); i++) {
		const uint8_t *content = section_content(b, &s, &len);

		if (content && (s.sh_type == SHT_SYMTAB || s.sh_type == SHT_DYNSYM))
			take_symbols(t, content, len);
		if (content && !strcmp(section_name(b, &s), ".note.gnu.build-id") && len >= 36)
			memcpy(t->id, content + 16, 20);
		/* A stripped program has samples all the same. */
		for (; s.sh_flags & SHF_EXECINSTR && s.sh_size && t->nr_code < 16; s.sh_size /= 2)
			t->code[t->nr_code++] = s.sh_addr + s.sh_size / 2 / 4 * 4;
	}
}

static struct tree *loading;
static size_t folder_len;

static int load_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	struct tree_file *f = &loading->files[loading->nr_files];
	uint8_t part[4096];
	size_t got;
	FILE *from;

	(void)st;
	(void)ftw;
	if (type != FTW_F || loading->nr_files == sizeof(loading->files) / sizeof(loading->files[0]))
		return 0;
	from = fopen(path, "re");
	f->path = strdup(path + folder_len + 1);
	if (!from || !f->path)
		return 1;
	while ((got = fread(part, 1, sizeof(part), from)) > 0)
		put(&f->content, part, got);
	fclose(from);
	if (is_elf(&f->content))
		dwarf_index(f);
	if (!strcmp(f->path, "prog"))
		take_program(loading, &f->content);
	loading->nr_files++;
	return 0;
}

void tree_load(struct tree *t, const char *folder)
{
	loading = t;
	folder_len = strlen(folder);
	if (nftw(folder, load_file, 8, FTW_PHYS)) {
		fprintf(stderr, "fuzz: cannot read the seeds of %s: %s; run fuzz/seeds again\n", folder, strerror(errno));
		exit(2);
	}
}

/* Make it wrong */

static void spoil_field(struct dice *d, struct bytes *b, size_t at, size_t size)
{
	uint64_t odd = draw_odd(d), now = 0;

	if (at > b->len || size > b->len - at)
		return;
	memcpy(&now, b->at + at, size);
	if (one_in(d, 2))
		odd = now + draw(d, 33) - 16;
	memcpy(b->at + at, &odd, size);
}

/* Any field of these structures of <elf.h> has 2, 4 or 8 bytes. */
static void spoil_header(struct dice *d, struct bytes *b)
{
	static const struct { uint8_t at, size; } fields[] = {
		{ EI_CLASS, 1 }, { EI_DATA, 1 }, { EI_VERSION, 1 },
		{ offsetof(Elf64_Ehdr, e_type), 2 }, { offsetof(Elf64_Ehdr, e_machine), 2 },
		{ offsetof(Elf64_Ehdr, e_phoff), 8 }, { offsetof(Elf64_Ehdr, e_shoff), 8 },
		{ offsetof(Elf64_Ehdr, e_phentsize), 2 }, { offsetof(Elf64_Ehdr, e_phnum), 2 },
		{ offsetof(Elf64_Ehdr, e_shentsize), 2 }, { offsetof(Elf64_Ehdr, e_shnum), 2 },
		{ offsetof(Elf64_Ehdr, e_shstrndx), 2 },
	};
	size_t i = draw(d, sizeof(fields) / sizeof(fields[0]));

	spoil_field(d, b, fields[i].at, fields[i].size);
}

static void spoil_segment(struct dice *d, struct bytes *b)
{
	Elf64_Ehdr head;

	memcpy(&head, b->at, sizeof(head));
	if (head.e_phnum)
		spoil_field(d, b, head.e_phoff + draw(d, head.e_phnum) * sizeof(Elf64_Phdr) +
			    (one_in(d, 4) ? 4 * draw(d, 2) : 8 * draw(d, 7)), 4);
}

static bool draw_section(struct dice *d, const struct bytes *b, size_t *at, Elf64_Shdr *s)
{
	Elf64_Ehdr head;

	memcpy(&head, b->at, sizeof(head));
	return head.e_shnum && section_at(b, draw(d, head.e_shnum), at, s);
}

static void spoil_section_header(struct dice *d, struct bytes *b)
{
	static const uint8_t fields[] = {
		offsetof(Elf64_Shdr, sh_flags), offsetof(Elf64_Shdr, sh_addr), offsetof(Elf64_Shdr, sh_offset),
		offsetof(Elf64_Shdr, sh_size), offsetof(Elf64_Shdr, sh_addralign), offsetof(Elf64_Shdr, sh_entsize),
	};
	Elf64_Shdr s, other;
	size_t at, i;

	if (!draw_section(d, b, &at, &s))
		return;
	switch (draw(d, 4)) {
	case 0:
		spoil_field(d, b, at + 4 * draw(d, 2), 4);	/* name, type */
		break;
	case 1:
		spoil_field(d, b, at + offsetof(Elf64_Shdr, sh_link) + 4 * draw(d, 2), 4);
		break;
	case 2:
		/* Two sections with one content, or one name */
		if (!draw_section(d, b, &i, &other))
			return;
		if (one_in(d, 2))
			memcpy(b->at + at, b->at + i, 4);
		else
			memcpy(b->at + at + offsetof(Elf64_Shdr, sh_offset),
			       b->at + i + offsetof(Elf64_Shdr, sh_offset), 16);
		break;
	default:
		spoil_field(d, b, at + fields[draw(d, sizeof(fields))], 8);
	}
}

/* An instruction of A64: one of a kind that perf-spe follows, with any registers and offset */
static void spoil_code(struct dice *d, uint8_t *at)
{
	static const uint32_t kinds[][2] = {	/* the word, and the bits that are drawn */
		{ 0xf9400000, 0x3fffff }, { 0xb9400000, 0x3fffff }, { 0x39400000, 0x3fffff },
		{ 0xf9000000, 0x3fffff }, { 0xf8400c00, 0x1ff3ff }, { 0xf8606800, 0x1f1bff },
		{ 0xa9400000, 0x3fffff }, { 0xa9bf0000, 0x3fffff }, { 0x91000000, 0x7fffff },
		{ 0xd1000000, 0x7fffff }, { 0x8b000000, 0x1f03ff }, { 0xaa0003e0, 0x1f001f },
		{ 0x90000000, 0xffffff }, { 0x10000000, 0xffffff }, { 0x14000000, 0x3ffffff },
		{ 0x94000000, 0x3ffffff }, { 0x54000000, 0xffffef }, { 0xb4000000, 0xffffff },
		{ 0x36000000, 0x7ffff }, { 0xd65f0000, 0x3e0 }, { 0xd61f0000, 0x3e0 }, { 0xd63f0000, 0x3e0 },
		{ 0xc85f7c00, 0x3ff }, { 0xb8200000, 0x1ff3ff }, { 0x3dc00000, 0x3fffff },
		{ 0xd2800000, 0x1fffff }, { 0x4c407000, 0xfff }, { 0x58000000, 0xffffff },
		{ 0xd503201f, 0xfe0 }, { 0x9b000000, 0x1fffff }, { 0x78000000, 0x3fffff },
		{ 0xa5000000, 0xffffff }, { 0x08000000, 0xffffff }, { 0, 0xffffffff },
	};
	size_t i = draw(d, sizeof(kinds) / sizeof(kinds[0]));
	uint32_t word = kinds[i][0] | ((uint32_t)draw(d, UINT64_C(1) << 32) & kinds[i][1]);

	memcpy(at, &word, 4);
}

/* Abbreviations, tables of lines and of frames: numbers that are mostly one byte */
static void spoil_bytes(struct dice *d, uint8_t *at, size_t len)
{
	static const uint8_t words[] = {
		0, 1, 2, 3, 5, 7, 0x0b, 0x0d, 0x0f, 0x11, 0x13, 0x16, 0x17, 0x18, 0x19, 0x1d, 0x1e, 0x21, 0x22,
		0x23, 0x24, 0x25, 0x2e, 0x31, 0x34, 0x38, 0x3a, 0x3e, 0x40, 0x41, 0x49, 0x55, 0x58, 0x7f, 0x80, 0xff,
	};
	size_t i = draw(d, len), n = 1 + draw(d, 4);

	for (; n && i < len; n--, i++)
		at[i] = one_in(d, 3) ? (uint8_t)draw_odd(d) : words[draw(d, sizeof(words))];
}

static void spoil_words(struct dice *d, uint8_t *at, size_t len)
{
	size_t size = (size_t)1 << draw(d, 4), i;
	uint64_t odd = draw_odd(d);

	if (len < size)
		return;
	i = draw(d, len / size) * size;
	memcpy(at + i, &odd, size);
}

static void spoil_content(struct dice *d, struct bytes *b)
{
	const char *name;
	uint8_t *content;
	size_t at, len, from, size;
	Elf64_Shdr s;

	if (!draw_section(d, b, &at, &s))
		return;
	content = section_content(b, &s, &len);
	if (!content || !len)
		return;
	name = section_name(b, &s);
	if (s.sh_flags & SHF_EXECINSTR && len >= 8) {
		for (size = 1 + draw(d, 4); size; size--)
			spoil_code(d, content + draw(d, len / 4 - 1) * 4);
	} else if (!strncmp(name, ".debug_", 7) || !strcmp(name, ".eh_frame")) {
		spoil_bytes(d, content, len);
	} else if (one_in(d, 6)) {
		/* A part of it, once more */
		from = draw(d, len);
		size = draw(d, len - from);
		memmove(content + draw(d, len - size), content + from, size);
	} else {
		spoil_words(d, content, len);
	}
}

static void spoil_symbol(struct dice *d, struct bytes *b)
{
	static const struct { uint8_t at, size; } fields[] = {
		{ offsetof(Elf64_Sym, st_name), 4 }, { offsetof(Elf64_Sym, st_info), 1 },
		{ offsetof(Elf64_Sym, st_shndx), 2 }, { offsetof(Elf64_Sym, st_value), 8 },
		{ offsetof(Elf64_Sym, st_size), 8 },
	};
	size_t i, at, field = draw(d, 5);
	Elf64_Shdr s;

	for (i = 0; section_at(b, i, &at, &s); i++)
		if (s.sh_type == SHT_SYMTAB && s.sh_size >= sizeof(Elf64_Sym) && s.sh_size < b->len)
			spoil_field(d, b, s.sh_offset + draw(d, s.sh_size / sizeof(Elf64_Sym)) * sizeof(Elf64_Sym) +
				    fields[field].at, fields[field].size);
}

/* Lines of kallsyms or of a compiler's map: characters, and whole lines, elsewhere */
static void spoil_text(struct dice *d, struct bytes *b)
{
	static const char characters[] = "0f x\t\n[]_Z$T-\x01\xff";
	size_t at = draw(d, b->len), len = draw(d, 64);

	if (!b->len)
		return;
	if (len > b->len - at)
		len = b->len - at;
	if (one_in(d, 4))
		memmove(b->at + draw(d, b->len - len), b->at + at, len);
	else
		b->at[at] = (uint8_t)characters[draw(d, sizeof(characters))];
}

void program_spoil(struct dice *d, const struct tree_file *file, struct bytes *content)
{
	size_t times = 1 + draw(d, 8);

	while (times--) {
		if (!is_elf(content)) {
			spoil_text(d, content);
			continue;
		}
		switch (draw(d, 16)) {
		case 0:
			spoil_header(d, content);
			break;
		case 1:
			spoil_segment(d, content);
			break;
		case 2:
		case 3:
			spoil_section_header(d, content);
			break;
		case 4:
			spoil_symbol(d, content);
			break;
		case 5:
		case 6:
		case 7:
		case 8:
			spoil_content(d, content);
			break;
		default:
			if (!dwarf_spoil(d, file, content))
				spoil_content(d, content);
		}
	}
	if (one_in(d, 64))
		content->len = draw(d, content->len);
}
