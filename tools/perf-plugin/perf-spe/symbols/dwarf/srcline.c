// SPDX-License-Identifier: GPL-2.0-only
/*
 * Map addresses to source lines with libdw.  The line table of a file is read on
 * first use.
 */
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

/* Holds from @address up to the next entry; line 0 ends a sequence. */
struct src_entry {
	uint64_t address;
	const char *file;
	int line;
	unsigned int discriminator;
	size_t seq;		/* as in the file */
};

struct srclines {
	Dwarf *dwarf;		/* owns the names */
	int fd;
	bool read;		/* the entries were */
	struct src_entry *entries;
	size_t count, room;
};

static void add_entry(struct srclines *s, const struct src_entry *entry)
{
	s->entries = array_grow(s->entries, s->count, &s->room,
				sizeof(*s->entries));
	s->entries[s->count] = *entry;
	s->entries[s->count].seq = s->count;
	s->count++;
}

static void add_unit(struct srclines *s, Dwarf_Die *die)
{
	struct src_entry before = { 0 };
	Dwarf_Lines *lines;
	size_t count, i;

	if (dwarf_getsrclines(die, &lines, &count))
		return;
	for (i = 0; i < count; i++) {
		Dwarf_Line *line = dwarf_onesrcline(lines, i);
		struct src_entry entry = { 0 };
		Dwarf_Addr address;
		bool end = false;

		if (!line || dwarf_lineaddr(line, &address) ||
		    dwarf_lineendsequence(line, &end))
			continue;
		entry.address = address;
		if (!end) {
			entry.file = dwarf_linesrc(line, NULL, NULL);
			if (dwarf_lineno(line, &entry.line))
				entry.line = 0;
			if (dwarf_linediscriminator(line, &entry.discriminator))
				entry.discriminator = 0;
		}
		/* Drop entries that repeat the line before. */
		if (s->count && !end && before.line == entry.line &&
		    before.discriminator == entry.discriminator &&
		    before.file == entry.file)
			continue;
		add_entry(s, &entry);
		before = entry;
	}
}

static int entry_order(const void *a, const void *b)
{
	const struct src_entry *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	/* At an address that ends one sequence and begins another, take the latter. */
	if (!x->line != !y->line)
		return x->line ? 1 : -1;
	return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static struct srclines *srclines_open(const char *path)
{
	struct srclines *s = xcalloc(1, sizeof(*s));
	const char *why;

	s->fd = path ? open_regular(path, &why) : -1;
	s->dwarf = s->fd < 0 ? NULL : dwarf_begin(s->fd, DWARF_C_READ);
	return s;
}

static void srclines_read(struct srclines *s)
{
	Dwarf_Off at = 0, next;
	size_t header;

	s->read = true;
	while (s->dwarf && !dwarf_nextcu(s->dwarf, at, &next, &header, NULL,
					 NULL, NULL)) {
		Dwarf_Die die;

		if (dwarf_offdie(s->dwarf, at + header, &die))
			add_unit(s, &die);
		at = next;
	}
	if (s->count)
		qsort(s->entries, s->count, sizeof(*s->entries), entry_order);
}

Dwarf *srclines_dwarf(struct dso *dso)
{
	if (!dso->lines)
		dso->lines = srclines_open(dso->debug_path ?
					   dso->debug_path : dso->path);
	return dso->lines->dwarf;
}

static void srclines_need(struct dso *dso)
{
	srclines_dwarf(dso);
	if (!dso->lines->read)
		srclines_read(dso->lines);
}

/* The entry that holds at @address, or NULL */
static const struct src_entry *find_entry(struct dso *dso, uint64_t address)
{
	const struct src_entry *entry;
	size_t low;

	elf_lock();
	srclines_need(dso);
	elf_unlock();
	lower_bound(low, dso->lines->count, dso->lines->entries[low].address <= address);
	if (!low)
		return NULL;
	entry = &dso->lines->entries[low - 1];
	return entry->line && entry->file ? entry : NULL;
}

bool srcline_find(struct dso *dso, uint64_t address, const char **file,
		  int *line)
{
	const struct src_entry *entry = find_entry(dso, address);

	if (!entry)
		return false;
	*file = entry->file;
	*line = entry->line;
	return true;
}

bool srcline_block(struct dso *dso, uint64_t address, int *line,
		   unsigned int *discriminator)
{
	const struct src_entry *entry = find_entry(dso, address);

	if (!entry)
		return false;
	*line = entry->line;
	*discriminator = entry->discriminator;
	return true;
}

int srcline_last(struct dso *dso, const char *file)
{
	int last = 0;
	size_t i;

	elf_lock();
	srclines_need(dso);
	elf_unlock();
	for (i = 0; i < dso->lines->count; i++) {
		const struct src_entry *entry = &dso->lines->entries[i];

		if (entry->line > last && entry->file && !strcmp(entry->file, file))
			last = entry->line;
	}
	return last;
}

void srclines_free(struct srclines *s)
{
	if (!s)
		return;
	dwarf_end(s->dwarf);
	if (s->fd >= 0)
		close(s->fd);
	free(s->entries);
	free(s);
}
