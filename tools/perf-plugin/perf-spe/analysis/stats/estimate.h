/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How many operations ran, estimated from the samples: each stands for the operations of the
 * mean interval.  Where a buffer was full, the samples of the CPU stand also for the time
 * without samples.  Operations that a filter of the CPU drops are not in the estimate.
 */
#ifndef PERF_SPE_ESTIMATE_H
#define PERF_SPE_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/fields.h"
#include "analysis/stats/interval.h"
#include "analysis/rows/time_span.h"
#include "input/session.h"
#include "input/spe_event.h"

enum estimate_kind {
	ESTIMATE_OPERATIONS, ESTIMATE_RETIRED, ESTIMATE_LOADS, ESTIMATE_LOAD_REFILLS,
	ESTIMATE_LOAD_LLC_MISSES, ESTIMATE_STORES, ESTIMATE_STORE_REFILLS, ESTIMATE_TLB_WALKS,
	ESTIMATE_BRANCHES, ESTIMATE_MISPREDICTED, NR_ESTIMATE
};

/* The samples of one CPU */
struct estimate_cpu {
	int32_t cpu;			/* NO_ID: a buffer of a thread */
	size_t attr;			/* of the event, or PD_NO_ATTR */
	struct spe_mean mean;
	uint64_t midr;			/* 0: unknown */
	uint64_t count[NR_ESTIMATE];
	/* Pairs of successive samples: all, and those whose samples both are of the kind */
	uint64_t pairs, both[NR_ESTIMATE];
	const struct piece *piece;	/* of the sample before, which is of these kinds */
	unsigned int kinds;
	struct time_span time;
	uint64_t lost;			/* ns without samples, after a full buffer */
	uint64_t latencies;		/* samples with a total latency */
	uint64_t collided;		/* samples that these latencies suppress */
};

/* A full buffer: the last sample before it, and the first one after it */
struct estimate_cut {
	uint32_t cpu;
	uint64_t time, before, after;	/* 0: no such sample */
};

struct estimate {
	const struct session *session;	/* NULL: SPE bytes alone */
	struct estimate_cpu *cpus;
	size_t nr_cpus, room_cpus;
	size_t latest;			/* of cpus: pieces hold many samples of one CPU */
	struct estimate_cut *cuts;	/* sorted by CPU, then time */
	size_t nr_cuts;
	bool part;			/* set by the caller: the reader has a filter */
};

/* "loads", "loads that missed the first cache" ... */
const char *estimate_name(enum estimate_kind kind);

/* @session may be NULL. */
void estimate_init(struct estimate *e, const struct session *session);
/* A row_fn; @context is the struct estimate. */
void estimate_add(void *context, const struct row *row);
/* Find the time that the full buffers cost.  Call this after the last row. */
void estimate_finish(struct estimate *e);
void estimate_free(struct estimate *e);

struct estimate_total {
	double number;
	struct interval interval;	/* of 95%, including what is unknown about the mean */
};

/* False without samples, and where the recording does not say how long the intervals are. */
bool estimate_total(const struct estimate *e, enum estimate_kind kind,
		    struct estimate_total *total);
/* What a sample stands for: the least and the largest mean of all CPUs, where there is a total */
void estimate_means(const struct estimate *e, uint64_t *least, uint64_t *most);
/*
 * The share of the time that has no samples because a buffer was full, 0 to 1.  False if the
 * recording does not tell: it has no timestamps, the kernel wrote no time, or the buffers are
 * of threads.
 */
bool estimate_lost(const struct estimate *e, double *share);
/*
 * The share of samples that collided, 0 to 1, if a CPU can have one sample in flight and
 * executes an operation each cycle: a sampled operation with a latency of n intervals
 * suppresses the next n samples (D17.3.7).  False without latencies or without an interval.
 */
bool estimate_collided(const struct estimate *e, double *share);

#endif
