/* SPDX-License-Identifier: GPL-2.0-only */
/* The loop of "perf spe top", and what its options say. */
#ifndef PERF_SPE_TOP_LOOP_H
#define PERF_SPE_TOP_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/rows.h"
#include "live/live.h"
#include "live/target.h"
#include "output/browse.h"
#include "output/view.h"

struct top {
	struct rows rows;
	struct view view, shown;	/* the samples that come, the table */
	struct browse browse;
	bool interactive;
	char what[64];
	struct target_options options;
	struct target target;
	struct live live;
	struct row_sink sink;
	double interval;		/* seconds */
	uint64_t iterations, seconds;	/* 0: no end */
	bool all, keep;
	struct pollfd *polls;		/* the rings', and the keys' */
};

/* Open the target and show what it does, until the end; the exit status. */
int top_run(struct top *t);

#endif
