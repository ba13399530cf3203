/* SPDX-License-Identifier: GPL-2.0-only */
/* What the memory of a cache line belongs to */
#ifndef PERF_SPE_LINE_NAMES_H
#define PERF_SPE_LINE_NAMES_H

#include "analysis/memory/line.h"
#include "analysis/rows/fields.h"

/* Count @row, which is of @access, for the name of its memory. */
void line_name_add(struct line *line, struct access *access, const struct row *row);
/* Order the names: those with most samples first. */
void line_names_sort(struct line *line);

#endif
