/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A view on the terminal.  Keys (browse_keys.h) change its order, columns and filter, or
 * lead into a row: to the code of its function, or to what else its samples differ in.
 */
#ifndef PERF_SPE_BROWSE_H
#define PERF_SPE_BROWSE_H

#include <stdbool.h>

#include "analysis/rows/fields.h"
#include "output/tui/browse_levels.h"

struct grid;

/* Call this first, with the filter that rows->filter was parsed from, or NULL. */
void browse_begin(struct browse *b, const char *filter);
/* A row_fn that adds to the view, or to the function that is shown */
void browse_add(void *browse, const struct row *row);
/* All samples were added. */
void browse_finish(struct browse *b);
void browse_show(struct browse *b);
/* Fill @g with what is shown, but for the help. */
void browse_grid(struct browse *b, struct grid *g);
/* Callers are others from the next row on: see rows_restack(). */
void browse_forget_callers(struct browse *b);
/* Forget all samples: the caller reads them again. */
void browse_restart(struct browse *b);
void browse_end(struct browse *b);

#endif
