/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session of the running system, from the kernel's rings instead of a file.
 *
 *   rings -> events -> session: threads that run, mappings
 *         -> SPE bytes -> streams -> samples
 *
 * live_forget() drops what no later sample needs, so that top can run for days.
 */
#ifndef PERF_SPE_LIVE_H
#define PERF_SPE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/aux_decoder.h"
#include "input/session.h"
#include "live/ring.h"

/* The sample_id fields of live events, and of those that proc.c makes */
#define LIVE_SAMPLE_TYPE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
			  PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

struct live {
	struct session *session;
	struct ring *rings;		/* the caller's */
	size_t nr_rings;
	struct aux_decoder *decoder;
	struct sample_totals totals;
	uint64_t damaged_events;	/* invalid events, and rings with them */
	bool mapped;			/* mappings changed since @changed */
	void (*changed)(void *context);	/* drops cached places; may be NULL */
	void *context;
};

/*
 * Begin an empty session of this machine.  @pmu_type is the type of its SPE PMU;
 * samples go to @fn.
 */
void live_init(struct live *l, struct session *s, uint64_t pmu_type,
	       uint64_t period, sample_fn fn, void *context);
/* Frees the session too. */
void live_free(struct live *l);

/* Apply one event from a ring or from /proc. */
void live_event(void *live, const struct perf_event_header *event);
/* Read all events and then all samples that the rings hold now. */
void live_drain(struct live *l);
/* All samples up to now are decoded: forget what only they needed. */
void live_forget(struct live *l);

#endif
