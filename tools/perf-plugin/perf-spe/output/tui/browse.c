// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "analysis/stats/stats.h"
#include "output/text/text.h"
#include "output/tui/tui.h"
#include "util/util.h"

/* More rows than a user scrolls through */
#define ROWS_SHOWN	2000

/* At most 78 columns, so that a terminal of 80 shows all. */
static const char *const help_lines[] = {
	"up, down, page up, page down, space, home, end, mouse   select another row",
	"left, right   move by a column; where a text is wider than the screen, move it",
	"enter   into the row: the code of its function, or if it has none, its",
	"        samples by symbol, address or operation",
	"t       the tree of the function's callers, if there are call stacks;",
	"        there: enter expands or collapses a row, e all below it, t goes on to",
	"        what the function called and back",
	"A, L, M, S   what annotate, layout, mem or sharing print of the samples that",
	"        are shown: of the row's function, type or cache line, if it has one",
	"/       find a row that contains a text; n the next one, N the previous",
	"s       sort by the next of cost, count, mean, issue-mean,",
	"        translation-mean, name",
	"<, >    sort by the column before or after",
	"c       fold the columns of latencies, and unfold them",
	"g       group by the next of symbol, comm, cpu, op, source_name, symbol and",
	"        op, object and pc, cache_line, data_symbol, type, tid, source_line",
	"b       group by columns that you type, such as comm,cpu,symbol",
	"f       set a filter, such as total > 200 and op == load; empty: all samples",
	"w       write what is shown to a file, with all its columns",
	"h, ?    show this page",
	"q       go back, or quit; Escape only goes back",
};

void browse_begin(struct browse *b, const char *filter)
{
	b->filter = filter ? xformat("%s", filter) : NULL;
	b->row = 0;
}

void browse_add(void *browse, const struct row_batch *batch)
{
	struct browse *b = browse;

	if (b->calls)
		calls_view_add(b->calls, batch);
	else if (b->inside)
		listing_add(b->inside, batch);
	else
		view_add(b->view, batch);
}

const struct row_taker browse_taker = { .take = browse_add, .columns = ROW_EVENTS };

void browse_finish(struct browse *b)
{
	if (b->calls)
		calls_view_finish(b->calls);
}

void browse_forget_callers(struct browse *b)
{
	if (b->calls)
		calls_view_forget_callers(b->calls);
}

static void help_grid(struct grid *g)
{
	size_t i;

	grid_column(g, GRID_TAIL, "", "", -1);
	for (i = 0; i < sizeof(help_lines) / sizeof(help_lines[0]); i++)
		grid_cell(g, help_lines[i]);
}

/* Fill @g with the function; the first time select its hottest instruction. */
static void inside_grid(struct browse *b, struct grid *g)
{
	size_t hottest;
	char *where;

	if (!listing_grid(b->inside, g, &hottest)) {
		where = xformat("%s", b->where);
		clean_name(where, "");
		grid_above(g, xformat("# no sample in %s yet\n", where));
		free(where);
	} else if (b->entered) {
		b->row = hottest;
		b->entered = false;
	}
}

/*
 * Where the numbers of a text of annotate end, or 0: with the last line of its heading.  @rows is set
 * to the line below.
 */
static size_t numbers_end(const char *text, const char **rows)
{
	size_t end = 0, len;

	for (*rows = text; **rows == '#'; *rows += len + ((*rows)[len] == '\n')) {
		len = strcspn(*rows, "\n");
		end = len;
	}
	return end;
}

/* Add a line whose numbers have @numbers characters. */
static void text_line(struct grid *g, const char *line, size_t numbers)
{
	char *left;

	if (numbers && *line == '#') {
		grid_skip(g);
	} else if (numbers) {
		numbers = strnlen(line, numbers);
		left = xstrndup(line, numbers);
		/* The column begins behind a gap. */
		grid_cell(g, left + strnlen(left, GRID_GAP));
		free(left);
		line += numbers;
		line += strnlen(line, GRID_GAP);
	}
	grid_cell(g, line);
}

