/* SPDX-License-Identifier: GPL-2.0-only */
/* AutoFDO's text input, for create_llvm_prof and create_gcov. */
#ifndef PERF_SPE_PGO_AUTOFDO_H
#define PERF_SPE_PGO_AUTOFDO_H

#include "export/pgo/pgo_format.h"

extern const struct pgo_format pgo_autofdo;

#endif
