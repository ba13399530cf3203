// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPUs power down and lose their SPE registers during a session: the session must continue as
 * if nothing had happened.  Only our driver supports this.  Needs selftests/modules/spe_power.
 */
#include "test.h"

#define CYCLE	"/sys/module/spe_power/parameters/cycle"
#define FULL	"/sys/module/spe_power/parameters/full"

static void alu(uint64_t rounds)
{
	work_alu(rounds);
}

SPE_FIXTURE(power);

/* A counter of CPU 0, which is the first line; -1 if it does not exist. */
static long counter(const struct spe_test *t, const char *name)
{
	char path[128], line[1024], key[64];
	const char *at = NULL;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/kernel/debug/arm_spe_pmu/%s", t->pmu.name);
	snprintf(key, sizeof(key), " %s=", name);
	file = fopen(path, "r");
	if (file && fgets(line, sizeof(line), file))
		at = strstr(line, key);
	if (file)
		fclose(file);
	return at ? strtol(at + strlen(key), NULL, 10) : -1;
}

/* Works for COUNT samples and powers CPU 0 down after each tenth. */
static void work_with_cycles(struct __test_metadata *_metadata, struct spe_test *t,
			     uint64_t count)
{
	for (int i = 0; i < 10; i++) {
		work_alu(spe_rounds(t, WORK_ALU_OPS, count / 10));
		ASSERT_EQ(0, spe_write_file(CYCLE, "0"));
	}
}

/* The driver also keeps the sample counter, so no sample is lost or added. */
TEST_F(power, of_its_cpu_leaves_a_session_as_it_was)
{
	struct spe_test *t = &self->t;

	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_with_cycles(_metadata, t, 1000);
	spe_finish(_metadata, t);
	EXPECT_LE(995, spe_count_pc(&t->records, work_alu, work_alu_end));
	EXPECT_GE(1001, spe_count_pc(&t->records, work_alu, work_alu_end));
}

/* What was sampled before the power-down is published later, together with the rest. */
TEST_F(power, makes_no_aux_records)
{
	struct spe_test *t = &self->t;

	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1, 0,
				      (struct spe_shape){ .aux_pages = AUX_PAGES }));
	spe_enable(_metadata, t);
	work_with_cycles(_metadata, t, 300);
	EXPECT_EQ(0, spe_session_drain(&t->session));
	spe_finish(_metadata, t);
	EXPECT_EQ(1, t->session.chunks);
	EXPECT_LE(295, spe_count_pc(&t->records, work_alu, work_alu_end));
}

/* The same for CPU 1 while this task runs on CPU 0. */
TEST_F(power, of_another_cpu_leaves_its_session_as_it_was)
{
	struct spe_shape shape = { .aux_pages = AUX_PAGES };
	struct spe_test *t = &self->t;
	struct spe_worker worker;

	ASSERT_EQ(0, spe_worker_start(&worker, 1, alu));
	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1, 1, shape));
	spe_enable(_metadata, t);
	ASSERT_EQ(0, spe_worker_begin(&worker, spe_rounds(t, WORK_ALU_OPS, 2000)));
	for (int i = 0; i < 20; i++) {
		ASSERT_EQ(0, spe_write_file(CYCLE, "1"));
		ASSERT_LE(0, spe_session_drain(&t->session));
	}
	ASSERT_EQ(0, spe_worker_wait(&worker));
	spe_worker_stop(&worker);
	spe_finish(_metadata, t);
	EXPECT_LE(1995, spe_count_pc(&t->records, work_alu, work_alu_end));
	EXPECT_GE(2001, spe_count_pc(&t->records, work_alu, work_alu_end));
}

/* The driver restores each filter register. */
TEST_F(power, keeps_the_filters)
{
	struct spe_test *t = &self->t;
	char buffer[64] __attribute__((aligned(64)));

	spe_set(_metadata, t, "load_filter", 1);
	/* Event 1 (retired), which every operation of the loop has. */
	spe_set(_metadata, t, "event_filter", 0x2);
	spe_set(_metadata, t, "min_latency", 1);
	/* Linux 6.1 has no config3 and so no inv_event_filter. */
	spe_attr_set(&t->attr, &t->pmu, "inv_event_filter", 0x80);
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	for (int i = 0; i < 10; i++) {
		work_mixed(spe_rounds(t, WORK_MIXED_OPS, 100), buffer);
		ASSERT_EQ(0, spe_write_file(CYCLE, "0"));
	}
	spe_finish(_metadata, t);
	/* Two of eight operations load. */
	EXPECT_LE(230, t->records.count);
	for (size_t i = 0; i < t->records.count; i++)
		ASSERT_TRUE(spe_is_load(&t->records.record[i]));
}

