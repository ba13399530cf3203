/* SPDX-License-Identifier: GPL-2.0-only */
/* Traces for Perfetto. */
#ifndef PERF_SPE_FORMAT_PERFETTO_H
#define PERF_SPE_FORMAT_PERFETTO_H

#include "export/format.h"

extern const struct format format_perfetto;

#endif
