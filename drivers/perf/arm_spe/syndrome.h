/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Decodes PMBSR_ELx: which event stopped profiling (D17.8), and what the driver may do
 * next.  Pure.  Every register value has a result.
 */
#ifndef SPE_SYNDROME_H
#define SPE_SYNDROME_H

#include "caps.h"

/* Kinds of management events, in the order of their counters. */
enum spe_event_kind {
	SPE_EVENT_NONE,		/* no management event: PMBSR_ELx.S is 0 */
	SPE_EVENT_FULL,
	SPE_EVENT_NOT_ALLOWED,
	SPE_EVENT_TOO_LARGE,
	SPE_EVENT_OTHER,	/* EC 0 with a reserved BSC */
	SPE_EVENT_STAGE1,
	SPE_EVENT_STAGE2,
	SPE_EVENT_EXTERNAL,	/* External abort on the write or on a table walk */
	SPE_EVENT_GPF,		/* Granule Protection Fault, reported as stage 1 or 2 abort */
	SPE_EVENT_GPC,		/* other fault of the Granule Protection Check */
	SPE_EVENT_IMPDEF,
	SPE_EVENT_UNKNOWN,	/* reserved EC */
	SPE_EVENT_NR
};

enum spe_action {
	SPE_IGNORE,		/* the unit has not stopped */
	SPE_RESUME,		/* resume at the saved write pointer with a new limit */
	SPE_REPOSITION,	/* resume at a new, aligned write pointer */
	SPE_STOP,		/* end the session */
	SPE_ACTION_NR
};

/* Losses that the flags of the AUX record report to the reader. */
enum spe_loss {
	SPE_LOSS_COLLISION = 1,	/* the unit dropped samples that collided */
	SPE_LOSS_PARTIAL = 2,	/* the last record is incomplete, or records are missing */
	SPE_LOSS_TRUNCATED = 4,	/* sampling stopped before the end of the session */
};

/* For a permission fault, MSS2 tells which check refused the access. */
enum spe_detail {
	SPE_DETAIL_DIRTY_BIT = 1,	/* dirty state, with indirect permissions */
	SPE_DETAIL_OVERLAY = 2,		/* a permission overlay */
	SPE_DETAIL_ASSURED_ONLY = 4,	/* stage 2's AssuredOnly attribute */
	SPE_DETAIL_TOP_LEVEL = 8,	/* stage 2's TopLevel check */
};

struct spe_verdict {
	enum spe_event_kind kind;
	enum spe_action action;
	/*
	 * A hypervisor may have fixed the fault, or may not.  Retry only if the unit
	 * has written something since the last attempt; otherwise the same fault
	 * would repeat forever.
	 */
	bool retryable;
	unsigned int loss;	/* enum spe_loss bits */
	unsigned int detail;	/* enum spe_detail bits */
	const char *name;	/* name of the event, for the log */
	const char *fault;	/* name of the fault status, or "" */
};

/*
 * spe_syndrome_decode() - decode a syndrome and decide what the driver does next
 * @pmbsr: PMBSR_ELx
 * @caps: capabilities of the PE that reported it
 */
struct spe_verdict spe_syndrome_decode(u64 pmbsr, const struct spe_caps *caps);

/* Returns the name of a kind's counter: one word without blanks. */
const char *spe_syndrome_kind_name(enum spe_event_kind kind);

#endif /* SPE_SYNDROME_H */
