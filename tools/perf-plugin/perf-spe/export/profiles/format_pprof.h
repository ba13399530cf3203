/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiles for pprof. */
#ifndef PERF_SPE_FORMAT_PPROF_H
#define PERF_SPE_FORMAT_PPROF_H

#include "export/format.h"

extern const struct format format_pprof;

#endif
