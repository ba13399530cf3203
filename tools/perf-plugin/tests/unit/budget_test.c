// SPDX-License-Identifier: GPL-2.0-only
/* What perf spe agent changes when a round cost too much, or little. */
#include "agent/agent.h"
#include "test.h"

#define LIMIT	0.01

/* Costs that all changes bring down, but not far enough */
static void longer_then_shorter(void)
{
	struct budget b = budget_begin(131072, 10, 60);
	double share = 1e6 * LIMIT;
	unsigned int steps;

	CHECK(!budget_step(&b, LIMIT, LIMIT));
	CHECK(budget_step(&b, 1.5 * LIMIT, LIMIT));
	CHECK_EQ(b.period, 262144);
	b = budget_begin(131072, 10, 60);
	CHECK(budget_step(&b, 3 * LIMIT, LIMIT));
	CHECK_EQ(b.period, 524288);
	b = budget_begin(131072, 10, 60);
	for (steps = 0; b.period < BUDGET_LONGEST; steps++, share /= 2)
		CHECK(budget_step(&b, share, LIMIT) && b.window == 10);
	CHECK_EQ(steps, 4);
	CHECK(budget_step(&b, share, LIMIT));
	CHECK(b.window == BUDGET_SHORTEST && b.every == 60);
	for (steps = 0; budget_step(&b, share /= 2, LIMIT) && steps < 10; steps++)
		CHECK(b.window == BUDGET_SHORTEST && b.period == BUDGET_LONGEST);
	CHECK(b.every == 60 * BUDGET_ROUNDS);
}

/* To begin a window costs, whatever its period and length are. */
static void nothing_but_rounds_helps(void)
{
	struct budget b = budget_begin(131072, 10, 60);
	unsigned int steps;

	for (steps = 0; budget_step(&b, 3 * LIMIT * 60 / b.every, LIMIT); steps++)
		CHECK(steps < 5);
	CHECK_EQ(b.period, 131072);
	CHECK(b.window == 10);
	CHECK(b.every == 240);
}

static void back_again(void)
{
	struct budget b = budget_begin(1024, 10, 60);

	b.period = 4096;
	b.window = 3;
	b.every = 100;
	CHECK(!budget_step(&b, LIMIT / 3, LIMIT));
	CHECK(budget_step(&b, 0, LIMIT));
	CHECK(b.every == 60 && b.window == 3);
	CHECK(budget_step(&b, 0, LIMIT));
	CHECK(budget_step(&b, 0, LIMIT));
	CHECK(b.window == 10);
	CHECK_EQ(b.period, 4096);
	CHECK(budget_step(&b, 0, LIMIT));
	CHECK(budget_step(&b, 0, LIMIT));
	CHECK_EQ(b.period, 1024);
	CHECK(!budget_step(&b, 0, LIMIT));
}

/* Costs that fall as the period grows: it comes to rest, and stays there. */
static void comes_to_rest(void)
{
	struct budget b = budget_begin(1024, 10, 60);
	unsigned int steps;

	for (steps = 0; budget_step(&b, 300.0 / (double)b.period + LIMIT / 10, LIMIT); steps++)
		CHECK(steps < 10);
	CHECK(300.0 / (double)b.period + LIMIT / 10 <= LIMIT);
	CHECK(b.period <= 65536);
	CHECK(b.window == 10);
}

/* A window of less than a second is as long as it is set. */
static void short_window(void)
{
	struct budget b = budget_begin(BUDGET_LONGEST, 0.5, 60);

	CHECK(budget_step(&b, 1, LIMIT));
	CHECK(b.window == 0.5);
	CHECK(b.every > 60);
}

const struct test_case budget_cases[] = {
	{ "agent budget: longer periods, then shorter windows", longer_then_shorter },
	{ "agent budget: what costs is to begin a window", nothing_but_rounds_helps },
	{ "agent budget: all back again", back_again },
	{ "agent budget: it comes to rest", comes_to_rest },
	{ "agent budget: a window of less than a second", short_window },
	{ 0 },
};
