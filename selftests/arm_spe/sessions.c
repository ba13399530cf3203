// SPDX-License-Identifier: GPL-2.0-only
/* Sessions of a task and of a CPU: they record this task or CPU and no other. */
#include "loader.h"
#include "test.h"

#include <sys/wait.h>

static void alu(uint64_t rounds)
{
	work_alu(rounds);
}

static void alu2(uint64_t rounds)
{
	work_alu2(rounds);
}

/* The percentage of records with the PC in [START, END). */
static unsigned int share(const struct spe_records *records,
			  const void *start, const void *end)
{
	return records->count ?
		100 * spe_count_pc(records, start, end) / records->count : 0;
}

SPE_FIXTURE(task);

TEST_F(task, records_its_own_loop)
{
	spe_open(_metadata, &self->t, AUX_PAGES);
	spe_enable(_metadata, &self->t);
	work_alu(spe_rounds(&self->t, WORK_ALU_OPS, 300));
	spe_finish(_metadata, &self->t);
	ASSERT_LE(295, self->t.records.count);
	ASSERT_LE(95, share(&self->t.records, work_alu, work_alu_end));
}

/* perf reports which task runs when a session begins, in PERF_RECORD_ITRACE_START. */
TEST_F(task, is_announced_by_itrace_start)
{
	spe_open(_metadata, &self->t, AUX_PAGES);
	spe_enable(_metadata, &self->t);
	work_alu(1000);
	spe_finish(_metadata, &self->t);
	ASSERT_LE(1, self->t.session.starts);
	ASSERT_EQ(getpid(), (pid_t)self->t.session.start_tid);
}

TEST_F(task, records_nothing_before_it_is_enabled)
{
	spe_open(_metadata, &self->t, AUX_PAGES);
	work_alu(spe_rounds(&self->t, WORK_ALU_OPS, 50));
	spe_finish(_metadata, &self->t);
	ASSERT_EQ(0, self->t.session.chunks);
}

TEST_F(task, follows_enable_and_disable)
{
	struct spe_test *t = &self->t;

	spe_open(_metadata, t, AUX_PAGES);
	for (int i = 0; i < 10; i++) {
		spe_enable(_metadata, t);
		work_alu(spe_rounds(t, WORK_ALU_OPS, 20));
		ASSERT_EQ(0, spe_session_disable(&t->session));
		work_alu2(spe_rounds(t, WORK_ALU_OPS, 20));
	}
	spe_finish(_metadata, t);
	ASSERT_EQ(0, spe_count_pc(&t->records, work_alu2, work_alu2_end));
	ASSERT_LE(190, spe_count_pc(&t->records, work_alu, work_alu_end));
	ASSERT_GE(201, spe_count_pc(&t->records, work_alu, work_alu_end));
}

TEST_F(task, survives_a_move_to_another_cpu)
{
	struct spe_test *t = &self->t;

	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	for (int i = 0; i < 10; i++) {
		ASSERT_EQ(0, spe_pin(i & 1));
		work_alu(spe_rounds(t, WORK_ALU_OPS, 20));
	}
	spe_finish(_metadata, t);
	ASSERT_LE(190, spe_count_pc(&t->records, work_alu, work_alu_end));
}

/* Two tasks share a CPU, and each session must record only its own task. */
TEST_F(task, is_kept_apart_from_others_on_its_cpu)
{
	struct spe_test *t = &self->t;
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_worker one, two;
	struct spe_session other;
	struct spe_records records;

	ASSERT_EQ(0, spe_worker_start(&one, 1, alu));
	ASSERT_EQ(0, spe_worker_start(&two, 1, alu2));
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, one.pid, -1, shape));
	ASSERT_EQ(0, spe_session_open(&other, &t->attr, two.pid, -1, shape));
	spe_enable(_metadata, t);
	ASSERT_EQ(0, spe_session_enable(&other));
	for (int i = 0; i < 5; i++) {
		uint64_t rounds = spe_rounds(t, WORK_ALU_OPS, 60);

		ASSERT_EQ(0, spe_worker_begin(&one, rounds));
		ASSERT_EQ(0, spe_worker_begin(&two, rounds));
		ASSERT_EQ(0, spe_worker_wait(&one));
		ASSERT_EQ(0, spe_worker_wait(&two));
	}
	spe_finish(_metadata, t);
	ASSERT_EQ(0, spe_session_disable(&other));
	ASSERT_LE(1, spe_session_drain(&other));
	spe_session_records(&other, &records);
	EXPECT_LE(290, spe_count_pc(&t->records, work_alu, work_alu_end));
	EXPECT_EQ(0, spe_count_pc(&t->records, work_alu2, work_alu2_end));
	EXPECT_LE(290, spe_count_pc(&records, work_alu2, work_alu2_end));
	EXPECT_EQ(0, spe_count_pc(&records, work_alu, work_alu_end));
	spe_records_free(&records);
	spe_session_close(&other);
	spe_worker_stop(&one);
	spe_worker_stop(&two);
}

