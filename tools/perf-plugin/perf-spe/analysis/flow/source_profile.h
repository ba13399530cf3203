/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counts by function, and in it by line and inlined function: what compilers read.  A
 * line's number is its distance from the line of the function's declaration.
 */
#ifndef PERF_SPE_SOURCE_PROFILE_H
#define PERF_SPE_SOURCE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/flow/flow.h"

struct dso;

struct source_call {
	const char *callee;
	uint64_t count;
};

struct source_line {
	uint32_t offset, discriminator;
	uint64_t count;
	struct source_call *calls;	/* by name */
	size_t nr_calls, room_calls;
};

struct source_function {
	const char *name;
	uint32_t offset, discriminator;	/* inlined: of the call */
	uint64_t head;			/* times that it was entered; not inlined */
	uint64_t total;			/* sum of all counts */
	struct source_line *lines;	/* by offset and discriminator */
	struct source_function *inlined;	/* the same, then by name */
	size_t nr_lines, room_lines, nr_inlined, room_inlined;
};

/* What a line's count is, where several of its instructions have one */
enum source_sum { SOURCE_MOST, SOURCE_SUM };

/* Functions of a profile: the root's "inlined", by name */
struct source_profile {
	struct source_function root;
	enum source_sum sum;
	bool llvm;		/* discriminators as LLVM stores them in DWARF */
};

/*
 * Add the count of the instruction at @address.  Returns its line, valid until the next
 * call; NULL without DWARF for it.
 */
struct source_line *source_profile_add(struct source_profile *p, struct dso *dso,
				       uint64_t address, uint64_t count);
/* Add the executed ranges, the calls and the entries of an inferred profile. */
void source_profile_flows(struct source_profile *p, struct dso *dso,
			  const struct flow_list *list);
/* Sort everything and add up totals, after the last addition. */
void source_profile_finish(struct source_profile *p);
void source_profile_free(struct source_profile *p);

#endif
