/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A page of HTML that needs no other file: its frame, style and scripts.  The sources of
 * style and scripts are in output/html.  The page forbids the browser to load anything.
 */
#ifndef PERF_SPE_PAGE_H
#define PERF_SPE_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/rows/rows.h"

/* A part of the page, which its navigation names */
struct page_part {
	const char *id, *title;
};

/* Begin the page with its style, its navigation and the facts of the recording. */
void page_begin(FILE *to, const char *title, const struct rows *r,
		const struct page_part *parts, size_t count);
/* The facts of a recording alone, for a page about several */
void page_facts(FILE *to, const struct rows *r);
/* End the page with the scripts. */
void page_end(FILE *to);

void page_part_begin(FILE *to, const struct page_part *part);
void page_part_end(FILE *to);

/* Text that is escaped and freed, between "<TAG>" (with attributes) and what closes it */
void page_element(FILE *to, const char *tag, char *text);
/*
 * A table that can be scrolled sideways, with the names of its columns up to NULL; all but the
 * first @nr_text have numbers.
 */
void page_table_begin(FILE *to, const char *caption, const char *const *names,
		      unsigned int nr_text);
void page_table_end(FILE *to);
/* A JSON string that may stand inside a script element */
void page_json_text(FILE *to, const char *text);
/* 1234567 as "1,234,567"; to be freed. */
char *page_number(uint64_t number);
/* A cell with a share in percent, and a bar of that length; @known false: a dash */
void page_share(FILE *to, double share, bool known);

#endif
