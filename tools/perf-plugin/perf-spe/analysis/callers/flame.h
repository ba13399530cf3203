/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples as a tree: process, thread, object, function, and the functions that the
 * compiler inlined into it.  Of samples with a call stack, the callers are between the thread
 * and the function, with an object wherever it is another one.  Memory depends on how many
 * instructions of how many threads and stacks were sampled, not on the number of samples.
 */
#ifndef PERF_SPE_FLAME_H
#define PERF_SPE_FLAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/fields.h"
#include "util/hash_table.h"

enum flame_kind {
	FLAME_ALL, FLAME_PROCESS, FLAME_THREAD, FLAME_OBJECT, FLAME_FUNCTION,
	FLAME_INLINE,
};

struct flame_node {
	enum flame_kind kind;
	int32_t id;			/* owner_number() of a process, or a tid; NO_ID: not known */
	const char *name;		/* others; NULL: a function without a name */
	const char *object;		/* of a function */
	uint64_t count, cycles;		/* samples, and their total latency */
	struct flame_node *parent;
	struct flame_node *child;	/* after flame_finish(): the one with most cycles */
	struct flame_node *next;	/* of the same parent */
};

struct flame {
	bool stacks;			/* the recording has call stacks */
	struct hash_table spots;	/* instructions of threads */
	struct hash_table nodes;	/* struct flame_node *, by parent and name */
	struct flame_node *all;		/* after flame_finish() */
};

/* A row_fn, of rows with their place; @context is the struct flame. */
void flame_add(void *context, const struct row *row);
/* Build the tree. */
void flame_finish(struct flame *f);
void flame_free(struct flame *f);

#endif
