// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "input/input.h"
#include "output/text/text.h"
#include "util/util.h"

const char *view_sort_word(unsigned int index)
{
	return index <= MEASURE_NAME ? measure_name((enum measure)index) : NULL;
}

/*
 * The keys "total", "issue" and "translation" of older versions sorted by the
 * mean.  They could as well be the sum.
 */
static bool say_ambiguous(const char *verb, const char *text)
{
	if (!strcmp(text, "total"))
		say("%s: --sort: 'total' is ambiguous; choose cycles (the sum of the total latency) or mean",
		    verb);
	else if (!strcmp(text, "issue") || !strcmp(text, "translation"))
		say("%s: --sort: '%s' is ambiguous; choose %s-cycles (the sum of this latency) or %s-mean",
		    verb, text, text, text);
	else
		return false;
	return true;
}

/*
 * perf report --sort takes the columns that --by has, beside keys such as overhead.  Whether @list
 * has some of these columns
 */
static bool say_columns(const char *verb, const char *list)
{
	char *theirs = NULL, *own = NULL;
	size_t len;

	for (; *list; list += len + (list[len] == ',')) {
		const struct perf_name *perf;

		len = strcspn(list, ",");
		perf = field_find(list, len) ? NULL : perf_name_find(PERF_COLUMN, list, len);
		if (!perf && !field_find(list, len))
			continue;
		theirs = xappend(theirs, "%s%.*s", theirs ? "," : "", (int)len, list);
		own = xappend(own, "%s%.*s", own ? "," : "", perf ? (int)strlen(perf->ours) : (int)len,
			      perf ? perf->ours : list);
	}
	if (own)
		say("%s: --sort orders the rows, and '%s' is what rows can stand for: give --by %s, and --sort symbol to sort by that",
		    verb, theirs, own);
	free(theirs);
	free(own);
	return own;
}

/* The column of an event is a share: sorted by it, rows with one sample would come first. */
static bool say_event(const char *verb, const char *text)
{
	const bool event = words_have(vocabulary_event_word, text, strlen(text));

	if (event)
		say("%s: --sort: '%s' is an event, and events are no keys; for the rows with most of its samples give --filter 'events has %s' --sort count",
		    verb, text, text);
	return event;
}

static bool parse_sort(const char *verb, const char *text, enum measure *sort)
{
	char *proposal;
	unsigned int i;

	for (i = 0; i <= MEASURE_NAME; i++) {
		if (!strcmp(text, view_sort_word(i))) {
			*sort = (enum measure)i;
			return true;
		}
	}
	if (say_ambiguous(verb, text) || say_columns(verb, text) || say_event(verb, text))
		return false;
	proposal = suggest(view_sort_word, text, strlen(text));
	say("%s: --sort: unknown key '%s'; %s", verb, text, proposal);
	free(proposal);
	return false;
}

enum view_taken view_take(struct view *v, const char *verb, int option)
{
	bool good;

	switch (option) {
	case 's':
		good = parse_sort(verb, optarg, &v->sort);
		break;
	case VIEW_LIMIT:
		good = parse_count(verb, "limit", optarg, &v->limit);
		break;
	case VIEW_BY:
		good = tally_once(verb, "--by", v->tally.nr_by) &&
		       tally_by(&v->tally, verb, optarg);
		break;
	case VIEW_EVENTS:
		good = tally_once(verb, "--events", v->tally.nr_events) &&
		       tally_events(&v->tally, verb, optarg);
		break;
	case VIEW_COLUMNS:
		good = tally_once(verb, "--columns", v->columns_text);
		v->columns_text = optarg;
		break;
	case VIEW_CI:
		v->ci = good = true;
		break;
	case VIEW_TEXT:
		v->text = good = true;
		break;
	default:
		return VIEW_OTHER;
	}
	return good ? VIEW_GOOD : VIEW_BAD;
}

bool view_check(struct view *v, const char *verb)
{
	if (v->tally.nr_events && !v->tally.nr_by) {
		say("%s: --events needs --by: add it, for example --by object,symbol",
		    verb);
		return false;
	}
	return !v->columns_text ||
	       columns_parse(&v->columns, verb, &v->tally, v->columns_text);
}

