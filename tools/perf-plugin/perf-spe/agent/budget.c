// SPDX-License-Identifier: GPL-2.0-only
#include "agent/agent.h"

struct budget budget_begin(uint64_t period, double window, double every)
{
	return (struct budget){
		.period = period, .period_least = period, .window = window, .window_most = window,
		.every = every, .every_least = every,
	};
}

static double at_least(double value, double least)
{
	return value > least ? value : least;
}

static double at_most(double value, double most)
{
	return value < most ? value : most;
}

/* The least power of two that brings @share below @limit, if costs fall with it */
static unsigned int times_less(double share, double limit)
{
	unsigned int n = 2;

	while (n < 16 && share > limit * n)
		n *= 2;
	return n;
}

/* A change that brought less than a quarter: something else costs, such as to begin a window. */
#define HELPS	0.75

static void judge_last(struct budget *b, double share)
{
	bool was_window = b->window != b->window_before;

	if (!b->share_before || share <= HELPS * b->share_before)
		return;
	if (b->period == b->period_before && !was_window)
		return;
	b->period = b->period_before;
	b->window = b->window_before;
	b->every_is_next = was_window;
	b->window_is_next = true;
}

static void cost_less(struct budget *b, unsigned int n)
{
	const double shortest = at_most(b->window_most, BUDGET_SHORTEST);

	if (b->period < BUDGET_LONGEST && !b->window_is_next)
		b->period = b->period * n < BUDGET_LONGEST ? b->period * n : BUDGET_LONGEST;
	else if (b->window > shortest && !b->every_is_next)
		b->window = at_least(b->window / n, shortest);
	else
		b->every = at_most(b->every * n, BUDGET_ROUNDS * b->every_least);
}

static void cost_more(struct budget *b)
{
	if (b->every > b->every_least)
		b->every = at_least(b->every / 2, b->every_least);
	else if (b->window < b->window_most)
		b->window = at_most(b->window * 2, b->window_most);
	else if (b->period > b->period_least)
		b->period = b->period / 2 > b->period_least ? b->period / 2 : b->period_least;
}

bool budget_step(struct budget *b, double share, double limit)
{
	const struct budget before = *b;

	if (share > limit) {
		judge_last(b, share);
		b->period_before = b->period;
		b->window_before = b->window;
		b->share_before = share;
		cost_less(b, times_less(share, limit));
	} else {
		b->share_before = 0;
		b->window_is_next = b->every_is_next = false;
		/* Twice as much must still be far from the limit, so that it does not go to and fro. */
		if (share < limit / 4)
			cost_more(b);
	}
	return b->period != before.period || b->window != before.window || b->every != before.every;
}
