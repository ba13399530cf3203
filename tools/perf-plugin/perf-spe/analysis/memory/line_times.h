/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether two accesses to a cache line were made at the same time */
#ifndef PERF_SPE_LINE_TIMES_H
#define PERF_SPE_LINE_TIMES_H

#include <stdbool.h>

#include "analysis/memory/line.h"

/*
 * Whether @a and @b, accesses of two sharers of @line, were sampled at the same time.  Without time
 * stamps all were.
 *
 * If all samples of one come before all samples of the other, they were not, unless so few samples
 * are in this order by chance.  Then the samples that the same functions have elsewhere in the line
 * are added, and then all samples that both sharers have of the line.
 *
 * Else time is divided into windows, so long that each has two samples of the rarer access on
 * average.  The two were made at the same time if both have samples in more than half of the
 * windows of the one in fewer.
 */
bool line_at_once(const struct line *line, const struct access *a, const struct access *b);

#endif
