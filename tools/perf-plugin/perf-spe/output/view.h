/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples as report and top show them: by symbol or by columns, in an order,
 * and the options that say which.
 */
#ifndef PERF_SPE_VIEW_H
#define PERF_SPE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/fields.h"
#include "analysis/groups.h"
#include "analysis/rows.h"
#include "analysis/tally.h"
#include "input/aux_decoder.h"
#include "output/table.h"

struct view {
	enum group_sort sort;
	uint64_t limit;		/* rows; 0: all */
	bool totals_only;	/* nothing of symbols */
	bool text;		/* on a terminal, too */
	struct tally tally;	/* with --by */
	struct groups groups;	/* else */
	struct table_of of;	/* after view_finish() */
};

enum { VIEW_LIMIT = 512, VIEW_BY, VIEW_EVENTS, VIEW_TEXT };

#define VIEW_SHORT "s:"
#define VIEW_OPTIONS							\
	{ "sort", required_argument, NULL, 's' },			\
	{ "limit", required_argument, NULL, VIEW_LIMIT },		\
	{ "by", required_argument, NULL, VIEW_BY },			\
	{ "events", required_argument, NULL, VIEW_EVENTS },		\
	{ "text", no_argument, NULL, VIEW_TEXT }
#define VIEW_HELP							\
	"      --by LIST       group by one or two columns of 'export', such as\n" \
	"                      source_name, cache_line, comm or pc, not by symbol\n" \
	"      --events LIST   with --by: also print the share of samples with these events\n" \
	"  -s, --sort KEY      sort by count (default), by the mean of total, issue or\n" \
	"                      translation, or by symbol (with --by: by its columns)\n" \
	"      --limit N       print at most N rows\n"			\
	"      --text          print plain text on a terminal too, without keys\n"

enum view_taken { VIEW_OTHER, VIEW_GOOD, VIEW_BAD };

/* One of these options, with getopt's optarg; BAD after a message. */
enum view_taken view_take(struct view *v, const char *verb, int option);
/* Whether they go together; false after a message. */
bool view_check(const struct view *v, const char *verb);
const char *view_sort_name(const struct view *v);

/* What r->need has to be when @r is opened */
enum field_need view_need(const struct view *v);
/*
 * Nothing yet of the rows of @r, which is open; r->need becomes what the view
 * takes, where it is less.
 */
void view_begin(struct view *v, struct rows *r);
/* The row_fn of the view, whose context it is */
void view_add(void *view, const struct row *row);
/* All rows of @r, which is open, by as many threads as are worth it. */
void view_read(struct view *v, struct rows *r, struct sample_totals *totals);
/* These were all the rows. */
void view_finish(struct view *v, const struct rows *r);
/* The table, in the order that is asked for now */
void view_print(struct view *v, FILE *to);
/*
 * Symbol and object of a row of the last table, counted from 0; false where it
 * has no symbol.
 */
bool view_symbol(const struct view *v, size_t row, const char **symbol,
		 const char **object);
/* The samples are gone, the options stay. */
void view_clear(struct view *v);
/* The samples become those of @to, instead of its own. */
void view_move(struct view *v, struct view *to);

#endif