/* Fill @g with the text; the first time select the instruction with the highest cost. */
static void text_grid(struct browse *b, struct grid *g)
{
	const char *at = b->text;
	double most = 0, cost;
	size_t hottest = 0;
	char *end;
	size_t numbers = strcmp(b->text_verb, "annotate") ? 0 : numbers_end(b->text, &at);

	if (numbers) {
		grid_above(g, xstrndup(b->text, (size_t)(at - b->text)));
		grid_column(g, GRID_NUMBER, "", "", -1);
	}
	grid_column(g, GRID_TAIL, "", "", -1);
	while (*at) {
		size_t len = strcspn(at, "\n");
		char *line = xstrndup(at, len);

		cost = numbers ? strtod(line, &end) : 0;
		if (cost > most && *end == '%') {
			most = cost;
			hottest = grid_rows(g);
		}
		text_line(g, line, numbers);
		free(line);
		at += len + (at[len] == '\n');
	}
	if (b->entered)
		b->row = hottest;
	b->entered = false;
}

/* Add a line below the heading of the table; @text is freed. */
static void put_above(struct grid *g, char *text)
{
	char *above = g->above;

	grid_above(g, xformat("%s# %s\n", above ? above : "", text));
	free(above);
	free(text);
}

/* Say how many samples have a stack, and why the names of data sources are not there. */
static void put_notes(const struct browse *b, struct grid *g)
{
	const struct table_of *of = &b->shown->of;
	char *no_source = heading_no_source(b->rows);

	if (of->stacks)
		put_above(g, xformat("%" PRIu64 " of %" PRIu64 " sample%s ha%s a call stack", of->found,
				     of->kept, plural(of->kept), of->found == 1 ? "s" : "ve"));
	if (no_source)
		put_above(g, no_source);
}

void browse_grid(struct browse *b, struct grid *g)
{
	if (b->text)
		text_grid(b, g);
	else if (b->calls)
		calls_view_grid(b->calls, g);
	else if (b->inside)
		inside_grid(b, g);
	else
		view_grid(b->shown, g, false);
	if (!b->text && !b->calls && !b->inside)
		put_notes(b, g);
}

static const char *keys_of(const struct browse *b)
{
	if (b->calls && !b->helping)
		return "q back  h help  enter open, close  e all below  t callers, callees  w write";
	if (b->text && !b->helping)
		return "q back  h help  left, right  / find  A annotate  L layout  M mem  S sharing";
	if (b->helping || b->inside)
		return "q back  h help  / find  n N next  t calls  w write";
	return "q quit  h help  enter in  t calls  / find  s<> sort  c fold  g group  f filter";
}

static char *by_text(const struct view *v)
{
	const struct tally *t = &v->tally;
	char *text = xformat("%s", t->nr_by ? t->by[0]->name : "symbol");
	size_t i;

	for (i = 1; i < t->nr_by; i++)
		text = xappend(text, ",%s", t->by[i]->name);
	return text;
}

static char *title_of(const struct browse *b)
{
	const char *only = b->filter ? ", only " : "", *filter = b->filter ? b->filter : "";
	char *by, *title;

	if (b->text)
		return xformat("%s  %s%s%s", b->text_verb, b->what, only, filter);
	if (b->calls)
		return xformat("%s  %s  calls of %s%s%s", b->verb, b->what,
			       calls_view_symbol(b->calls), only, filter);
	if (b->inside)
		return xformat("%s  %s  code of %s%s%s", b->verb, b->what, b->where, only, filter);
	by = by_text(b->shown);
	title = xformat("%s  %s  by %s, sorted by %s%s%s", b->verb, b->what, by,
			measure_name(b->shown->sort), only, filter);
	free(by);
	return title;
}

void browse_show(struct browse *b)
{
	char *title = title_of(b);
	struct grid g = { 0 };

	if (!b->shown->limit || b->shown->limit > ROWS_SHOWN)
		b->shown->limit = b->shown->of.limit = ROWS_SHOWN;
	if (b->helping)
		help_grid(&g);
	else
		browse_grid(b, &g);
	tui_show(title, &g, keys_of(b), b->row);
	b->row = TUI_KEEP;
	free(title);
}

void browse_restart(struct browse *b)
{
	view_clear(b->view);
	view_begin(b->view, b->rows);
	if (b->inside)
		b->rows->need = NEED_PLACE;
	if (b->calls) {
		b->rows->need = NEED_STACK;
		calls_view_restart(b->calls);
	}
	if (b->calls || b->hinted)
		rows_forget(b->rows);
	b->hinted = b->calls;
	rows_restart(b->rows);
}

void browse_end(struct browse *b)
{
	browse_leave(b);
	while (b->nr_levels)
		free(b->levels[--b->nr_levels].filter);
	free(b->levels);
	free(b->filter);
	free(b->hint);
	free(b->refused);
	b->hint = b->refused = NULL;
	b->levels = NULL;
	b->filter = NULL;
}
