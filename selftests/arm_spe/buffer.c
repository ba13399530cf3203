// SPDX-License-Identifier: GPL-2.0-only
/* The AUX buffer: sizes, wakeups, wrapping and overflow. */
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
 * The samples fill the buffer more than ten times, and the reader always empties it in time.
 * All records must arrive whole, and as many as the interval promises.
 */
TEST_F(size, wraps_many_times_without_loss)
{
	struct spe_test *t = &self->t;
	uint64_t bytes = variant->pages * spe_page_size();
	/* Records have at most 64 bytes, so this fills a quarter of the buffer. */
	uint64_t each = bytes / 4 / 64;
	uint64_t steps = 48;

	spe_open(_metadata, t, variant->pages);
	spe_enable(_metadata, t);
	for (uint64_t i = 0; i < steps; i++) {
		work_alu(spe_rounds(t, WORK_ALU_OPS, each));
		/*
		 * Read only while the session is disabled.  Reading is user code too, so it
		 * would be sampled, and its length depends on how often the host preempts or
		 * moves the task.
		 */
		ASSERT_EQ(0, spe_session_disable(&t->session));
		ASSERT_LE(1, spe_session_drain(&t->session));
		spe_enable(_metadata, t);
	}
	spe_finish(_metadata, t);
	EXPECT_LE(steps * each - 5, t->records.count);
	/* The test's own calls in each step are sampled too: less than one interval. */
	EXPECT_GE(steps * each + steps + 5, t->records.count);
	EXPECT_EQ(t->session.next, spe_session_head(&t->session));
	EXPECT_LE(5 * bytes, t->session.next);
}

SPE_FIXTURE(buffer);

/*
 * The limit must be at a page boundary and perf keeps one byte free, so a buffer of one page
 * has no usable space.  The driver must refuse it or flag the loss.
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

/*
 * The test reads only after each session: the driver must flag the loss.  Once the test has
 * read the buffer, the next session must lose nothing.
 */
TEST_F(buffer, when_full_is_truncated_and_resumes_after_reading)
{
	struct spe_test *t = &self->t;
	unsigned int pages = 4;
	unsigned int samples = 9 * spe_page_records() + 24;
	size_t before;

	spe_open(_metadata, t, pages);
	for (int turn = 0; turn < 3; turn++) {
		spe_enable(_metadata, t);
		work_alu(spe_rounds(t, WORK_ALU_OPS, samples));
		ASSERT_EQ(0, spe_session_disable(&t->session));
		ASSERT_LE(1, spe_session_drain(&t->session));
		spe_records_free(&t->records);
		spe_session_records(&t->session, &t->records);
		before = t->records.count;
		EXPECT_TRUE(t->session.flags & PERF_AUX_FLAG_TRUNCATED);
		EXPECT_EQ(0, t->session.gaps);
		EXPECT_EQ(0, t->records.damaged);
		/* The buffer held at least half of its capacity, but not all samples. */
		EXPECT_LE(pages * spe_page_records() / 2, before);
		EXPECT_GT(samples, before);
		spe_session_forget(&t->session);
	}
	/* There is free space again, so nothing is lost. */
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

/* poll() must return at the watermark: not earlier, and not a whole buffer later. */
TEST_F(watermark, wakes_the_reader)
{
	enum { PAGES = 16 };
	struct spe_shape shape = { .aux_pages = PAGES };
	struct spe_test *t = &self->t;
	uint64_t page = spe_page_size(), samples = PAGES * spe_page_records() * 3 / 4;
	uint64_t mark = (variant->pages ? variant->pages : PAGES / 2) * page;
	struct pollfd ready = { .events = POLLIN };

	t->attr.perf.aux_watermark = (uint32_t)(variant->pages * page);
	/* Only AUX data may wake the reader: keep the data ring's watermark out of reach. */
	t->attr.perf.watermark = 1;
	t->attr.perf.wakeup_watermark = (uint32_t)(8 * page);
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr,
				      self->worker.pid, -1, shape));
	spe_enable(_metadata, t);
	/* About three quarters of the buffer, without a pause. */
	ASSERT_EQ(0, spe_worker_begin(&self->worker,
				      spe_rounds(t, WORK_ALU_OPS, samples)));
	ready.fd = t->session.fd;
	EXPECT_EQ(1, poll(&ready, 1, 200000));
	EXPECT_LE(mark, spe_session_head(&t->session));
	ASSERT_EQ(0, spe_worker_wait(&self->worker));
	spe_finish(_metadata, t);
	EXPECT_LE(samples - 5, t->records.count);
	/* The driver published the first part when it reached the watermark. */
	ASSERT_LE(1, t->session.chunks);
	EXPECT_LE(t->session.chunk[0].size, mark + page);
}

/* A reader on the other CPU keeps up with a busy task. */
TEST_F(watermark, keeps_a_stream_going)
{
	enum { PAGES = 16 };
	struct spe_shape shape = { .aux_pages = PAGES };
	struct spe_test *t = &self->t;
	struct pollfd ready = { .events = POLLIN };
	/* Four times what the buffer holds. */
	const uint64_t samples = 4 * PAGES * spe_page_records();
	unsigned int truncated = 0;

	t->attr.perf.aux_watermark = (uint32_t)(variant->pages * spe_page_size());
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
			/*
			 * A slow host may delay the reader.  Then the driver must flag the
			 * loss.
			 */
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
