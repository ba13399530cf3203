// SPDX-License-Identifier: GPL-2.0-only
/*
 * How the CPU learns of a full buffer: by PMBIRQ or by the Profiling exception.  The test
 * compares what the driver reports, what it was told to use, and what came.  On a kernel that
 * cannot take the exception, the driver must never enable it.
 */
#include "counters.h"
#include "test.h"

/*
 * 1200 records of 64 bytes exceed the watermark, so an event comes; records of 128 bytes still
 * fit into the buffer.
 */
#define WATERMARK	(AUX_BYTES / 4)
#define SAMPLES		1200

FIXTURE(delivery) {
	struct spe_test t;
	struct spe_counters counters;
};

FIXTURE_SETUP(delivery)
{
	spe_test_begin(_metadata, &self->t);
	ASSERT_EQ(0, spe_counters_find(&self->counters, &self->t.pmu));
}

FIXTURE_TEARDOWN(delivery)
{
	EXPECT_EQ(0, spe_write_file(SPE_DELIVERY, "auto"));
	spe_test_end(&self->t);
}

/* Whether the driver reports that events come by exception. */
static bool says_exception(struct __test_metadata *_metadata,
			   const struct spe_test *t)
{
	char text[256];

	ASSERT_LT(0, spe_pmu_read(&t->pmu, "delivery", text, sizeof(text)));
	if (!strncmp(text, "exception: ", 11))
		return true;
	EXPECT_EQ(0, strncmp(text, "interrupt: ", 11))
		TH_LOG("%s", text);
	return false;
}

/* Runs a session, which must be complete; returns how its events came. */
static struct spe_counts record(struct __test_metadata *_metadata,
			    struct spe_test *t, const struct spe_counters *counters)
{
	struct spe_counts counts;

	spe_counters_begin(counters, &counts);
	t->attr.perf.aux_watermark = WATERMARK;
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, SAMPLES));
	spe_finish(_metadata, t);
	EXPECT_LE(SAMPLES, (long)t->records.count);
	spe_counters_end(counters, &counts);
	EXPECT_LE(1, counts.services);
	spe_session_close(&t->session);
	memset(&t->session, 0, sizeof(t->session));
	return counts;
}

static void by_interrupt(struct __test_metadata *_metadata,
			 struct spe_test *t, const struct spe_counters *counters)
{
	struct spe_counts came = record(_metadata, t, counters);

	EXPECT_EQ(0, came.exceptions);
	EXPECT_LE(came.services, came.interrupts);
}

static void by_exception(struct __test_metadata *_metadata,
			 struct spe_test *t, const struct spe_counters *counters)
{
	struct spe_counts came = record(_metadata, t, counters);

	EXPECT_EQ(came.services, came.exceptions);
	EXPECT_EQ(0, came.interrupts);
}

TEST_F(delivery, is_what_the_driver_says)
{
	if (says_exception(_metadata, &self->t))
		by_exception(_metadata, &self->t, &self->counters);
	else
		by_interrupt(_metadata, &self->t, &self->counters);
}

TEST_F(delivery, by_interrupt_if_asked_for)
{
	ASSERT_EQ(0, spe_write_file(SPE_DELIVERY, "interrupt"));
	EXPECT_FALSE(says_exception(_metadata, &self->t));
	by_interrupt(_metadata, &self->t, &self->counters);
}

TEST_F(delivery, by_exception_or_not_at_all)
{
	struct spe_test *t = &self->t;
	struct spe_shape shape = { .aux_pages = AUX_PAGES };

	ASSERT_EQ(0, spe_write_file(SPE_DELIVERY, "exception"));
	if (says_exception(_metadata, t)) {
		by_exception(_metadata, t, &self->counters);
		return;
	}
	EXPECT_EQ(-EOPNOTSUPP,
		  spe_session_open(&t->session, &t->attr, 0, -1, shape));
}

TEST_F(delivery, changes_between_sessions)
{
	struct spe_test *t = &self->t;
	bool exception = says_exception(_metadata, t);

	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, spe_write_file(SPE_DELIVERY, "auto"));
		if (exception)
			by_exception(_metadata, t, &self->counters);
		else
			by_interrupt(_metadata, t, &self->counters);
		ASSERT_EQ(0, spe_write_file(SPE_DELIVERY, "interrupt"));
		by_interrupt(_metadata, t, &self->counters);
	}
}

TEST_F(delivery, is_one_of_three)
{
	EXPECT_EQ(-EINVAL, spe_write_file(SPE_DELIVERY, "carrier pigeon"));
}

TEST_HARNESS_MAIN
