/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a compiler would put the members of a type if some of them had a larger alignment. */
#ifndef PERF_SPE_LAYOUT_FIT_H
#define PERF_SPE_LAYOUT_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/layout/layout.h"

struct layout_place {
	uint64_t align;			/* bytes: what the layout as it is shows */
	uint64_t low, size;		/* bits: where the member would be in its group, and how long */
	uint64_t group_align;		/* of a group with its members */
	bool line;			/* is to begin with a cache line */
	bool spread;			/* an array: each element is to begin with one */
};

struct layout_fit {
	const struct layout *layout;
	unsigned int bytes;		/* of a cache line */
	struct layout_place *rows;	/* of each row; the caller sets @line and @spread */
	bool line;			/* the type itself is to begin with a line */
	bool exact;			/* without changes the result is the layout as it is */
	uint64_t align;			/* bytes, of the type as it is */
	uint64_t size;			/* bytes, after layout_fit_arrange() */
};

/* Learn from the layout how its members are aligned; @fit has a layout and bytes. */
void layout_fit_learn(struct layout_fit *fit);
/* Arrange the members; if fit->exact is false the result is not known. */
void layout_fit_arrange(struct layout_fit *fit);
/* The byte of the type at which a row would be */
uint64_t layout_fit_offset(const struct layout_fit *fit, size_t row);
void layout_fit_free(struct layout_fit *fit);

#endif
