/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How far apart the addresses are that an instruction accesses one after the other.  Between
 * two samples the instruction was executed many times, so a step between two sampled addresses
 * is a multiple of the stride; the steps' common divisor is the stride.  The intervals must be
 * random (jitter): with equal ones all steps have a common divisor that is too large.
 */
#ifndef PERF_SPE_STRIDES_H
#define PERF_SPE_STRIDES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From fewer steps nothing follows: of random ones, 0.7% go one way as often as a walk does. */
#define STRIDES_LEAST	32

/* The steps between successive samples of one instruction in one thread */
struct strides {
	int64_t *steps;
	size_t count, room;
};

struct stride {
	int64_t bytes;		/* negative: downwards */
	double regular;		/* the part of all steps that are multiples of it, 0 to 1 */
	double mean;		/* of the steps in its direction, in bytes, above 0 */
};

/* Later steps than the first 4096 are dropped. */
void strides_add(struct strides *s, int64_t step);
/*
 * Returns false if the addresses are no walk: fewer than STRIDES_LEAST steps, fewer than
 * three quarters of them in one direction, or fewer than 90% of these a multiple of one
 * number.
 */
bool strides_find(const struct strides *s, struct stride *to);
void strides_free(struct strides *s);

#endif
