/* SPDX-License-Identifier: GPL-2.0-only */
/* Gather from rows how one file's code was executed. */
#ifndef PERF_SPE_FLOW_COLLECT_H
#define PERF_SPE_FLOW_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/rows/fields.h"
#include "analysis/flow/flow_estimate.h"
#include "analysis/flow/load_misses.h"
#include "analysis/rows/profile_value.h"
#include "analysis/rows/rows.h"

struct flow_collector {
	const struct rows *rows;
	const char *object;		/* a path, or a file name */
	struct hash_table table;	/* struct flow */
	struct profile_intervals intervals;
	struct load_misses *misses;	/* NULL: the format has none */
	struct dso *dso;		/* of the first sample */
	uint64_t samples, weight;	/* of the object; @weight in operations */
	uint64_t targets;		/* of them: taken branches within the file */
	bool other_operations;		/* neither branch nor load nor store */
};

/* A row_fn whose context is a struct flow_collector */
void flow_collect(void *collector, const struct row *row);
/* Move what was collected to @to, for flow_samples_free(). */
void flow_collect_end(struct flow_collector *c, struct flow_samples *to);
/* Whether the row is of the collector's object */
bool flow_collect_wants(const struct flow_collector *c, const struct row *row);

#endif
