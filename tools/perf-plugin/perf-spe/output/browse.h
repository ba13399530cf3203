/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A view on the terminal.  Keys change its order, columns and filter, or lead into a
 * row: to the code of its function, or to what else its samples differ in.
 */
#ifndef PERF_SPE_BROWSE_H
#define PERF_SPE_BROWSE_H

#include <stdbool.h>

#include "analysis/fields.h"
#include "output/browse_levels.h"

/* Call this first, with the filter that rows->filter was parsed from, or NULL. */
void browse_begin(struct browse *b, const char *filter);
/* A row_fn that adds to the view, or to the function that is shown */
void browse_add(void *browse, const struct row *row);
/* All samples were added. */
void browse_finish(struct browse *b);
void browse_show(struct browse *b);
enum browse_act browse_key(struct browse *b, int key);
/* Callers are others from the next row on: see rows_restack(). */
void browse_forget_callers(struct browse *b);
/* Forget all samples: the caller reads them again. */
void browse_restart(struct browse *b);
void browse_end(struct browse *b);

#endif
