// SPDX-License-Identifier: GPL-2.0-only
/* Intervals of 95%: published tables, values computed by hand, and how often they cover the truth. */
#include <math.h>

#include "analysis/stats/stats.h"
#include "test.h"

static bool near(double got, double want, double within)
{
	if (fabs(got - want) <= within)
		return true;
	printf("  %.6f, not %.6f\n", got, want);
	return false;
}

/*
 * R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in
 * Medicine 17 (1998), Table I, method 3
 */
static void newcombe(void)
{
	static const struct {
		double count, all, low, high;
	} rows[] = {
		{ 81, 263, 0.2553, 0.3662 }, { 15, 148, 0.0624, 0.1605 },
		{ 0, 20, 0, 0.1611 }, { 1, 29, 0.0061, 0.1718 },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct interval got = interval_share(rows[i].count, rows[i].all, 1);

		CHECK(near(got.low, rows[i].low, 0.00005));
		CHECK(near(got.high, rows[i].high, 0.00005));
	}
	/* Twice as many samples with twice the variance say as much. */
	CHECK(near(interval_share(162, 526, 2).low, 0.2553, 0.00005));
	CHECK(interval_share(20, 20, 1).high == 1);
}

/* The solutions of (k - m)^2 = z^2 m by hand: m^2 - (2k + z^2) m + k^2 = 0 */
static void poisson(void)
{
	struct interval got = interval_count(10, 1);

	CHECK(near((10 - got.low) * (10 - got.low) / got.low, 3.841459, 0.00001));
	CHECK(near((10 - got.high) * (10 - got.high) / got.high, 3.841459, 0.00001));
	CHECK(got.low < 10 && got.high > 10);
}

/* NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, the column 0.975 */
static void student(void)
{
	static const struct {
		double freedom, value;
	} rows[] = {
		{ 4, 2.776 }, { 5, 2.571 }, { 10, 2.228 }, { 30, 2.042 },
		{ 100, 1.984 }, { 1e9, 1.960 },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		CHECK(near(interval_student(rows[i].freedom), rows[i].value, 0.001));
}

/*
 * NIST/SEMATECH e-Handbook, 1.3.5.2: ZARR13.DAT, 195 values with mean 9.261460 and
 * standard deviation 0.022789; the interval is 9.258242 to 9.264679
 */
static void mean(void)
{
	const struct moments zarr = { 195, 9.261460, 0.022789, 0 };
	const struct moments skewed = { 195, 9.261460, 0.022789, 2 };
	const struct moments few = { 4, 9, 1, 0 };
	struct interval i, s;

	CHECK(interval_mean(&zarr, 1, &i));
	CHECK(near(i.low, 9.258242, 0.00001) && near(i.high, 9.264679, 0.00001));
	/* A long tail to the right may have been missed: both limits move there. */
	CHECK(interval_mean(&skewed, 1, &s));
	CHECK(s.low > i.low && s.high > i.high);
	CHECK(!interval_mean(&few, 1, &i));
}

/*
 * Binomial tables: for n = 10 and one half, P(X <= 1) = 0.0107 and P(X <= 2) = 0.0547, so
 * ranks 2 and 9; n = 20: P(X <= 5) = 0.0207, P(X <= 6) = 0.0577, so ranks 6 and 15;
 * n = 25: P(X <= 7) = 0.0216, P(X <= 8) = 0.0539, so ranks 8 and 18.
 */
static void order_statistics(void)
{
	struct ranks r = interval_ranks(10, 0.5, 1);

	CHECK_EQ(r.low, 2);
	CHECK_EQ(r.high, 9);
	r = interval_ranks(20, 0.5, 1);
	CHECK_EQ(r.low, 6);
	CHECK_EQ(r.high, 15);
	r = interval_ranks(25, 0.5, 1);
	CHECK_EQ(r.low, 8);
	CHECK_EQ(r.high, 18);
	/* 0.99^100 = 0.37: the largest of 100 values may well be below the 99th percentile. */
	r = interval_ranks(100, 0.99, 1);
	CHECK_EQ(r.high, 0);
	/* 5000 + 1 -+ 1.96 * 50, and both forms agree where one takes over from the other */
	r = interval_ranks(10000, 0.5, 1);
	CHECK(r.low >= 4901 && r.low <= 4903 && r.high >= 5098 && r.high <= 5100);
	r = interval_ranks(390, 0.5, 1);
	CHECK_EQ(r.low + r.high, 391);
	r = interval_ranks(410, 0.5, 1);
	CHECK_EQ(r.low + r.high, 411);
}

/* Cycles with a long tail, as latencies have: cubes of even numbers */
static uint16_t draw(struct test_random *r)
{
	unsigned int even = test_random_below(r, 40);

	return (uint16_t)(even * even * even);
}

/* The mean of i^3 for i below 40 is (39 * 40 / 2)^2 / 40 = 15210; the median is 19^3. */
static void coverage(void)
{
	const unsigned int rounds = TEST_ROUNDS(2000);
	unsigned int n, i, means = 0, medians = 0;
	struct test_random r = { 7 };

	for (n = 0; n < rounds; n++) {
		struct hist h = { 0 };
		struct moments m;
		struct interval in;
		struct ranks ranks;

		for (i = 0; i < 100; i++)
			hist_add(&h, draw(&r));
		m = hist_moments(&h);
		CHECK(interval_mean(&m, 1, &in));
		means += in.low <= 15210 && in.high >= 15210;
		ranks = interval_ranks(h.count, 0.5, 1);
		medians += hist_rank(&h, ranks.low) <= 19 * 19 * 19 &&
			   hist_rank(&h, ranks.high) >= 19 * 19 * 19;
		hist_free(&h);
	}
	printf("  means %u, medians %u of %u\n", means, medians, rounds);
	CHECK(means * 100 >= rounds * 93 && means * 100 <= rounds * 97);
	CHECK(medians * 100 >= rounds * 93);
}

/*
 * The 15 probabilities of Y. Benjamini and Y. Hochberg, Controlling the false discovery rate,
 * J. R. Statist. Soc. B 57 (1995): Holm's procedure rejects the first three at 5%.  By hand:
 * 15 * 0.0001, 14 * 0.0004, 13 * 0.0019, 12 * 0.0095.
 */
static void holm(void)
{
	double p[] = {
		0.0344, 0.0001, 0.0459, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298,
		0.0004, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000,
	};
	unsigned int i, rejected = 0;

	significance_holm(p, 15);
	for (i = 0; i < 15; i++)
		rejected += p[i] <= 0.05;
	CHECK_EQ(rejected, 3);
	CHECK(near(p[1], 0.0015, 1e-9) && near(p[8], 0.0056, 1e-9));
	CHECK(near(p[3], 0.0247, 1e-9) && near(p[4], 0.1140, 1e-9));
	CHECK(p[14] == 1);
}

/* By hand: z = 0.1 / sqrt(0.45 * 0.55 * 2 / 100) = 1.4213; NIST's table has 0.4224 below 1.42. */
static void differences(void)
{
	CHECK(near(significance_shares(40, 100, 50, 100), 2 * (0.5 - 0.4224), 0.001));
	CHECK(significance_shares(0, 100, 0, 100) == 1);
	CHECK(near(significance_normal(10, 0.5, 11.96, 0.5), 0.05, 0.0001));
	CHECK(significance_normal(3, 0, 3, 0) == 1);
	CHECK(significance_normal(3, 0, 4, 0) == 0);
}

/* Of 1, 1, 1, 5: mean 2, squares 28, sample variance 12 / 3, third moment (-3 + 27) / 4 */
static void moments_by_hand(void)
{
	struct hist h = { 0 };
	struct moments m;

	hist_add(&h, 1);
	hist_add(&h, 1);
	hist_add(&h, 1);
	hist_add(&h, 5);
	m = hist_moments(&h);
	CHECK(m.count == 4 && m.mean == 2 && m.deviation == 2);
	CHECK(near(m.skewness, 6 / pow(3, 1.5), 1e-12));
	CHECK(hist_squares(&h) == 28 && hist_cubes(&h) == 128);
	CHECK_EQ(hist_rank(&h, 3), 1);
	CHECK_EQ(hist_rank(&h, 4), 5);
	hist_free(&h);
}

/*
 * By hand: sound latencies 1, 2, 3, 4, 5 have mean 3 and variance 10 / 4 = 2.5.  Flawed ones
 * of 10, 10, 13 and 15 exceed it by 7, 7, 10 and 12: 36, and squared 342; 4 * 4 * 2.5 / 5 = 8.
 */
static void stakes(void)
{
	static const double latencies[] = { 10, 10, 13, 15 };
	struct stake_sums flawed = { 0 }, sound = { 0 };
	struct stake stake;
	unsigned int i;

	for (i = 0; i < 4; i++)
		stake_add(&flawed, latencies[i]);
	for (i = 1; i < 5; i++)
		stake_add(&sound, i);
	CHECK(stake_of(&flawed, &sound).cycles <= 0);	/* four are no base */
	stake_add(&sound, 5);
	stake = stake_of(&flawed, &sound);
	CHECK(near(stake.cycles, 36, 1e-9) && near(stake.variance, 350, 1e-9));
}

/*
 * Of 1000 samples one in ten has the flaw, and takes 50 to 149 cycles (99.5 in the mean); the
 * others take 10 to 49 (29.5).  At stake are 1000 / 10 * 70 = 7000 cycles.
 */
static void stakes_covered(void)
{
	const unsigned int rounds = TEST_ROUNDS(1000);
	struct test_random r = { 11 };
	unsigned int n, i, covered = 0;

	for (n = 0; n < rounds; n++) {
		struct stake_sums flawed = { 0 }, sound = { 0 };
		struct interval in;
		struct stake stake;

		for (i = 0; i < 1000; i++) {
			if (!test_random_below(&r, 10))
				stake_add(&flawed, 50 + test_random_below(&r, 100));
			else
				stake_add(&sound, 10 + test_random_below(&r, 40));
		}
		stake = stake_of(&flawed, &sound);
		in = interval_normal(stake.cycles, sqrt(stake.variance));
		covered += in.low <= 7000 && in.high >= 7000;
	}
	printf("  stakes %u of %u\n", covered, rounds);
	CHECK(covered * 100 >= rounds * 93 && covered * 100 <= rounds * 97);
}

const struct test_case interval_cases[] = {
	{ "interval: shares of Newcombe's table", newcombe },
	{ "interval: a number of Poisson's distribution", poisson },
	{ "interval: Student's quantiles of NIST's table", student },
	{ "interval: the mean of NIST's example", mean },
	{ "interval: ranks of binomial tables", order_statistics },
	{ "interval: covers the truth of drawn latencies in 93% to 97%", coverage },
	{ "significance: Holm's correction of published probabilities", holm },
	{ "significance: differences by hand", differences },
	{ "hist: moments and ranks by hand", moments_by_hand },
	{ "interval: cycles at stake, by hand", stakes },
	{ "interval: 1000 intervals of the cycles at stake cover the truth in 93 to 97%", stakes_covered },
	{ 0 },
};
