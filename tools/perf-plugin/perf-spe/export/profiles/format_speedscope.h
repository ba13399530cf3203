/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiles for speedscope. */
#ifndef PERF_SPE_FORMAT_SPEEDSCOPE_H
#define PERF_SPE_FORMAT_SPEEDSCOPE_H

#include "export/format.h"

extern const struct format format_speedscope;

#endif
