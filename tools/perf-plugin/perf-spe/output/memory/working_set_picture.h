/* SPDX-License-Identifier: GPL-2.0-only */
/* The working set over time as a part of a picture. */
#ifndef PERF_SPE_WORKING_SET_PICTURE_H
#define PERF_SPE_WORKING_SET_PICTURE_H

struct canvas;
struct working_set;

/* As wide as a heat picture's plot, so that one can stand below the other. */
void working_set_draw(const struct working_set *w, struct canvas *c,
		      unsigned int left, unsigned int top, unsigned int width,
		      unsigned int height);

#endif
