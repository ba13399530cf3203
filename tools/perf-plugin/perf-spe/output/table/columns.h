/* SPDX-License-Identifier: GPL-2.0-only */
/* Which columns a table of rows has, in which order; the option --columns. */
#ifndef PERF_SPE_COLUMNS_H
#define PERF_SPE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/stats/measure.h"
#include "analysis/tables/tally.h"

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

#endif
