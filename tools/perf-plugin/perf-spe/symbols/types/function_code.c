// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "symbols/code/code.h"
#include "symbols/types/types_private.h"
#include "util/util.h"

/* Larger functions are not analysed: their states would take too much memory. */
#define WORDS_MAX	(1u << 18)

static int by_address(const void *a, const void *b)
{
	const struct code_word *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static bool read_words(struct function_code *f, const struct a64_code *code, Dwarf_Die *function)
{
	Dwarf_Addr base, low, high;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(function, at, &base, &low, &high)) > 0) {
		struct code_word one = { .address = low };

		for (; one.address < high && a64_code_word(code, one.address, &one.word);
		     one.address += 4) {
			if (f->nr_words == WORDS_MAX)
				return false;
			f->words = array_grow(f->words, f->nr_words, &f->room,
					      sizeof(*f->words));
			f->words[f->nr_words++] = one;
		}
	}
	if (f->nr_words)
		qsort(f->words, f->nr_words, sizeof(*f->words), by_address);
	return f->nr_words;
}

static size_t find_word(const struct function_code *f, uint64_t address)
{
	size_t low;

	lower_bound(low, f->nr_words, f->words[low].address < address);
	return low < f->nr_words && f->words[low].address == address ? low : f->nr_words;
}

static bool ends_block(enum a64_branch_kind kind)
{
	return kind != A64_NO_BRANCH && !a64_is_call(kind);
}

/* Mark, in the words' block, where blocks begin; returns how many do. */
static size_t mark_blocks(struct function_code *f)
{
	size_t i, to, count = 0;

	f->words[0].block = 1;
	for (i = 0; i < f->nr_words; i++) {
		const struct code_word *w = &f->words[i];
		struct a64_branch branch = a64_branch(w->word, w->address);
		bool gap = i + 1 < f->nr_words && w[1].address != w->address + 4;

		if (i + 1 < f->nr_words && (gap || ends_block(branch.kind)))
			f->words[i + 1].block = 1;
		if (!ends_block(branch.kind) || !branch.direct)
			continue;
		to = find_word(f, branch.target);
		if (to < f->nr_words)
			f->words[to].block = 1;
	}
	for (i = 0; i < f->nr_words; i++)
		count += f->words[i].block;
	return count;
}

static void make_blocks(struct function_code *f)
{
	size_t i;

	f->blocks = xcalloc(mark_blocks(f), sizeof(*f->blocks));
	for (i = 0; i < f->nr_words; i++) {
		if (f->words[i].block)
			f->blocks[f->nr_blocks++].first = (uint32_t)i;
		f->words[i].block = (uint32_t)f->nr_blocks - 1;
		f->blocks[f->nr_blocks - 1].end = (uint32_t)i + 1;
	}
}

static void enter_blocks(struct function_code *f)
{
	uint32_t i, next;

	for (i = 0; i < f->nr_blocks; i++) {
		const struct code_word *last = &f->words[f->blocks[i].end - 1];
		struct a64_branch branch = a64_branch(last->word, last->address);

		next = function_code_next(f, i);
		if (next != NO_BLOCK)
			f->blocks[next].entered = true;
		next = branch.direct && !a64_is_call(branch.kind) ?
		       function_code_block(f, branch.target) : NO_BLOCK;
		if (next != NO_BLOCK)
			f->blocks[next].entered = true;
	}
}

bool function_code_read(struct function_code *f, const struct a64_code *code,
			Dwarf_Die *function)
{
	Dwarf_Addr entry;

	if (dwarf_entrypc(function, &entry) || !read_words(f, code, function))
		return false;
	make_blocks(f);
	enter_blocks(f);
	f->entry = function_code_block(f, entry);
	if (f->entry == NO_BLOCK)
		return false;
	f->blocks[f->entry].entered = true;
	return true;
}

void function_code_free(struct function_code *f)
{
	free(f->words);
	free(f->blocks);
}

uint32_t function_code_block(const struct function_code *f, uint64_t address)
{
	size_t at = find_word(f, address);
	uint32_t block;

	if (at == f->nr_words)
		return NO_BLOCK;
	block = f->words[at].block;
	return f->blocks[block].first == at ? block : NO_BLOCK;
}

uint32_t function_code_next(const struct function_code *f, uint32_t block)
{
	const struct code_word *last = &f->words[f->blocks[block].end - 1];
	enum a64_branch_kind kind = a64_branch(last->word, last->address).kind;

	if (block + 1 == f->nr_blocks || last[1].address != last->address + 4)
		return NO_BLOCK;
	return !ends_block(kind) || kind == A64_CONDITIONAL ? block + 1 : NO_BLOCK;
}