enum field_need view_need(const struct view *v)
{
	if (v->tally.nr_by)
		return tally_need(&v->tally);
	return v->totals_only ? NEED_OWNER : NEED_PLACE;
}

void view_begin(struct view *v, struct rows *r)
{
	enum field_need filter = r->filter ? filter_need(r->filter) :
					     NEED_RECORD;

	r->need = view_need(v);
	r->names_sources = tally_names_sources(&v->tally);
	v->groups.totals_only = v->totals_only;
	v->groups.precise = v->tally.precise = v->ci;
	/* Whether a sample has a stack depends on its place, whatever the columns are. */
	if (r->finder && r->need < NEED_PLACE)
		r->need = NEED_PLACE;
	if (filter > r->need)
		r->need = filter;
}

void view_add(void *view, const struct row_batch *b)
{
	struct view *v = view;

	if (v->tally.nr_by)
		tally_add(&v->tally, b);
	else
		groups_add(&v->groups, b);
}

static void merge(void *whole, void *part)
{
	struct view *v = whole, *from = part;

	if (v->tally.nr_by)
		tally_merge(&v->tally, &from->tally);
	else
		groups_merge(&v->groups, &from->groups);
}

static void part_begin(void *part, const void *like)
{
	const struct view *options = like;
	struct view *v = part;

	if (part == like) {
		view_clear(v);
	} else {
		*v = *options;
		v->tally = tally_bare(&options->tally);
	}
	v->groups.totals_only = v->totals_only;
	v->groups.precise = v->ci;
}

static void part_free(void *part)
{
	view_clear(part);
}

void view_read(struct view *v, struct rows *r, struct sample_totals *totals)
{
	static const struct row_parts parts = {
		sizeof(struct view), part_begin, merge, part_free,
	};
	const struct row_taker taker = {
		.take = view_add, .columns = tally_columns(&v->tally),
	};

	view_begin(v, r);
	rows_read(r, &taker, v, &parts, totals);
	view_finish(v, r);
}

void view_finish(struct view *v, const struct rows *r)
{
	v->of = (struct table_of){ r->resolver.session, r->kept, r->seen,
				   v->limit, r->finder, r->stack_count[STACK_FOUND] };
}

void view_columns(const struct view *v, struct columns *c)
{
	*c = v->columns;
	if (!v->columns_text)
		columns_usual(c, &v->tally);
	if (v->folded)
		columns_fold(c);
	c->intervals = v->ci;
}

/* What the samples are of, for the intervals */
static void set_population(const struct view *v, struct measured_all *sum)
{
	sum->seen = v->of.records;
	sum->chosen = v->of.session && spe_event_chosen(v->of.session);
}

/* Sort the rows, and find the columns. */
static void sort(struct view *v, struct columns *c)
{
	view_columns(v, c);
	if (v->tally.nr_by) {
		tally_sort(&v->tally, v->sort);
		set_population(v, &v->tally.sum);
	} else {
		groups_sort(&v->groups, v->sort);
		set_population(v, &v->groups.sum);
	}
}

void view_grid(struct view *v, struct grid *g, bool piped)
{
	struct columns c;

	sort(v, &c);
	if (piped)
		c.nr = c.piped;
	if (v->tally.nr_by)
		table_tally(g, &c, &v->tally, v->of.session, v->limit);
	else
		table_groups(g, &c, &v->groups, &v->of);
}

void view_data(struct view *v, struct data *d)
{
	struct columns c;

	sort(v, &c);
	data_number(d, "samples", v->of.kept);
	data_number(d, "records", v->of.records);
	data_table(d, "rows");
	if (v->tally.nr_by)
		table_tally_data(d, &c, &v->tally, v->limit);
	else
		table_groups_data(d, &c, &v->groups, v->limit);
	data_table_end(d);
}

void view_print(struct view *v, FILE *to)
{
	size_t width = terminal_width(to);
	struct grid_window w = { 0 };
	struct grid g = { 0 };

	view_grid(v, &g, !width);
	w.count = g.nr_columns;
	if (width && !v->columns_text) {
		grid_layout(&g, width);
		grid_fit(&g, &w, width);
	}
	grid_print(&g, w.count, width, to);
	grid_free(&g);
}

