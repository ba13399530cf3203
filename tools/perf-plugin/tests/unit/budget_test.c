// SPDX-License-Identifier: GPL-2.0-only
/* What perf spe agent changes when a round cost too much, or little. */
#include "agent/agent.h"
#include "test.h"

#define LIMIT	0.01

static void longer_then_shorter(void)
{
	struct budget b = { 131072, 131072, 10, 10 };

	CHECK(!budget_step(&b, LIMIT, LIMIT));
	CHECK(budget_step(&b, 1.5 * LIMIT, LIMIT));
	CHECK_EQ(b.period, 262144);
	CHECK(budget_step(&b, 3 * LIMIT, LIMIT));
	CHECK_EQ(b.period, 1048576);
	CHECK(budget_step(&b, 1000 * LIMIT, LIMIT));
	CHECK_EQ(b.period, 16777216);
	CHECK(budget_step(&b, 1000 * LIMIT, LIMIT));
	CHECK(budget_step(&b, 1000 * LIMIT, LIMIT));
	CHECK_EQ(b.period, BUDGET_LONGEST);
	CHECK(b.window == 10);
	CHECK(budget_step(&b, 2 * LIMIT, LIMIT));
	CHECK(b.window == 5);
	CHECK(budget_step(&b, 1000 * LIMIT, LIMIT));
	CHECK(b.window == BUDGET_SHORTEST);
	CHECK(!budget_step(&b, 1000 * LIMIT, LIMIT));
}

static void back_again(void)
{
	struct budget b = { BUDGET_LONGEST, BUDGET_LONGEST / 4, 3, 10 };

	CHECK(!budget_step(&b, LIMIT / 3, LIMIT));
	CHECK(budget_step(&b, 0, LIMIT));
	CHECK(b.window == 6);
	CHECK(budget_step(&b, 0, LIMIT));
	CHECK(b.window == 10);
	CHECK_EQ(b.period, BUDGET_LONGEST);
	CHECK(budget_step(&b, 0, LIMIT));
	CHECK(budget_step(&b, 0, LIMIT));
	CHECK_EQ(b.period, BUDGET_LONGEST / 4);
	CHECK(!budget_step(&b, 0, LIMIT));
}

/* Costs that fall as the period grows: it comes to rest, and stays there. */
static void comes_to_rest(void)
{
	struct budget b = { 1024, 1024, 10, 10 };
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
	struct budget b = { BUDGET_LONGEST, 1024, 0.5, 0.5 };

	CHECK(!budget_step(&b, 1, LIMIT));
	CHECK(b.window == 0.5);
}

const struct test_case budget_cases[] = {
	{ "agent budget: longer periods, then shorter windows", longer_then_shorter },
	{ "agent budget: longer windows, then shorter periods", back_again },
	{ "agent budget: it comes to rest", comes_to_rest },
	{ "agent budget: a window of less than a second", short_window },
	{ 0 },
};
