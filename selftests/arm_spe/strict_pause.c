// SPDX-License-Identifier: GPL-2.0-only
/*
 * Other events of a group pause and resume the session, which only our driver supports
 * (perf_event_attr.aux_action, Linux 6.13 and 6.12.117).
 */
#include "test.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* aux_action is the upper half of this word; aux_sample_size is the lower half. */
#define AUX_ACTION		14
#define AUX_START_PAUSED	(UINT64_C(1) << 32)
#define AUX_PAUSE		(UINT64_C(1) << 33)
#define AUX_RESUME		(UINT64_C(1) << 34)

#define EVENTS			"/sys/kernel/tracing/events/syscalls/"
#define SAMPLES			200

FIXTURE(pause) {
	struct spe_test t;
	int resume, pause;
};

/*
 * In kernels without aux_action its bits are reserved, and perf_copy_attr() returns EINVAL.
 * Kernels with aux_action return EOPNOTSUPP if the PMU lacks PERF_PMU_CAP_AUX_PAUSE
 * (perf_event_open() of Linux 7.3), which this test treats as a failure.
 */
static bool kernel_can(const union spe_attr *attr)
{
	union spe_attr paused = *attr;
	int fd;

	paused.word[AUX_ACTION] |= AUX_START_PAUSED;
	fd = spe_attr_open(&paused, 0, -1);
	if (fd >= 0)
		close(fd);
	return fd != -EINVAL;
}

/* Opens a tracepoint of a system call that acts on the session each time it is hit. */
static int open_action(int leader, const char *event, uint64_t action)
{
	union spe_attr attr = { .perf = {
		.type = PERF_TYPE_TRACEPOINT, .size = 8 * (AUX_ACTION + 2),
		.sample_period = 1,
	} };
	char path[128];
	long id;

	snprintf(path, sizeof(path), EVENTS "%s/id", event);
	id = spe_read_number(path);
	if (id < 0)
		return id;
	attr.perf.config = id;
	attr.word[AUX_ACTION] = action;
	id = syscall(SYS_perf_event_open, &attr, 0, -1, leader,
		     PERF_FLAG_FD_CLOEXEC);
	return id < 0 ? -errno : id;
}

FIXTURE_SETUP(pause)
{
	self->resume = -1;
	self->pause = -1;
	spe_test_begin(_metadata, &self->t);
	if (!kernel_can(&self->t.attr))
		SKIP(return, "this kernel has no aux_action");
}

FIXTURE_TEARDOWN(pause)
{
	close(self->resume);
	close(self->pause);
	spe_test_end(&self->t);
}

static void open_group(struct __test_metadata *_metadata,
		       FIXTURE_DATA(pause) *self, bool paused)
{
	struct spe_test *t = &self->t;

	if (paused)
		t->attr.word[AUX_ACTION] |= AUX_START_PAUSED;
	spe_open(_metadata, t, AUX_PAGES);
	self->resume = open_action(t->session.fd, "sys_enter_getpgid",
				   AUX_RESUME);
	ASSERT_LE(0, self->resume);
	self->pause = open_action(t->session.fd, "sys_enter_getsid", AUX_PAUSE);
	ASSERT_LE(0, self->pause);
	spe_enable(_metadata, t);
}

static size_t in_alu(struct spe_test *t)
{
	return spe_count_pc(&t->records, work_alu, work_alu_end);
}

static size_t in_alu2(struct spe_test *t)
{
	return spe_count_pc(&t->records, work_alu2, work_alu2_end);
}

TEST_F(pause, from_the_start_records_nothing)
{
	struct spe_test *t = &self->t;

	open_group(_metadata, self, true);
	work_alu(spe_rounds(t, WORK_ALU_OPS, SAMPLES));
	ASSERT_LE(0, spe_session_drain(&t->session));
	EXPECT_EQ(0, t->session.size);
	/* The session was started, so it records as soon as it is resumed. */
	getpgid(0);
	work_alu2(spe_rounds(t, WORK_ALU_OPS, SAMPLES));
	spe_finish(_metadata, t);
	EXPECT_EQ(0, in_alu(t));
	EXPECT_LE(SAMPLES - 4, in_alu2(t));
	EXPECT_GE(SAMPLES + 4, in_alu2(t));
}

/* The session records only between the two calls, each time. */
TEST_F(pause, leaves_out_what_lies_outside)
{
	struct spe_test *t = &self->t;
	uint64_t rounds = spe_rounds(t, WORK_ALU_OPS, SAMPLES);

	open_group(_metadata, self, true);
	for (int i = 0; i < 4; i++) {
		work_alu(rounds);
		getpgid(0);
		work_alu2(rounds);
		getsid(0);
	}
	work_alu(rounds);
	spe_finish(_metadata, t);
	EXPECT_EQ(0, in_alu(t));
	EXPECT_LE(4 * SAMPLES - 12, in_alu2(t));
	EXPECT_GE(4 * SAMPLES + 12, in_alu2(t));
}

/* A running session is paused, and the task sleeps meanwhile. */
TEST_F(pause, outlasts_leaving_the_cpu)
{
	struct spe_test *t = &self->t;
	uint64_t rounds = spe_rounds(t, WORK_ALU_OPS, SAMPLES);

	open_group(_metadata, self, false);
	work_alu2(rounds);
	getsid(0);
	usleep(20000);
	work_alu(rounds);
	getpgid(0);
	usleep(20000);
	work_alu2(rounds);
	spe_finish(_metadata, t);
	EXPECT_EQ(0, in_alu(t));
	EXPECT_LE(2 * SAMPLES - 8, in_alu2(t));
	EXPECT_GE(2 * SAMPLES + 8, in_alu2(t));
}

TEST_HARNESS_MAIN
