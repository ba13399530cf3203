/* SPDX-License-Identifier: GPL-2.0-only */
/* Heat as a picture in a file. */
#ifndef PERF_SPE_HEAT_PICTURE_H
#define PERF_SPE_HEAT_PICTURE_H

#include <stdio.h>

struct canvas_kind;
struct heat;
struct working_set;

/*
 * With axes, what the colours mean, and the working set @set (or NULL) below.
 * 0, or -1 after a message or with errno set.
 */
int heat_picture(const struct heat *h, const struct working_set *set,
		 const struct canvas_kind *kind, const char *title, FILE *to);

#endif
