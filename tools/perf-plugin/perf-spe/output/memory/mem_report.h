/* SPDX-License-Identifier: GPL-2.0-only */
/* What "perf spe mem" found out, for its text and its page. */
#ifndef PERF_SPE_MEM_REPORT_H
#define PERF_SPE_MEM_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/memory/heat.h"
#include "analysis/memory/pages.h"
#include "analysis/rows/rows.h"
#include "analysis/memory/touched_precise.h"
#include "analysis/memory/touchers.h"
#include "analysis/memory/working_set.h"

/* Pictures on a page: of the processes with most samples */
#define MEM_PICTURES	4

struct mem_report {
	struct rows rows;
	struct pages pages;
	struct working_set working_set;
	struct touchers touchers;
	struct touched_precise precise;	/* with ci */
	struct heat heat;		/* of the hottest region, or of --range */
	struct heat pictures[MEM_PICTURES];	/* in files; larger */
	size_t nr_pictures;
	struct heat zoomed[MEM_PICTURES];	/* the same for a page, larger */
	size_t nr_zoomed;
	bool ranged, by_latency;
	bool ci;			/* --ci: with intervals, in text */
	struct region range;
	uint64_t limit, height, width;
	const char *svg, *png, *html;
};

/* Begin m->zoomed: of @range, or with NULL of the processes with most samples. */
void mem_zoomed_begin(struct mem_report *m, const struct region *range);
/* "10 name", for the caller to free: whose memory it is */
char *mem_whose(const struct mem_report *m, uint32_t whose, uint64_t address);
/*
 * What region or page number @index holds, as "counters in shared, [heap]", and the
 * code that accesses a page, as "walk 90.00%, add 10.00%"; "" if nothing is known.
 * For the caller to free.
 */
char *mem_names(const struct mem_report *m, enum touched_kind kind, size_t index);
char *mem_code(const struct mem_report *m, size_t page);
/* What a picture shows, in words, for the caller to free */
char *mem_title(const struct mem_report *m, const struct heat *h);

#endif
