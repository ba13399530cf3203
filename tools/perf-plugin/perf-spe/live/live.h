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
/*
 * Of samples with call chains: also the user's link register (PERF_REG_ARM64_LR of
 * asm/perf_regs.h), because a function without a frame has its caller only there
 */
#define LIVE_STACK_TYPE (LIVE_SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN | \
			 PERF_SAMPLE_REGS_USER)
#define LIVE_STACK_REGS (UINT64_C(1) << 30)

struct stack_attr;

struct live {
	struct session *session;
	struct ring *rings;		/* the caller's */
	size_t nr_rings;
	struct aux_decoder *decoder;
	struct sample_totals totals;
	uint64_t damaged_events;	/* invalid events, and rings with them */
	bool mapped;			/* mappings changed since @changed */
	void (*changed)(void *context);	/* drops cached places; may be NULL */
	/* With call stacks: see live_drain().  May be NULL */
	void (*settle)(void *context);
	void (*ready)(void *context);
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

/* Also keep call chains, which samples of @attr have. */
void live_stacks(struct live *l, const struct stack_attr *attr);

/* Apply one event from a ring or from /proc. */
void live_event(void *live, const struct perf_event_header *event);
/*
 * Read all events and then all SPE samples that the rings hold now.
 *
 *   SPE samples   | ...rrrrrrrr
 *   settle()      |            <- wait ->
 *   call stacks   | .s....s....s....s....s
 *   ready()       |                       join them
 *
 * The newest SPE samples need call stacks from after them.  So settle() waits between the
 * look at the SPE samples and the reading of events, and ready() may use the call chains
 * before the first SPE sample is decoded.
 */
void live_drain(struct live *l);
/*
 * All samples up to now are decoded: forget what only they needed.  The call stacks of the last
 * LIVE_STACKS_KEPT ns stay for the samples that come next.
 */
#define LIVE_STACKS_KEPT	UINT64_C(200000000)
void live_forget(struct live *l);

#endif
