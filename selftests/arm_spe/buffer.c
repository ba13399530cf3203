// SPDX-License-Identifier: GPL-2.0-only
/* The AUX buffer: its sizes, wakeups, wrapping, and what a full one does. */
#include "test.h"

#include <poll.h>

static void alu(uint64_t rounds)
{
	work_alu(rounds);
}

FIXTURE(size) {
	struct spe_test t;
};

FIXTURE_VARIANT(size) {
	unsigned int pages;
};

SPE_FIXTURE_SETUP(size)

FIXTURE_VARIANT_ADD(size, two_pages) { .pages = 2 };
FIXTURE_VARIANT_ADD(size, four_pages) { .pages = 4 };
FIXTURE_VARIANT_ADD(size, eight_pages) { .pages = 8 };

/*
 * Ten times around the buffer and more, read out before it is full: every
 * record arrives whole, and as many as the interval promises.
 */
TEST_F(size, wraps_many_times_without_loss)
{
	struct spe_test *t = &self->t;
	uint64_t bytes = variant->pages * (uint64_t)sysconf(_SC_PAGESIZE);
	/* A quarter of the buffer, at 64 bytes a record at most. */
	uint64_t each = bytes / 4 / 64;
	uint64_t steps = 48;

	spe_open(_metadata, t, variant->pages);
	spe_enable(_metadata, t);
	for (uint64_t i = 0; i < steps; i++) {
		work_alu(spe_rounds(t, WORK_ALU_OPS, each));
		/*
		 * Read only what is stopped: reading is user code too, and
		 * how much of it depends on how often the task was moved or
		 * preempted, which on a slow host is often.
		 */
		ASSERT_EQ(0, spe_session_disable(&t->session));
		ASSERT_LE(1, spe_session_drain(&t->session));
		spe_enable(_metadata, t);
	}
	spe_finish(_metadata, t);
	EXPECT_LE(steps * each - 5, t->records.count);
	/* A step's own calls are user code too: less than an interval. */
	EXPECT_GE(steps * each + steps + 5, t->records.count);
	EXPECT_EQ(t->session.next, spe_session_head(&t->session));
	EXPECT_LE(5 * bytes, t->session.next);
}

SPE_FIXTURE(buffer);

/*
 * The limit is a page's boundary and perf keeps one byte free, so a single
 * page holds nothing: it must be refused or flagged, never silently empty.
 */
TEST_F(buffer, of_one_page_is_refused_or_truncates)
{
	struct spe_test *t = &self->t;
	struct spe_shape shape = { .aux_pages = 1 };

	if (spe_session_open(&t->session, &t->attr, 0, -1, shape))
		return;
	spe_session_enable(&t->session);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 200));
	spe_session_disable(&t->session);
	ASSERT_LE(0, spe_session_drain(&t->session));
	spe_session_records(&t->session, &t->records);
	EXPECT_EQ(0, t->records.damaged);
	if (t->records.count < 195)
		EXPECT_TRUE(t->session.flags & PERF_AUX_FLAG_TRUNCATED);
}

/* A reader that never reads: the loss is said, and ends when it reads. */
TEST_F(buffer, when_full_is_truncated_and_resumes_after_reading)
{
	struct spe_test *t = &self->t;
	unsigned int pages = 4;
	size_t before;

	spe_open(_metadata, t, pages);
	for (int turn = 0; turn < 3; turn++) {
		spe_enable(_metadata, t);
		work_alu(spe_rounds(t, WORK_ALU_OPS, 600));
		ASSERT_EQ(0, spe_session_disable(&t->session));
		ASSERT_LE(1, spe_session_drain(&t->session));
		spe_records_free(&t->records);
		spe_session_records(&t->session, &t->records);
		before = t->records.count;
		EXPECT_TRUE(t->session.flags & PERF_AUX_FLAG_TRUNCATED);
		EXPECT_EQ(0, t->session.gaps);
		EXPECT_EQ(0, t->records.damaged);
		/* It held at least half, and less than all that there was. */
		EXPECT_LE(pages * 4096 / 64 / 2, before);
		EXPECT_GT(600, before);
		spe_session_forget(&t->session);
	}
	/* With room again, nothing is lost. */
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 50));
	spe_finish(_metadata, t);
	EXPECT_LE(48, t->records.count);
}

