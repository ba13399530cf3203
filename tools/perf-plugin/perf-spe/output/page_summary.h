/* SPDX-License-Identifier: GPL-2.0-only */
/* What a recording consists of, on a page. */
#ifndef PERF_SPE_PAGE_SUMMARY_H
#define PERF_SPE_PAGE_SUMMARY_H

#include <stdio.h>

#include "analysis/composition.h"
#include "analysis/groups.h"
#include "analysis/rows.h"
#include "input/aux_decoder.h"

/* @g is sorted, and @r was walked with @totals. */
void page_summary(FILE *to, const struct rows *r,
		  const struct sample_totals *totals,
		  const struct composition *c, const struct groups *g);

#endif
