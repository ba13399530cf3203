/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_OUTPUT_TEXT_TEXT_H
#define PERF_SPE_OUTPUT_TEXT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "input/input.h"

/* columns.c: Which columns a table of rows has, in which order; the option --columns. */

enum column_kind { COLUMN_MEASURE, COLUMN_KEY, COLUMN_EVENT };

struct column {
	enum column_kind kind;
	unsigned int index;	/* enum measure, or in tally.by or .event_bit */
};

#define COLUMNS_MAX	(NR_MEASURES + TALLY_KEYS + TALLY_EVENTS)

struct columns {
	struct column list[COLUMNS_MAX];
	size_t nr;
	bool intervals;		/* one behind each number */
	size_t piped;		/* how many of them a pipe or a file gets */
};

/*
 * All columns in their usual order.  Without columns of --by in @t, the keys are
 * the symbol (0) and the object (1).
 */
void columns_usual(struct columns *c, const struct tally *t);
/* The columns that @list names, separated by commas; false after a message. */
bool columns_parse(struct columns *c, const char *verb, const struct tally *t,
		   const char *list);
/* Replace keys and events, which were of another table, by those of @t. */
void columns_regroup(struct columns *c, const struct tally *t);
/* Fold: keep only names, events, and numbers that are not of a latency. */
void columns_fold(struct columns *c);
/* Print what --columns knows. */
void columns_help(void);
/* The name of a key column */
const char *columns_key(const struct tally *t, size_t key);

/*
 * grid.c: A table of cells: columns with headings and rows of text, printed as lines or
 * drawn on the terminal.  Names may be cut to fit a width; numbers never are.
 */

enum grid_kind {
	GRID_NUMBER,		/* at the right of its column */
	GRID_NAME,		/* at the left */
	GRID_TAIL,		/* at the left, up to the end of the line: only the
				   last column */
};

struct grid_column {
	enum grid_kind kind;
	const char *upper, *lower;	/* headings, which outlive the grid */
	int id;				/* the caller's */
	size_t widest;			/* characters of a heading or cell */
	size_t width;			/* after grid_layout() */
};

struct grid {
	struct grid_column *columns;
	size_t nr_columns, room_columns;
	size_t *cells;			/* offsets in text, row by row; SIZE_MAX: left out */
	size_t nr_cells, room_cells;
	char *text;			/* of all cells, each with its final zero */
	size_t len, room;
	char *above, *below;		/* lines before the headings, after the rows */
};

/*
 * Columns on a line: the first @pinned, and @count from @first on.  The last column, if it is a
 * tail, begins with its character @shift.
 */
struct grid_window {
	size_t pinned, first, count, shift;
};

/* Between two columns */
#define GRID_GAP	2

void grid_column(struct grid *g, enum grid_kind kind, const char *upper,
		 const char *lower, int id);
