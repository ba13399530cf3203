// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "export/pgo/pgo.h"

/* "F" lines are ranges executed in sequence, "B" lines are branches. */
static void write_bolt(const struct pgo_profile *p, FILE *to)
{
	const struct flow *flow;

	flow_each(flow, p->list, FLOW_RANGE)
		if (flow->ends_in_branch)
			fprintf(to, "F %" PRIx64 " %" PRIx64 " %" PRIu64 "\n",
				flow->from, flow->to, flow->count);
	flow_each(flow, p->list, FLOW_BRANCH)
		fprintf(to, "B %" PRIx64 " %" PRIx64 " %" PRIu64 " %" PRIu64 "\n",
			flow->from, flow->to, flow->count, flow->mispredicted);
}

const struct pgo_format pgo_bolt = {
	.name = "bolt", .help = "for perf2bolt -pa", .write = write_bolt,
};
