// SPDX-License-Identifier: GPL-2.0-only
#include <gelf.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/dwarf/dwarf.h"
#include "symbols/elf/elf.h"
#include "util/util.h"

/* Less code than this between two symbols is padding. */
#define GAP_MIN		16
#define GAP_BYTES	UINT64_C(4096)

static void add(struct symtab *t, uint64_t start, uint64_t end, const char *file)
{
	struct symbol symbol = { .start = start, .end = end, .rank = RANK_UNNAMED };
	char *name = xformat("%s+0x%" PRIx64, file, start);

	symtab_own(t, name);
	symbol.name = name;
	symtab_add(t, &symbol);
}

/* The first range that begins behind @address */
static size_t behind(const struct range *ranges, size_t count, uint64_t address)
{
	size_t low;

	lower_bound(low, count, ranges[low].start <= address);
	return low;
}

/*
 * Without this a symbol that has no size would reach up to the next symbol, over all
 * functions between them that have none.
 */
static void end_sizeless(struct symtab *t, const struct range *ranges,
			 size_t count)
{
	size_t i, next;

	for (i = 0; i < t->count; i++) {
		struct symbol *s = &t->symbols[i];

		if (s->end != s->start)
			continue;
		next = behind(ranges, count, s->start);
		if (next && s->start < ranges[next - 1].end)
			s->end = ranges[next - 1].end;
		else if (next < count)
			s->end = ranges[next].start;
	}
}

static void add_functions(struct symtab *t, const struct range *ranges,
			  size_t count, const char *file)
{
	size_t i, named = t->count, from = 0;

	/* Both are sorted.  What add() appends is behind the named ones. */
	for (i = 0; i < count; i++) {
		while (from < named && t->symbols[from].end <= ranges[i].start)
			from++;
		if (from == named || ranges[i].start < t->symbols[from].start)
			add(t, ranges[i].start, ranges[i].end, file);
	}
	if (t->count > named)
		symtab_finish(t);
}

static void add_gap(struct symtab *t, uint64_t start, uint64_t end,
		    const char *file)
{
	if (end - start < GAP_MIN)
		return;
	while (start < end) {
		uint64_t next = (start / GAP_BYTES + 1) * GAP_BYTES;

		if (next > end || next < start)
			next = end;
		add(t, start, next, file);
		start = next;
	}
}

static void add_gaps(struct symtab *t, uint64_t start, uint64_t end, size_t named,
		     const char *file)
{
	size_t i;

	for (i = 0; i < named && start < end; i++) {
		/* Not a pointer: add_gap() may move the symbols. */
		uint64_t from = t->symbols[i].start, to = t->symbols[i].end;

		if (to <= start)
			continue;
		if (from >= end)
			break;
		if (from > start)
			add_gap(t, start, from, file);
		start = to;
	}
	if (start < end)
		add_gap(t, start, end, file);
}

void unnamed_add(struct symtab *t, Elf *elf, const char *path)
{
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
	size_t count, named;
	struct range *ranges = eh_frame_functions(elf, &count);
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	end_sizeless(t, ranges, count);
	symtab_finish(t);
	add_functions(t, ranges, count, file);
	free(ranges);
	named = t->count;
	while ((scn = elf_nextscn(elf, scn)))
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_PROGBITS &&
		    shdr.sh_flags & SHF_EXECINSTR && shdr.sh_flags & SHF_ALLOC)
			add_gaps(t, shdr.sh_addr, shdr.sh_addr + shdr.sh_size,
				 named, file);
	if (t->count > named)
		symtab_finish(t);
}