/* Timestamps and Exception levels are in PMSCR, which the driver restores last. */
TEST_F(power, keeps_what_is_recorded)
{
	struct spe_test *t = &self->t;

	spe_set(_metadata, t, "ts_enable", 1);
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_with_cycles(_metadata, t, 300);
	spe_finish(_metadata, t);
	EXPECT_LE(295, t->records.count);
	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];

		ASSERT_EQ(0, r->pc_el);
		ASSERT_TRUE(r->has & SPE_HAS_TIMESTAMP);
		ASSERT_FALSE(r->has & SPE_HAS_PA);
	}
}

/* An event that the driver has not handled yet survives the power-down. */
TEST_F(power, keeps_a_pending_interrupt)
{
	long services = counter(&self->t, "services");
	struct spe_test *t = &self->t;

	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	for (int i = 0; i < 3; i++) {
		work_alu(spe_rounds(t, WORK_ALU_OPS, 100));
		ASSERT_EQ(0, spe_write_file(FULL, "0"));
		/* The driver handled the event as soon as interrupts were unmasked. */
		ASSERT_LE(1, spe_session_drain(&t->session));
	}
	work_alu(spe_rounds(t, WORK_ALU_OPS, 100));
	spe_finish(_metadata, t);
	EXPECT_LE(services + 3, counter(t, "services"));
	/* Samples from before and after the events are there. */
	EXPECT_LE(390, spe_count_pc(&t->records, work_alu, work_alu_end));
}

/* The CPU wakes with arbitrary SPE registers: the unit must neither sample nor interrupt. */
TEST_F(power, without_a_session_leaves_the_unit_at_rest)
{
	long services = counter(&self->t, "services");
	long spurious = counter(&self->t, "spurious");
	struct spe_test *t = &self->t;

	for (int i = 0; i < 5; i++)
		ASSERT_EQ(0, spe_write_file(CYCLE, i & 1 ? "1" : "0"));
	EXPECT_EQ(services, counter(t, "services"));
	EXPECT_EQ(spurious, counter(t, "spurious"));
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 200));
	spe_finish(_metadata, t);
	EXPECT_LE(195, spe_count_pc(&t->records, work_alu, work_alu_end));
	EXPECT_GE(201, spe_count_pc(&t->records, work_alu, work_alu_end));
}

/* A snapshot is still one AUX record and holds the newest records. */
TEST_F(power, keeps_a_snapshot_going_round)
{
	struct spe_shape shape = { .aux_pages = 4, .overwrite = true };
	uint64_t samples = 4 * shape.aux_pages * spe_page_records();
	struct spe_test *t = &self->t;

	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, -1, 0, shape));
	spe_enable(_metadata, t);
	/* Each loop alone fills the buffer, even with the smallest records. */
	work_alu2(spe_rounds(t, WORK_ALU_OPS, samples));
	work_with_cycles(_metadata, t, samples);
	ASSERT_EQ(0, spe_session_disable(&t->session));
	EXPECT_EQ(1, spe_session_drain(&t->session));
	spe_session_snapshot(&t->session, &t->records);
	EXPECT_EQ(0, spe_count_pc(&t->records, work_alu2, work_alu2_end));
	EXPECT_LE(150, spe_count_pc(&t->records, work_alu, work_alu_end));
}

/* The driver counts power-downs only while a session is on the CPU. */
TEST_F(power, is_counted_where_a_session_was)
{
	struct spe_test *t = &self->t;
	long before = counter(t, "powerdowns");

	ASSERT_LE(0, before);
	ASSERT_EQ(0, spe_write_file(CYCLE, "0"));
	EXPECT_EQ(before, counter(t, "powerdowns"));
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_with_cycles(_metadata, t, 100);
	spe_finish(_metadata, t);
	EXPECT_EQ(before + 10, counter(t, "powerdowns"));
}

TEST_HARNESS_MAIN
