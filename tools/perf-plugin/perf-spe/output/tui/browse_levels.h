/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is on the terminal, and the ways into a row of a table and back.  Each level
 * keeps the samples of one row of the table before, by a filter.
 */
#ifndef PERF_SPE_BROWSE_LEVELS_H
#define PERF_SPE_BROWSE_LEVELS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/rows/rows.h"
#include "analysis/tables/tally.h"
#include "output/table/view.h"

/* What the user came from, to go back to */
struct browse_level {
	struct tally by;		/* only its columns */
	char *filter;
	size_t row;
};

struct browse {
	const char *verb, *what;	/* for the title */
	const char *no_stacks;		/* what to do if there are no call stacks */
	struct rows *rows;		/* symbols are read */
	struct view *view;		/* collects samples */
	struct view *shown;		/* the same, or top's last table */
	struct listing *inside;		/* the function shown instead, or NULL */
	struct calls_view *calls;	/* its callers or callees shown instead, or NULL */
	char *where, *object;		/* the function's name, and its file or NULL */
	bool hinted;			/* the rows' hints are those of calls */
	bool helping;
	size_t group;			/* index of the current grouping */
	char *filter;			/* the text of rows->filter, or NULL */
	struct browse_level *levels;
	size_t nr_levels, room_levels;
	size_t row;			/* to select, or TUI_KEEP */
	char *hint;			/* why the rows have no names, not shown yet; or NULL */
	bool entered;			/* the function's hottest row is not known yet */
};

enum browse_act {
	BROWSE_NOTHING,
	BROWSE_SHOW,		/* call browse_show() */
	BROWSE_SAMPLES,		/* read the samples again */
	BROWSE_QUIT,
};

/* Show why the rows have no names, if the user just went into such a row. */
void browse_hint(struct browse *b);
/* Filter by @text, which is taken, or NULL for no filter; false after a message. */
bool browse_filter(struct browse *b, char *text);
/*
 * Parse a list of columns, "" for symbols; false after a message.  Events are kept
 * if there are columns.
 */
bool browse_parse_by(const struct browse *b, const char *list,
		     struct tally *by);
/* Group by other columns: the samples must be read again. */
void browse_regroup(struct browse *b, const struct tally *by);

/* Into the selected row: its function, or what else its samples differ in */
enum browse_act browse_enter(struct browse *b);
/* Into the tree of calls of the selected row, or of the function that is shown */
enum browse_act browse_enter_calls(struct browse *b);
/* Back to the level before; there must be one. */
enum browse_act browse_ascend(struct browse *b);
/* Drop the function or the tree that is shown, if any. */
void browse_leave(struct browse *b);

#endif
