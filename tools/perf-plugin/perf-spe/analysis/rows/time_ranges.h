/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The value of --time, in the syntax of perf report: windows of time in seconds of
 * perf's clock or in percent of a recording.
 *
 *   12.5,13     12.5 s to 13 s        ,13        up to 13 s      12.5,   from 12.5 s on
 *   "1,2 3,4"   both                  10%-20%    a part of the recording
 *   10%/2       the second tenth      10%/1,50%-60%   both
 */
#ifndef PERF_SPE_TIME_RANGES_H
#define PERF_SPE_TIME_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* More than perf takes (10) */
#define TIME_RANGES	64

struct time_range {
	bool has_from, has_to;
	double percent_from, percent_to;	/* in percent, 0 to 100 */
	uint64_t from, to;			/* ns, both included, in seconds */
};

struct time_ranges {
	bool percent;				/* all are in percent, or none */
	size_t count;
	struct time_range list[TIME_RANGES];
};

/* False after a message that begins with @verb. */
bool time_ranges_parse(struct time_ranges *t, const char *verb, const char *text);
/*
 * The windows as a filter of the column "time", to be freed.  @first and @last, in ns,
 * are the ends of the recording.  Adjacent windows in percent have no sample in common.
 */
char *time_ranges_filter(const struct time_ranges *t, uint64_t first, uint64_t last);

#endif
