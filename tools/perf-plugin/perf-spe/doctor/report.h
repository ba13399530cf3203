/* SPDX-License-Identifier: GPL-2.0-only */
/* What doctor found, in the order in which the user should act on it. */
#ifndef PERF_SPE_DOCTOR_REPORT_H
#define PERF_SPE_DOCTOR_REPORT_H

#include <stddef.h>

#include "doctor/words.h"

/* A finding as tables have it: its name in --json, and texts with words */
struct remedy {
	const char *id;
	const char *what;
	const char *why;
	const char *todo;
};

enum level {
	LEVEL_OK,
	LEVEL_PROBLEM,		/* the machine cannot record */
	LEVEL_UNKNOWN,		/* doctor cannot tell */
	LEVEL_NR
};

struct diagnosis {
	enum level level;
	const char *id;
	char *what, *why, *todo;	/* NULL: none */
};

struct report {
	struct diagnosis *at;
	size_t count, room;
	size_t of_level[LEVEL_NR];
};

/* Add a finding; why and todo of the advice may be NULL. */
void report_add(struct report *r, enum level level, const struct remedy *advice,
		const struct words *words);
/* "ready", "not-ready" or "unknown", as --json has it */
const char *report_verdict(const struct report *r);
void report_free(struct report *r);

#endif
