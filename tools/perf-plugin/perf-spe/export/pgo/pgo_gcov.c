// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file that GCC reads with -fauto-profile (gcc/auto-profile.cc): words of 32 bits in
 * the byte order of the machine, here little-endian.  A count is two words, the lower one
 * first.  Functions refer to a table of names.
 */
#include <stdlib.h>
#include <string.h>

#include "analysis/flow/flow.h"
#include "export/pgo/pgo.h"
#include "util/util.h"

#define GCOV_MAGIC		0x67636461	/* "gcda" */
#define GCOV_AFDO_VERSION	2		/* lengths of strings in bytes */
#define GCOV_TAG_NAMES		0xaa000000
#define GCOV_TAG_FUNCTIONS	0xac000000
#define GCOV_TAG_MODULES	0xae000000
#define GCOV_HIST_INDIRECT_CALL	7		/* HIST_TYPE_INDIR_CALL_TOPN */

struct names {
	const char **names;
	size_t count, room;
};

static void put_word(uint32_t word, FILE *to)
{
	const uint8_t bytes[] = {
		(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
		(uint8_t)(word >> 24),
	};

	fwrite(bytes, 1, sizeof(bytes), to);
}

static void put_count(uint64_t count, FILE *to)
{
	put_word((uint32_t)count, to);
	put_word((uint32_t)(count >> 32), to);
}

static void add_name(struct names *n, const char *name)
{
	n->names = array_grow(n->names, n->count, &n->room, sizeof(*n->names));
	n->names[n->count++] = name;
}

static void gather(struct names *n, const struct source_function *f)
{
	size_t i, c;

	for (i = 0; i < f->nr_lines; i++)
		for (c = 0; c < f->lines[i].nr_calls; c++)
			add_name(n, f->lines[i].calls[c].callee);
	for (i = 0; i < f->nr_inlined; i++) {
		add_name(n, f->inlined[i].name);
		gather(n, &f->inlined[i]);
	}
}

static void unique(struct names *n)
{
	size_t i, kept = 0;

	if (n->count)
		qsort(n->names, n->count, sizeof(*n->names), text_array_order);
	for (i = 0; i < n->count; i++)
		if (!kept || strcmp(n->names[kept - 1], n->names[i]))
			n->names[kept++] = n->names[i];
	n->count = kept;
}

static uint32_t index_of(const struct names *n, const char *name)
{
	const char **found = bsearch(&name, n->names, n->count, sizeof(name), text_array_order);

	return (uint32_t)(found - n->names);
}

static void put_names(const struct names *n, FILE *to)
{
	size_t i, bytes = 4;

	for (i = 0; i < n->count; i++)
		bytes += 4 + strlen(n->names[i]) + 1;
	put_word(GCOV_TAG_NAMES, to);
	put_word((uint32_t)bytes, to);
	put_word((uint32_t)n->count, to);
	for (i = 0; i < n->count; i++) {
		size_t len = strlen(n->names[i]) + 1;

		put_word((uint32_t)len, to);
		fwrite(n->names[i], 1, len, to);
	}
}

static uint32_t place_of(uint32_t offset, uint32_t discriminator)
{
	return offset << 16 | (discriminator & 0xffff);
}

static void put_function(const struct names *n, const struct source_function *f, FILE *to)
{
	size_t i, c;

	put_word(index_of(n, f->name), to);
	put_word((uint32_t)f->nr_lines, to);
	put_word((uint32_t)f->nr_inlined, to);
	for (i = 0; i < f->nr_lines; i++) {
		const struct source_line *line = &f->lines[i];

		put_word(place_of(line->offset, line->discriminator), to);
		put_word((uint32_t)line->nr_calls, to);
		put_count(line->count, to);
		for (c = 0; c < line->nr_calls; c++) {
			put_word(GCOV_HIST_INDIRECT_CALL, to);
			put_count(index_of(n, line->calls[c].callee), to);
			put_count(line->calls[c].count, to);
		}
	}
	for (i = 0; i < f->nr_inlined; i++) {
		put_word(place_of(f->inlined[i].offset, f->inlined[i].discriminator), to);
		put_function(n, &f->inlined[i], to);
	}
}

static void write_gcov(const struct pgo_profile *p, FILE *to)
{
	struct source_profile profile = { 0 };
	struct names names = { 0 };
	const struct source_function *root = &profile.root;
	size_t i;

	source_profile_flows(&profile, p->dso, p->list);
	source_profile_finish(&profile);
	gather(&names, root);
	unique(&names);
	put_word(GCOV_MAGIC, to);
	put_word(GCOV_AFDO_VERSION, to);
	put_word(0, to);
	put_names(&names, to);
	put_word(GCOV_TAG_FUNCTIONS, to);
	put_word(0, to);		/* its length, which no reader uses */
	put_word((uint32_t)root->nr_inlined, to);
	for (i = 0; i < root->nr_inlined; i++) {
		put_count(root->inlined[i].head, to);
		put_function(&names, &root->inlined[i], to);
	}
	put_word(GCOV_TAG_MODULES, to);
	put_word(0, to);
	put_word(0, to);
	free(names.names);
	source_profile_free(&profile);
}

const struct pgo_format pgo_gcov = {
	.name = "gcov", .help = "for gcc -fauto-profile", .needs_code = true, .needs_lines = true,
	.binary = true, .write = write_gcov,
};
