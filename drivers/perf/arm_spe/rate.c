// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Frequency mode: computes the next interval from the recorded records.
 */
#include "parse.h"
#include "rate.h"

#define SPE_RATE_SECOND		1000000000ULL
/* Operations a second of a CPU, assumed for the first window only. */
#define SPE_RATE_ASSUMED_SPEED		SPE_RATE_SECOND
#define SPE_RATE_WANTED_MAX	100000000ULL
#define SPE_RATE_PARTS_MAX	0xffffffffULL
/* One decision divides the interval by this at most. */
#define SPE_RATE_MAX_DIVISOR		16
/* Wanted records of a window, and of the first window. */
#define SPE_RATE_SAMPLE		16
#define SPE_RATE_SAMPLE_FIRST	2
/* After this many times the expected records, decide before the window's end. */
#define SPE_RATE_BURST		4
#define SPE_RATE_MAX_PARSED		16

static u64 spe_rate_clamp(u64 value, u64 low, u64 high)
{
	if (value < low)
		return low;
	return value > high ? high : value;
}

/* Returns interval * num / den.  The upper 32 bits of large numbers are exact enough. */
static u64 spe_rate_scale(u64 interval, u64 num, u64 den)
{
	while ((num | den) > SPE_RATE_PARTS_MAX) {
		num /= 2;
		den /= 2;
	}
	if (!den)
		return ARM_SPE_PMSIRR_INTERVAL;
	return spe_rate_clamp(interval * num / den, 0, ARM_SPE_PMSIRR_INTERVAL);
}

/* Limits and rounds to a value that PMSIRR_EL1.INTERVAL can hold (D24.7). */
static u64 spe_rate_interval(const struct spe_rate *rate, u64 interval)
{
	return spe_rate_clamp(interval, rate->shortest, ARM_SPE_PMSIRR_INTERVAL) &
	       ARM_SPE_PMSIRR_INTERVAL;
}

/* Returns the expected parts of a time; never 0. */
static u64 spe_rate_expected(const struct spe_rate *rate, u64 ns)
{
	/* At most 2^27 records a second, 2^24 us and 2^12 parts: the product fits 64 bits. */
	u64 us = spe_rate_clamp(ns / 1000, 1, 1ULL << 24);

	return spe_rate_clamp(rate->wanted * us * SPE_RATE_PART / 1000000, 1, ~0ULL);
}

/* Returns the ns for a number of wanted records, at least "low". */
static u64 spe_rate_time(const struct spe_rate *rate, u64 records, u64 low)
{
	if (!rate->wanted)
		return low;
	return spe_rate_clamp(records * SPE_RATE_SECOND / rate->wanted, low, SPE_RATE_WINDOW_MAX);
}

void spe_rate_init(struct spe_rate *rate, u64 wanted, u64 shortest, u64 interval)
{
	*rate = (struct spe_rate) {
		.wanted = wanted > SPE_RATE_WANTED_MAX ? SPE_RATE_WANTED_MAX : wanted,
		.shortest = shortest,
		.restarted = true,
	};
	rate->window = spe_rate_time(rate, SPE_RATE_SAMPLE_FIRST, SPE_RATE_WINDOW_MIN);
	if (!interval && rate->wanted)
		interval = SPE_RATE_ASSUMED_SPEED / rate->wanted;
	rate->interval = spe_rate_interval(rate, interval);
}

/* Returns the next window: twice the last one, until it has enough records. */
static u64 spe_rate_window(const struct spe_rate *rate)
{
	return spe_rate_clamp(rate->window * 2, SPE_RATE_WINDOW_MIN,
			      spe_rate_time(rate, SPE_RATE_SAMPLE, SPE_RATE_WINDOW));
}

/*
 * If the speed of the program varies, fast windows have more excess records than slow
 * windows lack, because each interval follows from the last window.  A new interval
 * also loses the part of the old one that had passed.  So the next windows compensate
 * for missing or excess records, a quarter of them at each decision.
 */
static u64 spe_rate_compensate(struct spe_rate *rate, u64 expected, u64 interval)
{
	u64 full = spe_rate_expected(rate, spe_rate_time(rate, SPE_RATE_SAMPLE, SPE_RATE_WINDOW));
	s64 most = expected > full ? expected : full, bound = expected / 4, part;

	rate->deficit -= rate->deficit / 8;
	rate->deficit += (s64)expected - (s64)spe_rate_clamp(rate->parts, 0, 3 * most);
	if (rate->deficit > 2 * most)
		rate->deficit = 2 * most;
	if (rate->deficit < -2 * most)
		rate->deficit = -2 * most;
	part = rate->deficit / 4;
	if (part > bound)
		part = bound;
	if (part < -bound)
		part = -bound;
	return spe_rate_scale(interval, expected, expected + part);
}

static void spe_rate_decide(struct spe_rate *rate)
{
	u64 expected = spe_rate_expected(rate, rate->ns);
	u64 least = expected / SPE_RATE_MAX_DIVISOR;
	u64 seen = rate->parts + (rate->restarted ? SPE_RATE_PART / 2 : 0);
	u64 parts = spe_rate_clamp(seen, least ? least : 1, ~0ULL);
	u64 interval = spe_rate_scale(rate->interval, parts, expected);

	/* Close to the wanted frequency most of the difference is chance: go half-way. */
	if (parts > expected - expected / 4 && parts < expected + expected / 4)
		interval = (rate->interval + interval) / 2;
	interval = spe_rate_interval(rate, spe_rate_compensate(rate, expected, interval));
	rate->restarted = interval != rate->interval;
	rate->interval = interval;
	rate->window = spe_rate_window(rate);
	rate->ns = 0;
	rate->parts = 0;
}

bool spe_rate_account(struct spe_rate *rate, u64 parts, u64 ns)
{
	u64 from = rate->interval, burst;

	rate->ns += ns;
	rate->parts += parts;
	burst = SPE_RATE_BURST * spe_rate_expected(rate, rate->window);
	if (burst < SPE_RATE_SAMPLE * SPE_RATE_PART)
		burst = SPE_RATE_SAMPLE * SPE_RATE_PART;
	if (rate->ns < rate->window && rate->parts < burst)
		return false;
	spe_rate_decide(rate);
	return rate->interval != from;
}

u64 spe_rate_due(const struct spe_rate *rate)
{
	return rate->ns < rate->window ? rate->window - rate->ns : 1;
}

u64 spe_rate_bytes(const struct spe_rate *rate, u32 record)
{
	u64 parts = SPE_RATE_BURST * spe_rate_expected(rate, SPE_RATE_WINDOW);

	return (parts / SPE_RATE_PART + SPE_RATE_SAMPLE) * record;
}

u64 spe_rate_records(const u8 *data, u64 size, u32 record)
{
	u64 at = 0, end = 0, seen = 0;

	while (at < size && seen < SPE_RATE_MAX_PARSED && at - end <= record) {
		u8 byte = data[at];

		at += spe_parse_size(byte, at + 1 < size ? data[at + 1] : 0);
		if (!spe_parse_ends(byte))
			continue;
		/* Count padding after a record as part of it. */
		while (at < size && data[at] == SPE_HDR_PADDING)
			at++;
		end = at;
		seen++;
	}
	if (!seen)
		return size * SPE_RATE_PART / record;
	return size * SPE_RATE_PART / end * seen;
}
