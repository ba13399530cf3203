/* SPDX-License-Identifier: GPL-2.0-only */
/* What "perf spe diff" prints: as text, CSV and HTML. */
#ifndef PERF_SPE_DIFF_H
#define PERF_SPE_DIFF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/tables/changes.h"
#include "analysis/rows/rows.h"

/* An old recording, and the new ones that are compared with it */
struct diff {
	const struct rows *rows;	/* of each recording, the old one first */
	const struct changes *changes;	/* of each new recording */
	size_t nr_changes;
	uint64_t limit;			/* rows of a table; 0: all */
	double least;			/* percent: no smaller difference is marked */
};

/* A table for each new recording; "*" marks what is significant. */
void diff_text(const struct diff *d, FILE *to);
/* A line for each recording, row and number (RFC 4180) */
void diff_csv(const struct diff *d, FILE *to);
void diff_html(const struct diff *d, FILE *to);
/* How many differences of a comparison are significant */
size_t diff_significant(const struct diff *d, const struct changes *c);

#endif
