/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether the samples of two recordings are of the same kind, so that a difference of them is
 * one of the programs: the same filters, PMUs and cores, and intervals that do not matter.
 */
#ifndef PERF_SPE_COMPARISON_H
#define PERF_SPE_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>

struct session;

/* What the recordings have not in common */
struct unlike {
	const char *what;	/* "filters", "pmus", "cores", "interval" */
	char *text;
};

#define UNLIKE_MAX 4

struct comparison {
	struct unlike unlike[UNLIKE_MAX];
	size_t nr;
	bool impossible;	/* one of them decides: no difference can be tested */
};

void comparison_judge(struct comparison *c, const struct session *old, const struct session *new);
/* "filters and cores", for a message; to be freed */
char *comparison_text(const struct comparison *c);
void comparison_free(struct comparison *c);

#endif
