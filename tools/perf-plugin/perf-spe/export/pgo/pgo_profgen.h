/* SPDX-License-Identifier: GPL-2.0-only */
/* The unsymbolized profile of llvm-profgen. */
#ifndef PERF_SPE_PGO_PROFGEN_H
#define PERF_SPE_PGO_PROFGEN_H

#include "export/pgo/pgo_format.h"

extern const struct pgo_format pgo_profgen;

#endif
