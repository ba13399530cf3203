// SPDX-License-Identifier: GPL-2.0-only
/*
 * Behaviour that only our driver has when a CPU goes offline.  The in-tree driver resets
 * PMBPTR_EL1 before perf ends the sessions of the CPU, so the last PERF_RECORD_AUX announces
 * more bytes than the buffer has.
 */
#include "hotplug.h"

#include <stdio.h>
#include <sys/syscall.h>

#define CPU1	"/sys/devices/system/cpu/cpu1/hotplug/fail"
#define STATES	"/sys/devices/system/cpu/hotplug/states"
#define AT	"/sys/module/spe_nmi/parameters/at"
#define DONE	"/sys/module/spe_nmi/parameters/done"

/* The number of a CPU hotplug state, or -1. */
static int state_of(const char *name)
{
	FILE *file = fopen(STATES, "r");
	char line[128], found[96];
	int number, state = -1;

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, " %d: %95s", &number, found) == 2 && !strcmp(found, name))
			state = number;
	if (file)
		fclose(file);
	return state;
}

/* The failure has ended the injection.  Before Linux 5.13 the file refuses -1. */
static void fail_no_more(void)
{
	spe_write_file(CPU1, "-1");
}

/* The driver publishes what the CPU recorded before it went offline. */
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

/*
 * A hotplug step between the driver's and perf's fails, so the kernel rolls back.  The CPU
 * stays online, and perf never removed its event (kernel/cpu.c, cpuhp_down_callbacks()).
 */
TEST_F(hotplug, that_is_rolled_back_leaves_a_session_running)
{
	int state = state_of("workqueue:online");
	struct spe_test *t = &self->t;
	char text[16];

	ASSERT_LT(0, state);
	record_cpu1(_metadata, t, &self->worker);
	snprintf(text, sizeof(text), "%d", state);
	ASSERT_EQ(0, spe_write_file(CPU1, text));
	ASSERT_GT(0, spe_write_file(ONLINE, "0"));
	fail_no_more();
	ASSERT_EQ(0, spe_worker_begin(&self->worker, spe_rounds(t, WORK_ALU_OPS, 100)));
	ASSERT_EQ(0, spe_worker_wait(&self->worker));
	spe_finish(_metadata, t);
	EXPECT_LE(190, spe_count_pc(&t->records, work_alu, work_alu_end));
}

/* perf stops the session during the attempt: the rollback must not start it again. */
TEST_F(hotplug, that_is_rolled_back_starts_nothing_else)
{
	int state = state_of("workqueue:online");
	struct spe_test *t = &self->t;
	char text[128];

	record_cpu1(_metadata, t, &self->worker);
	snprintf(text, sizeof(text), "%d spe_exc_offline driver s", t->session.fd);
	ASSERT_EQ(0, spe_write_file(AT, text));
	snprintf(text, sizeof(text), "%d", state);
	ASSERT_EQ(0, spe_write_file(CPU1, text));
	ASSERT_GT(0, spe_write_file(ONLINE, "0"));
	fail_no_more();
	ASSERT_EQ(1, spe_read_number(DONE));
	ASSERT_EQ(0, spe_write_file(AT, "none"));
	ASSERT_EQ(0, spe_worker_begin(&self->worker, spe_rounds(t, WORK_ALU_OPS, 100)));
	ASSERT_EQ(0, spe_worker_wait(&self->worker));
	spe_finish(_metadata, t);
	EXPECT_GT(110, spe_count_pc(&t->records, work_alu, work_alu_end));
}

/*
 * perf may still call stop() and start() for an event on a CPU after the driver has released
 * the unit.
 */
TEST_F(hotplug, of_a_cpu_allows_stop_and_start_in_an_nmi)
{
	static const char *const actions[] = { "s", "r", "sr" };
	struct spe_test *t = &self->t;

	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		char text[128];

		record_cpu1(_metadata, t, &self->worker);
		snprintf(text, sizeof(text), "%d spe_exc_offline driver %s", t->session.fd,
			 actions[i]);
		ASSERT_EQ(0, spe_write_file(AT, text));
		ASSERT_EQ(0, spe_write_file(ONLINE, "0"));
		ASSERT_EQ((long)strlen(actions[i]), spe_read_number(DONE));
		ASSERT_EQ(0, spe_write_file(AT, "none"));
		ASSERT_EQ(0, spe_write_file(ONLINE, "1"));
		spe_finish(_metadata, t);
		EXPECT_LE(95, spe_count_pc(&t->records, work_alu, work_alu_end));
		EXPECT_GE(105, spe_count_pc(&t->records, work_alu, work_alu_end));
		spe_session_close(&t->session);
		spe_worker_stop(&self->worker);
	}
}

/*
 * When a CPU goes offline, perf removes its events from their context
 * (__perf_event_exit_context(), kernel/events/core.c) and never puts them back, so a program
 * must open new ones.  The test shows that a software counter behaves the same.
 */
TEST_F(hotplug, ends_the_events_of_the_cpu_for_any_pmu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
	};
	struct spe_test *t = &self->t;
	uint64_t before = 0, after = 0;
	int clock;

	record_cpu1(_metadata, t, &self->worker);
	clock = (int)syscall(SYS_perf_event_open, &attr, -1, 1, -1, 0);
	ASSERT_LE(0, clock);
	ASSERT_EQ(0, spe_write_file(ONLINE, "0"));
	ASSERT_EQ(0, spe_write_file(ONLINE, "1"));
	EXPECT_EQ((ssize_t)sizeof(before), read(clock, &before, sizeof(before)));
	ioctl(clock, PERF_EVENT_IOC_ENABLE, 0);
	spe_session_enable(&t->session);
	ASSERT_EQ(0, spe_worker_begin(&self->worker, spe_rounds(t, WORK_ALU_OPS, 100)));
	usleep(20000);
	spe_worker_wait(&self->worker);
	EXPECT_EQ((ssize_t)sizeof(after), read(clock, &after, sizeof(after)));
	EXPECT_EQ(before, after);
	close(clock);
	ASSERT_LE(0, spe_session_drain(&t->session));
	spe_session_records(&t->session, &t->records);
	EXPECT_LE(95, spe_count_pc(&t->records, work_alu, work_alu_end));
	EXPECT_GE(105, spe_count_pc(&t->records, work_alu, work_alu_end));
}

TEST_HARNESS_MAIN
