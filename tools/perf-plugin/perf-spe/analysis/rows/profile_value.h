/* SPDX-License-Identifier: GPL-2.0-only */
/* What a sample counts for in a profile. */
#ifndef PERF_SPE_PROFILE_VALUE_H
#define PERF_SPE_PROFILE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/rows/fields.h"
#include "input/session.h"

enum profile_value {
	PROFILE_SAMPLES,	/* 1 */
	PROFILE_CYCLES,		/* total latency; 0 without this counter */
	PROFILE_MISSES,		/* 1 after a miss of a data cache, see below */
	PROFILE_PERIOD,		/* operations that it stands for; 0: not known */
	NR_PROFILE_VALUES,
};

/*
 * A sample is a miss if it has one of these events (D18.2.6): l1d-refill, llc-miss,
 * l2d-miss.
 */
#define PROFILE_MISS_EVENTS						\
	(UINT64_C(1) << SPE_EVENT_L1D_REFILL |				\
	 UINT64_C(1) << SPE_EVENT_LLC_MISS |				\
	 UINT64_C(1) << SPE_EVENT_L2D_MISS)

/* Intervals of the events; all zeros at first */
struct profile_intervals {
	const struct piece *piece;	/* the last one, and its interval */
	uint64_t interval;
};

void profile_values(const struct row *row, struct profile_intervals *in,
		    uint64_t value[NR_PROFILE_VALUES]);
/* Whether an event of the session has a fixed interval; @s may be NULL. */
bool profile_has_period(const struct session *s);
/* The interval of all SPE events, 0 if it is not known or they differ */
uint64_t profile_one_period(const struct session *s);

/* "samples", "cycles", "misses", "period"; NULL beyond them: a word_fn */
const char *profile_value_name(unsigned int value);
/* What is counted: "count", "cycles" or "operations" */
const char *profile_value_unit(enum profile_value value);

#endif
