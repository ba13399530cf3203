// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's counters in debugfs and sysfs: they must agree with what the sessions show and
 * with each other, and count each loss that an AUX record flags.
 */
#include "test.h"
#include "watch.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>

FIXTURE(counters) {
	struct spe_test t;
};

FIXTURE_SETUP(counters)
{
	spe_test_begin(_metadata, &self->t);
}

FIXTURE_TEARDOWN(counters)
{
	spe_test_end(&self->t);
}

TEST_F(counters, count_sessions_and_bytes)
{
	long sessions = spe_counter(&self->t.pmu, "sessions", -1);
	long bytes = spe_counter(&self->t.pmu, "bytes", -1);
	struct spe_test *t = &self->t;

	ASSERT_LE(0, sessions);
	ASSERT_LE(0, bytes);
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 200));
	spe_finish(_metadata, t);
	/* Each time the task is scheduled in counts as one session. */
	EXPECT_LT(sessions, spe_counter(&self->t.pmu, "sessions", -1));
	EXPECT_EQ(bytes + (long)t->session.size, spe_counter(&self->t.pmu, "bytes", -1));
}

TEST_F(counters, stay_where_nothing_is_lost)
{
	static const char *const losses[] = {
		"truncated", "partial", "collisions", "discarded", "bad_pointer",
		"spurious", "throttles", "halted", "retried", "no_buffer", "guests_changed",
	};
	long before[ARRAY_SIZE(losses)];
	struct spe_test *t = &self->t;

	for (size_t i = 0; i < ARRAY_SIZE(losses); i++) {
		before[i] = spe_counter(&self->t.pmu, losses[i], -1);
		ASSERT_LE(0, before[i]);
	}
	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 500));
	spe_finish(_metadata, t);
	for (size_t i = 0; i < ARRAY_SIZE(losses); i++) {
		EXPECT_EQ(before[i], spe_counter(&self->t.pmu, losses[i], -1))
			TH_LOG("%s", losses[i]);
	}
}

TEST_F(counters, count_each_truncation)
{
	long before = spe_counter(&self->t.pmu, "truncated", -1), flagged = 0;
	struct spe_test *t = &self->t;

	spe_open(_metadata, t, 2);
	for (int i = 0; i < 5; i++) {
		spe_enable(_metadata, t);
		work_alu(spe_rounds(t, WORK_ALU_OPS, 5 * spe_page_records()));
		ASSERT_EQ(0, spe_session_disable(&t->session));
		ASSERT_LE(1, spe_session_drain(&t->session));
	}
	for (size_t i = 0; i < t->session.chunks; i++)
		flagged += !!(t->session.chunk[i].flags &
			      PERF_AUX_FLAG_TRUNCATED);
	EXPECT_LE(5, flagged);
	EXPECT_EQ(before + flagged, spe_counter(&self->t.pmu, "truncated", -1));
}

static void sysfs_path(char *path, size_t size, const struct spe_test *t, const char *name)
{
	snprintf(path, size, SPE_PMU_ROOT "/%s/counters/%s", t->pmu.name, name);
}

/* One number a file, the sum of the lines in debugfs; see Documentation/ABI. */
TEST_F(counters, of_sysfs_are_the_sums_of_debugfs)
{
	struct spe_test *t = &self->t;
	struct dirent *entry;
	char path[512];
	int files = 0;
	DIR *dir;

	spe_open(_metadata, t, AUX_PAGES);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 5000));
	spe_session_disable(&t->session);
	sysfs_path(path, sizeof(path), t, "");
	dir = opendir(path);
	ASSERT_NE(NULL, dir);
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		sysfs_path(path, sizeof(path), t, entry->d_name);
		EXPECT_EQ(spe_counter(&t->pmu, entry->d_name, -1), spe_read_number(path))
			TH_LOG("%s", entry->d_name);
		files++;
	}
	closedir(dir);
	/* As many as the admin guide lists; the services of this session are among them. */
	EXPECT_EQ(41, files);
	sysfs_path(path, sizeof(path), t, "event_full");
	EXPECT_LT(0, spe_read_number(path));
	sysfs_path(path, sizeof(path), t, "bytes");
	EXPECT_LT(0, spe_read_number(path));
}

/* What an ordinary user gets: 0 and more, or a negative error number. */
static int read_as_nobody(const char *path)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(setgid(65534) || setuid(65534) ? 99 : spe_read_number(path) < 0);
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

TEST_F(counters, of_what_a_program_executes_are_for_root)
{
	static const struct {
		const char *name;
		mode_t mode;
	} rows[] = {
		{ "bytes", 0400 }, { "collisions", 0400 }, { "discarded", 0400 },
		{ "padding", 0400 }, { "stopped_ns", 0400 }, { "halted_ns", 0400 },
		{ "service_ns", 0400 }, { "throttled_ns", 0400 },
		{ "services", 0444 }, { "event_full", 0444 },
		{ "truncated", 0444 }, { "throttles", 0444 },
	};
	struct spe_test *t = &self->t;
	struct stat st;
	char path[512];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		sysfs_path(path, sizeof(path), t, rows[i].name);
		ASSERT_EQ(0, stat(path, &st)) TH_LOG("%s", path);
		EXPECT_EQ(rows[i].mode, st.st_mode & 0777) TH_LOG("%s", path);
		EXPECT_EQ(rows[i].mode == 0400, read_as_nobody(path)) TH_LOG("%s", path);
	}
}

TEST_HARNESS_MAIN
