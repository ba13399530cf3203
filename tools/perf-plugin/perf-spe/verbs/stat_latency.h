/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_STAT_LATENCY_H
#define PERF_SPE_STAT_LATENCY_H

#include "analysis/tables/composition.h"
#include "analysis/stats/hist.h"

/* Mean, percentiles and maximum of each latency; @ci: with intervals */
void stat_latencies(const struct composition *of, const struct measured_all *ci);
void stat_histogram(const struct hist *h);

#endif
