// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's counters in debugfs: they must agree with what the sessions show, and count each
 * loss that an AUX record flags.
 */
#include "test.h"
#include "watch.h"

FIXTURE(counters) {
	struct spe_test t;
};

FIXTURE_SETUP(counters)
{
	spe_test_begin(_metadata, &self->t);
}

FIXTURE_TEARDOWN(counters)
{
	spe_test_end(&self->t);
}

TEST_F(counters, count_sessions_and_bytes)
{
	long sessions = spe_counter(&self->t.pmu, "sessions", -1);
	long bytes = spe_counter(&self->t.pmu, "bytes", -1);
	struct spe_test *t = &self->t;

	ASSERT_LE(0, sessions);
	ASSERT_LE(0, bytes);
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 200));
	spe_finish(_metadata, t);
	/* Each time the task is scheduled in counts as one session. */
	EXPECT_LT(sessions, spe_counter(&self->t.pmu, "sessions", -1));
	EXPECT_EQ(bytes + (long)t->session.size, spe_counter(&self->t.pmu, "bytes", -1));
}

TEST_F(counters, stay_where_nothing_is_lost)
{
	static const char *const losses[] = {
		"truncated", "partial", "collisions", "discarded", "bad_pointer",
		"spurious", "livelocks", "halted", "retried", "no_buffer",
	};
	long before[ARRAY_SIZE(losses)];
	struct spe_test *t = &self->t;

	for (size_t i = 0; i < ARRAY_SIZE(losses); i++) {
		before[i] = spe_counter(&self->t.pmu, losses[i], -1);
		ASSERT_LE(0, before[i]);
	}
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 500));
	spe_finish(_metadata, t);
	for (size_t i = 0; i < ARRAY_SIZE(losses); i++) {
		EXPECT_EQ(before[i], spe_counter(&self->t.pmu, losses[i], -1))
			TH_LOG("%s", losses[i]);
	}
}

TEST_F(counters, count_each_truncation)
{
	long before = spe_counter(&self->t.pmu, "truncated", -1), flagged = 0;
	struct spe_test *t = &self->t;

	spe_open(_metadata, t, 2);
	for (int i = 0; i < 5; i++) {
		spe_enable(_metadata, t);
		work_alu(spe_rounds(t, WORK_ALU_OPS, 5 * spe_page_records()));
		ASSERT_EQ(0, spe_session_disable(&t->session));
		ASSERT_LE(1, spe_session_drain(&t->session));
	}
	for (size_t i = 0; i < t->session.chunks; i++)
		flagged += !!(t->session.chunk[i].flags &
			      PERF_AUX_FLAG_TRUNCATED);
	EXPECT_LE(5, flagged);
	EXPECT_EQ(before + flagged, spe_counter(&self->t.pmu, "truncated", -1));
}

TEST_HARNESS_MAIN
