// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure.h"
#include "analysis/tally.h"
#include "output/browse.h"
#include "output/browse_levels.h"
#include "output/calls_view.h"
#include "output/columns.h"
#include "output/grid.h"
#include "output/listing.h"
#include "output/tui.h"
#include "output/view.h"
#include "util/memory.h"
#include "util/message.h"
#include "util/plural.h"

/* More rows than a user scrolls through */
#define ROWS_SHOWN	2000

#define ESCAPE		27

/* The key g cycles through these; "" is by symbol, as without --by. */
static const char *const groupings[] = {
	"", "comm", "cpu", "op", "source_name", "symbol,op", "object,pc",
	"cache_line",
};

#define NR_GROUPINGS (sizeof(groupings) / sizeof(groupings[0]))

static const char *const help_lines[] = {
	"up, down, page up, page down, space, home, end, mouse   select another row",
	"left, right   move by a column",
	"enter   into the row: the code of its function, or if it has none, its",
	"        samples by symbol, address or operation",
	"t       the tree of the function's callers, if there are call stacks;",
	"        there: enter expands or collapses a row, e all below it, t goes on to",
	"        what the function called and back",
	"/       find a row that contains a text; n the next one, N the previous",
	"s       sort by the next of cost, count, mean, issue-mean,",
	"        translation-mean, name",
	"<, >    sort by the column before or after",
	"c       fold the columns of latencies, and unfold them",
	"g       group by the next of symbol, comm, cpu, op, source_name,",
	"        symbol and op, object and pc, cache_line",
	"b       group by columns that you type, as comm,cpu,symbol",
	"f       set a filter, as total > 200 and op == load; empty: all samples",
	"w       write what is shown to a file, with all its columns",
	"h, ?    show this page",
	"q       go back, or quit; Escape only goes back",
};

void browse_begin(struct browse *b, const char *filter)
{
	b->filter = filter ? xformat("%s", filter) : NULL;
	b->row = 0;
}

void browse_add(void *browse, const struct row *row)
{
	struct browse *b = browse;

	if (b->calls)
		calls_view_add(b->calls, row);
	else if (b->inside)
		listing_add(b->inside, row);
	else
		view_add(b->view, row);
}

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

	if (!listing_grid(b->inside, g, &hottest)) {
		grid_above(g, xformat("# no sample in %s yet\n", b->where));
	} else if (b->entered) {
		b->row = hottest;
		b->entered = false;
	}
}

/* Say below the heading of the table how many samples have a stack. */
static void put_stacks(const struct table_of *of, struct grid *g)
{
	char *above = g->above;

	g->nr_above = 0;
	grid_above(g, xformat("%s# %" PRIu64 " of %" PRIu64 " sample%s ha%s a call stack\n",
			      above ? above : "", of->found, of->kept, plural(of->kept),
			      of->found == 1 ? "s" : "ve"));
	free(above);
}

/* Fill @g with what is shown, but for the help. */
static void shown_grid(struct browse *b, struct grid *g)
{
	if (b->calls)
		calls_view_grid(b->calls, g);
	else if (b->inside)
		inside_grid(b, g);
	else
		view_grid(b->shown, g, false);
	if (!b->calls && !b->inside && b->shown->of.stacks)
		put_stacks(&b->shown->of, g);
}

static const char *keys_of(const struct browse *b)
{
	if (b->calls && !b->helping)
		return "q back  h help  enter open, close  e all below  t callers, callees  w write";
	if (b->helping || b->inside)
		return "q back  h help  / find  n N next  t calls  w write";
	return "q quit  h help  enter in  t calls  / find  s<> sort  c fold  g group  f filter";
}

static char *by_text(const struct view *v)
{
	const struct tally *t = &v->tally;
	char *text = xformat("%s", t->nr_by ? t->by[0]->name : "symbol");
	size_t i;

	for (i = 1; i < t->nr_by; i++) {
		char *longer = xformat("%s,%s", text, t->by[i]->name);

		free(text);
		text = longer;
	}
	return text;
}

static char *title_of(const struct browse *b)
{
	char *by = by_text(b->shown), *title;

	title = xformat("%s  %s  by %s, sorted by %s%s%s", b->verb,
			b->what, by, measure_name(b->shown->sort),
			b->filter ? ", only " : "", b->filter ? b->filter : "");
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
		shown_grid(b, &g);
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
	/* Each view says how many samples have a stack, which depends on their place. */
	if (b->rows->finder && b->rows->need < NEED_PLACE)
		b->rows->need = NEED_PLACE;
	rows_restart(b->rows);
}

static enum browse_act group_by(struct browse *b, const char *list)
{
	struct tally by;

	if (!browse_parse_by(b, list, &by))
		return BROWSE_SHOW;
	browse_regroup(b, &by);
	return BROWSE_SAMPLES;
}

static enum browse_act ask_by(struct browse *b)
{
	char text[256] = "";

	if (!tui_ask("columns: ", text, sizeof(text)))
		return BROWSE_SHOW;
	return group_by(b, text);
}

static enum browse_act ask_filter(struct browse *b)
{
	char text[1024];
	bool any;

