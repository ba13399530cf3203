/* SPDX-License-Identifier: GPL-2.0-only */
/* The profile of a file, from samples and from the file's code. */
#ifndef PERF_SPE_FLOW_INFER_H
#define PERF_SPE_FLOW_INFER_H

#include <stdbool.h>

#include "analysis/flow/flow.h"
#include "analysis/flow/flow_estimate.h"

struct dso;

struct flow_inferred {
	struct flow_list list;		/* RANGE, ADDRESS, BRANCH, STEP */
	size_t functions;		/* with samples, and with code that can be read */
	double imbalance;		/* the largest, see flow_balance() */
};

/*
 * Infer the flows of the functions that have samples.  Code without a symbol keeps the
 * flows of its samples.  Returns false, and no flow, if @dso is no AArch64 ELF file.
 */
bool flow_infer(struct flow_inferred *to, const struct dso *dso,
		const struct flow_samples *samples);

#endif
