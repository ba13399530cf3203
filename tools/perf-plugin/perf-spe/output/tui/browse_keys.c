// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/groups/groups.h"
#include "analysis/stats/stats.h"
#include "output/text/text.h"
#include "output/tui/tui.h"
#include "util/util.h"

#define ESCAPE		27

/* The key g cycles through these; "" is by symbol, as without --by. */
static const char *const groupings[] = {
	"", "comm", "cpu", "op", "source_name", "symbol,op", "object,pc",
	"cache_line", "data_symbol", "type", "tid", "source_line",
};

#define NR_GROUPINGS (sizeof(groupings) / sizeof(groupings[0]))

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

/* Keep @text, which is wrong, so that the user can correct it; NULL: nothing is wrong. */
static void keep_refused(struct browse *b, const char *text)
{
	free(b->refused);
	b->refused = text ? xformat("%s", text) : NULL;
}

static enum browse_act ask_filter(struct browse *b)
{
	char text[1024];
	bool any;

	snprintf(text, sizeof(text), "%s", b->refused ? b->refused : b->filter ? b->filter : "");
	keep_refused(b, NULL);
	if (!tui_ask("filter: ", text, sizeof(text)))
		return BROWSE_SHOW;
	any = text[strspn(text, " ")];
	if (!browse_filter(b, any ? xformat("%s", text) : NULL)) {
		keep_refused(b, text);
		return BROWSE_SHOW;
	}
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

/* Write the table, with the columns that are folded, or the function to a new file. */
static enum browse_act write_shown(struct browse *b)
{
	const bool folded = b->shown->folded;
	char path[512] = "", *done;
	struct grid g = { 0 };
	struct output *out;

	if (!tui_ask("write to file: ", path, sizeof(path)) || !*path)
		return BROWSE_SHOW;
	if (output_is_standard(path)) {
		say("standard output is this terminal: name a file");
		return BROWSE_SHOW;
	}
	if (!access(path, F_OK)) {
		say("cannot create %s: %s; name another file", path, strerror(EEXIST));
		return BROWSE_SHOW;
	}
	out = output_begin(b->verb, path);
	if (!out)
		return BROWSE_SHOW;
	b->shown->folded = false;
	browse_grid(b, &g);
	b->shown->folded = folded;
	grid_print(&g, g.nr_columns, 0, out->to);
	done = xformat("wrote %zu row%s to %s", grid_rows(&g), plural(grid_rows(&g)), path);
	grid_free(&g);
	if (!output_end(out, true)) {
		free(done);
		return BROWSE_SHOW;
	}
	browse_show(b);
	tui_say(done);
	free(done);
	return BROWSE_NOTHING;
}

static enum browse_act back(struct browse *b, int key)
{
	if (b->helping) {
		b->helping = false;
		b->row = b->help_row;
		return BROWSE_SHOW;
	}
	if (b->nr_levels)
		return browse_ascend(b);
	return key == 'q' ? BROWSE_QUIT : BROWSE_NOTHING;
}

/* Other verbs, whose output the user sees instead of the table */
static const struct {
	int key;
	const char *verb;
} views[] = {
	{ 'A', "annotate" }, { 'L', "layout" }, { 'M', "mem" }, { 'S', "sharing" },
};

/* The verb that @key shows; NULL: none */
static const char *view_of(int key)
{
	size_t i;

	for (i = 0; i < sizeof(views) / sizeof(views[0]); i++)
		if (views[i].key == key)
			return views[i].verb;
	return NULL;
}

/* Say that the key does nothing in what is shown. */
static enum browse_act useless(int key)
{
	if (view_of(key) || strchr("s<>cgbf", key))
		tui_say("this key works in the table only: press q to go back");
	else
		tui_say("this key does nothing here: press h for the keys");
	return BROWSE_NOTHING;
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
		return useless(key);
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
		return useless(key);
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
	if ((key == 'h' || key == '?') && !b->helping) {
		b->helping = true;
		b->help_row = tui_row();
		b->row = 0;
		return BROWSE_SHOW;
	}
	if (key == 'w' && !b->helping)
		return write_shown(b);
	if (b->helping)
		return BROWSE_NOTHING;
	if (!b->calls && !b->inside && view_of(key))
		return browse_enter_verb(b, view_of(key));
	if (b->text)
		return useless(key);
	if (b->calls)
		return take_calls_key(b, key);
	if (key == 't')
		return browse_enter_calls(b);
	if (b->inside)
		return useless(key);
	return take_key(b, key);
}
