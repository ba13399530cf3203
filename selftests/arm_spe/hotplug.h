/* SPDX-License-Identifier: GPL-2.0-only */
/* CPU 1 goes offline and comes back; a session samples it. */
#ifndef ARM_SPE_TEST_HOTPLUG_H
#define ARM_SPE_TEST_HOTPLUG_H

#include "test.h"

#define ONLINE	"/sys/devices/system/cpu/cpu1/online"

static void alu(uint64_t rounds)
{
	work_alu(rounds);
}

FIXTURE(hotplug) {
	struct spe_test t;
	struct spe_worker worker;
};

FIXTURE_SETUP(hotplug)
{
	spe_test_begin(_metadata, &self->t);
	if (access(ONLINE, W_OK))
		SKIP(return, "this kernel cannot take CPU 1 offline");
	ASSERT_EQ(0, spe_write_file(ONLINE, "1"));
}

FIXTURE_TEARDOWN(hotplug)
{
	spe_worker_stop(&self->worker);
	spe_test_end(&self->t);
	spe_write_file(ONLINE, "1");
}

static void record_cpu1(struct __test_metadata *_metadata, struct spe_test *t,
			struct spe_worker *worker)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };

	ASSERT_EQ(0, spe_worker_start(worker, 1, alu));
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1, 1, shape));
	spe_enable(_metadata, t);
	ASSERT_EQ(0, spe_worker_begin(worker,
				      spe_rounds(t, WORK_ALU_OPS, 100)));
	ASSERT_EQ(0, spe_worker_wait(worker));
}

#endif
