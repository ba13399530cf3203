// SPDX-License-Identifier: GPL-2.0-only
/*
 * Function symbols and segments of an ELF file, by libelf and libdw.
 */
#include <dlfcn.h>
#include <elfutils/libdwelf.h>
#include <gelf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/input.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void elf_lock(void)
{
	pthread_mutex_lock(&lock);
}

void elf_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

static uint8_t rank_of(const GElf_Sym *sym)
{
	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_GLOBAL:
		return RANK_GLOBAL;
	case STB_WEAK:
		return RANK_WEAK;
	default:
		return RANK_LOCAL;
	}
}

/* The section that a symbol is in; false if there is none */
static bool section_of(Elf *elf, const GElf_Sym *sym, GElf_Shdr *shdr)
{
	Elf_Scn *scn = sym->st_shndx < SHN_LORESERVE ? elf_getscn(elf, sym->st_shndx) : NULL;

	return scn && gelf_getshdr(scn, shdr);
}

/* Symbols of assembler code often have no type: the section decides. */
static bool is_code(Elf *elf, const GElf_Sym *sym, const char *name)
{
	unsigned int type = GELF_ST_TYPE(sym->st_info);
	GElf_Shdr shdr;

	if (name[0] == '$')
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;
	return type == STT_NOTYPE && section_of(elf, sym, &shdr) && shdr.sh_flags & SHF_EXECINSTR;
}

/* The value of a thread's variable (STT_TLS) is no address. */
static bool is_data(Elf *elf, const GElf_Sym *sym, const char *name)
{
	unsigned int type = GELF_ST_TYPE(sym->st_info);

	(void)elf;
	(void)name;
	return type == STT_OBJECT || type == STT_COMMON;
}

bool elf_names(Elf *elf, size_t section, struct elf_names *names)
{
	Elf_Scn *scn = elf_getscn(elf, section);
	Elf_Data *data = scn ? elf_rawdata(scn, NULL) : NULL;
	const char *end;
	GElf_Shdr shdr;

	if (!data || !data->d_buf || !gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_STRTAB ||
	    shdr.sh_flags & SHF_COMPRESSED)
		return false;
	names->text = data->d_buf;
	end = memrchr(names->text, '\0', data->d_size);
	names->len = end ? (size_t)(end - names->text) + 1 : 0;
	return names->len;
}

/* No compiler writes a longer name, but a file can have many that overlap. */
#define NAME_MOST	16383u

typedef bool (*wanted_fn)(Elf *elf, const GElf_Sym *sym, const char *name);

/* Others define it, or it is no address, as the name of a version (SHN_ABS) */
static bool is_elsewhere(const GElf_Sym *sym)
{
	return sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_ABS;
}

static void load_symbols(Elf *elf, Elf_Scn *scn, const GElf_Shdr *table,
			 struct symtab *t, wanted_fn wanted)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	struct elf_names names;
	char *copy;
	int i, count;

	if (!data || !table->sh_entsize || !elf_names(elf, table->sh_link, &names))
		return;
	/* One copy of all: names may overlap, and the file is closed. */
	copy = memcpy(xrealloc(NULL, names.len), names.text, names.len);
	symtab_own(t, copy, names.len);
	names.text = copy;
	count = (int)(table->sh_size / table->sh_entsize);
	for (i = 0; i < count; i++) {
		struct symbol symbol = { 0 };
		const char *name;
		GElf_Shdr shdr;
		GElf_Sym sym;

		if (!gelf_getsym(data, i, &sym))
			return;
		name = elf_name(&names, sym.st_name);
		if (is_elsewhere(&sym) || !name || !*name || !wanted(elf, &sym, name) ||
		    strnlen(name, NAME_MOST + 1) > NAME_MOST)
			continue;
		symbol.name = name;
		symbol.start = sym.st_value;
		symbol.end = sym.st_value + sym.st_size;
		symbol.unsized = !sym.st_size;
		/* Nothing behind its section belongs to it. */
		if (symbol.unsized && section_of(elf, &sym, &shdr))
			symbol.end = shdr.sh_addr + shdr.sh_size;
		if (symbol.end < symbol.start)
			symbol.end = symbol.start;
		symbol.rank = rank_of(&sym);
		symtab_add(t, &symbol);
	}
}

/* Whether the file has a .symtab, beside the symbols that others may link with */
static bool load_sections(Elf *elf, struct symtab *t, wanted_fn wanted)
{
	bool all = false, dynamic = false;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	/* "Currently, an object file may have only one section of each type" (ELF, "Sections"). */
	while ((scn = elf_nextscn(elf, scn)) && !(all && dynamic)) {
		bool *seen;

		if (!gelf_getshdr(scn, &shdr) ||
		    (shdr.sh_type != SHT_SYMTAB && shdr.sh_type != SHT_DYNSYM))
			continue;
		seen = shdr.sh_type == SHT_SYMTAB ? &all : &dynamic;
		if (!*seen)
			load_symbols(elf, scn, &shdr, t, wanted);
		*seen = true;
	}
	return all;
}

/* lzma_stream_buffer_decode() of liblzma, which libdw needs for such files too */
typedef int (*unxz_fn)(uint64_t *memory, uint32_t flags, const void *allocator, const uint8_t *in,
		       size_t *in_at, size_t in_size, uint8_t *out, size_t *out_at, size_t out_size);

#define XZ_OK		0	/* LZMA_OK */
#define XZ_NO_ROOM	10	/* LZMA_BUF_ERROR */

/* Tables of symbols become 3 to 6 times smaller, and zeros 7000 times. */
#define XZ_LEAST	8u
#define XZ_MOST		64u

