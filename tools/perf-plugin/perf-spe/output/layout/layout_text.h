/* SPDX-License-Identifier: GPL-2.0-only */
/* A type's definition with the samples of each member beside it. */
#ifndef PERF_SPE_LAYOUT_TEXT_H
#define PERF_SPE_LAYOUT_TEXT_H

#include "output/layout/layout_view.h"

void layout_text(const struct layout_view *v, FILE *to);

#endif
