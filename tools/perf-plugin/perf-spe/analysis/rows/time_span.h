/* SPDX-License-Identifier: GPL-2.0-only */
/* From when to when samples are, in ns of perf's clock. */
#ifndef PERF_SPE_TIME_SPAN_H
#define PERF_SPE_TIME_SPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/rows/fields.h"

struct time_span {
	uint64_t samples;		/* that have a time; 0: the others mean nothing */
	uint64_t first, last;
};

/* Add the time of a row, and store it in @time; false if it has none. */
bool time_span_add(struct time_span *span, const struct row *row, uint64_t *time);

#endif
