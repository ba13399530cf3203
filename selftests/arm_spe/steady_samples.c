// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frequency mode of the PMU spe_sample_N: perf adjusts the period so that there are as many samples
 * in a second as are asked for, whatever the batch.  As in steady_frequency, the guest's clock must
 * advance with its instructions.
 */
#include "sampling.h"
#include "test.h"

#include <time.h>

#define SECOND		UINT64_C(1000000000)
#define RING_BYTES	(1024 * 1024)

FIXTURE(frequency) {
	struct spe_test t;
	struct spe_pmu pmu;
	union spe_attr attr;
	struct spe_sampling s;
};

FIXTURE_VARIANT(frequency) {
	unsigned int batch;
	uint64_t wanted;
};

FIXTURE_VARIANT_ADD(frequency, of_200_one_by_one) { .batch = 1, .wanted = 200 };
FIXTURE_VARIANT_ADD(frequency, of_1000_one_by_one) { .batch = 1, .wanted = 1000 };
FIXTURE_VARIANT_ADD(frequency, of_4000_one_by_one) { .batch = 1, .wanted = 4000 };
FIXTURE_VARIANT_ADD(frequency, of_1000_by_8) { .batch = 8, .wanted = 1000 };
FIXTURE_VARIANT_ADD(frequency, of_4000_by_64) { .batch = 64, .wanted = 4000 };

FIXTURE_SETUP(frequency)
{
	spe_sampling_begin(&self->s);
	spe_test_begin(_metadata, &self->t);
	if (spe_sampling_find(&self->pmu, &self->t.pmu))
		SKIP(return, "the driver has no PMU spe_sample here");
	spe_sampling_attr(&self->attr, &self->pmu, variant->batch);
}

FIXTURE_TEARDOWN(frequency)
{
	spe_sampling_close(&self->s);
	spe_test_end(&self->t);
}

static uint64_t cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

/* Samples in a second, measured over NS nanoseconds of work. */
static uint64_t measure(struct __test_metadata *_metadata, FIXTURE_DATA(frequency) *self,
			uint64_t ns)
{
	static uint8_t at[64] __attribute__((aligned(64)));
	uint64_t start;

	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_ENABLE, 0));
	start = cpu_time();
	while (cpu_time() - start < ns)
		work_mixed(1000, at);
	ns = cpu_time() - start;
	ASSERT_EQ(0, ioctl(self->s.fd, PERF_EVENT_IOC_DISABLE, 0));
	spe_sampling_forget(&self->s);
	ASSERT_EQ(0, spe_sampling_drain(&self->s));
	ASSERT_EQ(0, self->s.lost);
	return self->s.count * SECOND / ns;
}

TEST_F(frequency, is_met_in_a_second)
{
	uint64_t got;

	self->attr.perf.freq = 1;
	self->attr.perf.sample_freq = variant->wanted;
	self->attr.perf.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_PERIOD;
	ASSERT_EQ(0, spe_sampling_open(&self->s, &self->attr, 0, -1, RING_BYTES));
	measure(_metadata, self, SECOND);
	got = measure(_metadata, self, SECOND);
	EXPECT_LE(variant->wanted * 7 / 10, got);
	EXPECT_GE(variant->wanted * 13 / 10, got);
	TH_LOG("%llu samples in a second", (unsigned long long)got);
}

TEST_HARNESS_MAIN
