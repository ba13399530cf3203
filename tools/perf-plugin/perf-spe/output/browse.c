// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fields.h"
#include "analysis/filter.h"
#include "analysis/groups.h"
#include "analysis/tally.h"
#include "output/browse.h"
#include "output/listing.h"
#include "output/tui.h"
#include "output/view.h"
#include "util/memory.h"
#include "util/message.h"

/* More rows than a user scrolls through */
#define ROWS_SHOWN	2000

/* The key g cycles through these; "" is by symbol, as without --by. */
static const char *const groupings[] = {
	"", "comm", "cpu", "op", "source_name", "symbol,op", "object,pc",
	"cache_line",
};

#define NR_GROUPINGS (sizeof(groupings) / sizeof(groupings[0]))

static const char help_text[] =
	"#\n"
	"up, down, page up, page down, space, home, end   select another row\n"
	"left, right   show other columns\n"
	"enter   show the code of the row's function with its samples\n"
	"s       sort by the next of count, total, issue, translation, name\n"
	"g       group by the next of symbol, comm, cpu, op, source_name, symbol and op,\n"
	"        object and pc, cache_line\n"
	"b       group by one or two columns that you type, as source_line or comm,symbol\n"
	"f       set a filter, as total > 200 and op == load; an empty filter shows all\n"
	"h, ?    show this page\n"
	"q       go back, or quit\n";

void browse_add(void *browse, const struct row *row)
{
	struct browse *b = browse;

	if (b->inside)
		listing_add(b->inside, row);
	else
		view_add(b->view, row);
}

static void print_page(struct browse *b, FILE *to)
{
	if (b->helping)
		fputs(help_text, to);
	else if (!b->inside)
		view_print(b->shown, to);
	else if (!listing_print(b->inside, to))
		fprintf(to, "# no sample in %s yet\n", b->where);
}

static char *by_text(const struct view *v)
{
	const struct tally *t = &v->tally;

	if (!t->nr_by)
		return xformat("symbol");
	return t->nr_by == 1 ? xformat("%s", t->by[0]->name) :
			       xformat("%s,%s", t->by[0]->name, t->by[1]->name);
}

static char *title_of(const struct browse *b)
{
	char *by = by_text(b->shown), *title;

	title = xformat("%s  %s  by %s, sorted by %s%s%s", b->verb,
			b->what, by, view_sort_name(b->shown),
			b->filter[0] ? ", only " : "", b->filter);
	free(by);
	return title;
}

void browse_show(struct browse *b)
{
	char *title = title_of(b), *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		exit(EXIT_INPUT);
	if (!b->shown->limit || b->shown->limit > ROWS_SHOWN)
		b->shown->limit = b->shown->of.limit = ROWS_SHOWN;
	print_page(b, to);
	fclose(to);
	tui_show(title, text, b->helping || b->inside ? "q back  h help" :
		 "enter code  s sort  g group  b by  f filter  h help  q quit",
		 b->helping ? 2 : b->inside ? 1 : 0);
	free(text);
	free(title);
}

void browse_restart(struct browse *b)
{
	view_clear(b->view);
	view_begin(b->view, b->rows);
	if (b->inside)
		b->rows->need = NEED_PLACE;
	b->rows->seen = b->rows->kept = 0;
}

static void leave(struct browse *b)
{
	listing_free(b->inside);
	free(b->where);
	b->inside = NULL;
	b->where = NULL;
}

static enum browse_act enter(struct browse *b)
{
	const char *symbol, *object;

	if (!view_symbol(b->shown, tui_row(), &symbol, &object)) {
		tui_say("this row has no function: press g to group by symbol");
		return BROWSE_NOTHING;
	}
	b->where = xformat("%s", symbol);
	b->inside = listing_new(b->rows, &b->shown->tally, symbol, object);
	return BROWSE_SAMPLES;
}

static enum browse_act group_by(struct browse *b, const char *list)
{
	struct tally by = { 0 };

	if (*list && !tally_by(&by, b->verb, list))
		return BROWSE_SHOW;
	view_clear(b->view);
	view_clear(b->shown);
	b->view->tally = b->shown->tally = by;
	return BROWSE_SAMPLES;
}

static enum browse_act ask_by(struct browse *b)
{
	char text[128] = "";

	if (!tui_ask("columns: ", text, sizeof(text)))
		return BROWSE_SHOW;
	return group_by(b, text);
}

static enum browse_act ask_filter(struct browse *b)
{
	struct filter *filter = NULL;
	char text[sizeof(b->filter)];

	memcpy(text, b->filter, sizeof(text));
	if (!tui_ask("filter: ", text, sizeof(text)))
		return BROWSE_SHOW;
	if (text[strspn(text, " ")]) {
		filter = filter_parse("filter", text);
		if (!filter)
			return BROWSE_SHOW;
	} else {
		text[0] = '\0';
	}
	filter_free(b->rows->filter);
	b->rows->filter = filter;
	memcpy(b->filter, text, sizeof(text));
	return BROWSE_SAMPLES;
}

static enum browse_act back(struct browse *b)
{
	if (b->helping) {
		b->helping = false;
		return BROWSE_SHOW;
	}
	if (!b->inside)
		return BROWSE_QUIT;
	leave(b);
	return BROWSE_SAMPLES;
}

enum browse_act browse_key(struct browse *b, int key)
{
	if (key == TUI_LEFT)
		return BROWSE_QUIT;
	if (key == 'q')
		return back(b);
	if (key == 'h' || key == '?') {
		b->helping = true;
		return BROWSE_SHOW;
	}
	if (b->helping || b->inside)
		return BROWSE_NOTHING;
	switch (key) {
	case 's':
		b->view->sort = (b->view->sort + 1) % (SORT_SYMBOL + 1);
		b->shown->sort = b->view->sort;
		return BROWSE_SHOW;
	case 'g':
		b->group = (b->group + 1) % NR_GROUPINGS;
		return group_by(b, groupings[b->group]);
	case 'b':
		return ask_by(b);
	case 'f':
		return ask_filter(b);
	case TUI_ENTER:
		return enter(b);
	default:
		return BROWSE_NOTHING;
	}
}

void browse_end(struct browse *b)
{
	leave(b);
}
