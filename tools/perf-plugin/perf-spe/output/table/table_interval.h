/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Intervals in the tables of stat, mem and sharing: each prints a blank and at most
 * TABLE_INTERVAL characters, at the right.  Only table_interval_measure() knows the succession
 * of samples; the other intervals are those of independent samples.
 */
#ifndef PERF_SPE_TABLE_INTERVAL_H
#define PERF_SPE_TABLE_INTERVAL_H

#include <stdint.h>
#include <stdio.h>

#include "analysis/stats/hist.h"
#include "analysis/stats/measure.h"

#define TABLE_INTERVAL	15
/* The heading of such a column */
#define TABLE_INTERVAL_HEADING "95% CI"

/* Of a share of @count in @all samples, in percent */
void table_interval_share(FILE *to, uint64_t count, uint64_t all);
/* Of a number of a row; @all->chain holds the succession of samples. */
void table_interval_measure(FILE *to, enum measure m, const struct measured *row,
			    const struct measured_all *all);
/* Of the mean of @count latencies with these sums of cycles and of their squares */
void table_interval_mean(FILE *to, uint64_t count, uint64_t cycles, double squares);
/* The same of a distribution, and its percentiles */
void table_interval_hist_mean(FILE *to, const struct hist *h);
void table_interval_percentile(FILE *to, const struct hist *h, double percent);

#endif
