// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/elf/elf.h"
#include "util/util.h"

/* Whether there is room for @bytes more on behalf of the file */
static bool take(struct symtab *t, uint64_t bytes)
{
	t->full |= bytes > file_budget() - t->bytes;
	if (!t->full)
		t->bytes += bytes;
	return !t->full;
}

void symtab_add(struct symtab *t, const struct symbol *symbol)
{
	/* The array may be half empty, and symtab_finish() adds a pointer. */
	if (!take(t, 2 * sizeof(*t->symbols) + sizeof(*t->shown)))
		return;
	t->symbols = array_grow(t->symbols, t->count, &t->room,
				sizeof(*t->symbols));
	t->symbols[t->count++] = *symbol;
}

void symtab_own(struct symtab *t, char *block, size_t bytes)
{
	take(t, bytes + 2 * sizeof(*t->strings));
	t->strings = array_grow(t->strings, t->nr_strings, &t->room_strings,
				sizeof(*t->strings));
	t->strings[t->nr_strings++] = block;
}

void symtab_tell(const struct symtab *t, const char *path)
{
	if (t->full)
		say("%s: its symbols need more than %" PRIu64 " MiB: some are left out; if the file is sound, raise 'ulimit -v', or point --symfs at a stripped copy",
		    path, file_budget() >> 20);
}

/* Only so many bytes of two names are compared: names of real programs differ earlier. */
#define COMPARED	4096u

static unsigned int underscores(const char *name)
{
	unsigned int n = 0;

	while (n < COMPARED && name[n] == '_')
		n++;
	return n;
}

static bool has_size(const struct symbol *s)
{
	return !s->unsized && s->end != s->start;
}

/*
 * Sort by address, and put the best known alias first: a global name before a
 * local one, fewer leading underscores before more ("memset", even if weak,
 * before "__memset"), then a strong name before a weak one ("memcmp" before
 * "bcmp").
 */
static int symbol_order(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	unsigned int inner_x, inner_y;
	int order;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	/* Prefer symbols that have a size. */
	if (has_size(x) != has_size(y))
		return has_size(x) ? -1 : 1;
	if ((x->rank == RANK_LOCAL) != (y->rank == RANK_LOCAL))
		return x->rank == RANK_LOCAL ? 1 : -1;
	inner_x = underscores(x->name);
	inner_y = underscores(y->name);
	if (inner_x != inner_y)
		return inner_x < inner_y ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank - y->rank;
	order = strncmp(x->name, y->name, COMPARED);
	return order ? order : (x->name > y->name) - (x->name < y->name);
}

/* A symbol by its address, for sort() */
struct by_start {
	uint64_t start;
	size_t at;
};

/* Sort by one byte of the address; false if all have the same, and @to is left as it is. */
static bool sort_by_byte(const struct by_start *from, struct by_start *to, size_t count,
			 unsigned int shift)
{
	size_t next[256] = { 0 }, i, sum = 0;

	for (i = 0; i < count; i++)
		next[from[i].start >> shift & 255]++;
	if (next[from[0].start >> shift & 255] == count)
		return false;
	for (i = 0; i < 256; i++) {
		const size_t here = next[i];

		next[i] = sum;
		sum += here;
	}
	for (i = 0; i < count; i++)
		to[next[from[i].start >> shift & 255]++] = from[i];
	return true;
}

/* The symbols from number @first on, sorted by their addresses */
static struct symbol *sorted_from(const struct symtab *t, size_t first)
{
	const size_t count = t->count - first;
	struct by_start *from = xcalloc(2 * count, sizeof(*from)), *both = from;
	struct by_start *to = from + count, *other;
	struct symbol *sorted = xcalloc(count, sizeof(*sorted));
	unsigned int shift;
	size_t i;

	for (i = 0; i < count; i++)
		from[i] = (struct by_start){ t->symbols[first + i].start, first + i };
	for (shift = 0; shift < 64; shift += 8) {
		if (!sort_by_byte(from, to, count, shift))
			continue;
		other = from;
		from = to;
		to = other;
	}
	for (i = 0; i < count; i++)
		sorted[i] = t->symbols[from[i].at];
	free(both);
	return sorted;
}

/* A kernel's own symbols are in order, and those of its modules are not. */
static void sort_by_start(struct symtab *t)
{
	size_t sorted = 1, to = t->count, from;
	struct symbol *rest;

	while (sorted < t->count && t->symbols[sorted].start >= t->symbols[sorted - 1].start)
		sorted++;
	if (sorted == t->count)
		return;
	rest = sorted_from(t, sorted);
	for (from = t->count - sorted; from;)
		t->symbols[--to] = sorted && t->symbols[sorted - 1].start > rest[from - 1].start ?
				   t->symbols[--sorted] : rest[--from];
	free(rest);
}

/* As qsort() by symbol_order(), which would compare each symbol with more than a dozen others */
static void sort(struct symtab *t)
{
	size_t i, end;

	sort_by_start(t);
	for (i = 0; i < t->count; i = end) {
		for (end = i + 1; end < t->count && t->symbols[end].start == t->symbols[i].start;)
			end++;
		if (end - i > 1)
			qsort(t->symbols + i, end - i, sizeof(*t->symbols), symbol_order);
	}
}

void symtab_finish(struct symtab *t)
{
	size_t from, to = 0;

	if (!t->count)
		return;
	sort(t);
	for (from = 1; from < t->count; from++)
		if (t->symbols[from].start != t->symbols[to].start)
			t->symbols[++to] = t->symbols[from];
	t->count = to + 1;
	for (from = 0; from + 1 < t->count; from++) {
		uint64_t next = t->symbols[from + 1].start;
		struct symbol *s = &t->symbols[from];

		if (s->end == s->start || s->end > next)
			s->end = next;
	}
	/* The last symbol has no successor that would end it: assume a page. */
	if (t->symbols[to].end == t->symbols[to].start)
		t->symbols[to].end = t->symbols[to].start + 4096;
	free(t->shown);
	t->shown = xcalloc(t->count, sizeof(*t->shown));
}

const struct symbol *symtab_find(const struct symtab *t, uint64_t address)
{
	size_t low;

	lower_bound(low, t->count, t->symbols[low].start <= address);
	if (!low || address >= t->symbols[low - 1].end)
		return NULL;
	return &t->symbols[low - 1];
}

const char *symtab_name(const struct symtab *t, const struct symbol *symbol)
{
	char **slot = &t->shown[symbol - t->symbols], *none = NULL, *name;

	if (t->mangled_names || symbol->name[0] != '_')
		return symbol->name;
	name = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
	if (name)
		return name;
	name = demangle(symbol->name);
	if (!name)
		return symbol->name;
	/* Callers compare pointers, so the name of the first thread stays. */
	if (__atomic_compare_exchange_n(slot, &none, name, false,
					__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return name;
	free(name);
	return none;
}

void symtab_free(struct symtab *t)
{
	size_t i;

	for (i = 0; t->shown && i < t->count; i++)
		free(t->shown[i]);
	free(t->shown);
	while (t->nr_strings)
		free(t->strings[--t->nr_strings]);
	free(t->strings);
	free(t->symbols);
	memset(t, 0, sizeof(*t));
}
