// SPDX-License-Identifier: GPL-2.0-only
#include "agent/agent.h"

/* The least power of two that brings @share below @limit, if costs fall with it */
static unsigned int times_less(double share, double limit)
{
	unsigned int n = 2;

	while (n < 16 && share > limit * n)
		n *= 2;
	return n;
}

bool budget_step(struct budget *b, double share, double limit)
{
	const struct budget before = *b;
	const double window_least = b->window_most < BUDGET_SHORTEST ? b->window_most : BUDGET_SHORTEST;

	if (share > limit && b->period < BUDGET_LONGEST) {
		b->period *= times_less(share, limit);
		if (b->period > BUDGET_LONGEST)
			b->period = BUDGET_LONGEST;
	} else if (share > limit) {
		b->window /= times_less(share, limit);
		if (b->window < window_least)
			b->window = window_least;
	/* Twice as much must still be far from the limit, so that it does not go to and fro. */
	} else if (share < limit / 4 && b->window < b->window_most) {
		b->window *= 2;
		if (b->window > b->window_most)
			b->window = b->window_most;
	} else if (share < limit / 4 && b->period > b->period_least) {
		b->period /= 2;
		if (b->period < b->period_least)
			b->period = b->period_least;
	}
	return b->period != before.period || b->window != before.window;
}
