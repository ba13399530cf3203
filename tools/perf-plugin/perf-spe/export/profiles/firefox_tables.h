/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables that all threads of a profile for the Firefox Profiler share. */
#ifndef PERF_SPE_FIREFOX_TABLES_H
#define PERF_SPE_FIREFOX_TABLES_H

#include <stdio.h>

#include "analysis/callers/frames.h"

/* Print the members "libs" and "shared"; stacks keep their numbers. */
void firefox_tables(const struct frames *f, FILE *to);

#endif
