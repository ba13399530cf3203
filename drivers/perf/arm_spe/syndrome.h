/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * PMBSR_ELx to a verdict: what happened to the Profiling Buffer (D17.8), and
 * what may follow.  Pure and total: every value has a verdict.
 */
#ifndef SPE_SYNDROME_H
#define SPE_SYNDROME_H

#include "types.h"

/* What happened; the order of the counters. */
enum spe_event_kind {
	SPE_EVENT_NONE,		/* no management event: PMBSR_ELx.S is 0 */
	SPE_EVENT_FULL,
	SPE_EVENT_NOT_ALLOWED,
	SPE_EVENT_TOO_LARGE,
	SPE_EVENT_OTHER,	/* EC 0 with a BSC that has no meaning yet */
	SPE_EVENT_STAGE1,
	SPE_EVENT_STAGE2,
	SPE_EVENT_GPC,
	SPE_EVENT_IMPDEF,
	SPE_EVENT_UNKNOWN,	/* an EC that has no meaning yet */
	SPE_EVENT_NR
};

enum spe_action {
	SPE_IGNORE,		/* profiling was not stopped */
	SPE_RESUME,		/* go on from the saved pointer with a new limit */
	SPE_RESUME_ELSEWHERE,	/* go on, but from a newly configured pointer */
	SPE_STOP,		/* end the session */
};

/* What a reader of the AUX buffer must be told. */
enum spe_loss {
	SPE_LOSS_COLLISION = 1,	/* samples collided and were dropped */
	SPE_LOSS_PARTIAL = 2,	/* the last record is incomplete, or records are missing */
	SPE_LOSS_TRUNCATED = 4,	/* sampling stopped before the session did */
};

struct spe_verdict {
	enum spe_event_kind kind;
	enum spe_action action;
	unsigned int loss;	/* enum spe_loss bits */
	const char *name;	/* of the event, for people */
	const char *fault;	/* of the fault status, "" where there is none */
};

struct spe_verdict spe_syndrome_judge(u64 pmbsr);

/* The name of an event kind in counters: one word, no blanks. */
const char *spe_syndrome_kind_name(enum spe_event_kind kind);

#endif /* SPE_SYNDROME_H */
