/* SPDX-License-Identifier: GPL-2.0-only */
/* The events that perf spe record gives to perf record */
#ifndef PERF_SPE_RECORD_EVENTS_H
#define PERF_SPE_RECORD_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "live/pmu.h"
#include "live/stack_event.h"

struct args;

struct record_events {
	const char *root;	/* of the folder sys */
	struct pmu_request req;
	bool all;		/* -a or -C: all that runs on the CPUs */
	const char *cpus;	/* of -C; NULL: all CPUs */
	bool own_period;	/* perf itself is given one */
	enum stack_method stacks;
	uint64_t aux_sample;	/* bytes of records in each sample with a stack; 0: record them all */
};

/*
 * Add -e EVENT for each SPE PMU and for the stacks, and -c or -F.  Choose the period where the
 * user has not, and tell the volume of data.  False after a message for each thing that is
 * missing.
 */
bool record_events(struct record_events *r, struct args *args);

#endif
