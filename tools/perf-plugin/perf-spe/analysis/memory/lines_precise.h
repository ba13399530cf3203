/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the intervals of shared lines and their accesses need, from a second reading of the
 * samples that lines_add() has seen.
 */
#ifndef PERF_SPE_LINES_PRECISE_H
#define PERF_SPE_LINES_PRECISE_H

#include <stddef.h>

#include "analysis/memory/lines.h"
#include "analysis/stats/precise.h"

/*
 * Of one line, by access.  Where samples of the line were snooped, the shares are of these, but
 * the means are of all.
 */
struct line_precise {
	struct precise share, mean;
};

struct lines_precise {
	struct lines *lines;		/* after lines_finish() */
	size_t nr;			/* the first so many lines of lines->sorted */
	struct precise share;		/* of all shared lines, by line */
	struct line_precise *of;	/* of each of the first lines */
};

/* Collect for the first @lines shared lines and for the first @accesses of each. */
void lines_precise_init(struct lines_precise *p, struct lines *l, size_t lines,
			size_t accesses);
/* A row_fn; @context is the struct lines_precise. */
void lines_precise_add(void *context, const struct row *row);
/* After the last one */
void lines_precise_finish(struct lines_precise *p, const struct rows *rows);
void lines_precise_free(struct lines_precise *p);

#endif
