/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a recording consists of: operations, events, data sources, latencies, tasks
 * and CPUs.
 */
#ifndef PERF_SPE_COMPOSITION_H
#define PERF_SPE_COMPOSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "armspe.h"
#include "analysis/rows/fields.h"
#include "analysis/stats/hist.h"
#include "analysis/stats/lag.h"
#include "analysis/stats/lag_bits.h"
#include "analysis/tables/tally.h"
#include "analysis/rows/time_span.h"

#define COMPOSITION_LATENCIES 4

/* The samples of one CPU, and their time */
struct composition_cpu {
	int32_t cpu;			/* NO_ID: a buffer of a thread */
	uint64_t count;
	struct time_span time;
};

struct composition {
	bool precise;			/* set by composition_precise() */
	struct hist latency[COMPOSITION_LATENCIES];	/* the first is the total */
	/* Of these the samples that have one, where it is precise */
	struct lag latency_lag[COMPOSITION_LATENCIES];
	struct lag_chain latency_chain[COMPOSITION_LATENCIES];
	struct lag_bits event_lag;
	uint64_t with_events;
	uint64_t event[SPE_EVENT_COUNT];
	uint64_t event_cycles[SPE_EVENT_COUNT];	/* sum of total latency */
	uint64_t event_timed[SPE_EVENT_COUNT];	/* samples that have it */
	struct tally ops, sources, tasks;
	struct composition_cpu *cpus;	/* by number, after composition_finish() */
	size_t nr_cpus, room_cpus;
};

/* "total", "issue", ...: what composition.latency[index] is of */
const char *composition_latency(unsigned int index);

void composition_init(struct composition *c, const char *verb);
/* Collect what intervals need; before the first row */
void composition_precise(struct composition *c);
/* A row_fn, of rows with their owner; @context is the struct composition. */
void composition_add(void *context, const struct row *row);
/* Sort all by the number of samples, and the CPUs by theirs. */
void composition_finish(struct composition *c);
void composition_free(struct composition *c);

#endif
