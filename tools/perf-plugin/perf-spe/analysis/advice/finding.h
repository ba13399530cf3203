/* SPDX-License-Identifier: GPL-2.0-only */
/* What "perf spe advise" finds: a flaw, the cycles at stake, and where to see it. */
#ifndef PERF_SPE_FINDING_H
#define PERF_SPE_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/stats/interval.h"
#include "analysis/stats/stake.h"

struct line;

enum finding_kind {
	FINDING_TLB, FINDING_MISPREDICTED, FINDING_MISALIGNED, FINDING_REMOTE,
	FINDING_SHARING, FINDING_ATOMICS, FINDING_STRIDE, NR_FINDING
};

/* One row of the evidence */
struct finding_row {
	uint64_t count;			/* samples */
	double mean;			/* total latency in cycles; below 0: unknown */
	char *name;
};

struct finding {
	enum finding_kind kind;
	char *what;			/* "line 0x1000 of process 10", or NULL */
	const struct line *line;	/* of FINDING_SHARING and FINDING_ATOMICS; else NULL */
	const char *latency;		/* "total", "translation" */
	uint64_t samples;		/* with the flaw */
	double cycles;			/* at stake in the whole recording */
	struct interval interval;	/* of 95%, of these cycles */
	double share;			/* of all cycles of total latency, 0 to 1 */
	const char *verb;		/* "report": prints the evidence ... */
	char *filter;			/* ... with this filter */
	char *object;			/* the argument of "pgo", or NULL */
	struct finding_row *rows;
	size_t nr_rows, room_rows;
};

/* Below these numbers a flaw is no finding. */
struct finding_limits {
	double share[NR_FINDING];	/* of all cycles, 0 to 1 */
	uint64_t samples;
};

struct finding_list {
	struct finding *all;
	size_t nr, room;
	struct finding_limits limits;
	/* Why the samples cannot show a kind: a constant such as "no sample is a branch"; or NULL */
	const char *unseen[NR_FINDING];
	double cycles;			/* total latency of all samples */
	/* The operations that a sample stands for; all 1 if unknown */
	double weight, weight_low, weight_high;
};

/* "tlb-walks": the name of a kind in options and tables; a word_fn.  NULL behind the last */
const char *finding_name(unsigned int kind);
/* The least share of all cycles of a finding of this kind, 0 to 1, unless the user sets another */
double finding_least_share(enum finding_kind kind);
/* Whether the stake and the samples reach the limits, and the interval is above 0 */
bool finding_counts(const struct finding_list *l, enum finding_kind kind, uint64_t samples,
		    const struct stake *stake);
/* Add one, to be completed by the caller; what it returns is valid up to the next call. */
struct finding *finding_add(struct finding_list *l, enum finding_kind kind, uint64_t samples,
			    const struct stake *stake);
/* @name belongs to the finding from then on. */
void finding_row_add(struct finding *f, uint64_t count, double mean, char *name);
/* The most cycles first */
void finding_sort(struct finding_list *l);
void finding_free(struct finding_list *l);

#endif
