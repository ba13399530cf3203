// SPDX-License-Identifier: GPL-2.0-only
/* Histograms of latencies: exact percentiles in bounded memory. */
#include "analysis/stats/stats.h"
#include "test.h"

static void known_values(void)
{
	struct hist h = { 0 };
	unsigned int i;

	for (i = 1; i <= 100; i++)
		hist_add(&h, (uint16_t)i);
	CHECK(hist_mean(&h) == 50.5);
	CHECK_EQ(hist_percentile(&h, 50), 50);
	CHECK_EQ(hist_percentile(&h, 99), 99);
	CHECK_EQ(hist_percentile(&h, 100), 100);
	CHECK_EQ(hist_percentile(&h, 0.5), 1);
	hist_free(&h);
}

static void extremes(void)
{
	struct hist h = { 0 };

	hist_add(&h, 0);
	CHECK_EQ(hist_percentile(&h, 50), 0);
	CHECK(hist_mean(&h) == 0);
	hist_add(&h, 65535);
	CHECK_EQ(hist_percentile(&h, 50), 0);
	CHECK_EQ(hist_percentile(&h, 99), 65535);
	CHECK_EQ(h.count, 2);
	hist_free(&h);
}

/* Large numbers of cycles must not need more memory than small ones. */
static void few_large(void)
{
	struct hist h = { 0 };
	unsigned int i;

	for (i = 0; i < 8; i++)
		hist_add(&h, (uint16_t)(65535 - 4096 * i));
	CHECK(h.bins.room <= 128);
	CHECK_EQ(hist_percentile(&h, 1), 65535 - 4096 * 7);
	CHECK_EQ(hist_percentile(&h, 100), 65535);
	hist_free(&h);
}

static void every_value(void)
{
	struct hist h = { 0 };
	unsigned int i;

	for (i = 0; i < 65536; i++)
		hist_add(&h, (uint16_t)(i * 40503));
	CHECK_EQ(h.bins.count, 65536);
	CHECK_EQ(hist_percentile(&h, 50), 32767);
	CHECK_EQ(hist_percentile(&h, 100), 65535);
	hist_free(&h);
}

const struct test_case hist_cases[] = {
	{ "hist: mean and percentiles of known values", known_values },
	{ "hist: 0 and 65535", extremes },
	{ "hist: a few large values stay small", few_large },
	{ "hist: every value once", every_value },
	{ 0 },
};
