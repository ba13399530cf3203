/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How precise the numbers of a row are: the interval of 95% for each measure, and for the
 * differences between two recordings the errors.
 *
 * What is estimated are the numbers that a recording of every operation would have, in the
 * unit of the samples: one in so many.  measured_all has, beside the sums of all rows,
 * seen: the samples before a filter of the reader; chosen: the CPU has filtered, so that
 * the number of samples is itself left to chance; and squares and chain, without which
 * there is no interval.
 */
#ifndef PERF_SPE_PRECISION_H
#define PERF_SPE_PRECISION_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/stats/interval.h"
#include "analysis/stats/lag_bits.h"
#include "analysis/stats/measure.h"

/* The interval, in percent for shares; false if the row has too few samples for one. */
bool precision_get(enum measure m, const struct measured *row,
		   const struct measured_all *all, struct interval *i);
/* The interval of a percentile; @part is 0 to 1, h->count not 0. */
struct interval precision_percentile(const struct hist *h, double part);
/* An interval as text: "12.3-14.1", or ">=63" */
void interval_text(const struct interval *i, int digits, const char *unit, char *text,
		   size_t size);
/* The interval of a measure as text, or "-" */
void precision_text(enum measure m, const struct measured *row,
		    const struct measured_all *all, char *text, size_t size);
/*
 * The share of the samples with events that have event @bit, in percent; @all is of these
 * samples.
 */
struct interval precision_bit(const struct lag_bits *lag, unsigned int bit, uint64_t count,
			      const struct measured_all *all);
/* The same for the share of the row's samples that have an event */
void precision_event(uint64_t count, uint64_t of, char *text, size_t size);

/*
 * The correlation of successive samples, of -1 to 1: of whether they are of the row, of
 * their part of the cost, of their latency within the row.  0 without pairs.
 */
double precision_share_lag(const struct measured *row, const struct measured_all *all);
double precision_cost_lag(const struct measured *row, const struct measured_all *all);
double precision_mean_lag(const struct measured *row, const struct measured_all *all);
/* The variance of one sample's part in the cost, as a share */
double precision_cost_variance(const struct measured *row, const struct measured_all *all);

#endif
