/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiles for the Firefox Profiler. */
#ifndef PERF_SPE_FORMAT_FIREFOX_H
#define PERF_SPE_FORMAT_FIREFOX_H

#include "export/format.h"

extern const struct format format_firefox;

#endif
