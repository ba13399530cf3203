// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU that powers down while idle and comes back with its SPE registers reset
 * (selftests/programs/el2.S).  The guest has one CPU, whose idle state 1 is such a power-down.
 */
#include "test.h"
#include "watch.h"

#include <unistd.h>

#define STATE	"/sys/devices/system/cpu/cpu0/cpuidle/state1/"
#define DOWNS	10

SPE_FIXTURE(idle);

/* Sleeps until the CPU's idle driver has counted DOWNS more power-downs. */
static void be_idle(struct __test_metadata *_metadata)
{
	long before = spe_read_number(STATE "usage");

	ASSERT_LE(0, before);
	while (spe_read_number(STATE "usage") < before + DOWNS)
		usleep(5000);
}

static void open_cpu(struct __test_metadata *_metadata, struct spe_test *t)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };

	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1, 0, shape));
	spe_enable(_metadata, t);
}

/* The session stays open: the driver publishes one AUX record, and every sample is there. */
TEST_F(idle, leaves_the_session_of_a_cpu_as_it_was)
{
	struct spe_test *t = &self->t;
	long downs = spe_counter(&t->pmu, "powerdowns", 0);

	ASSERT_LE(0, downs);
	open_cpu(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 300));
	be_idle(_metadata);
	work_alu2(spe_rounds(t, WORK_ALU_OPS, 300));
	EXPECT_EQ(0, spe_session_drain(&t->session));
	spe_finish(_metadata, t);
	EXPECT_EQ(1, t->session.chunks);
	EXPECT_LE(downs + DOWNS, spe_counter(&t->pmu, "powerdowns", 0));
	EXPECT_LE(295, spe_count_pc(&t->records, work_alu, work_alu_end));
	EXPECT_GE(301, spe_count_pc(&t->records, work_alu, work_alu_end));
	EXPECT_LE(295, spe_count_pc(&t->records, work_alu2, work_alu2_end));
	EXPECT_GE(301, spe_count_pc(&t->records, work_alu2, work_alu2_end));
}

/* The filters and packet settings still apply after power-downs. */
TEST_F(idle, leaves_filters_and_packets_as_they_were)
{
	char buffer[64] __attribute__((aligned(64)));
	struct spe_test *t = &self->t;

	spe_set(_metadata, t, "load_filter", 1);
	spe_set(_metadata, t, "event_filter", 0x2);
	spe_set(_metadata, t, "min_latency", 1);
	spe_set(_metadata, t, "ts_enable", 1);
	open_cpu(_metadata, t);
	for (int i = 0; i < 3; i++) {
		work_mixed(spe_rounds(t, WORK_MIXED_OPS, 400), buffer);
		be_idle(_metadata);
	}
	spe_finish(_metadata, t);
	/* Two of eight operations load. */
	EXPECT_LE(290, spe_count_pc(&t->records, work_mixed, work_mixed_end));
	EXPECT_GE(302, spe_count_pc(&t->records, work_mixed, work_mixed_end));
	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];

		ASSERT_TRUE(spe_is_load(r));
		ASSERT_EQ(0, r->pc_el);
		ASSERT_TRUE(r->has & SPE_HAS_TIMESTAMP);
		ASSERT_FALSE(r->has & SPE_HAS_PA);
	}
}

/*
 * The kernel schedules the task's session out before the CPU goes idle: when the CPU wakes, the
 * unit must stay disabled.
 */
TEST_F(idle, leaves_the_unit_at_rest_without_a_session)
{
	struct spe_test *t = &self->t;
	long services = spe_counter(&t->pmu, "services", 0);
	long spurious = spe_counter(&t->pmu, "spurious", 0);

	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 300));
	be_idle(_metadata);
	work_alu2(spe_rounds(t, WORK_ALU_OPS, 300));
	spe_finish(_metadata, t);
	EXPECT_EQ(services, spe_counter(&t->pmu, "services", 0));
	EXPECT_EQ(spurious, spe_counter(&t->pmu, "spurious", 0));
	EXPECT_LE(295, spe_count_pc(&t->records, work_alu, work_alu_end));
	EXPECT_LE(295, spe_count_pc(&t->records, work_alu2, work_alu2_end));
	EXPECT_GE(302, spe_count_pc(&t->records, work_alu2, work_alu2_end));
}

TEST_HARNESS_MAIN
