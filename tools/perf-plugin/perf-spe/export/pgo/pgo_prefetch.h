/* SPDX-License-Identifier: GPL-2.0-only */
/* AutoFDO's hints for software prefetching. */
#ifndef PERF_SPE_PGO_PREFETCH_H
#define PERF_SPE_PGO_PREFETCH_H

#include "export/pgo/pgo_format.h"

extern const struct pgo_format pgo_prefetch;

#endif
