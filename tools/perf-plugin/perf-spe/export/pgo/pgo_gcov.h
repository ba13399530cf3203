/* SPDX-License-Identifier: GPL-2.0-only */
/* AutoFDO's profile for GCC, for gcc -fauto-profile. */
#ifndef PERF_SPE_PGO_GCOV_H
#define PERF_SPE_PGO_GCOV_H

#include "export/pgo/pgo_format.h"

extern const struct pgo_format pgo_gcov;

#endif
