// SPDX-License-Identifier: GPL-2.0-only
/*
 * What only this project's driver promises: a frequency.  The interval is
 * steered so that a second of work gives as many records as were asked for.
 * Where the speed of the machine is not steady, neither are records a second:
 * the guest's time must be its instructions.
 */
#include "test.h"

#include <linux/perf_event.h>
#include <time.h>

#define SECOND		UINT64_C(1000000000)
/* Records of a second at the highest frequency below, twice. */
#define PAGES		512

static uint64_t cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * SECOND + now.tv_nsec;
}

/* Works for so long; returns the time in which it was sampled. */
static uint64_t work(struct __test_metadata *_metadata, struct spe_test *t,
		     uint64_t ns)
{
	static uint8_t at[64] __attribute__((aligned(64)));
	uint64_t start;

	spe_enable(_metadata, t);
	start = cpu_time();
	while (cpu_time() - start < ns)
		work_mixed(1000, at);
	ns = cpu_time() - start;
	ASSERT_EQ(0, spe_session_disable(&t->session));
	return ns;
}

static bool near(uint64_t wanted, uint64_t got)
{
	return wanted * 8 <= got * 10 && got * 10 <= wanted * 12;
}

/* Records in a second of work, counted over 0.8 of one. */
static uint64_t measure(struct __test_metadata *_metadata, struct spe_test *t)
{
	uint64_t ns;

	ASSERT_LE(0, spe_session_drain(&t->session));
	spe_session_forget(&t->session);
	ns = work(_metadata, t, SECOND * 4 / 5);
	spe_finish(_metadata, t);
	return t->records.count * SECOND / ns;
}

FIXTURE(frequency) {
	struct spe_test t;
};

FIXTURE_VARIANT(frequency) {
	uint64_t wanted;
	const char *attribute;
};

SPE_FIXTURE_SETUP(frequency)

FIXTURE_VARIANT_ADD(frequency, of_200) { .wanted = 200 };
FIXTURE_VARIANT_ADD(frequency, of_1000) { .wanted = 1000 };
FIXTURE_VARIANT_ADD(frequency, of_8000) { .wanted = 8000 };
FIXTURE_VARIANT_ADD(frequency, of_1000_with_jitter) {
	.wanted = 1000, .attribute = "jitter",
};
/* What is filtered out is no record. */
FIXTURE_VARIANT_ADD(frequency, of_1000_stores) {
	.wanted = 1000, .attribute = "store_filter",
};

TEST_F(frequency, is_met_in_a_second)
{
	struct spe_test *t = &self->t;
	uint64_t got;

	t->attr.perf.freq = 1;
	t->attr.perf.sample_freq = variant->wanted;
	if (variant->attribute)
		spe_set(_metadata, t, variant->attribute, 1);
	spe_open(_metadata, t, PAGES);
	work(_metadata, t, SECOND / 5);
	got = measure(_metadata, t);
	EXPECT_TRUE(near(variant->wanted, got))
		TH_LOG("%lu records a second", got);
}

SPE_FIXTURE(steering);

TEST_F(steering, follows_a_change_of_what_is_wanted)
{
	struct spe_test *t = &self->t;
	uint64_t other = 4000, got;

	t->attr.perf.freq = 1;
	t->attr.perf.sample_freq = 500;
	spe_open(_metadata, t, PAGES);
	work(_metadata, t, SECOND / 5);
	ASSERT_EQ(0, ioctl(t->session.fd, PERF_EVENT_IOC_PERIOD, &other));
	work(_metadata, t, SECOND / 5);
	got = measure(_metadata, t);
	EXPECT_TRUE(near(other, got))
		TH_LOG("%lu records a second", got);
}

/*
 * perf's own adjustment would end a part of the buffer at each tick, of which
 * there are 200 (Debian's HZ is 250); each time that another task runs does too.
 */
TEST_F(steering, is_not_done_by_the_tick)
{
	struct spe_test *t = &self->t;

	t->attr.perf.freq = 1;
	t->attr.perf.sample_freq = 1000;
	spe_open(_metadata, t, PAGES);
	work(_metadata, t, SECOND / 5);
	measure(_metadata, t);
	EXPECT_GE(100, t->session.chunks);
}

/* Nothing that is discarded can be counted. */
TEST_F(steering, is_refused_where_nothing_is_recorded)
{
	struct spe_test *t = &self->t;

	t->attr.perf.freq = 1;
	t->attr.perf.sample_freq = 0;
	EXPECT_EQ(-EINVAL, spe_attr_open(&t->attr, 0, -1));
	t->attr.perf.sample_freq = 1000;
	if (spe_attr_set(&t->attr, &t->pmu, "discard", 1))
		SKIP(return, "this PMU has no discard mode");
	EXPECT_EQ(-EINVAL, spe_attr_open(&t->attr, 0, -1));
}

TEST_HARNESS_MAIN
