/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples grouped by any columns: counts, latencies, event rates. */
#ifndef PERF_SPE_TALLY_H
#define PERF_SPE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/fields.h"
#include "analysis/stats/hist.h"
#include "analysis/stats/measure.h"
#include "util/hash_table.h"

/* Columns of --by: more would not fit on a line of 250 characters. */
#define TALLY_KEYS	8
#define TALLY_EVENTS	8

/* A copy of a column's value */
struct tally_key {
	bool present;
	uint64_t number;
	char *text;
};

struct tally_row {
	uint64_t hash;
	uint64_t count;
	uint64_t event[TALLY_EVENTS];	/* samples that had it */
	struct hist latency[3];		/* total, issue, translation */
	struct lag lag;			/* where the tally is precise */
	size_t nr_keys;			/* tally.nr_by */
	struct tally_key key[];
};

struct tally {
	const struct field *by[TALLY_KEYS];
	size_t nr_by;
	unsigned int event_bit[TALLY_EVENTS];
	size_t nr_events;
	bool precise;			/* collect what intervals need */
	struct lag_chain chain;
	uint64_t count;
	struct hash_table table;	/* struct tally_row *, by keys */
	/* After tally_sort() */
	struct tally_row **sorted;
	size_t nr_sorted;
	struct measured_all sum;
};

/* Parse a list of columns, or of events; false after a message. */
bool tally_by(struct tally *t, const char *verb, const char *list);
bool tally_events(struct tally *t, const char *verb, const char *list);
enum field_need tally_need(const struct tally *t);

/* A row_fn; @context is the struct tally. */
void tally_add(void *context, const struct row *row);
/* A sample of no row follows; for intervals, as the rows' samples then are a part of all */
void tally_skip(struct tally *t, const struct row *row);
/* What a row has collected */
struct measured tally_measured(const struct tally_row *row);
/* Add all of @from, which has the same columns. */
void tally_merge(struct tally *t, const struct tally *from);
/* MEASURE_NAME sorts by the keys. */
void tally_sort(struct tally *t, enum measure by);
/* The row of @t that has the keys of @like, a row of a tally by the same columns; or NULL */
struct tally_row *tally_same(const struct tally *t, const struct tally_row *like);
/* Orders two rows by their keys, like strcmp(). */
int tally_order(const struct tally_row *a, const struct tally_row *b);
/* Free the rows; columns and events stay. */
void tally_clear(struct tally *t);
void tally_free(struct tally *t);

#endif
