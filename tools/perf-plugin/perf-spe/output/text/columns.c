// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/groups/groups.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "armspe.h"
#include "output/text/text.h"
#include "util/util.h"

/* The table that columns_parse() works for; word() has no other way to it. */
static const struct tally *parsed;

static size_t nr_keys(const struct tally *t)
{
	return t->nr_by ? t->nr_by : 2;
}

const char *columns_key(const struct tally *t, size_t key)
{
	if (t->nr_by)
		return t->by[key]->name;
	return key ? "object" : "symbol";
}

static void add(struct columns *c, enum column_kind kind, size_t index)
{
	c->list[c->nr++] = (struct column){ kind, (unsigned int)index };
}

void columns_usual(struct columns *c, const struct tally *t)
{
	size_t i;

	c->nr = 0;
	add(c, COLUMN_MEASURE, MEASURE_COST);
	for (i = 0; i < nr_keys(t); i++)
		add(c, COLUMN_KEY, i);
	add(c, COLUMN_MEASURE, MEASURE_SHARE);
	for (i = 0; i < t->nr_events; i++)
		add(c, COLUMN_EVENT, i);
	add(c, COLUMN_MEASURE, MEASURE_MEAN);
	add(c, COLUMN_MEASURE, MEASURE_P50);
	add(c, COLUMN_MEASURE, MEASURE_P99);
	add(c, COLUMN_MEASURE, MEASURE_COUNT);
	add(c, COLUMN_MEASURE, MEASURE_CYCLES);
	add(c, COLUMN_MEASURE, MEASURE_ISSUE_MEAN);
	add(c, COLUMN_MEASURE, MEASURE_XLAT_MEAN);
	c->piped = c->nr;
	add(c, COLUMN_MEASURE, MEASURE_ISSUE_P50);
	add(c, COLUMN_MEASURE, MEASURE_ISSUE_P99);
	add(c, COLUMN_MEASURE, MEASURE_XLAT_P50);
	add(c, COLUMN_MEASURE, MEASURE_XLAT_P99);
	add(c, COLUMN_MEASURE, MEASURE_ISSUE_CYCLES);
	add(c, COLUMN_MEASURE, MEASURE_XLAT_CYCLES);
}

/* Column @index of all that there are, as measures, keys and events */
static bool column_at(const struct tally *t, size_t index, struct column *column,
		      const char **name)
{
	if (index < NR_MEASURES) {
		*column = (struct column){ COLUMN_MEASURE, (unsigned int)index };
		*name = measure_name((enum measure)index);
		return true;
	}
	index -= NR_MEASURES;
	if (index < nr_keys(t)) {
		*column = (struct column){ COLUMN_KEY, (unsigned int)index };
		*name = columns_key(t, index);
		return true;
	}
	index -= nr_keys(t);
	if (index >= t->nr_events)
		return false;
	*column = (struct column){ COLUMN_EVENT, (unsigned int)index };
	*name = armspe_event_name(t->event_bit[index]);
	return true;
}

static const char *word(unsigned int index)
{
	struct column column;
	const char *name;

	return column_at(parsed, index, &column, &name) ? name : NULL;
}

static bool find(const struct tally *t, const char *text, size_t len,
		 struct column *column)
{
	const char *name;
	size_t i;

	for (i = 0; column_at(t, i, column, &name); i++)
		if (strlen(name) == len && !memcmp(name, text, len))
			return true;
	return false;
}

static bool has(const struct columns *c, const struct column *column)
{
	size_t i;

	for (i = 0; i < c->nr; i++)
		if (c->list[i].kind == column->kind &&
		    c->list[i].index == column->index)
			return true;
	return false;
}

static void say_unknown(const char *verb, const struct tally *t,
			const char *text, size_t len)
{
	char *proposal;

	parsed = t;
	if (words_have(vocabulary_event, text, len)) {
		say("%s: --columns: '%.*s' is an event, not a column of each table: give --by LIST --events %.*s",
		    verb, (int)len, text, (int)len, text);
		return;
	}
	proposal = suggest(word, text, len);
	say("%s: --columns: unknown column '%.*s'; %s ('help' lists all)",
	    verb, (int)len, text, proposal);
	free(proposal);
}

bool columns_parse(struct columns *c, const char *verb, const struct tally *t,
		   const char *list)
{
	struct column column;
	size_t len;

	for (c->nr = 0;; list += len + 1) {
		len = strcspn(list, ",");
		if (!find(t, list, len, &column)) {
			say_unknown(verb, t, list, len);
			return false;
		}
		if (has(c, &column)) {
			say("%s: --columns lists '%.*s' twice: remove one", verb,
			    (int)len, list);
			return false;
		}
		c->list[c->nr++] = column;
		c->piped = c->nr;
		if (!list[len])
			return true;
	}
}

void columns_regroup(struct columns *c, const struct tally *t)
{
	const struct columns old = *c;
	bool placed = false;
	size_t i, n;

	for (c->nr = 0, i = 0; i < old.nr; i++) {
		if (old.list[i].kind == COLUMN_MEASURE)
			c->list[c->nr++] = old.list[i];
		if (old.list[i].kind != COLUMN_KEY || placed)
			continue;
		placed = true;
		for (n = 0; n < nr_keys(t); n++)
			add(c, COLUMN_KEY, n);
		for (n = 0; n < t->nr_events; n++)
			add(c, COLUMN_EVENT, n);
	}
	c->piped = c->nr;
}

void columns_fold(struct columns *c)
{
	size_t i, nr = 0;

	for (i = 0; i < c->nr; i++) {
		const struct column *column = &c->list[i];

		if (column->kind != COLUMN_MEASURE ||
		    column->index == MEASURE_COST ||
		    column->index == MEASURE_SHARE ||
		    column->index == MEASURE_COUNT)
			c->list[nr++] = *column;
	}
	c->nr = c->piped = nr;
}

void columns_help(void)
{
	size_t i;

	printf("%-19s the names of a row, or else the columns of --by\n",
	       "symbol, object");
	for (i = 0; i < NR_MEASURES; i++)
		printf("%-19s %s\n", measure_name((enum measure)i),
		       measure_help((enum measure)i));
	printf("%-19s share of the row's samples with an event of --events\n",
	       "EVENT");
}
