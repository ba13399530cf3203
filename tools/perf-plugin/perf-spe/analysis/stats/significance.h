/* SPDX-License-Identifier: GPL-2.0-only */
/* Tests of whether two estimates differ, and of many at once.  Pure: numbers in, numbers out. */
#ifndef PERF_SPE_SIGNIFICANCE_H
#define PERF_SPE_SIGNIFICANCE_H

#include <stddef.h>

#include "analysis/stats/interval.h"

/*
 * The probability of a difference of this size or more, in either direction, if there is none:
 * of two shares @a of @all_a samples and @b of @all_b.
 */
double significance_shares(double a, double all_a, double b, double all_b);
/* The same of two estimates with these variances */
double significance_normal(double a, double variance_a, double b, double variance_b);
/*
 * Holm's correction in place: of @count probabilities, each becomes the least level at which
 * its test would reject if the probability of any false rejection is to be that level.
 */
void significance_holm(double *p, size_t count);

#endif