/* Add the next cell of a row; control characters become question marks. */
void grid_cell(struct grid *g, const char *text);
/* Add the formatted text as the next cell. */
void grid_format(struct grid *g, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/*
 * Leave a cell out: the rest of the row moves to the left.  A row without its first
 * cell has no indentation.
 */
void grid_skip(struct grid *g);
/* Lines that end with a line feed, without tabs; @text is freed with the grid. */
void grid_above(struct grid *g, char *text);
void grid_below(struct grid *g, char *text);

size_t grid_rows(const struct grid *g);
const char *grid_text(const struct grid *g, size_t row, size_t column);
/* How many lines of headings there are: 0, 1 or 2 */
size_t grid_heads(const struct grid *g);
/* The columns that stay when a window moves: those up to the names, or all before a tail */
size_t grid_pinned(const struct grid *g);

/*
 * Give each column its width.  Names share what the numbers of @width leave, but
 * not less than half of it.  With @width 0, which is no limit, they get at most
 * 48 characters.
 */
void grid_layout(struct grid *g, size_t width);
/* Set w->count to how many columns from w->first on fit into @width, at least 1. */
void grid_fit(const struct grid *g, struct grid_window *w, size_t width);

/* A heading, or a row, and where its cells are longer than their column */
enum grid_cut {
	GRID_WHOLE,		/* print them whole */
	GRID_CUT,		/* cut them */
};
void grid_put_head(const struct grid *g, const struct grid_window *w,
		   size_t head, FILE *to);
void grid_put_row(const struct grid *g, const struct grid_window *w, size_t row,
		  enum grid_cut cut, FILE *to);
/* Print the first @columns columns, for a terminal of @width or with names whole for a pipe (0). */
void grid_print(struct grid *g, size_t columns, size_t width, FILE *to);
/* Print the columns for which the terminal that @to may be has room. */
void grid_print_fitted(struct grid *g, FILE *to);
void grid_free(struct grid *g);

/* heading.c: How each report begins: what was recorded, where, and when. */

/* Before the words of a fact that have no room in its line */
#define HEADING_INDENT "#            "

/* Takes one fact, such as "host", "box, Linux 6.12.0"; @text is the callee's to free. */
typedef void (*heading_fn)(void *context, const char *name, char *text);

/* Call @fn for each fact that the input of @r has.  @r is open. */
void heading_each(const struct rows *r, heading_fn fn, void *context);
/*
 * Why source_name is empty for samples of the last walk, and what to do, to be
 * freed; NULL if it is not, or if no sample has a data source.
 */
char *heading_no_source(const struct rows *r);
/* Call @fn for each fact about call stacks, if they were looked for. */
void heading_stacks(const struct rows *r, heading_fn fn, void *context);
/* Why samples have no call stack, by @count of NR_STACK_STATUS, to be freed; NULL: all have one */
char *stacks_none_text(const uint64_t *count);
/* Print one fact as a line that begins with "# "; @to is a FILE. */
void heading_line(void *to, const char *name, char *text);
/* Print both as lines that begin with "# ". */
void heading_print(FILE *to, const struct rows *r);

/*
 * listing.c: A function's instructions and source lines with the samples of each
 * instruction.
 */

struct listing;

/* What stands for the symbol in tables where there is none */
#define NO_SYMBOL "[no symbol]"

/*
 * List @symbol (NULL: samples without a symbol) in the objects whose name contains @object (NULL: any).  @events
 * names the events whose rates are shown.  @events and @rows must outlive the
 * listing.
 */
struct listing *listing_new(const struct rows *rows, const struct tally *events,
			    const char *symbol, const char *object);
/* Add a batch of rows with their place, or its record @i alone. */
void listing_add(struct listing *a, const struct row_batch *b);
void listing_add_one(struct listing *a, const struct row_batch *b, size_t i);
/* Add all of @from, a listing of the same function.  Wrong if listing_several() is true then. */
void listing_merge(struct listing *a, const struct listing *from);
/* List only the @limit instructions with most cycles, each with its line of source. */
void listing_limit(struct listing *a, uint64_t limit);
/*
 * Fill @g, which is empty, with headings and the code; *@hottest is the row of the
 * instruction with most cycles.  False without a sample.
 */
bool listing_grid(struct listing *a, struct grid *g, size_t *hottest);
/* Whether a row of that grid has an instruction, not source or a heading */
bool listing_is_code(const struct listing *a, size_t row);
/* The addresses of that grid's instructions with samples, in the order of their rows */
const uint64_t *listing_sampled(const struct listing *a, size_t *count);
/* Print the same; false without a sample. */
bool listing_print(struct listing *a, FILE *to);
/* The tables of listing_data(); a word_fn */
const char *listing_table(unsigned int index);
/* Print the instructions for programs; false without a sample. */
bool listing_data(struct listing *a, const struct data_options *o, FILE *to);
/* Whether there is a sample to print */
bool listing_any(const struct listing *a);
/* The listed object if others have samples in the symbol too, else NULL */
const char *listing_several(const struct listing *a);
/* The listed object if it has the symbol, but no file with code; else NULL */
const char *listing_codeless(const struct listing *a);
void listing_free(struct listing *a);

/* table.c: Tables of rows, and parts of tables as text.  Lines that begin with "#" are headings. */

/* Print "    12.3     11     40", or dashes if no sample has the counter. */
void table_latency(FILE *to, const struct hist *h);
/* Print " 12.34%", the share of all cycles, or a dash if no sample has a latency. */
void table_cost(FILE *to, uint64_t timed, uint64_t cycles, uint64_t all);
/* A comment line if the recording lacks what names of data need */
void table_names(FILE *to, const struct resolver *r);
/* Print what perf lost while recording, if anything; @s may be NULL. */
void table_flags(FILE *to, const struct session *s);
/*
 * Fill @g with at most @limit rows (0: all) in the order of tally_sort(), with the
 * columns @c.
 */
void table_tally(struct grid *g, const struct columns *c, const struct tally *t,
		 const struct session *s, uint64_t limit);

/*
 * table_data.c: The same rows for programs: column NAME has the key NAME with underscores, and
 * shares, in percent, end with _percent.
 */

/* The numbers of @row that have the columns of a table of samples; @ci: with their intervals */
void table_measures_data(struct data *d, const enum measure *list, size_t count, bool ci,
			 const struct measured *row, const struct measured_all *all);
/* The share of @count samples that have the event: @event of them */
void table_event_data(struct data *d, unsigned int bit, bool ci, uint64_t event, uint64_t count);
/* The symbol and address of a place, or with @key 1 its object: without a symbol the address has a row */
void table_place_data(struct data *d, unsigned int key, const struct place *place);
/* A key with the name of its column */
void table_key_data(struct data *d, const struct field *field, const struct tally_key *key);
void table_tally_data(struct data *d, const struct columns *c, const struct tally *t, uint64_t limit);
void table_groups_data(struct data *d, const struct columns *c, const struct groups *groups,
		       uint64_t limit);
/* An interval: keys NAME_low and NAME_high, which has no value if the interval is open */
void table_interval_data(struct data *d, const char *name, bool known, const struct interval *i);
/* What was recorded and what was lost, as heading_print() and table_flags() print it */
void table_recording_data(struct data *d, const struct rows *r);
/* The same of several files of perf.data, as tables with the column file */
void table_recordings_data(struct data *d, const struct rows *r, size_t count);

/* The samples behind a table */
struct table_of {
	const struct session *session;	/* or NULL */
	uint64_t kept, records;		/* after and before the filter */
	uint64_t limit;			/* rows; 0: all */
	bool stacks;			/* call stacks were looked for */
	uint64_t found;			/* kept ones with a call stack */
};

/* The same for groups in the order of groups_sort() */
void table_groups(struct grid *g, const struct columns *c,
		  const struct groups *groups, const struct table_of *of);
/* A key as text in at most @size bytes with the final zero. */
void table_key(const struct field *field, const struct tally_key *key,
	       char *text, size_t size);
/* All keys of a row, for a table without columns for them; to be freed */
char *table_keys(const struct tally *t, const struct tally_row *row);

/* table_events.c: Tables of a recording's events: their settings and counts. */

struct session;

/*
 * Print the settings of each SPE event and its share of @all samples.
 * @counts[attribute] has the samples of an attribute, and the element after the
 * last attribute has those of unknown events.
 */
void table_pmus(const struct session *s, const uint64_t *counts, uint64_t all);
/*
 * Print what other events counted.  For an event that counts instructions, its
 * count per sample is the effective period.
 */
void table_others(const struct session *s, uint64_t samples);

/*
 * table.c: Intervals in the tables of stat, mem and sharing: each prints a blank and
 * at most
 * TABLE_INTERVAL characters, at the right.  They know how far successive samples agree, except
 * for percentiles.
 */

#define TABLE_INTERVAL	15
/* The heading of such a column */
#define TABLE_INTERVAL_HEADING "95% CI"

/* Of the share of the samples with events that have event @bit: see precision_bit() */
void table_interval_event(FILE *to, const struct lag_bits *lag, unsigned int bit,
			  uint64_t count, const struct measured_all *all);
/* Of a number of a row; @all->chain holds the succession of samples. */
void table_interval_measure(FILE *to, enum measure m, const struct measured *row,
			    const struct measured_all *all);
/* Of a percentile of a distribution */
void table_interval_percentile(FILE *to, const struct hist *h, double percent);

/* text.c: The terminal that plain text goes to. */

/* A variable with the columns for standard output, for a verb whose text another one shows */
#define TERMINAL_COLUMNS "PERF_SPE_COLUMNS"
/* Columns of the terminal, 0 if @to is none */
size_t terminal_width(FILE *to);

/*
 * How many of @most columns are left beside @used ones on the terminal of standard
 * output, at least 8; @most if it is no terminal.
 */
size_t terminal_rest(size_t used, size_t most);

/* put_wrapped() for the terminal that @to is, if any */
void put_words(FILE *to, size_t used, const char *gap, const char *indent, const char *text);
/* Print the help of a verb.  On a terminal that is narrower, descriptions of options wrap. */
void put_help(FILE *to, const char *text);
/* Print such a line from its begin on; @text is freed. */
void put_sentence(FILE *to, const char *indent, char *text);

/* fitted.c: Tables of fixed columns on a terminal that may be narrower. */

struct fitted {
	FILE *to;
	char *text;
	size_t len, width;
};

/* Columns of the terminal that standard output is; 0: none, or a view of report that shifts text */
size_t fitted_width(void);
/* Where to print tables, each below its headings.  A heading begins with # and has two blanks in a row. */
FILE *fitted_begin(struct fitted *f);
/* Print them on standard output. */
void fitted_end(struct fitted *f);

/* text.c: Names and numbers as text for people. */

/* Escape text for XML and HTML, also inside quotes; drop control characters. */
void put_escaped(const char *text, FILE *to);

/* Nanoseconds, or as many steps where @timed is not set; to be freed. */
char *span_text(uint64_t span, bool timed);
/* Bytes in the largest binary unit that gives at least 1; to be freed. */
char *size_text(uint64_t bytes);

/*
 * view.c: The table of report and top: samples by symbol or by columns, sorted, and the
 * options that choose this.
 */

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
	"      --by LIST       group by up to eight columns of 'export', not by symbol,\n" \
	"                      such as comm,cpu,symbol or cache_line\n" \
	"      --events LIST   with --by: also print the share of samples with these events\n" \
	"      --columns LIST  show these columns in this order, such as symbol,cost,mean;\n" \
	"                      'help' lists them\n"			\
	"      --ci            print the confidence interval of 95% behind each number\n" \
	"  -s, --sort KEY      sort by a column of numbers (default: cost), or by symbol\n" \
	"                      (with --by: by its columns). cost and cycles are the sum of\n" \
	"                      the total latency, mean is its mean\n"	\
	"      --limit N       print at most N rows\n"			\
	"      --text          print plain text on a terminal too, without keys\n"

enum view_taken { VIEW_OTHER, VIEW_GOOD, VIEW_BAD };

/* The keys of --sort: a word_fn */
const char *view_sort_word(unsigned int index);
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
void view_add(void *view, const struct row_batch *b);
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
/* Sort, and print the numbers for programs, of all columns unless --columns names some. */
void view_data(struct view *v, struct data *d);
/* Drop the samples, and group by the columns of @by. */
void view_regroup(struct view *v, const struct tally *by);
/*
 * The symbol and object of a row of the printed table, counted from 0; false if
 * the row has no symbol.
 */
bool view_symbol(const struct view *v, size_t row, const char **symbol,
		 const char **object);
/* The row's text in the column @name, which is one of --by; NULL: it has none */
const char *view_key(const struct view *v, size_t row, const char *name);
/* The filter of the row's value there, to be freed; NULL: it has none */
char *view_key_condition(const struct view *v, size_t row, const char *name);
/*
 * A filter that keeps the samples of such a row, without what view_symbol() returns,
 * to be freed: "" keeps all.  NULL if there is none, because of quotes in a name.
 */
char *view_condition(const struct view *v, size_t row);
/* Drop the samples and keep the options. */
void view_clear(struct view *v);
/* Move the samples of @v to @to, whose own samples are dropped first. */
void view_move(struct view *v, struct view *to);

/* histogram.c: The distribution of a latency as bars, and in words what it looks like. */

/* The buckets of powers of two, below a line of headings; nothing without a sample */
void histogram_print(const struct hist *h, FILE *to);
/* After view_print(): for the first @limit rows (0: all) of its table */
void histograms_print(const struct view *v, uint64_t limit, FILE *to);
/* After view_data(): the same for programs, as tables; they have no rows unless they are @wanted. */
void histograms_data(const struct view *v, bool wanted, uint64_t limit, struct data *d);

#endif
