/* SPDX-License-Identifier: GPL-2.0-only */
/* How each report begins: what was recorded, where, and when. */
#ifndef PERF_SPE_HEADING_H
#define PERF_SPE_HEADING_H

#include <stdio.h>

#include "analysis/rows/rows.h"

/* Takes one fact, such as "host", "box, Linux 6.12.0"; @text is the callee's to free. */
typedef void (*heading_fn)(void *context, const char *name, char *text);

/* Call @fn for each fact that the input of @r has.  @r is open. */
void heading_each(const struct rows *r, heading_fn fn, void *context);
/*
 * Why source_name is empty for samples of the last walk, and what to do, to be
 * freed; NULL if it is not, or if no sample has a data source.
 */
char *heading_no_source(const struct rows *r);
/* Call @fn for each fact about call stacks, if they were looked for. */
void heading_stacks(const struct rows *r, heading_fn fn, void *context);
/* Print one fact as a line that begins with "# "; @to is a FILE. */
void heading_line(void *to, const char *name, char *text);
/* Print both as lines that begin with "# ". */
void heading_print(FILE *to, const struct rows *r);

#endif
