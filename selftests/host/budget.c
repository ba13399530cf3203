// SPDX-License-Identifier: GPL-2.0-only
/* The budget of CPU time: when the driver pauses sampling, and for how long. */
#include "budget.h"
#include "test.h"

#define SECOND	1000000000ULL
#define YEAR	(365 * 86400 * SECOND)

/* An event that needs a service of @service ns after each @gap ns of other work. */
struct machine {
	u64 service, gap;
	u64 now;
	u64 served;		/* ns of services */
	u64 pauses;
	u64 longest;		/* most ns of services without a pause */
};

/* Runs for @ns as the driver does: a service that finds the budget exceeded is the last one. */
static void run(struct spe_budget *budget, unsigned int percent, struct machine *m, u64 ns)
{
	u64 end = m->now + ns, since = m->served;

	while (m->now < end) {
		bool over;

		m->now += m->gap;
		spe_budget_pay(budget, percent, m->now);
		over = spe_budget_exceeded(budget, percent);
		m->now += m->service;
		m->served += m->service;
		spe_budget_charge(budget, m->service);
		if (m->served - since > m->longest)
			m->longest = m->served - since;
		if (!over)
			continue;
		m->pauses++;
		since = m->served;
		spe_budget_pay(budget, percent, m->now);
		m->now += spe_budget_due(budget, percent);
	}
}

/* From one service after another to services that are rare. */
static const struct {
	u64 service, gap;
} loads[] = {
	{ 1000, 0 }, { 3000, 0 }, { 3000, 1000 }, { 3000, 3000 }, { 5000, 20000 },
	{ 20000, 100 }, { 200000, 0 }, { 900000, 1000 }, { 1000000, 0 },
};

static const unsigned int percents[] = { 1, 2, 5, 10, 25, 33, 50, 75, 90, 99 };

/*
 * The definition: services take no more than the share, and use what they may take.  The
 * budget of one window, the service that exceeds it and the one that pauses may be open.
 */
TEST(share_is_met)
{
	for (size_t i = 0; i < ARRAY_SIZE(loads); i++) {
		for (size_t p = 0; p < ARRAY_SIZE(percents); p++) {
			struct spe_budget budget = { 0 };
			struct machine m = { .service = loads[i].service, .gap = loads[i].gap };
			u64 percent = percents[p], share, open;

			run(&budget, percent, &m, SECOND);
			share = m.now / 100 * percent;
			open = 10000000 * percent / 100 + 2 * m.service;
			CHECK(m.served <= share + open, "%zu: %llu%%: %llu of %llu", i, percent,
			      m.served, m.now);
			if (100 * m.service <= percent * (m.service + m.gap))
				continue;
			CHECK(m.served + open >= share, "%zu: %llu%%: %llu of %llu", i, percent,
			      m.served, m.now);
		}
	}
}

/* Services below the budget are never paused, from the first one on. */
TEST(load_below_the_budget_is_left_alone)
{
	for (size_t p = 0; p < ARRAY_SIZE(percents) - 1; p++) {
		unsigned int percent = percents[p];
		struct spe_budget budget = { 0 };
		struct machine m = { .service = 100 * percent, .gap = 100 * (100 - percent) };

		run(&budget, percent, &m, 10 * SECOND);
		CHECK(!m.pauses, "%u%%", percent);
		m.service += 100;
		run(&budget, percent, &m, 10 * SECOND);
		CHECK(m.pauses, "%u%%", percent);
	}
}

/*
 * At full load the debt grows by the part of the time that the share does not pay, up to the
 * budget of 10 ms.  Two services come on top: the one that exceeds it, and the one that pauses.
 */
TEST(services_take_the_budget_of_a_window_at_once)
{
	for (size_t p = 0; p < ARRAY_SIZE(percents) - 1; p++) {
		unsigned int percent = percents[p];
		struct spe_budget budget = { 0 };
		struct machine m = { .service = 1000 };
		u64 most = 10000000ULL * percent / (100 - percent);

		run(&budget, percent, &m, SECOND);
		CHECK(m.longest <= most + 3000, "%u%%: %llu", percent, m.longest);
		CHECK(m.longest >= most, "%u%%: %llu", percent, m.longest);
	}
}

TEST(nothing_is_limited_at_0_and_from_100_percent_on)
{
	static const unsigned int unlimited[] = { 0, 100, 101, ~0U };

	for (size_t i = 0; i < ARRAY_SIZE(unlimited); i++) {
		struct spe_budget budget = { 0 };
		struct machine m = { .service = 1000000 };

		run(&budget, unlimited[i], &m, SECOND);
		CHECK(!m.pauses, "%u", unlimited[i]);
		CHECK(!spe_budget_due(&budget, unlimited[i]), "%u", unlimited[i]);
		/* A limit that is set now begins without a debt. */
		spe_budget_pay(&budget, unlimited[i], m.now);
		spe_budget_pay(&budget, 1, m.now);
		CHECK(!spe_budget_due(&budget, 1), "%u", unlimited[i]);
	}
}

