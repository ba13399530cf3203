/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_ANALYSIS_GROUPS_GROUPS_H
#define PERF_SPE_ANALYSIS_GROUPS_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "armspe.h"
#include "symbols/symbols.h"
#include "util/util.h"

/*
 * comparison.c: Whether the samples of two recordings are of the same kind, so that a
 * difference of them is
 * one of the programs: the same filters, PMUs and cores, intervals that do not matter, and no large
 * loss.
 */

struct session;

/* What the recordings have not in common */
struct unlike {
	const char *what;	/* "filters", "pmus", "cores", "interval", "losses", "stacks", "symbols", ... */
	char *text;
	bool decides;		/* no difference can be tested */
};

struct comparison {
	struct unlike *unlike;
	size_t nr, room;
	bool impossible;	/* one of them decides */
	bool one_sided;		/* one recording lacks names, so samples of a row may be in another */
};

void comparison_judge(struct comparison *c, const struct session *old, const struct session *new);
/* So much is missing that the samples of a recording do not represent its program.  NULL: not that much */
void comparison_lost(struct comparison *c, const char *old, const char *new);
/* @text is taken. */
void comparison_note(struct comparison *c, const char *what, char *text, bool decides);
/* What decides: "filters, cores", or with the texts "filters: none in old; ..."; to be freed */
char *comparison_names(const struct comparison *c);
char *comparison_text(const struct comparison *c);
/* What to do about it: "record both alike" */
const char *comparison_advice(const struct comparison *c);
void comparison_free(struct comparison *c);

/* tally.c: Samples grouped by any columns: counts, latencies, event rates. */

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
	struct tally_known *known;	/* what was found last; NULL: nothing yet */
	/* After tally_sort() */
	struct tally_row **sorted;
	size_t nr_sorted;
	struct measured_all sum;
};

/* Whether a list may be parsed now; false after a message if @option was @given before. */
bool tally_once(const char *verb, const char *option, bool given);
/* Parse a list of columns, or of events; false after a message. */
bool tally_by(struct tally *t, const char *verb, const char *list);
bool tally_events(struct tally *t, const char *verb, const char *list);
enum field_need tally_need(const struct tally *t);
/* What tally_add() reads of a batch: enum row_column */
unsigned int tally_columns(const struct tally *t);
/* Whether a column is one of field_names_source() */
bool tally_names_sources(const struct tally *t);

/* A row_batch_fn; @context is the struct tally. */
void tally_add(void *context, const struct row_batch *b);
/*
 * Another way to fill a tally, in two steps: the tally's row, which does not move, is that of all
 * rows with its keys.
 */
struct tally_row *tally_find(struct tally *t, const struct row_batch *b, size_t i);
/* Count what intervals and shares of events need; the functions below call it. */
void tally_add_more(struct tally *t, struct tally_row *to, const struct row_batch *b, size_t i);

/* Add the total latency only; the caller counts the sample in t->count, and adds the rest. */
static inline void tally_add_total(struct tally_row *to, const struct row_batch *b, size_t i)
{
	to->count++;
	if (batch_has(b, i, SPE_COUNTER_TOTAL))
		hist_add(&to->latency[0], b->total[i]);
}

static inline void tally_add_to(struct tally *t, struct tally_row *to, const struct row_batch *b,
				size_t i)
{
	t->count++;
	if (t->precise || t->nr_events)
		tally_add_more(t, to, b, i);
	tally_add_total(to, b, i);
	if (batch_has(b, i, SPE_COUNTER_ISSUE))
		hist_add(&to->latency[1], b->issue[i]);
	if (batch_has(b, i, SPE_COUNTER_XLAT))
		hist_add(&to->latency[2], b->xlat[i]);
}

/* A sample of no row follows; for intervals, as the rows' samples then are a part of all */
void tally_skip(struct tally *t, const struct piece *piece);
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
/* A copy of the options, without samples */
struct tally tally_bare(const struct tally *t);
/* For rows_read() with a struct tally */
extern const struct row_parts tally_parts;
void tally_free(struct tally *t);

/*
 * changes.c: What changed from one recording to another: rows with the same keys, their
 * numbers, and
 * which differences samples of the same program would hardly have.
 */

/* What is compared: these, and then the events of the tallies */
enum change_kind { CHANGE_COST, CHANGE_SHARE, CHANGE_MEAN, NR_CHANGES };

#define CHANGES_MAX (NR_CHANGES + TALLY_EVENTS)

struct change {
	bool known[2];			/* that the old and the new row have the number */
	double value[2];		/* in percent, but the mean in cycles */
	bool tested;			/* both have enough samples for a test, which is possible */
	double p;			/* corrected for all tests: see significance.c */
};

struct changed_row {
	const struct tally_row *row[2];	/* old and new; NULL: none */
	struct change change[CHANGES_MAX];
};

struct changes {
	const struct tally *tally[2];
	struct comparison of;
	struct changed_row *rows;	/* largest difference of the cost first */
	size_t nr_rows, tests;
};

/* A test with a mean needs so many latencies on both sides, one with shares in sum. */
#define CHANGES_LATENCIES	30
#define CHANGES_SAMPLES		10
/*
 * The probability of a false alarm in all tests together, if the estimates were normal.  A few
 * operations have most of the latency, which makes small probabilities larger: 2% by
 * calculation are up to 5% of tables with an alarm.
 */