/* Like perf record: one inherited event for each CPU. */
TEST_F(task, has_its_children_recorded_by_inheritance)
{
	struct spe_test *t = &self->t;
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_worker child;

	t->attr.perf.inherit = 1;
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, 0, 1, shape));
	spe_enable(_metadata, t);
	ASSERT_EQ(0, spe_worker_start(&child, 1, alu));
	ASSERT_EQ(0, spe_worker_begin(&child, spe_rounds(t, WORK_ALU_OPS, 200)));
	ASSERT_EQ(0, spe_worker_wait(&child));
	spe_worker_stop(&child);
	spe_finish(_metadata, t);
	ASSERT_LE(190, spe_count_pc(&t->records, work_alu, work_alu_end));
}

/* Without an AUX buffer the driver cannot record; it must neither fail nor publish anything. */
TEST_F(task, without_aux_buffer_records_nothing)
{
	spe_open(_metadata, &self->t, 0);
	ioctl(self->t.session.fd, PERF_EVENT_IOC_ENABLE, 0);
	work_alu(spe_rounds(&self->t, WORK_ALU_OPS, 20));
	ioctl(self->t.session.fd, PERF_EVENT_IOC_DISABLE, 0);
	ASSERT_EQ(0, spe_session_drain(&self->t.session));
}

TEST_F(task, and_cpu_sessions_exclude_each_other)
{
	struct spe_test *t = &self->t;
	int fd;

	spe_open(_metadata, t, AUX_PAGES);
	fd = spe_attr_open(&t->attr, -1, 0);
	EXPECT_EQ(-EBUSY, fd);
	spe_session_close(&t->session);
	fd = spe_attr_open(&t->attr, -1, 0);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EBUSY, spe_attr_open(&t->attr, 0, -1));
	close(fd);
}

TEST_F(task, cannot_have_two_sessions)
{
	int fd;

	spe_open(_metadata, &self->t, AUX_PAGES);
	fd = spe_attr_open(&self->t.attr, 0, -1);
	EXPECT_EQ(-EBUSY, fd);
}

TEST_F(task, opens_and_closes_without_leaving_anything_behind)
{
	struct spe_test *t = &self->t;

	for (int i = 0; i < 100; i++) {
		spe_open(_metadata, t, 4);
		spe_enable(_metadata, t);
		work_alu(100);
		/* Close every other session while it is enabled. */
		if (i & 1)
			ASSERT_EQ(0, spe_session_disable(&t->session));
		spe_session_close(&t->session);
	}
	ASSERT_EQ(0, spe_read_number(spe_module_file("refcnt")));
}

FIXTURE(cpu) {
	struct spe_test t;
	struct spe_worker worker[2];
};

FIXTURE_VARIANT(cpu) {
	int number;
};

FIXTURE_SETUP(cpu)
{
	spe_test_begin(_metadata, &self->t);
	ASSERT_EQ(0, spe_worker_start(&self->worker[0], 0, alu));
	ASSERT_EQ(0, spe_worker_start(&self->worker[1], 1, alu2));
}

FIXTURE_TEARDOWN(cpu)
{
	spe_worker_stop(&self->worker[0]);
	spe_worker_stop(&self->worker[1]);
	spe_test_end(&self->t);
}

FIXTURE_VARIANT_ADD(cpu, zero) { .number = 0 };
FIXTURE_VARIANT_ADD(cpu, one) { .number = 1 };

