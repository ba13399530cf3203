/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The working set over time: which pages samples saw in which step of the
 * recording.  Of lines of 64 bytes so few are seen twice that such a count
 * would tell of the samples, not of the program.
 */
#ifndef PERF_SPE_WSET_H
#define PERF_SPE_WSET_H

#include "analysis/pages.h"
#include "output/canvas.h"

#define WSET_STEPS 64		/* bits of page.when */

struct wset_step {
	uint64_t samples;
	uint64_t pages, huge;	/* of 4 KiB and 2 MiB, touched in this step */
	uint64_t fresh;		/* of 4 KiB, not in one before */
};

struct wset {
	struct pages *pages;
	uint64_t samples[WSET_STEPS];
};

void wset_add(struct wset *w, const struct touch *t);
/* @steps of them: a divisor of WSET_STEPS */
void wset_steps(const struct wset *w, struct wset_step *to, unsigned int steps);
void wset_text(const struct wset *w, FILE *to);
/* As wide as a heat picture's plot, so that one can stand below the other. */
void wset_draw(const struct wset *w, struct canvas *c, unsigned int left,
	       unsigned int top, unsigned int width, unsigned int height);

#endif
