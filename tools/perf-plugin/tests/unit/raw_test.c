// SPDX-License-Identifier: GPL-2.0-only
/* Which samples of a window perf spe agent keeps as raw rows: each with the same probability. */
#include <math.h>
#include <stdlib.h>

#include "agent/agent.h"
#include "test.h"

#define SAMPLES	1000u
#define SEEDS	4000u
#define PARTS	10u

/* Give @r @count samples, which have their number as time. */
static void fill(struct reservoir *r, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		struct raw_row *row = reservoir_next(r);

		if (row)
			*row = (struct raw_row){ .time = i };
	}
}

/* Whether @n successes in @trials are within 5 standard deviations of what is expected */
static bool is_likely(double n, double trials, double probability)
{
	return fabs(n - trials * probability) <= 5 * sqrt(trials * probability * (1 - probability));
}

/* Each of @count samples is kept with @expected, and so is each tenth of them. */
static void all_alike(unsigned int count, double share, uint64_t most, double expected)
{
	unsigned int kept[SAMPLES] = { 0 }, seed, i, part;

	for (seed = 0; seed < SEEDS; seed++) {
		struct reservoir r = { .share = share, .most = most, .state = seed };

		fill(&r, count);
		CHECK(r.nr <= most);
		for (i = 0; i < r.nr; i++)
			kept[r.rows[i].time]++;
		free(r.rows);
	}
	for (part = 0; part < PARTS; part++) {
		double n = 0;

		for (i = part * count / PARTS; i < (part + 1) * count / PARTS; i++)
			n += kept[i];
		CHECK(is_likely(n, (double)SEEDS * (i - part * count / PARTS), expected));
	}
	for (i = 0; i < count; i++)
		CHECK(kept[i] <= SEEDS && is_likely(kept[i], SEEDS, expected));
}

/* Each row is another sample; if all samples fit, all are there. */
static void all_different(uint64_t most, size_t expected)
{
	struct reservoir r = { .share = 1, .most = most, .state = 7 };
	bool seen[SAMPLES] = { false };
	size_t i;

	fill(&r, SAMPLES);
	CHECK_EQ(r.nr, expected);
	CHECK_EQ(r.chosen, SAMPLES);
	for (i = 0; i < r.nr; i++) {
		CHECK(!seen[r.rows[i].time]);
		seen[r.rows[i].time] = true;
	}
	free(r.rows);
}

static void as_many_as_fit(void)
{
	all_alike(SAMPLES, 1, 50, 0.05);
	all_alike(3, 1, 2, 2.0 / 3);
	all_different(50, 50);
}

static void a_share(void)
{
	all_alike(SAMPLES, 0.05, SAMPLES, 0.05);
}

static void a_share_of_which_some_fit(void)
{
	all_alike(SAMPLES, 0.5, 100, 0.1);
}

static void all_of_them(void)
{
	all_different(SAMPLES, SAMPLES);
	all_different(SAMPLES + 1, SAMPLES);
}

static void none(void)
{
	struct reservoir r = { .share = 0, .most = 10 };

	fill(&r, SAMPLES);
	CHECK_EQ(r.nr, 0);
}

const struct test_case raw_cases[] = {
	{ "agent raw rows: as many as fit, of all samples alike", as_many_as_fit },
	{ "agent raw rows: a share of all samples alike", a_share },
	{ "agent raw rows: as many as fit of a share, all alike", a_share_of_which_some_fit },
	{ "agent raw rows: all", all_of_them },
	{ "agent raw rows: none", none },
	{ 0 },
};
