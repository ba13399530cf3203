// SPDX-License-Identifier: GPL-2.0-only
/*
 * What only this project's driver promises of a CPU that goes.  The in-tree
 * driver resets PMBPTR_EL1 before perf ends the CPU's sessions, so that their
 * last PERF_RECORD_AUX announces more bytes than the buffer has.
 */
#include "hotplug.h"

/* What the CPU recorded before it went is not lost with it. */
TEST_F(hotplug, keeps_what_the_cpu_recorded)
{
	struct spe_test *t = &self->t;

	record_cpu1(_metadata, t, &self->worker);
	ASSERT_EQ(0, spe_write_file(ONLINE, "0"));
	ASSERT_LE(1, spe_session_drain(&t->session));
	spe_session_records(&t->session, &t->records);
	EXPECT_EQ(0, t->records.damaged);
	EXPECT_EQ(0, t->session.gaps);
	EXPECT_LE(95, spe_count_pc(&t->records, work_alu, work_alu_end));
}

TEST_HARNESS_MAIN
