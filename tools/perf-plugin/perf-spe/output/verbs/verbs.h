/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_OUTPUT_VERBS_VERBS_H
#define PERF_SPE_OUTPUT_VERBS_VERBS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/callers/callers.h"
#include "analysis/groups/groups.h"
#include "analysis/layout/layout.h"
#include "analysis/memory/memory.h"
#include "analysis/rows/rows.h"
#include "analysis/stats/stats.h"
#include "input/input.h"
#include "output/memory/memory.h"
#include "output/page/page.h"

/* diff.c: What "perf spe diff" prints: as text, CSV and HTML. */

/* An old recording, and the new ones that are compared with it */
struct diff {
	const struct rows *rows;	/* of each recording, the old one first */
	const struct changes *changes;	/* of each new recording */
	struct flame *flames;		/* of each recording, for the page; not finished */
	size_t nr_changes;
	uint64_t limit;			/* rows of a table; 0: all */
	double least;			/* percent: no smaller difference is marked */
};

/* A table for each new recording; "*" marks what is significant. */
void diff_text(const struct diff *d, FILE *to);
/* The tables of --csv: a word_fn */
const char *diff_table(unsigned int index);
/* For programs: a row for each recording, row and number */
void diff_data(const struct diff *d, const struct data_options *o, FILE *to);
void diff_html(const struct diff *d, FILE *to);

/* html_report.c: A whole recording as one page: what "perf spe report --html" found out. */

/* Functions whose code the page has */
#define HTML_CODES	50
#define HTML_LAYOUTS	3u	/* structures whose layout the page has */
#define HTML_LAYOUT_PERCENT	1	/* of the samples with an address that a structure on the page has */

/* A structure, and who uses its members */
struct html_layout {
	const struct layout_type *type;
	struct layout_heat heat;
	struct layout_sums *sliced;	/* heat.also of each slice, and of samples without a time */
	struct layout_sharing sharing;
	struct layout_pad pad;
};

/* Tables whose rows have sums of each slice of time; those of layouts are the last. */
enum html_sums {
	HTML_OPS, HTML_SOURCES, HTML_TASKS, HTML_EVENTS, HTML_LATENCIES, HTML_CPUS, HTML_REGIONS,
	HTML_PAGES, HTML_NODES, HTML_FINDINGS, HTML_FUNCTIONS, HTML_LAYOUT,
	HTML_SUMS = HTML_LAYOUT + HTML_LAYOUTS
};

struct html_report {
	struct mem_report mem;		/* with the rows of all parts */
	struct sample_totals totals;
	struct composition of;
	struct estimate estimate;
	struct groups groups;		/* sorted by @sort */
	enum measure sort;
	size_t *row_of;			/* of a group in the table, by its number; SIZE_MAX: none */
	size_t *code_of;		/* the same in @codes; HTML_CODES: none */
	struct time_span span;		/* of all samples */
	struct slices slices;		/* of this span: see enum page_sum */
	struct slice_sum line_sums[TIME_SLICES + 1];	/* of all lines; the last without a time */
	struct composition *sliced;	/* of each slice, and of samples without a time */
	struct page_sums sums[HTML_SUMS];
	struct filter **found_by;	/* of each finding; NULL: none */
	struct flame flame;
	struct lines lines;
	struct findings findings;
	struct finding_list found;	/* by @findings */
	struct layout_types types;
	struct html_layout layouts[HTML_LAYOUTS];	/* of the first types */
	size_t nr_layouts;
	struct page_code codes[HTML_CODES];
	size_t nr_codes;
	size_t limit;			/* rows of the table of functions */
};

/* The name of the sums of layout number @i */
const char *html_layout_id(size_t i);
/* Write the page. */
void html_report(const struct html_report *h, FILE *to);

/* mem_html.c: "perf spe mem" as one page of HTML. */

struct mem_report;

/* One page that needs no other file; 0 or -1 */
int mem_html(const struct mem_report *m, FILE *to);

/* mem_data.c: "perf spe mem" for programs. */

/* The tables of --csv: a word_fn */
const char *mem_table(unsigned int index);
void mem_data(const struct mem_report *m, const struct data_options *o, FILE *to);

/* mem_text.c: What "perf spe mem" prints. */

struct mem_report;

void mem_text(const struct mem_report *m);
/*
 * How long step @k of @steps is, of the time from the first sample to the last one, without what
 * --time leaves out
 */
double mem_seconds(const struct mem_report *m, unsigned int k, unsigned int steps);
/* Part of a sentence: how much memory the samples touched; to be freed */
char *mem_touched(const struct pages *p);

#endif
