/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * PMBSR_ELx to a verdict: what happened to the Profiling Buffer (D17.8), and
 * what may follow.  Pure and total: every value has a verdict.
 */
#ifndef SPE_SYNDROME_H
#define SPE_SYNDROME_H

#include "caps.h"

/* What happened; the order of the counters. */
enum spe_event_kind {
	SPE_EVENT_NONE,		/* no management event: PMBSR_ELx.S is 0 */
	SPE_EVENT_FULL,
	SPE_EVENT_NOT_ALLOWED,
	SPE_EVENT_TOO_LARGE,
	SPE_EVENT_OTHER,	/* EC 0 with a BSC that has no meaning yet */
	SPE_EVENT_STAGE1,
	SPE_EVENT_STAGE2,
	SPE_EVENT_EXTERNAL,	/* an abort that is an External one, on the write or a walk */
	SPE_EVENT_GPF,		/* an abort that is a Granule Protection Fault */
	SPE_EVENT_GPC,		/* a Granule Protection Check fault that is none */
	SPE_EVENT_IMPDEF,
	SPE_EVENT_UNKNOWN,	/* an EC that has no meaning yet */
	SPE_EVENT_NR
};

enum spe_action {
	SPE_IGNORE,		/* profiling was not stopped */
	SPE_RESUME,		/* go on from the saved pointer with a new limit */
	SPE_REPOSITION,	/* go on, but from a newly configured pointer */
	SPE_STOP,		/* end the session */
	SPE_ACTION_NR
};

/* What a reader of the AUX buffer must be told. */
enum spe_loss {
	SPE_LOSS_COLLISION = 1,	/* samples collided and were dropped */
	SPE_LOSS_PARTIAL = 2,	/* the last record is incomplete, or records are missing */
	SPE_LOSS_TRUNCATED = 4,	/* sampling stopped before the session did */
};

/* What MSS2 adds to an abort: the check that refused the access. */
enum spe_detail {
	SPE_DETAIL_DIRTY_BIT = 1,	/* dirty state, of an indirect permission */
	SPE_DETAIL_OVERLAY = 2,		/* a permission overlay */
	SPE_DETAIL_ASSURED_ONLY = 4,	/* stage 2's AssuredOnly attribute */
	SPE_DETAIL_TOP_LEVEL = 8,	/* stage 2's TopLevel check */
};

struct spe_verdict {
	enum spe_event_kind kind;
	enum spe_action action;
	/*
	 * The cause is others' to remove, and may be there still: to go on is
	 * right only where something has been written since the last time.
	 */
	bool retryable;
	unsigned int loss;	/* enum spe_loss bits */
	unsigned int detail;	/* enum spe_detail bits */
	const char *name;	/* of the event, for people */
	const char *fault;	/* of the fault status, "" where there is none */
};

/*
 * spe_syndrome_decode() - a syndrome, and the capabilities of the PE that it
 * comes from, to a verdict
 */
struct spe_verdict spe_syndrome_decode(u64 pmbsr, const struct spe_caps *caps);

/* The name of an event kind in counters: one word, no blanks. */
const char *spe_syndrome_kind_name(enum spe_event_kind kind);

#endif /* SPE_SYNDROME_H */
