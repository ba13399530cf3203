// SPDX-License-Identifier: GPL-2.0-only
/*
 * How the CPU learns of a full buffer, by interrupt or by Profiling exception:
 * what the driver says, what it was asked for, and what came.  On kernels that
 * cannot take the exception this proves that none is ever asked for.
 */
#include "test.h"

#define COUNTERS	"/sys/kernel/debug/arm_spe_pmu/"
#define PARAMETER	"/sys/module/arm_spe_pmu/parameters/delivery"

/* A quarter of the buffer is full of records of 64 bytes, none of 128 lost. */
#define WATERMARK	(AUX_PAGES / 4 * 4096)
#define SAMPLES		1200

struct counts {
	long services, exceptions, interrupts;
};

FIXTURE(delivery) {
	struct spe_test t;
	char counters[128];
};

FIXTURE_SETUP(delivery)
{
	spe_test_begin(_metadata, &self->t);
	snprintf(self->counters, sizeof(self->counters), COUNTERS "%s",
		 self->t.pmu.name);
	ASSERT_EQ(0, access(self->counters, R_OK));
}

FIXTURE_TEARDOWN(delivery)
{
	EXPECT_EQ(0, spe_write_file(PARAMETER, "auto"));
	spe_test_end(&self->t);
}

/* Adds up a counter of all CPUs, "NAME=N". */
static long counter(const char *path, const char *name)
{
	char line[2048], key[64];
	FILE *file = fopen(path, "r");
	long sum = 0;

	if (!file)
		return -1;
	snprintf(key, sizeof(key), " %s=", name);
	while (fgets(line, sizeof(line), file)) {
		const char *at = strstr(line, key);

		if (at)
			sum += strtol(at + strlen(key), NULL, 10);
	}
	fclose(file);
	return sum;
}

/* Of the driver's line in /proc/interrupts, all CPUs. */
static long interrupts(void)
{
	FILE *file = fopen("/proc/interrupts", "r");
	char line[2048], *at;
	long sum = -1;

	if (!file)
		return -1;
	while (sum < 0 && fgets(line, sizeof(line), file)) {
		if (!strstr(line, "arm_spe_pmu"))
			continue;
		at = strchr(line, ':') + 1;
		for (sum = 0; at[strspn(at, " ")] >= '0' && at[strspn(at, " ")] <= '9';)
			sum += strtol(at, &at, 10);
	}
	fclose(file);
	return sum;
}

static struct counts count(const char *path)
{
	return (struct counts) {
		.services = counter(path, "services"),
		.exceptions = counter(path, "exceptions"),
		.interrupts = interrupts(),
	};
}

/* Whether the driver says that events come by exception. */
static bool says_exception(struct __test_metadata *_metadata,
			   const struct spe_test *t)
{
	char text[256];

	ASSERT_LT(0, spe_pmu_read(&t->pmu, "delivery", text, sizeof(text)));
	if (!strncmp(text, "exception: ", 11))
		return true;
	EXPECT_EQ(0, strncmp(text, "interrupt: ", 11))
		TH_LOG("%s", text);
	return false;
}

/* A session whole and without loss; how its events came. */
static struct counts record(struct __test_metadata *_metadata,
			    struct spe_test *t, const char *path)
{
	struct counts before = count(path), after;

	t->attr.perf.aux_watermark = WATERMARK;
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, SAMPLES));
	spe_finish(_metadata, t);
	EXPECT_LE(SAMPLES, (long)t->records.count);
	after = count(path);
	after.services -= before.services;
	after.exceptions -= before.exceptions;
	after.interrupts -= before.interrupts;
	EXPECT_LE(1, after.services);
	spe_session_close(&t->session);
	memset(&t->session, 0, sizeof(t->session));
	return after;
}

static void by_interrupt(struct __test_metadata *_metadata,
			 struct spe_test *t, const char *path)
{
	struct counts came = record(_metadata, t, path);

	EXPECT_EQ(0, came.exceptions);
	EXPECT_LE(came.services, came.interrupts);
}

static void by_exception(struct __test_metadata *_metadata,
			 struct spe_test *t, const char *path)
{
	struct counts came = record(_metadata, t, path);

	EXPECT_EQ(came.services, came.exceptions);
	EXPECT_EQ(0, came.interrupts);
}

TEST_F(delivery, is_what_the_driver_says)
{
	if (says_exception(_metadata, &self->t))
		by_exception(_metadata, &self->t, self->counters);
	else
		by_interrupt(_metadata, &self->t, self->counters);
}

TEST_F(delivery, by_interrupt_if_asked_for)
{
	ASSERT_EQ(0, spe_write_file(PARAMETER, "interrupt"));
	EXPECT_FALSE(says_exception(_metadata, &self->t));
	by_interrupt(_metadata, &self->t, self->counters);
}

TEST_F(delivery, by_exception_or_not_at_all)
{
	struct spe_test *t = &self->t;
	struct spe_shape shape = { .aux_pages = AUX_PAGES };

	ASSERT_EQ(0, spe_write_file(PARAMETER, "exception"));
	if (says_exception(_metadata, t)) {
		by_exception(_metadata, t, self->counters);
		return;
	}
	EXPECT_EQ(-EOPNOTSUPP,
		  spe_session_open(&t->session, &t->attr, 0, -1, shape));
}

TEST_F(delivery, changes_between_sessions)
{
	struct spe_test *t = &self->t;
	bool exception = says_exception(_metadata, t);

	for (int i = 0; i < 3; i++) {
		ASSERT_EQ(0, spe_write_file(PARAMETER, "auto"));
		if (exception)
			by_exception(_metadata, t, self->counters);
		else
			by_interrupt(_metadata, t, self->counters);
		ASSERT_EQ(0, spe_write_file(PARAMETER, "interrupt"));
		by_interrupt(_metadata, t, self->counters);
	}
}

TEST_F(delivery, is_one_of_three)
{
	EXPECT_EQ(-EINVAL, spe_write_file(PARAMETER, "carrier pigeon"));
}

TEST_HARNESS_MAIN
