/* SPDX-License-Identifier: GPL-2.0-only */
/* perf spe report --html */
#ifndef PERF_SPE_REPORT_HTML_H
#define PERF_SPE_REPORT_HTML_H

#include <stdint.h>

#include "analysis/stats/measure.h"
#include "analysis/rows/rows.h"

/*
 * Open @rows, which has the options, read it, close it, and write the page to @path.  The
 * table of functions is sorted by @sort and has at most @limit rows (0: the usual number).
 * Returns the exit status.
 */
int report_html(struct rows *rows, const char *path, enum measure sort,
		uint64_t limit);

#endif
