/* SPDX-License-Identifier: GPL-2.0-only */
/* A table of the loads that missed a cache. */
#ifndef PERF_SPE_PGO_MISSES_H
#define PERF_SPE_PGO_MISSES_H

#include "export/pgo/pgo_format.h"

extern const struct pgo_format pgo_misses;

#endif
