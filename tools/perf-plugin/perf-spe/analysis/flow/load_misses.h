/* SPDX-License-Identifier: GPL-2.0-only */
/* The loads of one file that missed a data cache: how often, and how their addresses move. */
#ifndef PERF_SPE_LOAD_MISSES_H
#define PERF_SPE_LOAD_MISSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/rows/fields.h"
#include "analysis/stats/stake.h"
#include "analysis/flow/strides.h"
#include "util/hash_table.h"

struct load_miss {
	uint64_t address;		/* of the load, as the file has it */
	const char *symbol;		/* or NULL */
	uint64_t loads, misses;		/* executions: sums of the samples' weights */
	uint64_t samples;
	struct stake_sums missed, hit;	/* total latency of samples with misses, and of the others */
	struct strides strides;
};

struct load_misses {
	struct hash_table loads;	/* struct load_miss * */
	struct hash_table last;		/* addresses of the latest samples */
	struct load_miss **sorted;	/* by load_misses_end(): those that missed, most first */
	size_t count;
};

/*
 * Add a sample of the file, if it is one of a load; it stands for @weight executions.  Samples
 * of one CPU must come in their order.
 */
void load_misses_add(struct load_misses *m, const struct row *row, uint64_t weight);
/* Sort, after the last sample. */
void load_misses_end(struct load_misses *m);
/* Mean total latency of the samples with misses, in cycles; 0 if none has one */
double load_miss_latency(const struct load_miss *load);
/*
 * The stride of a load that walks through memory; false if it does not.  A walk by elements of
 * different sizes is none: there the steps exceed what the load could do by strides.
 */
bool load_miss_stride(const struct load_miss *load, struct stride *to);
void load_misses_free(struct load_misses *m);

#endif