/* The two CPUs run different loops; a session of one CPU must see only its loop. */
TEST_F(cpu, records_what_runs_there_and_nothing_else)
{
	struct spe_test *t = &self->t;
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	uint64_t rounds = spe_rounds(t, WORK_ALU_OPS, 300);
	size_t first, second;

	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1,
				      variant->number, shape));
	spe_enable(_metadata, t);
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, spe_worker_begin(&self->worker[i], rounds));
	}
	for (int i = 0; i < 2; i++) {
		ASSERT_EQ(0, spe_worker_wait(&self->worker[i]));
	}
	spe_finish(_metadata, t);
	first = spe_count_pc(&t->records, work_alu, work_alu_end);
	second = spe_count_pc(&t->records, work_alu2, work_alu2_end);
	EXPECT_LE(290, variant->number ? second : first);
	EXPECT_EQ(0, variant->number ? first : second);
}

TEST_F(cpu, cannot_have_two_sessions)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };

	ASSERT_EQ(0, spe_session_open(&self->t.session, &self->t.attr, -1,
				      variant->number, shape));
	EXPECT_EQ(-EBUSY, spe_attr_open(&self->t.attr, -1, variant->number));
}

TEST_F(cpu, goes_on_while_the_other_is_recorded_too)
{
	struct spe_test *t = &self->t;
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	uint64_t rounds = spe_rounds(t, WORK_ALU_OPS, 200);
	struct spe_session other;
	int number = variant->number;

	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1, number,
				      shape));
	ASSERT_EQ(0, spe_session_open(&other, &t->attr, -1, !number, shape));
	spe_enable(_metadata, t);
	ASSERT_EQ(0, spe_session_enable(&other));
	ASSERT_EQ(0, spe_worker_begin(&self->worker[number], rounds));
	ASSERT_EQ(0, spe_worker_begin(&self->worker[!number], rounds));
	ASSERT_EQ(0, spe_worker_wait(&self->worker[number]));
	ASSERT_EQ(0, spe_worker_wait(&self->worker[!number]));
	/* Closing one session must not disturb the other. */
	spe_session_close(&other);
	ASSERT_EQ(0, spe_worker_begin(&self->worker[number], rounds));
	ASSERT_EQ(0, spe_worker_wait(&self->worker[number]));
	spe_finish(_metadata, t);
	EXPECT_LE(390, number ?
		  spe_count_pc(&t->records, work_alu2, work_alu2_end) :
		  spe_count_pc(&t->records, work_alu, work_alu_end));
}

FIXTURE(level) {
	struct spe_test t;
};

FIXTURE_VARIANT(level) {
	bool user, kernel;
};

SPE_FIXTURE_SETUP(level)

FIXTURE_VARIANT_ADD(level, user) { .user = true, .kernel = false };
FIXTURE_VARIANT_ADD(level, kernel) { .user = false, .kernel = true };
FIXTURE_VARIANT_ADD(level, both) { .user = true, .kernel = true };
FIXTURE_VARIANT_ADD(level, neither) { .user = false, .kernel = false };

/* exclude_user and exclude_kernel, checked by the Exception level of each PC. */
TEST_F(level, is_the_only_one_recorded)
{
	const char *expected = getenv("ARM_SPE_KERNEL_EL");
	struct spe_test *t = &self->t;
	size_t at[4] = { 0 };

	t->attr.perf.exclude_user = !variant->user;
	t->attr.perf.exclude_kernel = !variant->kernel;
	spe_open(_metadata, t, 8 * AUX_PAGES);
	for (int i = 0; i < 50; i++) {
		spe_enable(_metadata, t);
		work_alu(1000);
		getppid();
		spe_read_number("/proc/sys/kernel/perf_event_paranoid");
		ASSERT_EQ(0, spe_session_disable(&t->session));
		ASSERT_LE(0, spe_session_drain(&t->session));
	}
	if (variant->kernel)
		spe_finish_with_kernel(_metadata, t);
	else
		spe_finish(_metadata, t);
	for (size_t i = 0; i < t->records.count; i++) {
		ASSERT_TRUE(t->records.record[i].has & SPE_HAS_PC);
		at[t->records.record[i].pc_el]++;
	}
	EXPECT_EQ(variant->user, at[0] > 0);
	EXPECT_EQ(variant->kernel, at[1] + at[2] > 0);
	EXPECT_EQ(0, at[3]);
	/* The kernel runs at EL1 or, with VHE, at EL2. */
	EXPECT_TRUE(!at[1] || !at[2]);
	if (expected && variant->kernel)
		EXPECT_LT(0, at[atoi(expected) & 3]);
}

TEST_HARNESS_MAIN
