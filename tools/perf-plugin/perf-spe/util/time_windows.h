/* SPDX-License-Identifier: GPL-2.0-only */
/* When something was sampled: from when to when, and in which of at most 64 windows of equal length */
#ifndef PERF_SPE_TIME_WINDOWS_H
#define PERF_SPE_TIME_WINDOWS_H

#include <stdint.h>

#define TIME_WINDOWS	64u

struct time_windows {
	uint64_t windows;	/* bit n: sampled in window @first + n; 0: never sampled */
	uint64_t first;		/* window n is from n << @shift on, in ticks of any clock */
	uint8_t shift;
	uint64_t begin, end;	/* the first and the last time */
};

/* Windows become longer as far as this needs.  Times may come in any order. */
void time_windows_add(struct time_windows *m, uint64_t time);
/*
 * Of the windows of the one that was sampled in fewer, the part in which the other was sampled
 * too, 0 to 1.  Windows are so long that both together span at most @most, which is 2 to
 * TIME_WINDOWS.  Returns 0 if one was never sampled.
 */
double time_windows_common(const struct time_windows *a, const struct time_windows *b, unsigned int most);

#endif
