// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "output/text/text.h"
#include "output/tui/tui.h"
#include "util/util.h"

bool browse_filter(struct browse *b, char *text)
{
	struct filter *filter = text ? filter_parse("--filter", text) : NULL;

	if (text && !filter) {
		free(text);
		return false;
	}
	filter_free(b->rows->filter);
	b->rows->filter = filter;
	free(b->filter);
	b->filter = text;
	return true;
}

void browse_regroup(struct browse *b, const struct tally *by)
{
	view_regroup(b->view, by);
	if (b->shown != b->view)
		view_regroup(b->shown, by);
	b->row = 0;
}

/* Only the columns of a table */
static struct tally columns_of(const struct tally *t)
{
	struct tally by = { .nr_by = t->nr_by, .nr_events = t->nr_events };

	memcpy(by.by, t->by, sizeof(by.by));
	memcpy(by.event_bit, t->event_bit, sizeof(by.event_bit));
	return by;
}

/* The filter and @condition, of which each may be missing */
static char *join(const char *filter, const char *condition)
{
	if (filter && *condition)
		return xformat("(%s) and %s", filter, condition);
	return filter || *condition ? xformat("%s", filter ? filter : condition) :
				      NULL;
}

/*
 * Remember where the user is, then keep only samples for which @condition holds; ""
 * holds for all.
 */
static bool descend(struct browse *b, const char *condition)
{
	struct browse_level level = {
		columns_of(&b->shown->tally), b->shown->columns,
		b->filter ? xformat("%s", b->filter) : NULL, tui_row(),
	};

	if (!browse_filter(b, join(b->filter, condition))) {
		free(level.filter);
		return false;
	}
	b->levels = array_grow(b->levels, b->nr_levels, &b->room_levels,
			       sizeof(*b->levels));
	b->levels[b->nr_levels++] = level;
	return true;
}

/* Where the function is, @where and @object, stays. */
static void leave_views(struct browse *b)
{
	listing_free(b->inside);
	calls_view_free(b->calls);
	free(b->text);
	b->text = NULL;
	b->inside = NULL;
	b->calls = NULL;
	b->of_code = false;
}

void browse_leave(struct browse *b)
{
	leave_views(b);
	free(b->where);
	free(b->object);
	b->where = b->object = NULL;
}

static enum browse_act show_code(struct browse *b)
{
	b->inside = listing_new(b->rows, &b->shown->tally, b->where, b->object);
	b->entered = true;
	b->row = 0;
	return BROWSE_SAMPLES;
}

enum browse_act browse_ascend(struct browse *b)
{
	struct browse_level *level;

	if (b->of_code) {
		leave_views(b);
		return show_code(b);
	}
	level = &b->levels[--b->nr_levels];
	browse_leave(b);
	browse_filter(b, level->filter);
	browse_regroup(b, &level->by);
	b->view->columns = b->shown->columns = level->columns;
	b->row = level->row;
	return BROWSE_SAMPLES;
}

static bool groups_by(const struct tally *t, const char *name)
{
	size_t i;

	for (i = 0; i < t->nr_by; i++)
		if (!strcmp(t->by[i]->name, name))
			return true;
	return false;
}

/* Whether the samples shown are already of one value of this column */
static bool used(const struct browse *b, const char *name)
{
	size_t i;

	for (i = 0; i < b->nr_levels; i++)
		if (groups_by(&b->levels[i].by, name))
			return true;
	return groups_by(&b->shown->tally, name);
}

/* What tells the samples of a row apart that has no function, or NULL */
static const char *next_grouping(const struct browse *b)
{
	static const char *const names[] = { "pc", "op", "cache_line", "time" };
	size_t i;

	if (b->shown->tally.nr_by && !used(b, "symbol") && !used(b, "pc"))
		return "";
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!used(b, names[i]))
			return names[i];
	return NULL;
}

static enum browse_act enter_function(struct browse *b, const char *condition,
				      const char *symbol, const char *object)
{
	if (!descend(b, condition))
		return BROWSE_SHOW;
	b->where = xformat("%s", symbol);
	b->object = object ? xformat("%s", object) : NULL;
	return show_code(b);
}

static enum browse_act show_calls(struct browse *b, const char *symbol, const char *object)
{
	const bool of_code = b->inside;

	leave_views(b);
	b->calls = calls_view_new(symbol, object);
	b->of_code = of_code;
	b->row = 0;
	return BROWSE_SAMPLES;
}

enum browse_act browse_enter_calls(struct browse *b)
{
	const char *symbol, *object = NULL;
	enum browse_act act = BROWSE_NOTHING;
	char *condition;

