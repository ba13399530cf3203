/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_STAT_TRUST_H
#define PERF_SPE_STAT_TRUST_H

#include <stdbool.h>

#include "analysis/advice/trust.h"

/* Print the estimated totals, @ci: with intervals, and whether the recording can be trusted. */
void stat_trust(const struct trust_of *of, bool ci);

#endif
