/* SPDX-License-Identifier: GPL-2.0-only */
/* What our driver tells: counters, tracepoints, lines in the kernel's log. */
#ifndef ARM_SPE_TEST_WATCH_H
#define ARM_SPE_TEST_WATCH_H

#include "pmu.h"

/* A counter of the PMU, of one CPU or (-1) of all; -1 where there is none. */
long spe_counter(const struct spe_pmu *pmu, const char *name, int cpu);

/* Empties the trace and enables our tracepoints; 0 or a negative error number. */
int spe_trace_begin(void);

/* How many lines of the trace are this event's and hold this text. */
int spe_trace_count(const char *event, const char *text);

/* The kernel's log from now on: a file descriptor, or a negative error number. */
int spe_log_open(void);

/* Whether a line logged since spe_log_open() or the last call holds this text. */
bool spe_log_has(int log, const char *text);

#endif
