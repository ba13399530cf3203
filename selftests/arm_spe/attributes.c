// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which attributes perf_event_open() accepts, and which error number it returns for the others.
 */
#include "test.h"

SPE_FIXTURE(attribute);

/* Not every driver has frequency mode.  A driver without it must return EINVAL. */
TEST_F(attribute, frequency_is_taken_or_invalid)
{
	int fd;

	self->t.attr.perf.freq = 1;
	self->t.attr.perf.sample_freq = 1000;
	fd = spe_attr_open(&self->t.attr, 0, -1);
	if (fd < 0)
		ASSERT_EQ(-EINVAL, fd);
	/* A frequency of zero is invalid for every driver. */
	self->t.attr.perf.sample_freq = 0;
	ASSERT_EQ(-EINVAL, spe_attr_open(&self->t.attr, 0, -1));
}

TEST_F(attribute, exclude_idle_is_not_supported)
{
	self->t.attr.perf.exclude_idle = 1;
	ASSERT_EQ(-EOPNOTSUPP, spe_attr_open(&self->t.attr, 0, -1));
}

/* Event 16 (transactional) is RES0 in PMSEVFR_EL1 on every Armv9 PE. */
TEST_F(attribute, event_that_the_pmu_lacks_is_not_supported)
{
	spe_set(_metadata, &self->t, "event_filter", UINT64_C(1) << 16);
	ASSERT_EQ(-EOPNOTSUPP, spe_attr_open(&self->t.attr, 0, -1));
}

TEST_F(attribute, inverted_event_that_the_pmu_lacks_is_not_supported)
{
	int ret = spe_attr_set(&self->t.attr, &self->t.pmu,
			       "inv_event_filter", UINT64_C(1) << 16);

	if (ret == -ENOENT)
		SKIP(return, "this driver and kernel have no inv_event_filter");
	ASSERT_EQ(0, ret);
	ASSERT_EQ(-EOPNOTSUPP, spe_attr_open(&self->t.attr, 0, -1));
}

TEST_F(attribute, cpu_that_does_not_exist_is_refused)
{
	ASSERT_GT(0, spe_attr_open(&self->t.attr, -1, 4000));
}

FIXTURE(accepted) {
	struct spe_test t;
};

FIXTURE_VARIANT(accepted) {
	const char *name;
	uint64_t value;
};

SPE_FIXTURE_SETUP(accepted)

#define ACCEPT(label, attribute, number)				\
	FIXTURE_VARIANT_ADD(accepted, label) {				\
		.name = attribute, .value = number,			\
	}
ACCEPT(timestamps, "ts_enable", 1);
ACCEPT(physical_addresses, "pa_enable", 1);
ACCEPT(physical_counter, "pct_enable", 1);
ACCEPT(jitter, "jitter", 1);
ACCEPT(branches, "branch_filter", 1);
ACCEPT(loads, "load_filter", 1);
ACCEPT(stores, "store_filter", 1);
ACCEPT(refills, "event_filter", 1 << SPE_EVENT_L1D_REFILL);
ACCEPT(walks, "event_filter", 1 << SPE_EVENT_TLB_WALK);
ACCEPT(mispredictions, "event_filter", 1 << SPE_EVENT_MISPREDICTED);
ACCEPT(several_events, "event_filter", 0xa8);
ACCEPT(latency_of_one_cycle, "min_latency", 1);
ACCEPT(latency_of_12_bits, "min_latency", 0xfff);

TEST_F(accepted, and_a_session_runs)
{
	struct spe_test *t = &self->t;

	spe_set(_metadata, t, variant->name, variant->value);
	spe_open(_metadata, t, 4);
	spe_enable(_metadata, t);
	work_alu(1000);
	spe_finish(_metadata, t);
}

TEST_HARNESS_MAIN
