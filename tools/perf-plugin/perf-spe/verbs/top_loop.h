/* SPDX-License-Identifier: GPL-2.0-only */
/* The loop of "perf spe top". */
#ifndef PERF_SPE_TOP_LOOP_H
#define PERF_SPE_TOP_LOOP_H

#include "verbs/top_state.h"

/* Sample the target and show tables until the end.  Returns the exit status. */
int top_run(struct top *t);

#endif
