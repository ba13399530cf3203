/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Intervals in the tables of stat, mem and sharing: each prints a blank and at most
 * TABLE_INTERVAL characters, at the right.  They know how far successive samples agree, except
 * for percentiles.
 */
#ifndef PERF_SPE_TABLE_INTERVAL_H
#define PERF_SPE_TABLE_INTERVAL_H

#include <stdint.h>
#include <stdio.h>

#include "analysis/stats/hist.h"
#include "analysis/stats/lag_bits.h"
#include "analysis/stats/measure.h"

#define TABLE_INTERVAL	15
/* The heading of such a column */
#define TABLE_INTERVAL_HEADING "95% CI"

/* Of the share of the samples with events that have event @bit: see precision_bit() */
void table_interval_event(FILE *to, const struct lag_bits *lag, unsigned int bit,
			  uint64_t count, const struct measured_all *all);
/* Of a number of a row; @all->chain holds the succession of samples. */
void table_interval_measure(FILE *to, enum measure m, const struct measured *row,
			    const struct measured_all *all);
/* Of a percentile of a distribution */
void table_interval_percentile(FILE *to, const struct hist *h, double percent);

#endif
