/* SPDX-License-Identifier: GPL-2.0-only */
/* The words for findings: what a kind is, what to do, and which command shows it. */
#ifndef PERF_SPE_FINDINGS_WORDS_H
#define PERF_SPE_FINDINGS_WORDS_H

#include "analysis/advice/finding.h"
#include "analysis/rows/rows.h"

/* "loads and stores that needed a page table walk" */
const char *finding_about(enum finding_kind kind);
/* What the cycles at stake are compared with */
const char *finding_base(const struct finding *f);
const char *finding_remedy(enum finding_kind kind);
/* "perf spe VERB -i FILE ... MORE" with the user's input, symbols and filters; to be freed */
char *finding_command(const struct rows *r, const char *verb, const char *filter,
		      const char *more);
/* Append " OPTION VALUE" to @command, which is freed; nothing if @value is NULL. */
char *finding_with(char *command, const char *option, const char *value);

#endif
