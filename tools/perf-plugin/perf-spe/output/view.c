// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/fields.h"
#include "analysis/filter.h"
#include "analysis/groups.h"
#include "analysis/rows.h"
#include "analysis/rows_parallel.h"
#include "analysis/tally.h"
#include "input/aux_decoder.h"
#include "output/table.h"
#include "output/view.h"
#include "util/memory.h"
#include "util/message.h"
#include "util/options.h"
#include "util/suggest.h"

static const char *const sort_names[] = {
	[SORT_COUNT] = "count", [SORT_TOTAL] = "total",
	[SORT_ISSUE] = "issue", [SORT_XLAT] = "translation",
	[SORT_SYMBOL] = "symbol",
};

_Static_assert(sizeof(sort_names) / sizeof(sort_names[0]) == SORT_SYMBOL + 1,
	       "a name for each order");

static const char *sort_word(unsigned int index)
{
	return index < sizeof(sort_names) / sizeof(sort_names[0]) ?
		sort_names[index] : NULL;
}

static bool parse_sort(const char *verb, const char *text,
		       enum group_sort *sort)
{
	char *proposal;
	size_t i;

	for (i = 0; i < sizeof(sort_names) / sizeof(sort_names[0]); i++) {
		if (!strcmp(text, sort_names[i])) {
			*sort = (enum group_sort)i;
			return true;
		}
	}
	proposal = suggest(sort_word, text, strlen(text));
	say("%s: --sort: unknown key '%s'; %s", verb, text, proposal);
	free(proposal);
	return false;
}

const char *view_sort_name(const struct view *v)
{
	return sort_names[v->sort];
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
		good = tally_by(&v->tally, verb, optarg);
		break;
	case VIEW_EVENTS:
		good = tally_events(&v->tally, verb, optarg);
		break;
	case VIEW_TEXT:
		v->text = good = true;
		break;
	default:
		return VIEW_OTHER;
	}
	return good ? VIEW_GOOD : VIEW_BAD;
}

bool view_check(const struct view *v, const char *verb)
{
	if (v->tally.nr_events && !v->tally.nr_by) {
		say("%s: --events needs --by: add it, as --by object,symbol",
		    verb);
		return false;
	}
	return true;
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
	v->groups.totals_only = v->totals_only;
	if (filter > r->need)
		r->need = filter;
}

void view_add(void *view, const struct row *row)
{
	struct view *v = view;

	if (v->tally.nr_by)
		tally_add(&v->tally, row);
	else
		groups_add(&v->groups, row);
}

static void merge(struct view *v, const struct view *from)
{
	if (v->tally.nr_by)
		tally_merge(&v->tally, &from->tally);
	else
		groups_merge(&v->groups, &from->groups);
}

/* A copy of the options, without samples */
static struct tally bare(const struct tally *t)
{
	struct tally options = *t;

	memset(&options.table, 0, sizeof(options.table));
	options.sorted = NULL;
	options.nr_sorted = 0;
	options.count = 0;
	return options;
}

void view_read(struct view *v, struct rows *r, struct sample_totals *totals)
{
	struct view *twin = xcalloc(1, sizeof(*twin));

	view_clear(v);
	*twin = *v;
	twin->tally = bare(&v->tally);
	view_begin(v, r);
	view_begin(twin, r);
	if (rows_parallel(r, view_add, v, twin, totals)) {
		merge(v, twin);
	} else {
		view_clear(v);
		view_begin(v, r);
		rows_walk(r, view_add, v, totals);
	}
	view_clear(twin);
	free(twin);
	view_finish(v, r);
}

void view_finish(struct view *v, const struct rows *r)
{
	v->of = (struct table_of){ r->resolver.session, r->kept, r->seen,
				   v->limit };
}

void view_print(struct view *v, FILE *to)
{
	if (v->tally.nr_by) {
		tally_sort(&v->tally, v->sort);
		table_tally(to, &v->tally, v->of.session, v->limit);
	} else {
		groups_sort(&v->groups, v->sort);
		table_groups(to, &v->groups, &v->of);
	}
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

bool view_symbol(const struct view *v, size_t row, const char **symbol,
		 const char **object)
{
	if (v->tally.nr_by) {
		if (row >= v->tally.nr_sorted)
			return false;
		*symbol = key_named(&v->tally, row, "symbol");
		*object = key_named(&v->tally, row, "object");
	} else {
		if (row >= v->groups.nr_sorted)
			return false;
		*symbol = v->groups.sorted[row]->place.symbol;
		*object = v->groups.sorted[row]->place.object;
	}
	return *symbol;
}

void view_clear(struct view *v)
{
	tally_clear(&v->tally);
	groups_free(&v->groups);
}

void view_move(struct view *v, struct view *to)
{
	struct tally options = bare(&v->tally);

	view_clear(to);
	*to = *v;
	v->tally = options;
	memset(&v->groups, 0, sizeof(v->groups));
}
