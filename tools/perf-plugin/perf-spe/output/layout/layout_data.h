/* SPDX-License-Identifier: GPL-2.0-only */
/* A type's members and their samples for programs: CSV and JSON. */
#ifndef PERF_SPE_LAYOUT_DATA_H
#define PERF_SPE_LAYOUT_DATA_H

#include "output/layout/layout_view.h"

void layout_csv(const struct layout_view *v, FILE *to);
void layout_json(const struct layout_view *v, FILE *to);

#endif
