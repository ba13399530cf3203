/* SPDX-License-Identifier: GPL-2.0-only */
/* What our driver reports: counters, tracepoints and lines in the kernel's log. */
#ifndef ARM_SPE_TEST_WATCH_H
#define ARM_SPE_TEST_WATCH_H

#include "pmu.h"

/* A counter of the PMU for one CPU, or for all CPUs (CPU is -1); -1 if it does not exist. */
long spe_counter(const struct spe_pmu *pmu, const char *name, int cpu);

/* Empties the trace and enables our tracepoints; returns 0 or a negative error number. */
int spe_trace_begin(void);

/* How many lines of the trace are of EVENT and contain TEXT. */
int spe_trace_count(const char *event, const char *text);

/* Opens the kernel's log at its end; returns a file descriptor or a negative error number. */
int spe_log_open(void);

/* Whether a line logged since spe_log_open() or the last call contains TEXT. */
bool spe_log_has(int log, const char *text);

#endif
