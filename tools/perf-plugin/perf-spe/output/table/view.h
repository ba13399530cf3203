/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of report and top: samples by symbol or by columns, sorted, and the
 * options that choose this.
 */
#ifndef PERF_SPE_VIEW_H
#define PERF_SPE_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/rows/fields.h"
#include "analysis/tables/groups.h"
#include "analysis/stats/measure.h"
#include "analysis/rows/rows.h"
#include "analysis/tables/tally.h"
#include "input/aux_decoder.h"
#include "output/table/columns.h"
#include "output/table/grid.h"
#include "output/table/table.h"

struct view {
	enum measure sort;
	uint64_t limit;		/* rows; 0: all */
	bool totals_only;	/* no symbols needed */
	bool ci;		/* --ci: with intervals */
	bool text;		/* --text: plain text on a terminal too */
	const char *columns_text;	/* --columns, or NULL: the usual ones */
	struct columns columns;		/* of --columns, after view_check() */
	bool folded;			/* without columns of latencies */
	struct tally tally;	/* with --by */
	struct groups groups;	/* without --by */
	struct table_of of;	/* after view_finish() */
};

enum { VIEW_LIMIT = 512, VIEW_BY, VIEW_EVENTS, VIEW_COLUMNS, VIEW_TEXT, VIEW_CI };

#define VIEW_SHORT "s:"
#define VIEW_OPTIONS							\
	{ "sort", required_argument, NULL, 's' },			\
	{ "limit", required_argument, NULL, VIEW_LIMIT },		\
	{ "by", required_argument, NULL, VIEW_BY },			\
	{ "events", required_argument, NULL, VIEW_EVENTS },		\
	{ "columns", required_argument, NULL, VIEW_COLUMNS },		\
	{ "ci", no_argument, NULL, VIEW_CI },				\
	{ "text", no_argument, NULL, VIEW_TEXT }
#define VIEW_HELP							\
	"      --by LIST       group by up to eight columns of 'export', as comm,cpu,symbol,\n" \
	"                      source_name or cache_line, not by symbol\n" \
	"      --events LIST   with --by: also print the share of samples with these events\n" \
	"      --columns LIST  show these columns in this order, as symbol,cost,mean,count;\n" \
	"                      'help' lists them\n"			\
	"      --ci            print the confidence interval of 95% behind each number\n" \
	"  -s, --sort KEY      sort by a column of numbers (default: cost), or by symbol\n" \
	"                      (with --by: by its columns). cost and cycles are the sum of\n" \
	"                      the total latency, mean is its mean\n"	\
	"      --limit N       print at most N rows\n"			\
	"      --text          print plain text on a terminal too, without keys\n"

enum view_taken { VIEW_OTHER, VIEW_GOOD, VIEW_BAD };

/* Take one of these options, with getopt's optarg; BAD after a message. */
enum view_taken view_take(struct view *v, const char *verb, int option);
/* Check that the options go together; false after a message. */
bool view_check(struct view *v, const char *verb);

/* The value that r->need must have when @r is opened */
enum field_need view_need(const struct view *v);
/*
 * Begin with the rows of @r, which is open.  Sets r->need to what the view and
 * the filter read.
 */
void view_begin(struct view *v, struct rows *r);
/* The row_fn of the view, whose context it is */
void view_add(void *view, const struct row *row);
/* Read all rows of @r, which is open, with one or two threads. */
void view_read(struct view *v, struct rows *r, struct sample_totals *totals);
/* Call this after the last row. */
void view_finish(struct view *v, const struct rows *r);
/* The columns that the view has now */
void view_columns(const struct view *v, struct columns *c);
/* Sort, and fill @g, which is empty; @piped leaves out what a pipe does not get. */
void view_grid(struct view *v, struct grid *g, bool piped);
/*
 * Sort and print the table: to a terminal as many columns as fit, to a pipe or a
 * file the same columns always.
 */
void view_print(struct view *v, FILE *to);
/* Drop the samples, and group by the columns of @by. */
void view_regroup(struct view *v, const struct tally *by);
/*
 * The symbol and object of a row of the printed table, counted from 0; false if
 * the row has no symbol.
 */
bool view_symbol(const struct view *v, size_t row, const char **symbol,
		 const char **object);
/*
 * A filter that keeps the samples of such a row, without what view_symbol() returns,
 * to be freed: "" keeps all.  NULL if there is none, because of quotes in a name.
 */
char *view_condition(const struct view *v, size_t row);
/* Drop the samples and keep the options. */
void view_clear(struct view *v);
/* Move the samples of @v to @to, whose own samples are dropped first. */
void view_move(struct view *v, struct view *to);

#endif