void view_regroup(struct view *v, const struct tally *by)
{
	view_clear(v);
	v->tally = *by;
	columns_regroup(&v->columns, by);
}

/* The text of a row's key in the column @name, or NULL */
static const char *key_named(const struct tally *t, size_t row,
			     const char *name)
{
	size_t i;

	for (i = 0; i < t->nr_by; i++)
		if (!strcmp(t->by[i]->name, name) &&
		    t->sorted[row]->key[i].present)
			return t->sorted[row]->key[i].text;
	return NULL;
}

static size_t view_rows(const struct view *v)
{
	return v->tally.nr_by ? v->tally.nr_sorted : v->groups.nr_sorted;
}

bool view_symbol(const struct view *v, size_t row, const char **symbol,
		 const char **object)
{
	if (row >= view_rows(v))
		return false;
	if (v->tally.nr_by) {
		*symbol = key_named(&v->tally, row, "symbol");
		*object = key_named(&v->tally, row, "object");
	} else {
		*symbol = v->groups.sorted[row]->place.symbol;
		*object = v->groups.sorted[row]->place.object;
	}
	return *symbol;
}

/* "NAME == 'TEXT'", or NULL if no quotes can hold the text */
static char *is_text(const char *name, const char *text)
{
	char quote = strchr(text, '\'') ? '"' : '\'';

	return strchr(text, quote) ? NULL :
		xformat("%s == %c%s%c", name, quote, text, quote);
}

static char *key_condition(const struct field *field,
			   const struct tally_key *key)
{
	if (!key->present)
		return xformat("not %s", field->name);
	if (field->kind == FIELD_TEXT)
		return is_text(field->name, key->text);
	return xformat(field->kind == FIELD_ADDRESS ? "%s == 0x%" PRIx64 : "%s == %" PRIu64,
		       field->name, key->number);
}

/* "A and B", of which NULL spoils both and "" adds nothing; frees them. */
static char *both(char *a, char *b)
{
	char *text = a && b ? xformat("%s%s%s", a, *a && *b ? " and " : "", b) :
			      NULL;

	free(a);
	free(b);
	return text;
}

const char *view_key(const struct view *v, size_t row, const char *name)
{
	return v->tally.nr_by && row < view_rows(v) ? key_named(&v->tally, row, name) : NULL;
}

char *view_key_condition(const struct view *v, size_t row, const char *name)
{
	const struct tally *t = &v->tally;
	size_t i;

	for (i = 0; t->nr_by && row < view_rows(v) && i < t->nr_by; i++)
		if (!strcmp(t->by[i]->name, name) && t->sorted[row]->key[i].present)
			return key_condition(t->by[i], &t->sorted[row]->key[i]);
	return NULL;
}

static char *place_condition(const struct place *place)
{
	if (!place->has_address)
		return xformat("not pc");
	if (place->address)
		return xformat("pc == 0x%" PRIx64, place->address);
	return both(xformat("not symbol"), is_text("object", place->object));
}

char *view_condition(const struct view *v, size_t row)
{
	const struct tally *t = &v->tally;
	const char *symbol, *object;
	bool function = view_symbol(v, row, &symbol, &object);
	char *text = xformat("%s", "");
	size_t i;

	if (row >= view_rows(v) || (!t->nr_by && function))
		return text;
	if (!t->nr_by)
		return both(text, place_condition(&v->groups.sorted[row]->place));
	for (i = 0; i < t->nr_by; i++)
		if (!function || (strcmp(t->by[i]->name, "symbol") &&
				  strcmp(t->by[i]->name, "object")))
			text = both(text, key_condition(t->by[i],
							&t->sorted[row]->key[i]));
	return text;
}

void view_clear(struct view *v)
{
	tally_clear(&v->tally);
	groups_free(&v->groups);
}

void view_move(struct view *v, struct view *to)
{
	struct tally options = tally_bare(&v->tally);

	view_clear(to);
	*to = *v;
	v->tally = options;
	memset(&v->groups, 0, sizeof(v->groups));
}