	snprintf(text, sizeof(text), "%s", b->filter ? b->filter : "");
	if (!tui_ask("filter: ", text, sizeof(text)))
		return BROWSE_SHOW;
	any = text[strspn(text, " ")];
	if (!browse_filter(b, any ? xformat("%s", text) : NULL))
		return BROWSE_SHOW;
	b->row = 0;
	return BROWSE_SAMPLES;
}

static enum browse_act sort_by(struct browse *b, enum measure sort)
{
	b->view->sort = b->shown->sort = sort;
	b->row = 0;
	browse_show(b);
	tui_reveal((int)sort);
	return BROWSE_NOTHING;
}

static enum browse_act sort_next(struct browse *b)
{
	static const enum measure next[] = {
		MEASURE_COST, MEASURE_COUNT, MEASURE_MEAN, MEASURE_ISSUE_MEAN,
		MEASURE_XLAT_MEAN, MEASURE_NAME,
	};
	const size_t count = sizeof(next) / sizeof(next[0]);
	size_t i;

	for (i = 0; i < count && next[i] != b->shown->sort; i++)
		;
	return sort_by(b, next[i < count ? (i + 1) % count : 0]);
}

/* Sort by the column of numbers that is @step (1, -1) from the current one. */
static enum browse_act sort_beside(struct browse *b, int step)
{
	enum measure shown[NR_MEASURES];
	struct columns c;
	int i, nr = 0, at = -1;

	view_columns(b->shown, &c);
	for (i = 0; i < (int)c.nr; i++) {
		if (c.list[i].kind != COLUMN_MEASURE)
			continue;
		if (c.list[i].index == b->shown->sort)
			at = nr;
		shown[nr++] = (enum measure)c.list[i].index;
	}
	if (!nr)
		return BROWSE_NOTHING;
	at = at < 0 ? 0 : at + step;
	return sort_by(b, shown[at < 0 ? 0 : at < nr ? at : nr - 1]);
}

static enum browse_act fold(struct browse *b)
{
	b->view->folded = b->shown->folded = !b->shown->folded;
	return BROWSE_SHOW;
}

/* Write the table or the function to a new file. */
static enum browse_act write_shown(struct browse *b)
{
	char path[512] = "", *done;
	struct grid g = { 0 };
	FILE *to;
	bool bad;

	if (!tui_ask("write to file: ", path, sizeof(path)) || !*path)
		return BROWSE_SHOW;
	to = fopen(path, "wxe");
	if (!to) {
		say("cannot create %s: %s; name another file", path, strerror(errno));
		return BROWSE_SHOW;
	}
	shown_grid(b, &g);
	grid_print(&g, g.nr_columns, 0, to);
	bad = ferror(to);
	bad |= fclose(to) != 0;
	done = bad ? xformat("cannot write to %s: free space on the disk", path) :
		     xformat("wrote %zu row%s to %s", grid_rows(&g),
			     plural(grid_rows(&g)), path);
	grid_free(&g);
	browse_show(b);
	tui_say(done);
	free(done);
	return BROWSE_NOTHING;
}

static enum browse_act back(struct browse *b, int key)
{
	if (b->helping) {
		b->helping = false;
		return BROWSE_SHOW;
	}
	if (b->nr_levels)
		return browse_ascend(b);
	return key == 'q' ? BROWSE_QUIT : BROWSE_NOTHING;
}

static enum browse_act take_key(struct browse *b, int key)
{
	switch (key) {
	case 's':
		return sort_next(b);
	case '<':
	case '>':
		return sort_beside(b, key == '>' ? 1 : -1);
	case 'c':
		return fold(b);
	case 'g':
		b->group = (b->group + 1) % NR_GROUPINGS;
		return group_by(b, groupings[b->group]);
	case 'b':
		return ask_by(b);
	case 'f':
		return ask_filter(b);
	case TUI_ENTER:
		return browse_enter(b);
	default:
		return BROWSE_NOTHING;
	}
}

static enum browse_act take_calls_key(struct browse *b, int key)
{
	if (key == 't') {
		calls_view_turn(b->calls);
		b->row = 0;
		return BROWSE_SAMPLES;
	}
	if (key == 'e')
		calls_view_toggle_all(b->calls, tui_row());
	else if (key != TUI_ENTER)
		return BROWSE_NOTHING;
	else if (!calls_view_toggle(b->calls, tui_row()))
		tui_say("nothing is below this row");
	else
		return BROWSE_SHOW;
	return key == 'e' ? BROWSE_SHOW : BROWSE_NOTHING;
}

enum browse_act browse_key(struct browse *b, int key)
{
	if (key == TUI_LEFT)
		return BROWSE_QUIT;
	if (key == 'q' || key == ESCAPE)
		return back(b, key);
	if (key == 'h' || key == '?') {
		b->helping = true;
		return BROWSE_SHOW;
	}
	if (key == 'w' && !b->helping)
		return write_shown(b);
	if (b->helping)
		return BROWSE_NOTHING;
	if (b->calls)
		return take_calls_key(b, key);
	if (key == 't')
		return browse_enter_calls(b);
	if (b->inside)
		return BROWSE_NOTHING;
	return take_key(b, key);
}

void browse_end(struct browse *b)
{
	browse_leave(b);
	while (b->nr_levels)
		free(b->levels[--b->nr_levels].filter);
	free(b->levels);
	free(b->filter);
	free(b->hint);
	b->hint = NULL;
	b->levels = NULL;
	b->filter = NULL;
}
