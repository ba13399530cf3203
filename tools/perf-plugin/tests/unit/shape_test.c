// SPDX-License-Identifier: GPL-2.0-only
/* Shapes of latency histograms: peaks and long tails of distributions that are known. */
#include <math.h>

#include "analysis/stats/stats.h"
#include "test.h"

/* 0 to 1, neither included */
static double uniform(struct test_random *r)
{
	return ((double)(test_random(r) >> 11) + 0.5) / (double)(UINT64_C(1) << 53);
}

static uint16_t cycles(double value)
{
	return (uint16_t)fmin(fmax(value, 0), 65535);
}

static double lognormal(struct test_random *r, double median, double deviation)
{
	return median * exp(deviation * sqrt(-2 * log(uniform(r))) * cos(2 * acos(-1) * uniform(r)));
}

static size_t peaks_of(struct hist *h)
{
	struct shape s;

	shape_judge(&s, h);
	hist_free(h);
	return s.nr_peaks;
}

static void known_peaks(void)
{
	struct hist h = { 0 };
	struct shape s;
	unsigned int i;

	for (i = 0; i < 29; i++)
		hist_add(&h, 4);
	shape_judge(&s, &h);
	CHECK_EQ(s.nr_peaks, 0);
	hist_add(&h, 4);
	shape_judge(&s, &h);
	CHECK_EQ(s.nr_peaks, 1);
	CHECK_EQ(s.peaks[0].low, 4);
	CHECK_EQ(s.peaks[0].high, 5);
	/* 970 at 4 cycles, and 30 at 130 to 159: a first cache, and memory */
	for (i = 0; i < 940; i++)
		hist_add(&h, 4);
	for (i = 0; i < 30; i++)
		hist_add(&h, (uint16_t)(130 + i));
	shape_judge(&s, &h);
	CHECK_EQ(s.nr_peaks, 2);
	CHECK_EQ(s.peaks[0].count, 970);
	CHECK_EQ(s.peaks[1].low, 128);
	CHECK_EQ(s.peaks[1].count, 30);
	CHECK_EQ(s.tail_from, 0);
	hist_free(&h);
}

/* 2% of the samples take 100 cycles to 10000, so few of each that they are no peak. */
static void long_tail(void)
{
	struct hist h = { 0 };
	struct shape s;
	unsigned int i;

	for (i = 0; i < 980; i++)
		hist_add(&h, (uint16_t)(4 + i % 2));
	for (i = 0; i < 20; i++)
		hist_add(&h, (uint16_t)(100 * pow(100, i / 19.0)));
	shape_judge(&s, &h);
	CHECK_EQ(s.nr_peaks, 1);
	CHECK_EQ(s.tail_from, 40);
	CHECK_EQ(s.tail_count, 20);
	CHECK(s.tail_cycles > 20000);
	hist_free(&h);
}

#define ROUNDS 400u

/* Distributions with one peak: at most 5% of their samples are said to have more. */
static void no_false_peaks(void)
{
	struct test_random r = { 1 };
	unsigned int round, i, wrong[3] = { 0 };

	for (round = 0; round < ROUNDS; round++) {
		const unsigned int count = 30 + 61 * (round % 50);
		struct hist h[3] = { { 0 } };

		for (i = 0; i < count; i++) {
			hist_add(&h[0], cycles(lognormal(&r, 20, 0.3 + round % 7 * 0.2)));
			hist_add(&h[1], cycles(3 - log(uniform(&r)) * 30));
			hist_add(&h[2], cycles(2 + uniform(&r) * 300));
		}
		for (i = 0; i < 3; i++)
			wrong[i] += peaks_of(&h[i]) != 1;
	}
	for (i = 0; i < 3; i++)
		CHECK(wrong[i] * 20 <= ROUNDS);
}

/* Hits and misses: 90% of the recordings with 100 misses or more show two peaks. */
static void hits_and_misses(void)
{
	struct test_random r = { 2 };
	unsigned int round, i, right = 0;

	for (round = 0; round < ROUNDS; round++) {
		const unsigned int count = 1000 + round, misses = 100 + round % 300;
		struct hist h = { 0 };

		for (i = 0; i < count; i++)
			hist_add(&h, cycles(i < misses ? lognormal(&r, 150, 0.3) :
					    4 + lognormal(&r, 1, 0.5)));
		right += peaks_of(&h) == 2;
	}
	CHECK(right * 10 >= ROUNDS * 9);
}

const struct test_case peak_cases[] = {
	{ "shape: peaks of known values, and too few", known_peaks },
	{ "shape: a long tail is no peak", long_tail },
	{ "shape: no peaks by chance", no_false_peaks },
	{ "shape: hits and misses are two peaks", hits_and_misses },
	{ 0 },
};