FIXTURE(watermark) {
	struct spe_test t;
	struct spe_worker worker;
};

FIXTURE_VARIANT(watermark) {
	unsigned int pages;	/* 0: the default, half the buffer */
};

FIXTURE_SETUP(watermark)
{
	spe_test_begin(_metadata, &self->t);
	ASSERT_EQ(0, spe_worker_start(&self->worker, 1, alu));
}

FIXTURE_TEARDOWN(watermark)
{
	spe_worker_stop(&self->worker);
	spe_test_end(&self->t);
}

FIXTURE_VARIANT_ADD(watermark, one_page) { .pages = 1 };
FIXTURE_VARIANT_ADD(watermark, quarter) { .pages = 4 };
FIXTURE_VARIANT_ADD(watermark, half_by_default) { .pages = 0 };

/* poll() ends at the watermark: not before it, and not a buffer later. */
TEST_F(watermark, wakes_the_reader)
{
	enum { PAGES = 16 };
	struct spe_shape shape = { .aux_pages = PAGES };
	struct spe_test *t = &self->t;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t mark = (variant->pages ? variant->pages : PAGES / 2) * page;
	struct pollfd ready = { .events = POLLIN };

	t->attr.perf.aux_watermark = (uint32_t)(variant->pages * page);
	/* Events in the data ring alone must not wake. */
	t->attr.perf.watermark = 1;
	t->attr.perf.wakeup_watermark = (uint32_t)(8 * page);
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr,
				      self->worker.pid, -1, shape));
	spe_enable(_metadata, t);
	/* Some three quarters of the buffer, in one piece. */
	ASSERT_EQ(0, spe_worker_begin(&self->worker,
				      spe_rounds(t, WORK_ALU_OPS,
						 PAGES * 48)));
	ready.fd = t->session.fd;
	EXPECT_EQ(1, poll(&ready, 1, 200000));
	EXPECT_LE(mark, spe_session_head(&t->session));
	ASSERT_EQ(0, spe_worker_wait(&self->worker));
	spe_finish(_metadata, t);
	EXPECT_LE(PAGES * 48 - 5, t->records.count);
	/* The first announcement came with the watermark. */
	ASSERT_LE(1, t->session.chunks);
	EXPECT_LE(t->session.chunk[0].size, mark + page);
}

/* A reader on the other CPU that keeps up with a busy task. */
TEST_F(watermark, keeps_a_stream_going)
{
	struct spe_shape shape = { .aux_pages = 16 };
	struct spe_test *t = &self->t;
	struct pollfd ready = { .events = POLLIN };
	const uint64_t samples = 4000;
	unsigned int truncated = 0;

	t->attr.perf.aux_watermark = variant->pages * 4096;
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr,
				      self->worker.pid, -1, shape));
	ready.fd = t->session.fd;
	spe_enable(_metadata, t);
	ASSERT_EQ(0, spe_worker_begin(&self->worker,
				      spe_rounds(t, WORK_ALU_OPS, samples)));
	for (struct pollfd done = { .fd = self->worker.from,
				    .events = POLLIN };
	     !poll(&done, 1, 0);) {
		poll(&ready, 1, 20);
		ASSERT_LE(0, spe_session_drain(&t->session));
		if (t->session.flags & PERF_AUX_FLAG_TRUNCATED) {
			/* A slow reader: allowed, but then it is said. */
			truncated++;
			t->session.flags = 0;
			spe_enable(_metadata, t);
		}
	}
	ASSERT_EQ(0, spe_worker_wait(&self->worker));
	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(0, spe_session_drain(&t->session));
	spe_session_records(&t->session, &t->records);
	EXPECT_EQ(0, t->session.gaps);
	EXPECT_EQ(0, t->session.lost);
	EXPECT_EQ(0, t->records.damaged);
	EXPECT_GE(samples + 5, t->records.count);
	truncated += !!(t->session.flags & PERF_AUX_FLAG_TRUNCATED);
	if (truncated) {
		TH_LOG("the reader fell behind %u times", truncated);
		return;
	}
	EXPECT_LE(samples - 5, t->records.count);
}

TEST_HARNESS_MAIN