static unxz_fn find_unxz(void)
{
	void *library = dlopen("liblzma.so.5", RTLD_NOW), *symbol;
	unxz_fn unxz = NULL;

	symbol = library ? dlsym(library, "lzma_stream_buffer_decode") : NULL;
	memcpy(&unxz, &symbol, sizeof(unxz));
	return unxz;
}

/* The file that @data is in xz, to be freed; NULL if it is none, or too large */
static char *unpack(const Elf_Data *data, size_t *len)
{
	static unxz_fn unxz;
	size_t times, room, at;
	char *text = NULL;
	int rc = XZ_NO_ROOM;

	if (!unxz)
		unxz = find_unxz();
	for (times = XZ_LEAST; unxz && rc == XZ_NO_ROOM && times <= XZ_MOST; times *= 2) {
		uint64_t memory = file_budget();

		room = times * data->d_size;
		if (data->d_size > file_budget() / times)
			break;
		text = xrealloc(text, room);
		*len = at = 0;
		rc = unxz(&memory, 0, NULL, data->d_buf, &at, data->d_size, (uint8_t *)text, len, room);
	}
	if (rc == XZ_OK)
		return text;
	free(text);
	return NULL;
}

static void load_compressed(const Elf_Data *data, struct symtab *t)
{
	size_t len;
	char *text = unpack(data, &len);
	Elf *elf = text ? elf_memory(text, len) : NULL;

	if (elf && elf_kind(elf) == ELF_K_ELF)
		load_sections(elf, t, is_code);
	elf_end(elf);
	free(text);
}

/*
 * Fedora's packages keep the names of all functions in .gnu_debugdata, an ELF file
 * in xz ("MiniDebugInfo").
 */
static void load_debugdata(Elf *elf, struct symtab *t)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name = !gelf_getshdr(scn, &shdr) ? NULL :
			elf_strptr(elf, names, shdr.sh_name);
		Elf_Data *data;

		if (!name || strcmp(name, ".gnu_debugdata"))
			continue;
		data = elf_rawdata(scn, NULL);
		if (data && data->d_buf)
			load_compressed(data, t);
		return;
	}
}

static void load_id(Elf *elf, struct dso *dso)
{
	const void *id;
	ssize_t len = dwelf_elf_gnu_build_id(elf, &id);

	if (len <= 0 || (size_t)len > sizeof(dso->file_id))
		return;
	memcpy(dso->file_id, id, (size_t)len);
	dso->file_id_len = (size_t)len;
}

#define SEGMENTS_MOST	256u

static void load_segments(Elf *elf, struct dso *dso)
{
	size_t i, count;
	GElf_Phdr phdr;

	if (elf_getphdrnum(elf, &count) || dso->segments)
		return;
	dso->segments = xcalloc(count, sizeof(*dso->segments));
	/* Linkers make less than ten.  Each address is compared with all. */
	for (i = 0; i < count && dso->nr_segments < SEGMENTS_MOST; i++) {
		struct segment *s = &dso->segments[dso->nr_segments];

		if (!gelf_getphdr(elf, (int)i, &phdr) ||
		    phdr.p_type != PT_LOAD)
			continue;
		s->offset = phdr.p_offset;
		s->filesz = phdr.p_filesz;
		s->vaddr = phdr.p_vaddr;
		s->memsz = phdr.p_memsz;
		s->code = phdr.p_flags & PF_X;
		s->written = phdr.p_flags & PF_W;
		dso->nr_segments++;
	}
}

Elf *elf_open(const char *path, int *fd, const char **why)
{
	Elf *elf;

	elf_version(EV_CURRENT);
	*fd = open_regular(path, why);
	if (*fd < 0)
		return NULL;
	elf = elf_begin(*fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		return elf;
	*why = elf ? "it is not an ELF file" : elf_errmsg(-1);
	elf_end(elf);
	close(*fd);
	return NULL;
}

void elf_close(Elf *elf, int fd)
{
	elf_end(elf);
	close(fd);
}

int elf_load(const char *path, struct dso *dso, const char **why)
{
	Elf *elf;
	int fd;

	elf = elf_open(path, &fd, why);
	if (!elf)
		return -1;
	load_segments(elf, dso);
	load_id(elf, dso);
	if (!load_sections(elf, &dso->symtab, is_code))
		load_debugdata(elf, &dso->symtab);
	elf_close(elf, fd);
	return 0;
}

int elf_load_data(const char *path, struct symtab *t, const char **why)
{
	Elf *elf;
	int fd;

	elf = elf_open(path, &fd, why);
	if (!elf)
		return -1;
	load_sections(elf, t, is_data);
	elf_close(elf, fd);
	return 0;
}

int elf_same_build_id(const char *path, const uint8_t *id, size_t len)
{
	const void *found;
	const char *why;
	ssize_t bytes;
	int fd, same;
	Elf *elf;

	elf = elf_open(path, &fd, &why);
	if (!elf)
		return -1;
	bytes = dwelf_elf_gnu_build_id(elf, &found);
	/* perf cuts or pads each recorded id to 20 bytes. */
	same = bytes > 0 && !memcmp(found, id, (size_t)bytes < len ?
						(size_t)bytes : len);
	elf_close(elf, fd);
	return same;
}

bool dso_address(const struct dso *dso, const struct map *map,
		 uint64_t address, uint64_t *file_address)
{
	uint64_t offset = address - map->start + map->pgoff;
	size_t i;

	for (i = 0; i < dso->nr_segments; i++) {
		const struct segment *s = &dso->segments[i];

		if (offset - s->offset < s->filesz) {
			*file_address = offset - s->offset + s->vaddr;
			return true;
		}
	}
	return false;
}
