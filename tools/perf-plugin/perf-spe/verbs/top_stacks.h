/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Call stacks of perf spe top: the functions of top_loop.c that differ with --stacks.  Without
 * it they leave everything as it is.
 */
#ifndef PERF_SPE_TOP_STACKS_H
#define PERF_SPE_TOP_STACKS_H

#include <stdio.h>
#include <time.h>

#include "analysis/rows/fields.h"
#include "verbs/top_state.h"

/* Seconds after which the samples of a long interval are joined, and stacks are forgotten */
#define TOP_STACKS_TURN	1.0

static inline double now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/* After live_init(): have call chains kept and joined. */
void top_stacks_begin(struct top *t);
/* A row_fn, which adds to the view and to the tree of callers; @top is the struct top. */
void top_add(void *top, const struct row *row);
/* Forget all samples. */
void top_restart(struct top *t);
/* Put off reading the rings if they were just read and are far from full. */
void top_stacks_wait(struct top *t);
/* How many samples have a stack and, of a table by symbol, each function's callers */
void top_stacks_print(struct top *t, FILE *to);

#endif
