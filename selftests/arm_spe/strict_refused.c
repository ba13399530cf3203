// SPDX-License-Identifier: GPL-2.0-only
/*
 * The buffer is already full when a task of the session is scheduled in.  perf must disable the
 * event until the reader has made space (perf_aux_output_begin(), kernel/events/ring_buffer.c),
 * but it disables only events that are on a CPU (__perf_pending_disable(),
 * kernel/events/core.c).
 */
#include "test.h"

#include <sys/syscall.h>

#define SAMPLES	20

FIXTURE(refused) {
	struct spe_test t;
	struct spe_worker worker;
	int apart;
};

FIXTURE_SETUP(refused)
{
	self->apart = -1;
	spe_test_begin(_metadata, &self->t);
}

FIXTURE_TEARDOWN(refused)
{
	if (self->apart >= 0)
		close(self->apart);
	spe_worker_stop(&self->worker);
	spe_test_end(&self->t);
}

static void alu(uint64_t rounds)
{
	work_alu(rounds);
}

static void let_work(struct __test_metadata *_metadata, FIXTURE_DATA(refused) *self)
{
	struct spe_test *t = &self->t;

	ASSERT_EQ(0, spe_worker_begin(&self->worker, spe_rounds(t, WORK_ALU_OPS, SAMPLES)));
	ASSERT_EQ(0, spe_worker_wait(&self->worker));
}

/*
 * Gives one of the two tasks an event that the other does not have.  Otherwise perf swaps the
 * tasks' contexts at a task switch instead of scheduling the events
 * (perf_event_context_sched_out()).
 */
static int open_apart(int pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY, .disabled = 1,
	};

	return (int)syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Two tasks share a buffer.  One has filled it when the other is scheduled in. */
TEST_F(refused, session_goes_on_once_there_is_room)
{
	struct spe_shape shape = { .aux_pages = 8 };
	struct spe_test *t = &self->t;
	size_t truncated = 0, samples;

	t->attr.perf.inherit = 1;
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, 0, 0, shape));
	ASSERT_EQ(0, spe_worker_start(&self->worker, 0, alu));
	self->apart = open_apart(self->worker.pid);
	ASSERT_LE(0, self->apart);
	spe_enable(_metadata, t);
	/* Three times what the buffer holds. */
	work_alu2(spe_rounds(t, WORK_ALU_OPS, 3 * shape.aux_pages * spe_page_records()));
	let_work(_metadata, self);
	ASSERT_LE(1, spe_session_drain(&t->session));
	for (size_t i = 0; i < t->session.chunks; i++)
		truncated += !!(t->session.chunk[i].flags & PERF_AUX_FLAG_TRUNCATED);
	/* The driver has flagged the loss for both tasks. */
	EXPECT_LE(2, truncated);
	spe_session_records(&t->session, &t->records);
	EXPECT_EQ(0, spe_count_pc(&t->records, work_alu, work_alu_end));

	/* The reader has made space and enables the event again. */
	spe_session_forget(&t->session);
	spe_enable(_metadata, t);
	for (int i = 0; i < 4; i++) {
		let_work(_metadata, self);
		ASSERT_LE(0, spe_session_drain(&t->session));
	}
	ASSERT_EQ(0, spe_session_disable(&t->session));
	ASSERT_LE(0, spe_session_drain(&t->session));
	spe_records_free(&t->records);
	spe_session_records(&t->session, &t->records);
	samples = spe_count_pc(&t->records, work_alu, work_alu_end);
	EXPECT_LE(4 * SAMPLES - 8, samples);
	EXPECT_GE(4 * SAMPLES + 8, samples);
	EXPECT_EQ(0, t->session.flags & PERF_AUX_FLAG_TRUNCATED);
}

TEST_HARNESS_MAIN
