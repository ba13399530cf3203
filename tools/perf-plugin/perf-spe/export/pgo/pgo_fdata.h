/* SPDX-License-Identifier: GPL-2.0-only */
/* BOLT's profile, for llvm-bolt -data. */
#ifndef PERF_SPE_PGO_FDATA_H
#define PERF_SPE_PGO_FDATA_H

#include "export/pgo/pgo_format.h"

extern const struct pgo_format pgo_fdata;

#endif
