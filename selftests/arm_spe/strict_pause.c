// SPDX-License-Identifier: GPL-2.0-only
/*
 * Other events of a group pause and resume the session, which only our driver supports
 * (perf_event_attr.aux_action, Linux 6.13 and 6.12.117).
 */
#include "test.h"

#include <unistd.h>

#include "group.h"

#define SAMPLES			200

FIXTURE(pause) {
	struct spe_test t;
	struct spe_group group;
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

	spe_group_start_paused(&paused);
	fd = spe_attr_open(&paused, 0, -1);
	if (fd >= 0)
		close(fd);
	return fd != -EINVAL;
}

FIXTURE_SETUP(pause)
{
	spe_group_begin(&self->group);
	spe_test_begin(_metadata, &self->t);
	if (!kernel_can(&self->t.attr))
		SKIP(return, "this kernel has no aux_action");
}

FIXTURE_TEARDOWN(pause)
{
	spe_group_close(&self->group);
	spe_test_end(&self->t);
}

static void open_group(struct __test_metadata *_metadata,
		       FIXTURE_DATA(pause) *self, bool paused)
{
	struct spe_test *t = &self->t;

	if (paused)
		spe_group_start_paused(&t->attr);
	spe_open(_metadata, t, AUX_PAGES);
	ASSERT_EQ(0, spe_group_pause(&self->group, t->session.fd, 0, -1));
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
