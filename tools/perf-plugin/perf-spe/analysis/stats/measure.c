// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/stats.h"
#include "util/util.h"

static const struct {
	const char *name, *help;
	enum measure_kind kind;
	int latency;		/* index in measured.latency, -1: none */
	bool plain;		/* the heading is the name */
} measures[NR_MEASURES] = {
	[MEASURE_COST] = { "cost", "share of all cycles of total latency",
			   KIND_COST, 0, true },
	[MEASURE_SHARE] = { "share", "share of all samples", KIND_SHARE, -1, true },
	[MEASURE_MEAN] = { "mean", "mean of the total latency, in cycles",
			   KIND_MEAN, 0, false },
	[MEASURE_P50] = { "p50", "median of the total latency", KIND_P50, 0, false },
	[MEASURE_P99] = { "p99", "99th percentile of the total latency", KIND_P99, 0,
			  false },
	[MEASURE_COUNT] = { "count", "number of samples", KIND_COUNT, -1, true },
	[MEASURE_CYCLES] = { "cycles", "sum of the total latency, in cycles",
			     KIND_SUM, 0, true },
	[MEASURE_ISSUE_MEAN] = { "issue-mean", "mean of the issue latency",
				 KIND_MEAN, 1, false },
	[MEASURE_ISSUE_P50] = { "issue-p50", "its median", KIND_P50, 1, false },
	[MEASURE_ISSUE_P99] = { "issue-p99", "its 99th percentile", KIND_P99, 1,
				false },
	[MEASURE_ISSUE_CYCLES] = { "issue-cycles", "its sum", KIND_SUM, 1, false },
	[MEASURE_XLAT_MEAN] = { "translation-mean",
				"mean of the translation latency", KIND_MEAN, 2,
				false },
	[MEASURE_XLAT_P50] = { "translation-p50", "its median", KIND_P50, 2, false },
	[MEASURE_XLAT_P99] = { "translation-p99", "its 99th percentile", KIND_P99, 2,
			       false },
	[MEASURE_XLAT_CYCLES] = { "translation-cycles", "its sum", KIND_SUM, 2,
				  false },
};

static const char *const latencies[] = { "total", "issue", "translation" };

const char *measure_name(enum measure m)
{
	return m == MEASURE_NAME ? "symbol" : measures[m].name;
}

const char *measure_latency(enum measure m)
{
	return measures[m].plain ? "" : latencies[measures[m].latency];
}

const char *measure_heading(enum measure m)
{
	const char *dash = strchr(measures[m].name, '-');

	return dash ? dash + 1 : measures[m].name;
}

const char *measure_help(enum measure m)
{
	return measures[m].help;
}

enum measure_kind measure_kind(enum measure m)
{
	return measures[m].kind;
}

int measure_of(enum measure m)
{
	return measures[m].latency;
}

void measured_add(struct measured_all *all, const struct measured *row)
{
	all->count += row->count;
	all->cycles += row->latency[0].sum;
	if (!all->chain)
		return;
	all->squares += hist_squares(&row->latency[0]);
	all->cubes += hist_cubes(&row->latency[0]);
}

bool measure_get(enum measure m, const struct measured *row,
		 const struct measured_all *all, double *number)
{
	const struct hist *h = measures[m].latency < 0 ? NULL :
		&row->latency[measures[m].latency];

	if (h && !h->count)
		return false;
	switch (measures[m].kind) {
	case KIND_COST:
		*number = percent(h->sum, all->cycles);
		break;
	case KIND_SHARE:
		*number = percent(row->count, all->count);
		break;
	case KIND_COUNT:
		*number = (double)row->count;
		break;
	case KIND_SUM:
		*number = (double)h->sum;
		break;
	case KIND_MEAN:
		*number = hist_mean(h);
		break;
	case KIND_P50:
		*number = hist_percentile(h, 50);
		break;
	case KIND_P99:
		*number = hist_percentile(h, 99);
		break;
	}
	return true;
}

void measure_text(enum measure m, const struct measured *row,
		  const struct measured_all *all, char *text, size_t size)
{
	enum measure_kind kind = measures[m].kind;
	double number;

	if (!measure_get(m, row, all, &number))
		snprintf(text, size, "-");
	else
		snprintf(text, size, kind == KIND_COST || kind == KIND_SHARE ? "%.2f%%" :
			 kind == KIND_MEAN ? "%.1f" : "%.0f", number);
}

/* A row and what it is sorted by */
struct ranked {
	double number;
	uint64_t count;
	const void *row;
};

static int by_number(const void *a, const void *b, void *names)
{
	const struct ranked *x = a, *y = b;

	if (x->number != y->number)
		return x->number > y->number ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return (*(names_fn *)names)(x->row, y->row);
}

void measure_sort(enum measure m, void *rows, size_t count,
		  measured_fn measured, names_fn names)
{
	struct ranked *ranked = xcalloc(count, sizeof(*ranked));
	/* Shares of 1 are in the order of what they are shares of. */
	const struct measured_all all = { .count = 1, .cycles = 1 };
	const size_t size = sizeof(ranked->row);
	char *at = rows;
	size_t i;

	for (i = 0; i < count; i++) {
		struct measured row;

		memcpy(&ranked[i].row, at + i * size, size);
		if (m == MEASURE_NAME)
			continue;
		row = measured(ranked[i].row);
		ranked[i].count = row.count;
		if (!measure_get(m, &row, &all, &ranked[i].number))
			ranked[i].number = -1;
	}
	if (count)
		qsort_r(ranked, count, sizeof(*ranked), by_number, &names);
	for (i = 0; i < count; i++)
		memcpy(at + i * size, &ranked[i].row, size);
	free(ranked);
}
