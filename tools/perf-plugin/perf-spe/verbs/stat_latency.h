/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_STAT_LATENCY_H
#define PERF_SPE_STAT_LATENCY_H

#include <stdbool.h>

#include "analysis/tables/composition.h"
#include "analysis/stats/hist.h"

/* Mean, percentiles and maximum of each latency; @ci: with intervals */
void stat_latencies(const struct composition *of, bool ci);
void stat_histogram(const struct hist *h);

#endif
