// SPDX-License-Identifier: GPL-2.0-only
/* Each case makes the addresses of a loop, so its stride is known. */
#include <stdlib.h>

#include "analysis/flow/flow.h"
#include "test.h"

/*
 * Samples of a loop that walks through an array of @count elements, @bytes apart, again and
 * again: after a sample it goes on for 1 to @most elements.
 */
static bool walk(int64_t bytes, uint64_t count, unsigned int most, size_t samples,
		 struct stride *found)
{
	struct test_random random = { 7 };
	struct strides s = { 0 };
	uint64_t at = 0, next;
	bool ok;

	while (samples--) {
		next = (at + 1 + test_random_below(&random, most)) % count;
		strides_add(&s, ((int64_t)next - (int64_t)at) * bytes);
		at = next;
	}
	ok = strides_find(&s, found);
	strides_free(&s);
	return ok;
}

static void walks(void)
{
	static const int64_t bytes[] = { 1, 4, 8, 24, 64, 4096, 1000003, -8, -192 };
	struct stride found;
	size_t i;

	for (i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		CHECK(walk(bytes[i], UINT64_MAX >> 32, 50, 40, &found));
		CHECK_EQ(found.bytes, bytes[i]);
		CHECK(found.regular == 1);
		/* The mean of 1 to 50 */
		CHECK(found.mean > 20 * (double)llabs(bytes[i]));
		CHECK(found.mean < 31 * (double)llabs(bytes[i]));
		/* One step in 10 goes back to the begin: 50 of 500 elements, on average 25. */
		CHECK(walk(bytes[i], 250, 50, 3000, &found));
		CHECK_EQ(found.bytes, bytes[i]);
		CHECK(found.regular > 0.87 && found.regular < 0.93);
	}
}

/* A hash table with entries of 64 bytes: the steps have a divisor, and no direction. */
static void no_walk(void)
{
	struct test_random random = { 9 };
	struct strides s = { 0 };
	struct stride found;
	size_t i;

	for (i = 0; i < 5000; i++)
		strides_add(&s, 64 * ((int64_t)test_random_below(&random, 2001) - 1000));
	CHECK(!strides_find(&s, &found));
	strides_free(&s);
	/* It goes round the array between two samples, so nothing tells its direction. */
	CHECK(!walk(8, 100, 1000, 3000, &found));
	/* A variable: always the same address */
	CHECK(!walk(0, 1000, 50, 3000, &found));
	/* One sample too few for 32 steps */
	CHECK(!walk(8, UINT64_MAX >> 32, 50, 31, &found));
	CHECK(walk(8, UINT64_MAX >> 32, 50, 32, &found));
	CHECK(!strides_find(&(struct strides){ 0 }, &found));
}

/* Upwards, but by any distance: only 1 divides most of the steps. */
static void upwards(void)
{
	struct test_random random = { 11 };
	struct strides s = { 0 };
	struct stride found;
	size_t i;

	for (i = 0; i < 3000; i++)
		strides_add(&s, 1 + (int64_t)test_random_below(&random, 100000));
	CHECK(strides_find(&s, &found));
	CHECK_EQ(found.bytes, 1);
	strides_free(&s);
	/* Two strides in turn, as of a loop in a function with two callers */
	s = (struct strides){ 0 };
	for (i = 0; i < 3000; i++)
		strides_add(&s, (i % 200 < 100 ? 24 : 64) * (1 + (int64_t)test_random_below(&random, 50)));
	CHECK(!strides_find(&s, &found));
	strides_free(&s);
}

static void far_steps(void)
{
	struct strides s = { 0 };
	struct stride found;
	size_t i;

	for (i = 0; i < 64; i++)
		strides_add(&s, i % 2 ? INT64_MIN : -((int64_t)1 << 62));
	CHECK(strides_find(&s, &found));
	CHECK_EQ(found.bytes, -((int64_t)1 << 62));
	strides_free(&s);
}

const struct test_case strides_cases[] = {
	{ "strides: of walks, up and down, again and again", walks },
	{ "strides: no direction, no steps, too few of them", no_walk },
	{ "strides: in one direction, by any distance", upwards },
	{ "strides: the largest steps", far_steps },
	{ 0 },
};
