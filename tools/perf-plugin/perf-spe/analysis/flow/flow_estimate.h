/* SPDX-License-Identifier: GPL-2.0-only */
/* First counts of a function's blocks and edges, each from its own samples. */
#ifndef PERF_SPE_FLOW_ESTIMATE_H
#define PERF_SPE_FLOW_ESTIMATE_H

#include <stdbool.h>

#include "analysis/flow/code_graph.h"

/* What the samples say */
struct flow_samples {
	struct flow_list list;	/* BRANCH: taken, STEP: not taken, RANGE: by PBT packets */
	double unit;		/* operations that a sample stands for */
	bool branches_only;	/* other operations were not sampled */
	uint64_t *arrivals;	/* targets of branches, sorted; freed by the owner */
	struct arrival {
		uint64_t to, from;	/* @from 0: in another file */
		uint64_t count;
	} *entries;		/* sorted by @to */
	size_t nr_arrivals, nr_entries;
};

/* The sampled branches of the instruction at @address: where they went, how often. */
struct branch_samples {
	const struct flow *first, *end;	/* taken, to this file */
	double taken, not_taken, away;	/* @taken includes @away */
};

/* Fill arrivals and entries from the list. */
void flow_samples_index(struct flow_samples *s);
void flow_samples_free(struct flow_samples *s);
struct branch_samples branch_samples_at(const struct flow_samples *s, uint64_t address);
/* Set the count of each block and the flow of each edge. */
void flow_estimate(struct graph *g, const struct flow_samples *s);

#endif
