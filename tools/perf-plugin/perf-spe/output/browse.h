/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A view on the terminal: keys for its order, columns and filter, and the way
 * into a row's function.
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
	struct view *view;		/* to which samples are added */
	struct view *shown;		/* the same, or the one before it */
	struct listing *inside;		/* a function instead, or NULL */
	char *where;			/* its name */
	bool helping;
	size_t group;			/* of those that a key goes through */
	char filter[256];		/* what rows->filter was made of */
};

enum browse_act {
	BROWSE_NOTHING,
	BROWSE_SHOW,		/* browse_show() shows something else now */
	BROWSE_SAMPLES,		/* other samples are asked for: from anew */
	BROWSE_QUIT,
};

/* A row_fn: to where the samples go now */
void browse_add(void *browse, const struct row *row);
void browse_show(struct browse *b);
enum browse_act browse_key(struct browse *b, int key);
/* The samples are to come once more. */
void browse_restart(struct browse *b);
void browse_end(struct browse *b);

#endif
