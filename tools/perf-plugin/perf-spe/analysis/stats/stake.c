// SPDX-License-Identifier: GPL-2.0-only
#include <math.h>

#include "analysis/stats/stats.h"

void stake_merge(struct stake_sums *s, const struct stake_sums *from)
{
	s->count += from->count;
	s->cycles += from->cycles;
	s->squares += from->squares;
}

struct stake stake_of(const struct stake_sums *flawed, const struct stake_sums *sound)
{
	double n = (double)flawed->count, base = (double)sound->count, mean, spread;

	if (sound->count < STAKE_BASE)
		return (struct stake){ 0 };
	mean = sound->cycles / base;
	spread = fmax(sound->squares - base * mean * mean, 0) / (base - 1);
	return (struct stake){
		.cycles = flawed->cycles - n * mean,
		/* The first is the sum of (latency - mean) squared: a compound Poisson sum. */
		.variance = fmax(flawed->squares - 2 * mean * flawed->cycles + n * mean * mean, 0) +
			    n * n * spread / base,
	};
}
