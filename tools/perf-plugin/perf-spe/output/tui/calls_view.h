/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One function's callers, or what it called, as the rows of a grid: a tree whose nodes the user
 * expands and collapses.
 */
#ifndef PERF_SPE_CALLS_VIEW_H
#define PERF_SPE_CALLS_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/callers/call_tree.h"
#include "output/table/grid.h"

struct calls_view;

/* The callers of @symbol in the objects whose name contains @object (NULL: any) */
struct calls_view *calls_view_new(const char *symbol, const char *object);
/*
 * A row_fn, of rows with their stack.  Nothing else may use the rows' hints between
 * calls_view_restart() and the last row.
 */
void calls_view_add(void *view, const struct row *row);
/* Show the samples that were added since calls_view_restart(). */
void calls_view_finish(struct calls_view *v);
/* Drop the samples; the tree that is shown stays until calls_view_finish(). */
void calls_view_restart(struct calls_view *v);
/* See call_tree_forget_callers(). */
void calls_view_forget_callers(struct calls_view *v);
/* Fill @g, which is empty, with what calls_view_finish() got. */
void calls_view_grid(struct calls_view *v, struct grid *g);
/* Expand or collapse the node in this row of the grid; false if nothing is below it. */
bool calls_view_toggle(struct calls_view *v, size_t row);
/* Expand all below this row, or collapse it if it is expanded. */
void calls_view_toggle_all(struct calls_view *v, size_t row);
/* From callers to callees and back: the samples must be read again. */
void calls_view_turn(struct calls_view *v);
void calls_view_free(struct calls_view *v);

#endif
