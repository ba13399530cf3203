/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Collects what "perf spe advise" judges.  Samples with a flaw are compared with samples of
 * the same operation (load, store, branch) and the same cache events without it, so that a
 * cache miss is not taken for the cost of a page table walk.
 */
#ifndef PERF_SPE_FINDINGS_H
#define PERF_SPE_FINDINGS_H

#include "analysis/stats/estimate.h"
#include "analysis/advice/finding.h"
#include "analysis/memory/lines.h"
#include "analysis/tables/tally.h"
#include "analysis/advice/walk_findings.h"

/* Load, store, branch or other; and by refill of the first cache and miss of the last */
#define FINDINGS_STRATA	16
#define FINDINGS_EVENTS	(FINDING_REMOTE + 1)

/* Samples of a flaw that a sample alone shows */
struct findings_of {
	struct stake_sums flawed[FINDINGS_STRATA], sound[FINDINGS_STRATA];
	uint64_t samples;		/* with the flaw */
	struct tally places;		/* of these, by symbol and object */
};

struct findings {
	struct findings_of of[FINDINGS_EVENTS];
	/* The same of FINDING_TLB, by translation latency */
	struct stake_sums walked[FINDINGS_STRATA], unwalked[FINDINGS_STRATA];
	struct lines lines;
	struct walks walks;
	/*
	 * Loads (0) and stores (1): that hit the first cache, and all of them; and those that
	 * are atomic or exclusive and hit it
	 */
	struct stake_sums hits[2], all[2], atomic_hits[2];
	double cycles;			/* total latency of all samples */
	uint64_t memory, branches, sourced;	/* samples: loads and stores; with a known source */
};

void findings_init(struct findings *f);
/* A row_fn, of rows with their place; @context is the struct findings. */
void findings_add(void *context, const struct row *row);
/*
 * Judge all, after the last row.  The caller sets limits in @to, and frees it with
 * finding_free().  The weight of a sample comes from @estimate.
 */
void findings_judge(struct findings *f, const struct estimate *estimate,
		    struct finding_list *to);
void findings_free(struct findings *f);

#endif
