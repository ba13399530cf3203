/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples as a tree of calls: from the outermost functions to all that they called, or from
 * functions to their callers.  Functions that the compiler inlined are nodes too.  Memory
 * depends on how many different stacks there are, not on the number of samples.
 *
 *	struct call_tree t = { 0 }, *one = &t;
 *	rows_walk(rows, call_tree_add, &t, &totals);	(rows->stacks is set)
 *	struct call_node *all = call_tree_build(&one, 1, CALLS_CALLEES, NULL);
 */
#ifndef PERF_SPE_CALL_TREE_H
#define PERF_SPE_CALL_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/fields.h"
#include "analysis/callers/frames.h"

struct call_sum {
	uint64_t count, cycles;		/* samples, and their total latency */
};

struct call_tree {
	struct frames frames;
	struct call_sum *sums;		/* by number of the stack */
	size_t room;
	struct call_sum all;
};

enum call_order {
	CALLS_CALLERS,		/* functions, below each its callers */
	CALLS_CALLEES,		/* outermost functions, below each what it called */
};

struct call_node {
	const char *name;		/* NULL: a function without a name */
	const char *object;
	struct call_sum sum;		/* with all that is below */
	struct call_sum own;		/* of samples whose path ends here */
	struct call_node *parent;	/* NULL: the root, which is no function */
	struct call_node *child;	/* the one with most cycles first */
	struct call_node *next;		/* of the same parent */
	bool open;			/* for the caller */
};

/* A row_fn, of rows with their stack; @context is the struct call_tree.  Uses the rows' hints. */
void call_tree_add(void *context, const struct row *row);
/* Keep the samples, but the callers of the next rows are others: see rows_restack(). */
void call_tree_forget_callers(struct call_tree *t);
/*
 * The nodes of @count collectors, for call_nodes_free().  With @symbol only samples whose stack
 * has this function, and paths that begin with it: of a function that calls itself, with the
 * innermost for callers and the outermost for callees.
 */
struct call_node *call_tree_build(struct call_tree *const *trees, size_t count,
				  enum call_order order, const char *symbol);
void call_nodes_free(struct call_node *root);
void call_tree_free(struct call_tree *t);

#endif
