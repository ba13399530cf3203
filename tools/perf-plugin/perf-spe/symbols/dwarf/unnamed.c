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
	char *name;

	if (t->full)
		return;
	name = xformat("%s+0x%" PRIx64, file, start);
	symtab_own(t, name, strlen(name) + 1);
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
	while (start < end && !t->full) {
		uint64_t next = (start / GAP_BYTES + 1) * GAP_BYTES;

		if (next > end || next < start)
			next = end;
		add(t, start, next, file);
		start = next;
	}
}

/* @next is the first symbol that may end behind @start; it becomes that behind @end. */
static void add_gaps(struct symtab *t, uint64_t start, uint64_t end, size_t named,
		     size_t *next, const char *file)
{
	size_t i;

	for (i = *next; i < named && start < end; i++) {
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
	/* The last one may reach into the next section. */
	*next = i ? i - 1 : 0;
	if (start < end)
		add_gap(t, start, end, file);
}

static int range_order(const void *a, const void *b)
{
	const struct range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* The sections with code, sorted.  All together are not larger than the file. */
static struct range *code_sections(Elf *elf, size_t *count)
{
	struct range *ranges = NULL;
	Elf_Scn *scn = NULL;
	size_t room = 0, left = 0;
	GElf_Shdr shdr;

	*count = 0;
	elf_rawfile(elf, &left);
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_PROGBITS ||
		    !(shdr.sh_flags & SHF_EXECINSTR) || !(shdr.sh_flags & SHF_ALLOC))
			continue;
		if (shdr.sh_size > left || shdr.sh_addr > UINT64_MAX - shdr.sh_size)
			continue;
		left -= shdr.sh_size;
		ranges = array_grow(ranges, *count, &room, sizeof(*ranges));
		ranges[(*count)++] = (struct range){ shdr.sh_addr, shdr.sh_addr + shdr.sh_size };
	}
	if (*count)
		qsort(ranges, *count, sizeof(*ranges), range_order);
	return ranges;
}

void unnamed_add(struct symtab *t, Elf *elf, const char *path)
{
	const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
	size_t count, named, next = 0, i;
	struct range *ranges = eh_frame_functions(elf, &count);
	uint64_t done = 0;

	end_sizeless(t, ranges, count);
	symtab_finish(t);
	add_functions(t, ranges, count, file);
	free(ranges);
	named = t->count;
	ranges = code_sections(elf, &count);
	for (i = 0; i < count; i++) {
		/* Sections that overlap give no gap twice. */
		if (ranges[i].start < done)
			ranges[i].start = done;
		if (ranges[i].end <= ranges[i].start)
			continue;
		done = ranges[i].end;
		add_gaps(t, ranges[i].start, ranges[i].end, named, &next, file);
	}
	free(ranges);
	if (t->count > named)
		symtab_finish(t);
}
