/* SPDX-License-Identifier: GPL-2.0-only */
/* Thresholds of "perf spe advise" for kinds of finding, from an option or for cores from a file. */
#ifndef PERF_SPE_THRESHOLDS_H
#define PERF_SPE_THRESHOLDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/advice/finding.h"

/* One line of the file: "CORE KIND=PERCENT,..." */
struct threshold_line {
	uint64_t midr;			/* implementer and part as MIDR_EL1 has them; 0: every core */
	double share[NR_FINDING];	/* 0 to 1; below 0: not named */
};

struct thresholds {
	struct threshold_line *lines;
	size_t nr, room;
};

/* Parse a percentage into a share of 0 to 1; false after a message that begins with @where. */
bool thresholds_share(const char *where, const char *text, size_t len, double *share);
/* Parse "KIND=PERCENT,..." into @share; false after a message that begins with @where. */
bool thresholds_parse(const char *where, const char *list, double *share);
/* Read a file; false after a message. */
bool thresholds_read(struct thresholds *t, const char *path);
/* Set in @share what the lines for the core @midr (0: unknown) say; later lines win. */
void thresholds_apply(const struct thresholds *t, uint64_t midr, double *share);
void thresholds_free(struct thresholds *t);

#endif
