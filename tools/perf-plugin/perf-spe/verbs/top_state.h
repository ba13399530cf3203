/* SPDX-License-Identifier: GPL-2.0-only */
/* What perf spe top knows: its options, the session, and what is on the screen. */
#ifndef PERF_SPE_TOP_STATE_H
#define PERF_SPE_TOP_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/callers/call_tree.h"
#include "analysis/rows/rows.h"
#include "live/live.h"
#include "live/target.h"
#include "output/tui/browse.h"
#include "output/table/view.h"

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
	struct call_tree calls;		/* of a table, as text */
	double drained;			/* when, with stacks */
	double interval;		/* seconds */
	uint64_t iterations, seconds;	/* 0: no end */
	bool all, keep;
	struct pollfd *polls;		/* of the rings, then of the keyboard */
};

#endif
