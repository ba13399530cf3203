/* SPDX-License-Identifier: GPL-2.0-only */
/* The padding that would separate falsely shared members. */
#ifndef PERF_SPE_LAYOUT_PAD_H
#define PERF_SPE_LAYOUT_PAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/layout/layout_fit.h"
#include "analysis/layout/layout_sharing.h"

enum pad_kind {
	PAD_BEFORE,		/* the member begins a line */
	PAD_ELEMENTS,		/* each element of the array does */
	PAD_TYPE,		/* each instance does */
	PAD_NONE,		/* bit-fields and members of a union cannot be separated so */
};

struct pad_step {
	enum pad_kind kind;
	size_t row, other;		/* the member, and the one before it that it is separated from */
	uint64_t offset;		/* bytes; the new one */
	uint64_t cost;			/* bytes of an instance that this step adds to those before */
};

struct layout_pad {
	struct layout_fit fit;
	struct pad_step *steps;
	size_t nr, room;
	/* Members beside the falsely shared ones without samples, which could be moved between them */
	char *cold;			/* "a, b"; NULL: fewer bytes than a line has */
	uint64_t cold_bytes;
};

/* @pad is all zero. */
void layout_pad_plan(struct layout_pad *pad, const struct layout_heat *heat,
		     const struct layout_sharing *s);
void layout_pad_free(struct layout_pad *pad);

#endif
