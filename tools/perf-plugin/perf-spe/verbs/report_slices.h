/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_SPE_VERBS_REPORT_SLICES_H
#define PERF_SPE_VERBS_REPORT_SLICES_H

#include <stdbool.h>
#include <stddef.h>

#include "output/verbs/verbs.h"

/*
 * report_slices.c: Sums of each slice of time, for the tables of the page of report --html.  The
 * summary of the whole recording is made of them.
 */

/* Before the second reading, when the rows of all tables are known */
void sliced_begin(struct html_report *h);
/* In it, for each batch, each record of a function, and each one with an address in memory */
void sliced_add(struct html_report *h, const struct row_batch *b);
void sliced_function(struct html_report *h, const struct group *group, const struct row_batch *b,
		     size_t i);
void sliced_touch(struct html_report *h, const struct row_batch *b, size_t i,
		  const struct touch *touch);
void sliced_finish(struct html_report *h);

/*
 * The same for the third reading, with the findings and layouts of the page.  False if it is not
 * needed: the second one counted the samples of findings that an event or a data source tells.
 */
bool sliced_found_begin(struct html_report *h);
/* The columns that it needs; of the findings' filters none needs more than the place. */
unsigned int sliced_found_columns(const struct html_report *h);
void sliced_found_add(struct html_report *h, const struct row_batch *b);
void sliced_found_finish(struct html_report *h);

void sliced_free(struct html_report *h);

#endif