#define CHANGES_LEVEL		0.02

/*
 * Compare two tallies of the same columns and events, which are precise and sorted; @of says
 * whether their differences can be tested.  changes_free() frees it.
 */
void changes_find(struct changes *c, const struct tally *old, const struct tally *new,
		  const struct comparison *of);
/* Correct the tests of @count comparisons together. */
void changes_correct(struct changes *c, size_t count);
/* "cost", "share", "mean", or the name of an event */
const char *change_name(const struct changes *c, size_t kind);
size_t change_kinds(const struct changes *c);
/* The new value as a part of the old one, less 1, in percent; infinite from 0 on */
double change_percent(const struct change *change);
/* Whether the difference is significant and of at least @least percent */
bool change_is(const struct change *change, double least);
void changes_free(struct changes *c);

/*
 * composition.c: What a recording consists of: operations, events, data sources, latencies, tasks
 * and CPUs.
 */

#define COMPOSITION_LATENCIES 4

/* The samples of one CPU, and their time */
struct composition_cpu {
	int32_t cpu;			/* NO_ID: a buffer of a thread */
	uint64_t count;
	struct time_span time;
};

struct composition {
	bool precise;			/* set by composition_precise() */
	/* The first is the total, which composition_finish() sums up from ops. */
	struct hist latency[COMPOSITION_LATENCIES];
	/* Of these the samples that have one, where it is precise */
	struct lag latency_lag[COMPOSITION_LATENCIES];
	struct lag_chain latency_chain[COMPOSITION_LATENCIES];
	struct lag_bits event_lag;
	/* Of the rest a part is in kinds until composition_finish(): see composition.c */
	struct kinds *kinds;
	uint64_t with_events;
	uint64_t event[SPE_EVENT_COUNT];
	uint64_t event_cycles[SPE_EVENT_COUNT];	/* sum of total latency */
	uint64_t event_timed[SPE_EVENT_COUNT];	/* samples that have it */
	struct tally ops, sources, tasks;	/* of the latencies the total */
	struct composition_cpu *cpus;	/* by number, after composition_finish() */
	size_t nr_cpus, room_cpus;
	size_t latest;			/* of cpus: pieces hold many samples of one CPU */
};

/* "total", "issue", ...: what composition.latency[index] is of */
const char *composition_latency(unsigned int index);

void composition_init(struct composition *c, const char *verb, const struct session *s);
/* Collect what intervals need; before the first row */
void composition_precise(struct composition *c);
#define COMPOSITION_COLUMNS (ROW_OP | ROW_EVENTS | ROW_SOURCE | ROW_ALTCLK | ROW_SPAN)

/* A row_batch_fn, of rows with their owner and these columns; @context is the struct composition. */
void composition_add(void *context, const struct row_batch *b);

/* See hist_slots() */
struct composition_slots {
	uint16_t total[ROW_BATCH], issue[ROW_BATCH], xlat[ROW_BATCH];
};

/* The same in two steps: once for the batch, and for each part of its rows, as @b is then */
void composition_slots(const struct row_batch *b, struct composition_slots *slots);
void composition_add_part(struct composition *c, const struct row_batch *b,
			  const struct composition_slots *slots);
/* Add all of @from, which has the same options. */
void composition_merge(struct composition *c, struct composition *from);
/* Sort all by the number of samples, and the CPUs by theirs. */
void composition_finish(struct composition *c);
void composition_free(struct composition *c);

/* groups.c: Samples grouped by place in the code. */

struct group {
	struct place place;
	size_t number;			/* in groups.all */
	uint64_t count;
	/* Total, issue, translation: after groups_sort() */
	struct hist latency[3];
	struct hist_near near[3];	/* what is not yet in @latency */
	struct lag lag;			/* where the groups are precise */
};

struct groups {
	struct hash_table table;	/* struct group *, by names */
	struct group **all;
	size_t nr, room;
	uint32_t tag;			/* of places whose group is known; 0: no sample yet */
	uint64_t with_pc, with_pid;	/* samples */
	uint64_t near;			/* samples since the arrays of all groups were emptied */
	bool totals_only;		/* count without grouping */
	bool precise;			/* collect what intervals need */
	struct lag_chain chain;
	/* After groups_sort() */
	struct group **sorted;
	size_t nr_sorted;
	struct measured_all sum;
};

/* A row_batch_fn, of rows with their place; @context is the struct groups. */
void groups_add(void *context, const struct row_batch *b);
/* Takes rows for groups_add(). */
extern const struct row_taker groups_taker;
/* For groups_find(); do not call it. */
void groups_look_up(const struct groups *g, struct place *place);
/* The group of samples in @place, after the last groups_add(); NULL: none */
static inline struct group *groups_find(const struct groups *g, struct place *place)
{
	if (place->group_tag != g->tag)
		groups_look_up(g, place);
	return place->group;
}
/* MEASURE_NAME sorts by symbol. */
void groups_sort(struct groups *g, enum measure by);
/* Add all of @from. */
void groups_merge(struct groups *g, struct groups *from);
void groups_free(struct groups *g);

#endif
