// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unloading modules while their exceptions come: first spe_exception, whose handler the kernel
 * calls in rapid succession, then the driver with sessions that are killed.  Neither module is
 * loaded before and after these tests.
 */
#include "counters.h"
#include "loader.h"
#include "test.h"

#include <sched.h>
#include <sys/wait.h>

#define HANDLER		"/job/spe_exception.ko"
#define FILES		"/sys/module/spe_exception/parameters/"
#define ROUNDS		30
#define SAMPLERS	2
#define ENOUGH		5	/* exceptions */

FIXTURE(unload) {
	pid_t child[SAMPLERS];
};

FIXTURE_SETUP(unload)
{
	memset(self->child, 0, sizeof(self->child));
	ASSERT_EQ(0, spe_pin(0));
	ASSERT_EQ(-ENOENT, spe_module_remove("spe_exception"));
	ASSERT_EQ(-ENOENT, spe_module_unload());
}

static void end_child(pid_t *child)
{
	if (*child > 0) {
		kill(*child, SIGKILL);
		waitpid(*child, NULL, 0);
	}
	*child = 0;
}

FIXTURE_TEARDOWN(unload)
{
	for (int i = 0; i < SAMPLERS; i++)
		end_child(&self->child[i]);
	spe_module_unload();
	spe_module_remove("spe_exception");
}

static pid_t start_busy(void)
{
	pid_t pid = fork();

	if (!pid) {
		spe_pin(1);
		for (;;)
			;
	}
	return pid;
}

/* The handler is unregistered while more exceptions come: the kernel must disable them. */
TEST_F(unload, of_a_handler_that_is_being_called)
{
	self->child[0] = start_busy();
	ASSERT_LT(0, self->child[0]);
	for (int i = 0; i < ROUNDS; i++) {
		ASSERT_EQ(0, spe_module_insert(HANDLER));
		ASSERT_EQ(0, spe_write_file(FILES "storm", "1"));
		ASSERT_EQ(0, spe_write_file(FILES "raise_on", "1"));
		while (spe_read_number(FILES "user") < ENOUGH)
			sched_yield();
		ASSERT_EQ(0, spe_read_number(FILES "wrong"));
		ASSERT_EQ(0, spe_module_remove("spe_exception"));
	}
	/* The task that all these exceptions interrupted still runs. */
	EXPECT_EQ(0, waitpid(self->child[0], NULL, WNOHANG));
}

/* Samples itself until it is killed, with one event for each page. */
static pid_t start_sampler(const struct spe_pmu *pmu, int cpu)
{
	struct spe_shape shape = { .aux_pages = 8 };
	struct spe_session session;
	union spe_attr attr;
	pid_t pid = fork();

	if (pid)
		return pid;
	spe_attr_init(&attr, pmu);
	attr.perf.aux_watermark = (uint32_t)spe_page_size();
	if (spe_pin(cpu) || spe_session_open(&session, &attr, 0, -1, shape) ||
	    spe_session_enable(&session))
		_exit(1);
	for (;;) {
		work_alu(50000);
		spe_session_drain(&session);
	}
}

static long exceptions(struct __test_metadata *_metadata, const struct spe_pmu *pmu)
{
	struct spe_counters counters;
	struct spe_counts counts;

	ASSERT_EQ(0, spe_counters_find(&counters, pmu));
	spe_counters_begin(&counters, &counts);
	return counts.exceptions;
}

/* Unloads the driver; returns how often it was still in use. */
static int unload_in_haste(struct __test_metadata *_metadata)
{
	int err, tries = 0;

	while ((err = spe_module_unload()) == -EWOULDBLOCK)
		tries++;
	ASSERT_EQ(0, err);
	return tries;
}

TEST_F(unload, of_the_driver_while_its_exceptions_come)
{
	struct spe_pmu pmu;
	int tries = 0;

	for (int i = 0; i < ROUNDS; i++) {
		ASSERT_EQ(0, spe_module_load());
		ASSERT_EQ(0, spe_pmu_find(&pmu));
		for (int n = 0; n < SAMPLERS; n++) {
			self->child[n] = start_sampler(&pmu, n);
			ASSERT_LT(0, self->child[n]);
		}
		while (exceptions(_metadata, &pmu) < ENOUGH)
			sched_yield();
		for (int n = 0; n < SAMPLERS; n++)
			ASSERT_EQ(0, kill(self->child[n], SIGKILL));
		tries += unload_in_haste(_metadata);
		EXPECT_EQ(-ENOENT, spe_pmu_find(&pmu));
		for (int n = 0; n < SAMPLERS; n++)
			end_child(&self->child[n]);
	}
	/* At least once the driver was still in use, so sessions were still ending. */
	EXPECT_LT(0, tries);
}

TEST_F(unload, leaves_a_handler_alone_that_was_there_before)
{
	struct spe_test t = { };
	char text[256];
	long before;

	ASSERT_EQ(0, spe_module_insert(HANDLER));
	ASSERT_EQ(0, spe_module_load());
	spe_test_begin(_metadata, &t);
	ASSERT_LT(0, spe_pmu_read(&t.pmu, "delivery", text, sizeof(text)));
	EXPECT_STREQ("interrupt: another module handles the Profiling exception", text);
	spe_open(_metadata, &t, AUX_PAGES);
	spe_enable(_metadata, &t);
	work_alu(spe_rounds(&t, WORK_ALU_OPS, 100));
	spe_finish(_metadata, &t);
	EXPECT_LE(95, t.records.count);
	spe_test_end(&t);
	ASSERT_EQ(0, spe_module_unload());

	self->child[0] = start_busy();
	ASSERT_LT(0, self->child[0]);
	before = spe_read_number(FILES "user");
	ASSERT_EQ(0, spe_write_file(FILES "raise_on", "1"));
	while (spe_read_number(FILES "user") == before)
		sched_yield();
	EXPECT_EQ(0, spe_read_number(FILES "wrong"));
}

TEST_HARNESS_MAIN
