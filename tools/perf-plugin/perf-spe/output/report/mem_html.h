/* SPDX-License-Identifier: GPL-2.0-only */
/* "perf spe mem" as one page of HTML. */
#ifndef PERF_SPE_MEM_REPORT_HTML_H
#define PERF_SPE_MEM_REPORT_HTML_H

#include <stdio.h>

struct mem_report;

/* One page that needs no other file; 0 or -1 */
int mem_html(const struct mem_report *m, FILE *to);

#endif
