/* SPDX-License-Identifier: GPL-2.0-only */
/* The types with most samples. */
#ifndef PERF_SPE_LAYOUT_LIST_H
#define PERF_SPE_LAYOUT_LIST_H

#include <stdio.h>

#include "analysis/layout/layout_types.h"
#include "analysis/rows/rows.h"

typedef void (*layout_list_print)(const struct rows *r, const struct layout_types *t, size_t limit, FILE *to);

void layout_list_text(const struct rows *r, const struct layout_types *t, size_t limit, FILE *to);
void layout_list_csv(const struct rows *r, const struct layout_types *t, size_t limit, FILE *to);
void layout_list_json(const struct rows *r, const struct layout_types *t, size_t limit, FILE *to);

#endif
