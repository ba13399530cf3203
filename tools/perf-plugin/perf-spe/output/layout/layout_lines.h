/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of a type's definition: members, gaps, and where cache lines begin. */
#ifndef PERF_SPE_LAYOUT_LINES_H
#define PERF_SPE_LAYOUT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/layout/layout.h"

/* A definition that is being printed; @line and @open are 0 and -1 at first. */
struct layout_lines {
	const struct layout *layout;
	unsigned int bytes;		/* of a cache line */
	int before;			/* characters for the numbers of a row */
	uint64_t line;			/* of the last row */
	int open;			/* the group that is not closed yet, or -1 */
};

/* Whether a gap is padding behind the last member of its group */
bool layout_is_padding(const struct layout *l, size_t row);
/* "hole: 7 bytes", "padding: 22 bits"; to be freed */
char *layout_gap(const struct layout *l, size_t row);
/* Print "struct queue {", and its end. */
void layout_lines_begin(const struct layout_lines *p, FILE *to);
void layout_lines_end(struct layout_lines *p, FILE *to);
/* Print what comes before the line of a row: ends of groups, and the begin of a cache line. */
void layout_lines_before(struct layout_lines *p, size_t row, FILE *to);
/* Print a row's own text, behind its numbers. */
void layout_lines_row(struct layout_lines *p, size_t row, FILE *to);

#endif
