// SPDX-License-Identifier: GPL-2.0-only
/* Frequency mode: each interval that the driver chooses follows from the rules of rate.h. */
#include "rate.h"
#include "test.h"

#define LONGEST	0xffffff00ULL

static bool near(u64 got, u64 wanted, u64 percent)
{
	return got * 100 >= wanted * (100 - percent) && got * 100 <= wanted * (100 + percent);
}

/*
 * The control law of rate.h, computed from its rules with long doubles, which hold every 64-bit
 * integer.  KUnit does not run these cases, because the kernel has no floating point.
 */
struct law {
	long double wanted, shortest, interval, window, ns, parts, deficit;
	bool fresh;
};

static long double whole(long double value)
{
	if (value >= 1e19L)
		return value;	/* Above 2^63 every long double is whole. */
	return value < 0 ? -(long double)(u64)-value : (long double)(u64)value;
}

static long double within(long double value, long double low, long double high)
{
	return value < low ? low : value > high ? high : value;
}

static long double law_interval(const struct law *l, long double interval)
{
	return whole(within(interval, l->shortest, 0xffffff00) / 256) * 256;	/* rule 1 */
}

static long double law_expected(const struct law *l, long double ns)
{
	long double us = within(whole(ns / 1000), 1, 16777216);			/* rule 2 */

	return within(whole(l->wanted * us * 4096 / 1000000), 1, 1e19L);
}

static long double law_time(const struct law *l, long double records, long double low)
{
	return l->wanted ? within(whole(records * 1e9L / l->wanted), low, 16e9L) : low;
}

static void law_init(struct law *l, u64 wanted, u64 shortest, u64 interval)
{
	long double first = interval;

	*l = (struct law) { .wanted = within(wanted, 0, 1e8L), .shortest = shortest, .fresh = true };
	if (!interval && wanted)
		first = whole(1e9L / l->wanted);				/* rule 1 */
	l->interval = law_interval(l, first);
	l->window = law_time(l, 2, 1e6L);					/* rule 3 */
}

static bool law_account(struct law *l, u64 parts, u64 ns)
{
	long double from = l->interval, expected, seen, interval, most, deficit, part;

	l->ns += ns;
	l->parts += parts;
	if (l->ns < l->window &&
	    l->parts < within(4 * law_expected(l, l->window), 16 * 4096, 1e19L))
		return false;							/* rule 3 */
	expected = law_expected(l, l->ns);
	seen = within(l->parts + (l->fresh ? 2048 : 0), within(whole(expected / 16), 1, 1e19L),
		      1e19L);
	interval = within(whole(l->interval * seen / expected), 0, 0xffffff00);	/* rule 4 */
	if (seen > expected - whole(expected / 4) && seen < expected + whole(expected / 4))
		interval = whole((l->interval + interval) / 2);			/* rule 5 */
	most = law_expected(l, law_time(l, 16, 64e6L));				/* rule 6 */
	most = most < expected ? expected : most;
	deficit = l->deficit - whole(l->deficit / 8) + expected - within(l->parts, 0, 3 * most);
	l->deficit = within(deficit, -2 * most, 2 * most);
	part = within(whole(l->deficit / 4), -whole(expected / 4), whole(expected / 4));
	interval = law_interval(l, whole(interval * expected / (expected + part)));
	l->fresh = interval != l->interval;
	l->interval = interval;
	l->window = within(2 * l->window, 1e6L, law_time(l, 16, 64e6L));	/* rule 3 */
	l->ns = l->parts = 0;
	return interval != from;
}

static u64 random_bits(u64 *state, int most)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> (64 - 1 - *state % most);
}

/* Draws parts and ns: near the expected values, exactly at limits, or at random. */
static void random_step(u64 *state, const struct spe_rate *rate, u64 *parts, u64 *ns)
{
	u64 window = spe_rate_due(rate);

	*ns = random_bits(state, 36);
	if (*state % 4)
		*ns = window + *state % 3 - 1;
	/* Rule 2: numbers up to 2^32 parts are exact. */
	if (rate->wanted && (rate->ns + *ns) / 1000 > 1000000ULL * 1048575 / rate->wanted)
		*ns = 1;
	*parts = random_bits(state, 31);
	if (*state % 8 < 4)
		*parts = rate->wanted * (*ns / 1000) * 4096 / 1000000 * (*state % 1024) / 512;
	else if (*state % 8 == 4)
		*parts = 65535 + *state / 8 % 3;
}

TEST(decisions_keep_to_the_control_law)
{
	u64 state = 88172645463325252ULL;

	for (int session = 0; session < 4000; session++) {
		u64 wanted = random_bits(&state, 28), shortest = 256 << state % 5;
		u64 interval = state % 3 ? 0 : random_bits(&state, 34);
		struct spe_rate rate;
		struct law law;

		if (!(state % 32))
			wanted = state % 64 ? 100000000 + state % 3 - 1 : 0;
		spe_rate_init(&rate, wanted, shortest, interval);
		law_init(&law, wanted, shortest, interval);
		CHECK(rate.interval == law.interval && rate.window == law.window,
		      "begin with %llu a second: interval %llu, window %llu", wanted, rate.interval,
		      rate.window);
		for (int step = 0; step < 30; step++) {
			u64 parts, ns, due = law.ns < law.window ? law.window - law.ns : 1;
			bool changed;

			CHECK(spe_rate_due(&rate) == due, "due in %llu, not %llu",
			      spe_rate_due(&rate), due);
			random_step(&state, &rate, &parts, &ns);
			changed = spe_rate_account(&rate, parts, ns);
			CHECK(changed == law_account(&law, parts, ns), "disagrees with the rules on a change");
			CHECK(rate.interval == law.interval && rate.window == law.window &&
			      rate.deficit == law.deficit && rate.restarted == law.fresh,
			      "%llu a second, %llu parts in %llu ns: interval %llu, not %llu", wanted,
			      parts, ns, rate.interval, (u64)law.interval);
			if (rate.interval != law.interval)
				return;
		}
	}
}

/* A CPU was busy with something else.  The expected number overflows products of 64 bits. */
TEST(late_decisions_divide_the_interval_by_sixteen)
{
	for (u64 wanted = 1000; wanted <= 100000000; wanted *= 10) {
		for (u64 ns = 1000000000; ns <= 16000000000; ns *= 2) {
			struct spe_rate rate;
			struct law law;

			spe_rate_init(&rate, wanted, 256, LONGEST);
			law_init(&law, wanted, 256, LONGEST);
			spe_rate_account(&rate, 1, ns);
			law_account(&law, 1, ns);
			CHECK(near(rate.interval, (u64)law.interval, 1),
			      "%llu a second, after %llu ns: %llu, not %llu", wanted, ns,
			      rate.interval, (u64)law.interval);
		}
	}
}

/* Rule 4: one of the two numbers exceeds 32 bits, and their product with the interval 64 bits. */
TEST(a_flood_of_records_chooses_the_longest_interval)
{
	for (int bits = 31; bits < 52; bits++) {
		struct spe_rate rate;
		struct law law;

		spe_rate_init(&rate, 1000, 256, 0x80000000);
		law_init(&law, 1000, 256, 0x80000000);
		spe_rate_account(&rate, 1ULL << bits, 2000000);
		law_account(&law, 1ULL << bits, 2000000);
		CHECK(law.interval == LONGEST && rate.interval == LONGEST, "2^%d parts: %llu", bits,
		      rate.interval);
	}
}
