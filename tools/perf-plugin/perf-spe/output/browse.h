/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A view on the terminal.  Keys change its order, columns and filter, or show the
 * code of a row's function.
 */
#ifndef PERF_SPE_BROWSE_H
#define PERF_SPE_BROWSE_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/fields.h"
#include "analysis/rows.h"
#include "output/view.h"

struct browse {
	const char *verb, *what;	/* for the title */
	struct rows *rows;		/* symbols are read */
	struct view *view;		/* collects samples */
	struct view *shown;		/* the same, or top's last table */
	struct listing *inside;		/* the function shown instead, or NULL */
	char *where;			/* the function's name */
	bool helping;
	size_t group;			/* index of the current grouping */
	char filter[256];		/* the text of rows->filter */
};

enum browse_act {
	BROWSE_NOTHING,
	BROWSE_SHOW,		/* call browse_show() */
	BROWSE_SAMPLES,		/* read the samples again */
	BROWSE_QUIT,
};

/* A row_fn that adds to the view, or to the function that is shown */
void browse_add(void *browse, const struct row *row);
void browse_show(struct browse *b);
enum browse_act browse_key(struct browse *b, int key);
/* Forget all samples: the caller reads them again. */
void browse_restart(struct browse *b);
void browse_end(struct browse *b);

#endif
