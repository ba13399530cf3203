// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frequency mode, which only our driver has.  The driver adjusts the interval so that the
 * session gives the requested number of records per second.  The guest's clock must advance
 * with its instructions (QEMU's icount): otherwise the speed of the machine varies, and the
 * number of records with it.
 */
#include "test.h"

#include <linux/perf_event.h>
#include <time.h>

#define SECOND		UINT64_C(1000000000)
/* Enough for two seconds of records at the highest frequency below. */
#define PAGES		512

static uint64_t cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * SECOND + now.tv_nsec;
}

/* Works for NS nanoseconds with sampling enabled; returns the exact time. */
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

/* Records per second, measured over 0.8 seconds of work. */
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
/* Operations that the filter removes do not count as records. */
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
 * If perf adjusted the period itself, each tick would end a part of the buffer: 200 ticks in
 * this test (Debian's HZ is 250).  Each task switch also ends a part.
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

/* In discard mode there are no records to count, so frequency mode is refused. */
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
