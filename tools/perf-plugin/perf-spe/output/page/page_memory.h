/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory that samples accessed, on a page. */
#ifndef PERF_SPE_PAGE_MEMORY_H
#define PERF_SPE_PAGE_MEMORY_H

#include <stdio.h>

#include "output/memory/mem_report.h"

/* Print m->zoomed. */
void page_memory_pictures(const struct mem_report *m, FILE *to);
/* Print the regions, the hottest pages and the NUMA nodes. */
void page_memory_tables(const struct mem_report *m, FILE *to);

#endif
