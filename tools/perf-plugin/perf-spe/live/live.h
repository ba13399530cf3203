/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What goes on now, as a session: the kernel's rings instead of a file.
 *
 *   rings -> events -> session: who runs where, what is mapped
 *         -> SPE bytes -> streams -> samples
 *
 * What is used up is forgotten, so that it may go on for days.
 */
#ifndef PERF_SPE_LIVE_H
#define PERF_SPE_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/aux_decoder.h"
#include "input/session.h"
#include "live/ring.h"

/* What events carry behind them here, and those of /proc */
#define LIVE_SAMPLE_TYPE (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
			  PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)

struct live {
	struct session *session;
	struct ring *rings;		/* the caller's */
	size_t nr_rings;
	struct aux_decoder *decoder;
	struct sample_totals totals;
	uint64_t damaged_events;	/* rings whose events made no sense */
	bool mapped;			/* something, since @changed was called */
	void (*changed)(void *context);	/* cached places are old; may be NULL */
	void *context;
};

/*
 * An empty session of this machine, whose SPE PMU has the number @pmu_type,
 * and whose samples go to @fn.
 */
void live_init(struct live *l, struct session *s, uint64_t pmu_type,
	       uint64_t period, sample_fn fn, void *context);
/* Frees the session too. */
void live_free(struct live *l);

/* One event, of a ring or made up. */
void live_event(void *live, const struct perf_event_header *event);
/* All events and then all samples that the rings hold now. */
void live_drain(struct live *l);
/* All samples of the time up to now are through. */
void live_forget(struct live *l);

#endif
