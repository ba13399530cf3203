/* SPDX-License-Identifier: GPL-2.0-only */
/* The loop of "perf spe top" and its options. */
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
	struct view view, shown;	/* collects samples; is on the screen */
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
	struct pollfd *polls;		/* of the rings, then of the keyboard */
};

/* Sample the target and show tables until the end.  Returns the exit status. */
int top_run(struct top *t);

#endif
