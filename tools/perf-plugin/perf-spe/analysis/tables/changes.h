/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What changed from one recording to another: rows with the same keys, their numbers, and
 * which differences samples of the same program would hardly have.
 */
#ifndef PERF_SPE_CHANGES_H
#define PERF_SPE_CHANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/tables/comparison.h"
#include "analysis/tables/tally.h"

/* What is compared: these, and then the events of the tallies */
enum change_kind { CHANGE_COST, CHANGE_SHARE, CHANGE_MEAN, NR_CHANGES };

#define CHANGES_MAX (NR_CHANGES + TALLY_EVENTS)

struct change {
	bool known[2];			/* that the old and the new row have the number */
	double value[2];		/* in percent, but the mean in cycles */
	bool tested;			/* both have enough samples for a test, which is possible */
	double p;			/* corrected for all tests: see significance.h */
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

#endif
