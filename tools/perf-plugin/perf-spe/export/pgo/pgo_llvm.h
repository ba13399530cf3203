/* SPDX-License-Identifier: GPL-2.0-only */
/* LLVM's text form of a sample profile, for clang -fprofile-sample-use. */
#ifndef PERF_SPE_PGO_LLVM_H
#define PERF_SPE_PGO_LLVM_H

#include "export/pgo/pgo_format.h"

extern const struct pgo_format pgo_llvm;

#endif
