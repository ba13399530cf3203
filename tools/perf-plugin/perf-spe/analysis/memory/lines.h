/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Cache lines: which threads accessed which bytes, from which code.
 */
#ifndef PERF_SPE_LINES_H
#define PERF_SPE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/fields.h"
#include "analysis/memory/line.h"
#include "symbols/access_sizes.h"
#include "util/hash_table.h"
#include "util/string_set.h"

/* The index of an access in its line's array */
struct access_at {
	struct line *line;		/* NULL: empty */
	size_t at;
};

/*
 * Name an access by something else than the code that made it: set its object, symbol and pc.
 * Accesses with the same three count as of the same code.
 */
typedef void (*access_fn)(void *context, const struct row *row, struct access *access);

struct lines {
	unsigned int bytes;		/* of a line, a power of two up to 256 */
	struct hash_table table;	/* struct line * */
	struct hash_table accesses;	/* struct access_at */
	struct access_sizes sizes;
	bool types;			/* tell accesses to different types and fields apart */
	struct string_set texts;	/* of types and fields */
	access_fn name;			/* NULL: by its code */
	void *context;			/* of @name */
	uint64_t samples;		/* with a data address */
	uint64_t physical;		/* of these by physical address */
	uint64_t unknown;		/* others: by a virtual address of an unknown process */
	uint64_t cycles;		/* of total latency */
	/* After lines_finish(), of the shared lines */
	uint64_t shared_samples, shared_snooped;
	struct line **sorted;		/* shared lines, worst first */
	size_t nr_sorted;
};

/* A row_fn, of rows with their place; @context is the struct lines. */
void lines_add(void *context, const struct row *row);
/*
 * Find the lines that several sharers use and at least one writes to.  Lines with
 * more snooped samples come first, then lines that several CPUs use.
 */
void lines_finish(struct lines *l);
/*
 * The line that lines_add() counted @row for, NULL if none, and what identifies the access; for
 * access_same().
 */
struct line *lines_find(struct lines *l, const struct row *row, struct access *access);
/* Whether another cache took part */
bool line_snooped(const struct row *row);
void lines_free(struct lines *l);

#endif