	if (!b->rows->finder) {
		tui_say(b->no_stacks);
		return BROWSE_NOTHING;
	}
	if (b->inside)
		return show_calls(b, b->where, b->object);
	condition = view_condition(b->shown, tui_row());
	if (!condition)
		tui_say("no filter can name this row");
	else if (!view_symbol(b->shown, tui_row(), &symbol, &object))
		tui_say("this row has no function, so it has no callers: press g to group by symbol");
	else
		act = descend(b, condition) ? show_calls(b, symbol, object) : BROWSE_SHOW;
	free(condition);
	return act;
}

/*
 * What the verb prints for the selected row: its function or type as @argument, or the samples of
 * its cache line.  @condition and @argument are to be freed, or NULL for all that is shown.
 */
static void ask_of_row(const struct browse *b, const char *verb, char **condition,
		       struct args *arguments)
{
	const char *symbol, *object = NULL, *type;

	if (b->text)
		return;
	if (!strcmp(verb, "sharing"))
		*condition = view_key_condition(b->shown, tui_row(), "cache_line");
	type = !strcmp(verb, "layout") ? view_key(b->shown, tui_row(), "type") : NULL;
	if (type)
		args_add(arguments, type);
	if (strcmp(verb, "annotate") || !view_symbol(b->shown, tui_row(), &symbol, &object))
		return;
	if (object) {
		args_add(arguments, "--object");
		args_add(arguments, object);
	}
	args_add(arguments, symbol);
}

enum browse_act browse_enter_verb(struct browse *b, const char *verb)
{
	char *condition = NULL, *filter, *text;
	struct args arguments = { 0 };

	if (!b->rows->src.path || !strcmp(b->rows->src.path, "-")) {
		tui_say(b->rows->src.path ? "standard input cannot be read again: save the recording to a file" :
			"there is no recording: make one with perf spe record");
		return BROWSE_NOTHING;
	}
	ask_of_row(b, verb, &condition, &arguments);
	filter = join(b->filter, condition ? condition : "");
	tui_say("reading the samples");
	text = verb_text(b->rows, verb, filter, &arguments);
	if (!*text) {
		free(text);
		text = tui_errors_take_list();
	}
	args_free(&arguments);
	free(filter);
	if (text && (b->text || descend(b, condition ? condition : ""))) {
		free(b->text);
		b->text = text;
		b->text_verb = verb;
		b->row = 0;
		b->entered = true;
	} else {
		free(text);
	}
	free(condition);
	tui_say("");
	return BROWSE_SHOW;
}

bool browse_parse_by(const struct browse *b, const char *list,
		     struct tally *by)
{
	memset(by, 0, sizeof(*by));
	if (!*list)
		return true;
	*by = columns_of(&b->shown->tally);
	return tally_by(by, b->verb, list);
}

static enum browse_act enter_group(struct browse *b, const char *condition)
{
	const char *next = next_grouping(b);
	struct tally by;

	if (!next) {
		tui_say("the samples of this row do not differ further");
		return BROWSE_NOTHING;
	}
	if (!browse_parse_by(b, next, &by) || !descend(b, condition))
		return BROWSE_SHOW;
	browse_regroup(b, &by);
	return BROWSE_SAMPLES;
}

void browse_hint(struct browse *b)
{
	if (b->hint)
		tui_say(b->hint);
	free(b->hint);
	b->hint = NULL;
}

static void hint_of(struct browse *b, const char *object)
{
	enum dso_lack lack = object ? symbols_lack(&b->rows->symbols, object) :
				      LACK_NOTHING;
	const char *slash = object ? strrchr(object, '/') : NULL;

	free(b->hint);
	b->hint = NULL;
	object = slash ? slash + 1 : object;
	if (lack == LACK_WHICH)
		b->hint = xformat("no symbols: several files had the name %s: record with --buildid-mmap",
				  object);
	else if (lack != LACK_NOTHING)
		b->hint = xformat("no symbols: %s %s: point --symfs at a copy", object,
				  lack == LACK_FILE ? "is not here" :
				  lack == LACK_DELETED ? "was deleted or replaced while it ran" :
							 "has another build id here");
}

enum browse_act browse_enter(struct browse *b)
{
	const char *symbol, *object = NULL;
	char *condition = view_condition(b->shown, tui_row());
	enum browse_act act;

	if (!condition) {
		tui_say("no filter can name this row");
		return BROWSE_NOTHING;
	}
	if (view_symbol(b->shown, tui_row(), &symbol, &object))
		act = enter_function(b, condition, symbol, object);
	else
		act = enter_group(b, condition);
	if (act == BROWSE_SAMPLES && !b->inside)
		hint_of(b, object);
	free(condition);
	return act;
}
