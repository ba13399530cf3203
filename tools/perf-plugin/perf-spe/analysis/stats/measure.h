/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The numbers of a row of samples: how many samples, and what their latencies
 * are.  Tables print them, and rows are sorted by them.
 */
#ifndef PERF_SPE_MEASURE_H
#define PERF_SPE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/stats/hist.h"
#include "analysis/stats/lag.h"

enum measure {
	MEASURE_COST,		/* cycles of total latency, as a share of all */
	MEASURE_SHARE,		/* samples, as a share of all */
	MEASURE_MEAN,		/* cycles of total latency */
	MEASURE_P50,
	MEASURE_P99,
	MEASURE_COUNT,		/* samples */
	MEASURE_CYCLES,		/* the sum of the total latency */
	MEASURE_ISSUE_MEAN,
	MEASURE_ISSUE_P50,
	MEASURE_ISSUE_P99,
	MEASURE_ISSUE_CYCLES,
	MEASURE_XLAT_MEAN,
	MEASURE_XLAT_P50,
	MEASURE_XLAT_P99,
	MEASURE_XLAT_CYCLES,
	NR_MEASURES,
	MEASURE_NAME = NR_MEASURES,	/* only to sort: by the row's names */
};

/* What a row has collected */
struct measured {
	uint64_t count;			/* samples */
	const struct hist *latency;	/* total, issue and translation */
	const struct lag *lag;		/* or NULL: not collected */
};

/* The sum of all rows, as shares need it */
struct measured_all {
	uint64_t count, cycles;		/* samples; of total latency */
	/* What precision.h needs beside, see there */
	uint64_t seen;
	bool chosen;
	double squares, cubes;		/* sums over all samples */
	const struct lag_chain *chain;
};

enum measure_kind {
	KIND_COST, KIND_SHARE, KIND_COUNT, KIND_SUM, KIND_MEAN, KIND_P50, KIND_P99,
};

enum measure_kind measure_kind(enum measure m);
/* The index in measured.latency, or -1: the measure is of no latency */
int measure_of(enum measure m);

/* The name of a measure for --columns and --sort */
const char *measure_name(enum measure m);
/* "total", "issue" or "translation" where a table has a second heading, or "" */
const char *measure_latency(enum measure m);
/* The heading below it: the name without the latency */
const char *measure_heading(enum measure m);
/* One line of help */
const char *measure_help(enum measure m);

void measured_add(struct measured_all *all, const struct measured *row);
/* The number, in percent for shares; false if no sample has the counter. */
bool measure_get(enum measure m, const struct measured *row,
		 const struct measured_all *all, double *number);
/* The number as text of at most @size bytes, or "-" */
void measure_text(enum measure m, const struct measured *row,
		  const struct measured_all *all, char *text, size_t size);

/* What @row has collected */
typedef struct measured (*measured_fn)(const void *row);
/* Orders two rows like strcmp(). */
typedef int (*names_fn)(const void *a, const void *b);

/*
 * Sort @rows, an array of @count pointers to rows, by @m: the largest first, and
 * rows without it last.  MEASURE_NAME sorts by @names.  Ties go by count, then by
 * names, so that the order is defined.
 */
void measure_sort(enum measure m, void *rows, size_t count,
		  measured_fn measured, names_fn names);

#endif
