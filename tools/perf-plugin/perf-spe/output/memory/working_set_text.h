/* SPDX-License-Identifier: GPL-2.0-only */
/* The working set over time as a table with bars. */
#ifndef PERF_SPE_WORKING_SET_TEXT_H
#define PERF_SPE_WORKING_SET_TEXT_H

#include <stdio.h>

struct working_set;

void working_set_text(const struct working_set *w, FILE *to);

#endif
