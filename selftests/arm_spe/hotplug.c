// SPDX-License-Identifier: GPL-2.0-only
/* CPUs go offline and come back while sessions are open. */
#include "hotplug.h"

TEST_F(hotplug, lets_a_new_session_begin_afterwards)
{
	struct spe_test *t = &self->t;

	record_cpu1(_metadata, t, &self->worker);
	ASSERT_EQ(0, spe_write_file(ONLINE, "0"));
	ASSERT_EQ(0, spe_write_file(ONLINE, "1"));
	spe_session_close(&t->session);
	spe_worker_stop(&self->worker);
	record_cpu1(_metadata, t, &self->worker);
	spe_finish(_metadata, t);
	EXPECT_LE(95, spe_count_pc(&t->records, work_alu, work_alu_end));
}

/* The CPU goes offline, the kernel moves the task, and the session follows it. */
TEST_F(hotplug, moves_a_task_with_its_session)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_test *t = &self->t;
	size_t before, after;

	ASSERT_EQ(0, spe_worker_start(&self->worker, -1, alu));
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr,
				      self->worker.pid, -1, shape));
	spe_enable(_metadata, t);
	ASSERT_EQ(0, spe_worker_begin(&self->worker,
				      spe_rounds(t, WORK_ALU_OPS, 2000)));
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, spe_write_file(ONLINE, "0"));
		ASSERT_LE(0, spe_session_drain(&t->session));
		ASSERT_EQ(0, spe_write_file(ONLINE, "1"));
		ASSERT_LE(0, spe_session_drain(&t->session));
	}
	ASSERT_EQ(0, spe_worker_wait(&self->worker));
	ASSERT_LE(0, spe_session_drain(&t->session));
	before = t->session.size;
	ASSERT_EQ(0, spe_write_file(ONLINE, "0"));
	ASSERT_EQ(0, spe_worker_begin(&self->worker,
				      spe_rounds(t, WORK_ALU_OPS, 100)));
	ASSERT_EQ(0, spe_worker_wait(&self->worker));
	spe_finish(_metadata, t);
	after = t->session.size;
	EXPECT_LE(before + 90 * 32, after);
	EXPECT_LE(2090, t->records.count);
	EXPECT_GE(2105, t->records.count);
}

/* Several times, while the CPU's own session is open and enabled. */
TEST_F(hotplug, can_be_repeated)
{
	for (int i = 0; i < 4; i++) {
		record_cpu1(_metadata, &self->t, &self->worker);
		ASSERT_EQ(0, spe_write_file(ONLINE, "0"));
		spe_session_disable(&self->t.session);
		spe_session_enable(&self->t.session);
		ASSERT_EQ(0, spe_write_file(ONLINE, "1"));
		spe_session_close(&self->t.session);
		spe_worker_stop(&self->worker);
	}
}

TEST_F(hotplug, refuses_a_session_of_an_absent_cpu)
{
	ASSERT_EQ(0, spe_write_file(ONLINE, "0"));
	EXPECT_GT(0, spe_attr_open(&self->t.attr, -1, 1));
}

TEST_HARNESS_MAIN
