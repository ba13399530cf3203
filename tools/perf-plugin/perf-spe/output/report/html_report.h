/* SPDX-License-Identifier: GPL-2.0-only */
/* A whole recording as one page: what "perf spe report --html" found out. */
#ifndef PERF_SPE_HTML_REPORT_H
#define PERF_SPE_HTML_REPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/tables/composition.h"
#include "analysis/stats/estimate.h"
#include "analysis/callers/flame.h"
#include "analysis/tables/groups.h"
#include "analysis/memory/lines.h"
#include "input/aux_decoder.h"
#include "output/memory/mem_report.h"
#include "output/page/page_functions.h"

/* Functions whose code the page has */
#define HTML_CODES	50

struct html_report {
	struct mem_report mem;		/* with the rows of all parts */
	struct sample_totals totals;
	struct composition of;
	struct estimate estimate;
	struct groups groups;		/* sorted by @sort */
	enum measure sort;
	struct flame flame;
	struct lines lines;
	struct page_code codes[HTML_CODES];
	size_t nr_codes;
	size_t limit;			/* rows of the table of functions */
};

/* Write the page. */
void html_report(const struct html_report *h, FILE *to);

#endif