TEST(pause_ends_when_the_debt_is_paid)
{
	for (unsigned int percent = 1; percent < 100; percent++) {
		struct spe_budget budget = { .paid_to = 5000 }, early;
		u64 due;

		spe_budget_charge(&budget, 777777);
		due = spe_budget_due(&budget, percent);
		/* The smallest time of which the share is 777777 ns. */
		CHECK(due * percent >= 77777700, "%u%%: %llu", percent, due);
		CHECK((due - 1) * percent < 77777700, "%u%%: %llu", percent, due);
		early = budget;
		spe_budget_pay(&early, percent, 5000 + due - 100);
		CHECK(spe_budget_due(&early, percent), "%u%%", percent);
		spe_budget_pay(&budget, percent, 5000 + due);
		CHECK(!spe_budget_due(&budget, percent), "%u%%", percent);
	}
}

TEST(exceeded_means_more_than_the_budget_of_10_ms)
{
	struct spe_budget budget = { .debt = 2500000 };

	CHECK(!spe_budget_exceeded(&budget, 25), "equal");
	budget.debt++;
	CHECK(spe_budget_exceeded(&budget, 25), "more");
	CHECK(!spe_budget_exceeded(&budget, 26), "the limit was raised");
	CHECK(!spe_budget_exceeded(&budget, 100), "no limit");
	CHECK(!spe_budget_exceeded(&budget, 0), "no limit");
	/* 99% leaves a debt above 10 ms; then the limit was taken away. */
	budget.debt = 10000001;
	CHECK(!spe_budget_exceeded(&budget, 100), "no limit");
	CHECK(!spe_budget_due(&budget, 100), "no limit");
	budget.debt = 100001;
	CHECK(spe_budget_exceeded(&budget, 1), "the limit was lowered");
}

/* The CPU of a virtual machine can be taken away for long, in the middle of a service. */
TEST(long_service_counts_as_one_of_a_millisecond)
{
	struct machine m = { .service = 5000000 };
	struct spe_budget budget = { 0 };

	spe_budget_charge(&budget, 999999);
	CHECK(budget.debt == 999999, "%llu", budget.debt);
	spe_budget_charge(&budget, SECOND);
	CHECK(budget.debt == 1999999, "%llu", budget.debt);
	/* The rest pays nothing: services that take 5 ms, one after another, take all time. */
	CHECK(budget.paid_to == SECOND - 1000000, "%llu", budget.paid_to);
	budget = (struct spe_budget) { 0 };
	run(&budget, 25, &m, SECOND);
	CHECK(m.pauses, "no pause");
}

/* An event leaves the CPU with a debt: time elsewhere must not pay (throttle.c). */
TEST(time_before_paid_to_pays_nothing)
{
	struct spe_budget budget = { .debt = 1000000 };

	spe_budget_pay(&budget, 25, 2000000);
	CHECK(budget.debt == 500000, "%llu", budget.debt);
	budget.paid_to = YEAR;
	spe_budget_pay(&budget, 25, YEAR + 1000000);
	CHECK(budget.debt == 250000, "%llu", budget.debt);
}

/* local_clock() may differ between CPUs, and an event moves. */
TEST(clock_that_goes_backwards_counts_nothing)
{
	struct spe_budget budget = { .debt = 1000, .paid_to = SECOND };

	spe_budget_pay(&budget, 25, SECOND - 1000);
	CHECK(budget.debt == 1000, "%llu", budget.debt);
	spe_budget_pay(&budget, 25, SECOND);
	CHECK(budget.debt == 750, "goes on: %llu", budget.debt);
}

/* 99% of 99 ns are 98.01 ns, and 25% of 103 ns are 25.75 ns. */
TEST(fractions_of_a_nanosecond_are_not_paid)
{
	struct spe_budget budget = { .debt = 1000 };

	spe_budget_pay(&budget, 99, 99);
	CHECK(budget.debt == 1000 - 98, "%llu", budget.debt);
	budget = (struct spe_budget) { .debt = 1000 };
	spe_budget_pay(&budget, 25, 103);
	CHECK(budget.debt == 1000 - 25, "%llu", budget.debt);
}

/* A machine may run for years between two services. */
TEST(long_times_pay_all)
{
	struct spe_budget budget = { .debt = SECOND };

	spe_budget_pay(&budget, 99, 500 * YEAR);
	CHECK(!budget.debt, "%llu", budget.debt);
	budget.debt = YEAR;
	CHECK(spe_budget_due(&budget, 99) == (YEAR * 100 + 98) / 99, "%llu",
	      spe_budget_due(&budget, 99));
	spe_budget_pay(&budget, 1, 584 * YEAR);
	/* 84 years pay 84% of a year. */
	CHECK(budget.debt == YEAR / 100 * 16, "%llu", budget.debt);
}
