// SPDX-License-Identifier: GPL-2.0-only
#include "names.h"

#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct symbol {
	uint64_t start;
	char *name;
};

struct symbols {
	struct symbol *symbol;
	size_t count, room;
};

/* A mapping of code, and the symbols of its file with offsets in the file as addresses. */
struct mapping {
	uint64_t pid, start, end, offset;
	struct symbols symbols;
};

static struct mapping *mappings;
static size_t mapping_count;
static struct symbols kernel;

static void add_symbol(struct symbols *s, uint64_t start, const char *name)
{
	if (s->count == s->room) {
		s->room = s->room ? s->room * 2 : 1024;
		s->symbol = realloc(s->symbol, s->room * sizeof(*s->symbol));
		if (!s->symbol)
			abort();
	}
	s->symbol[s->count++] = (struct symbol) { start, strdup(name) };
}

static int by_start(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	return a->start < b->start ? -1 : a->start > b->start;
}

static void sort(struct symbols *s)
{
	if (s->count)
		qsort(s->symbol, s->count, sizeof(*s->symbol), by_start);
}

/* The last symbol that starts at the address or before. */
static const char *find(const struct symbols *s, uint64_t address)
{
	size_t low = 0, high = s->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (s->symbol[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? s->symbol[low - 1].name : NULL;
}

void names_begin(void)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	char line[512], name[256], type;
	uint64_t start;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "%" SCNx64 " %c %255s", &start, &type, name) == 3 &&
		    strchr("tTwW", type) && *name != '$')
			add_symbol(&kernel, start, name);
	if (file)
		fclose(file);
	sort(&kernel);
}

/* The offset in the file of an address of the program. */
static bool file_offset(Elf *elf, uint64_t address, uint64_t *offset)
{
	size_t count;
	GElf_Phdr p;

	if (elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_LOAD &&
		    address >= p.p_vaddr && address - p.p_vaddr < p.p_filesz) {
			*offset = address - p.p_vaddr + p.p_offset;
			return true;
		}
	return false;
}

static void read_section(struct symbols *s, Elf *elf, Elf_Scn *section)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Shdr header;
	GElf_Sym symbol;
	uint64_t offset;

	if (!data || !gelf_getshdr(section, &header) ||
	    (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
		return;
	for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);

		if (name && GELF_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx &&
		    file_offset(elf, symbol.st_value, &offset))
			add_symbol(s, offset, name);
	}
}

/* The file that the process sees: it may have another root. */
static void read_program(struct symbols *s, uint64_t pid, const char *path)
{
	char seen[512];
	Elf_Scn *section = NULL;
	Elf *elf;
	int fd;

	snprintf(seen, sizeof(seen), "/proc/%" PRIu64 "/root%s", pid, path);
	fd = open(seen, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	while (elf && (section = elf_nextscn(elf, section)))
		read_section(s, elf, section);
	elf_end(elf);
	close(fd);
	sort(s);
}

void names_keep(uint64_t pid)
{
	char path[64], line[512], file[384];
	struct mapping m = { .pid = pid };
	FILE *maps;

	for (size_t i = 0; i < mapping_count; i++)
		if (mappings[i].pid == pid)
			return;
	snprintf(path, sizeof(path), "/proc/%" PRIu64 "/maps", pid);
	maps = fopen(path, "r");
	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " r-xp %" SCNx64 " %*s %*s %383s", &m.start,
			   &m.end, &m.offset, file) != 4 || *file != '/')
			continue;
		m.symbols = (struct symbols) { 0 };
		read_program(&m.symbols, pid, file);
		mappings = realloc(mappings, (mapping_count + 1) * sizeof(*mappings));
		if (!mappings)
			abort();
		mappings[mapping_count++] = m;
	}
	if (maps)
		fclose(maps);
}

const char *name_of(uint64_t pid, uint64_t address)
{
	if (address >> 63)
		return find(&kernel, address);
	for (size_t i = 0; i < mapping_count; i++) {
		const struct mapping *m = &mappings[i];

		if (m->pid == pid && address >= m->start && address < m->end)
			return find(&m->symbols, address - m->start + m->offset);
	}
	return NULL;
}
