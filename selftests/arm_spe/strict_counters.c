// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's counters in debugfs: they agree with what sessions show, and
 * each loss that an AUX record flags is counted.
 */
#include "test.h"

#define COUNTERS	"/sys/kernel/debug/arm_spe_pmu/"

FIXTURE(counters) {
	struct spe_test t;
	char path[128];
};

FIXTURE_SETUP(counters)
{
	spe_test_begin(_metadata, &self->t);
	snprintf(self->path, sizeof(self->path), COUNTERS "%s",
		 self->t.pmu.name);
	ASSERT_EQ(0, access(self->path, R_OK))
		TH_LOG("%s is missing", self->path);
}

FIXTURE_TEARDOWN(counters)
{
	spe_test_end(&self->t);
}

/* The sum over all CPUs of "NAME=N"; -1 where no line has it. */
static long sum_of(const char *path, const char *name)
{
	char line[1024], key[64];
	FILE *file = fopen(path, "r");
	long sum = -1;

	if (!file)
		return -1;
	snprintf(key, sizeof(key), " %s=", name);
	while (fgets(line, sizeof(line), file)) {
		const char *at = strstr(line, key);

		if (at)
			sum = (sum < 0 ? 0 : sum) +
			      strtol(at + strlen(key), NULL, 10);
	}
	fclose(file);
	return sum;
}

TEST_F(counters, count_sessions_and_bytes)
{
	long sessions = sum_of(self->path, "sessions");
	long bytes = sum_of(self->path, "bytes");
	struct spe_test *t = &self->t;

	ASSERT_LE(0, sessions);
	ASSERT_LE(0, bytes);
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 200));
	spe_finish(_metadata, t);
	/* Each time that the task is scheduled in begins a session. */
	EXPECT_LT(sessions, sum_of(self->path, "sessions"));
	EXPECT_EQ(bytes + (long)t->session.size, sum_of(self->path, "bytes"));
}

TEST_F(counters, stay_where_nothing_is_lost)
{
	static const char *const losses[] = {
		"truncated", "partial", "collisions", "discarded", "strays",
		"spurious",
	};
	long before[ARRAY_SIZE(losses)];
	struct spe_test *t = &self->t;

	for (size_t i = 0; i < ARRAY_SIZE(losses); i++) {
		before[i] = sum_of(self->path, losses[i]);
		ASSERT_LE(0, before[i]);
	}
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 500));
	spe_finish(_metadata, t);
	for (size_t i = 0; i < ARRAY_SIZE(losses); i++) {
		EXPECT_EQ(before[i], sum_of(self->path, losses[i]))
			TH_LOG("%s", losses[i]);
	}
}

TEST_F(counters, count_each_truncation)
{
	long before = sum_of(self->path, "truncated"), flagged = 0;
	struct spe_test *t = &self->t;

	spe_open(_metadata, t, 2);
	for (int i = 0; i < 5; i++) {
		spe_enable(_metadata, t);
		work_alu(spe_rounds(t, WORK_ALU_OPS, 300));
		ASSERT_EQ(0, spe_session_disable(&t->session));
		ASSERT_LE(1, spe_session_drain(&t->session));
	}
	for (size_t i = 0; i < t->session.chunks; i++)
		flagged += !!(t->session.chunk[i].flags &
			      PERF_AUX_FLAG_TRUNCATED);
	EXPECT_LE(5, flagged);
	EXPECT_EQ(before + flagged, sum_of(self->path, "truncated"));
}

TEST_HARNESS_MAIN
