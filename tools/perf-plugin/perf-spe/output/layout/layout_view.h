/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of a type, for those that print it */
#ifndef PERF_SPE_LAYOUT_VIEW_H
#define PERF_SPE_LAYOUT_VIEW_H

#include <stdio.h>

#include "analysis/layout/layout_heat.h"
#include "analysis/layout/layout_pad.h"
#include "analysis/layout/layout_sharing.h"
#include "analysis/layout/layout_types.h"
#include "analysis/rows/rows.h"

struct layout_view {
	const struct rows *rows;
	const struct layout_type *type;
	const struct layout_heat *heat;
	const struct layout_sharing *sharing;
	const struct layout_pad *pad;
};

typedef void (*layout_print)(const struct layout_view *v, FILE *to);

#endif
