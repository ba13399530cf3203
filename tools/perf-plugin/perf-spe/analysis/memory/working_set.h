/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The working set over time: which pages samples saw in which step of the
 * recording.  Of lines of 64 bytes so few are seen twice that such a count
 * would tell of the samples, not of the program.
 */
#ifndef PERF_SPE_WORKING_SET_H
#define PERF_SPE_WORKING_SET_H

#include <stdint.h>

#include "analysis/memory/pages.h"

#define WORKING_SET_STEPS 64		/* bits of page.when */

struct working_set_step {
	uint64_t samples;
	uint64_t pages, huge;	/* of 4 KiB and 2 MiB, touched in this step */
	uint64_t fresh;		/* of 4 KiB, not in one before */
};

struct working_set {
	struct pages *pages;
	uint64_t samples[WORKING_SET_STEPS];
};

void working_set_add(struct working_set *w, const struct touch *t);
/* @steps of them: a divisor of WORKING_SET_STEPS */
void working_set_steps(const struct working_set *w, struct working_set_step *to, unsigned int steps);

#endif
