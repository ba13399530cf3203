/* SPDX-License-Identifier: GPL-2.0-only */
/* BOLT's pre-aggregated profile, for perf2bolt -pa. */
#ifndef PERF_SPE_PGO_BOLT_H
#define PERF_SPE_PGO_BOLT_H

#include "export/pgo/pgo_format.h"

extern const struct pgo_format pgo_bolt;

#endif
