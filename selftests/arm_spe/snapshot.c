// SPDX-License-Identifier: GPL-2.0-only
/* Snapshot mode: the driver overwrites the oldest records and keeps the newest. */
#include "test.h"

FIXTURE(snapshot) {
	struct spe_test t;
};

FIXTURE_VARIANT(snapshot) {
	unsigned int pages;
};

SPE_FIXTURE_SETUP(snapshot)

FIXTURE_VARIANT_ADD(snapshot, of_two_pages) { .pages = 2 };
FIXTURE_VARIANT_ADD(snapshot, of_four_pages) { .pages = 4 };
FIXTURE_VARIANT_ADD(snapshot, of_sixteen_pages) { .pages = 16 };

static void open_snapshot(struct __test_metadata *_metadata,
			  struct spe_test *t, unsigned int pages)
{
	struct spe_shape shape = { .aux_pages = pages, .overwrite = true };

	spe_set(_metadata, t, "ts_enable", 1);
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, 0, -1, shape));
}

/* The buffer is not full yet, so it holds all records. */
TEST_F(snapshot, before_it_wraps_holds_everything)
{
	struct spe_test *t = &self->t;
	uint64_t samples = variant->pages * spe_page_records() / 4;

	open_snapshot(_metadata, t, variant->pages);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, samples));
	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(1, spe_session_drain(&t->session));
	EXPECT_EQ(0, t->session.flags & PERF_AUX_FLAG_TRUNCATED);
	EXPECT_TRUE(t->session.flags & PERF_AUX_FLAG_OVERWRITE);
	spe_session_snapshot(&t->session, &t->records);
	EXPECT_LE(samples - 3, t->records.count);
	EXPECT_GE(samples + 3, t->records.count);
	EXPECT_EQ(0, t->records.damaged);
}

/*
 * One loop fills the buffer several times, then a second loop runs: its records must be the
 * newest.
 */
TEST_F(snapshot, after_wrapping_holds_the_newest)
{
	struct spe_test *t = &self->t;
	uint64_t room = variant->pages * spe_page_records();
	uint64_t newest = room / 4;
	const struct spe_record *last;
	size_t old, recent;

	open_snapshot(_metadata, t, variant->pages);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 5 * room));
	work_alu2(spe_rounds(t, WORK_ALU_OPS, newest));
	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(1, spe_session_drain(&t->session));
	EXPECT_EQ(0, t->session.flags & PERF_AUX_FLAG_TRUNCATED);
	spe_session_snapshot(&t->session, &t->records);
	old = spe_count_pc(&t->records, work_alu, work_alu_end);
	recent = spe_count_pc(&t->records, work_alu2, work_alu2_end);
	EXPECT_LE(newest - 3, recent);
	EXPECT_GE(newest + 3, recent);
	EXPECT_LT(0, old);
	EXPECT_EQ(0, t->records.damaged);
	/* The records are in the order of time, the oldest first. */
	for (size_t i = 1; i < t->records.count; i++) {
		EXPECT_LE(t->records.record[i - 1].timestamp,
			  t->records.record[i].timestamp);
	}
	ASSERT_LT(1, t->records.count);
	last = &t->records.record[t->records.count - 2];
	EXPECT_TRUE(spe_pc_in(last, work_alu2, work_alu2_end));
}

/* The same session takes several snapshots. */
TEST_F(snapshot, can_be_taken_again_and_again)
{
	struct spe_test *t = &self->t;
	uint64_t room = variant->pages * spe_page_records();

	open_snapshot(_metadata, t, variant->pages);
	for (int i = 0; i < 6; i++) {
		spe_enable(_metadata, t);
		work_alu(spe_rounds(t, WORK_ALU_OPS, room * 3 / 4));
		ASSERT_EQ(0, spe_session_disable(&t->session));
		ASSERT_LE(1, spe_session_drain(&t->session));
		spe_records_free(&t->records);
		spe_session_snapshot(&t->session, &t->records);
		EXPECT_EQ(0, t->records.damaged);
		EXPECT_LE(room / 4, spe_count_pc(&t->records, work_alu,
						 work_alu_end));
	}
}

TEST_HARNESS_MAIN
