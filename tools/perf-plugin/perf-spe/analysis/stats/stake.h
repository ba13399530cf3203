/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cycles at stake: how much longer the samples with a flaw took than comparable samples
 * without it.  Pure: numbers in, numbers out.
 */
#ifndef PERF_SPE_STAKE_H
#define PERF_SPE_STAKE_H

#include <stdint.h>

/* Fewer samples without the flaw than these are no base to compare with. */
#define STAKE_BASE	5

/* Samples that have a latency, its sum in cycles, and the sum of its squares */
struct stake_sums {
	uint64_t count;
	double cycles, squares;
};

struct stake {
	double cycles;			/* of the samples, not of what they stand for */
	double variance;
};

static inline void stake_add(struct stake_sums *s, double cycles)
{
	s->count++;
	s->cycles += cycles;
	s->squares += cycles * cycles;
}

/* Add all of @from. */
void stake_merge(struct stake_sums *s, const struct stake_sums *from);
/*
 * What @flawed took above the mean of @sound; 0 if @sound has fewer than STAKE_BASE samples.
 * The number of flawed samples is random (Poisson), and the mean of the sound ones is
 * estimated: the variance holds both.
 */
struct stake stake_of(const struct stake_sums *flawed, const struct stake_sums *sound);

#endif
