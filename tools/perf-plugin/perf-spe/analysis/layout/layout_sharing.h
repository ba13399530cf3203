/* SPDX-License-Identifier: GPL-2.0-only */
/* Which members of a type are shared by CPUs, truly or falsely, by the verdicts of cache lines. */
#ifndef PERF_SPE_LAYOUT_SHARING_H
#define PERF_SPE_LAYOUT_SHARING_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/layout/layout_heat.h"

/* What meets on a line without a byte in common */
enum layout_apart {
	APART_MEMBERS,		/* two members of an instance */
	APART_ELEMENTS,		/* elements of an array in it */
	APART_INSTANCES,	/* members of two instances */
	APART_OTHERS,		/* a member, and data outside of the type */
};

struct layout_conflict {
	enum layout_apart apart;
	size_t a, b;			/* rows of the layout, a <= b; of APART_OTHERS both are the member */
	const char *other;		/* the variable outside; NULL: not known */
	size_t lines;			/* on which both meet */
	double part;			/* largest part of such a line's meetings */
};

struct layout_sharing {
	bool *truly, *falsely;		/* of each row */
	struct layout_conflict *all;	/* of falsely shared lines, the first members first */
	size_t nr, room;
	size_t few;			/* shared lines of the type with too few samples to tell */
};

/* Rarer meetings than this part of a line's are no reason to move a member. */
#define CONFLICT_PART	0.05

/* After the last sample; @s is all zero. */
void layout_sharing_judge(struct layout_sharing *s, struct layout_heat *heat);
void layout_sharing_free(struct layout_sharing *s);

#endif
