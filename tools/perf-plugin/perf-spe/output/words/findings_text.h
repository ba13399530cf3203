/* SPDX-License-Identifier: GPL-2.0-only */
/* What "perf spe advise" prints: as text, CSV and JSON. */
#ifndef PERF_SPE_FINDINGS_TEXT_H
#define PERF_SPE_FINDINGS_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "analysis/advice/finding.h"
#include "analysis/rows/rows.h"
#include "analysis/advice/trust.h"

struct advice {
	const struct rows *rows;	/* open, after the walk */
	const struct finding_list *list;	/* sorted */
	const struct trust *trust;
	bool weighed;			/* the list's weights are known */
};

/* How many findings there are; a recording that is not to be trusted is one. */
size_t findings_count(const struct advice *a);

/* "text", "csv", "json": the names of the formats below; a word_fn */
const char *findings_format(unsigned int index);

/* Numbered findings, each with its remedy, the command of its evidence, and rows of it */
void findings_text(const struct advice *a, FILE *to);
/* A line for each finding (RFC 4180) */
void findings_csv(const struct advice *a, FILE *to);
/* One object: thresholds, and an array of findings */
void findings_json(const struct advice *a, FILE *to);

#endif
