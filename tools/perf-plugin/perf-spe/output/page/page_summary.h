/* SPDX-License-Identifier: GPL-2.0-only */
/* What a recording consists of, on a page. */
#ifndef PERF_SPE_PAGE_SUMMARY_H
#define PERF_SPE_PAGE_SUMMARY_H

#include <stdio.h>

#include "analysis/tables/composition.h"
#include "analysis/tables/groups.h"
#include "analysis/rows/rows.h"
#include "analysis/advice/trust.h"

/* @g is sorted, and @r was walked with @of's totals. */
void page_summary(FILE *to, const struct rows *r,
		  const struct trust_of *of,
		  const struct composition *c, const struct groups *g);

#endif
