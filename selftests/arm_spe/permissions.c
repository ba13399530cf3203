// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an unprivileged user may do at each level of perf_event_paranoid.  A user who may not
 * profile the kernel must not see kernel addresses, physical addresses, the physical counter or
 * the contexts of tasks.  Below level 2 some drivers still require CAP_PERFMON for the last
 * three; a driver may do that, but then for all of them.
 */
#include "test.h"

#include <grp.h>

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"

FIXTURE(user) {
	struct spe_test t;
};

FIXTURE_VARIANT(user) {
	const char *paranoid;
	int level;
};

FIXTURE_SETUP(user)
{
	spe_test_begin(_metadata, &self->t);
	ASSERT_EQ(0, spe_write_file(PARANOID, variant->paranoid));
	ASSERT_EQ(0, setgroups(0, NULL));
	ASSERT_EQ(0, setresgid(NOBODY, NOBODY, NOBODY));
	ASSERT_EQ(0, setresuid(NOBODY, NOBODY, NOBODY));
}

/* The next case runs as root again and writes the level that it needs. */
FIXTURE_TEARDOWN(user)
{
	spe_test_end(&self->t);
}

FIXTURE_VARIANT_ADD(user, at_level_0) { .paranoid = "0", .level = 0 };
FIXTURE_VARIANT_ADD(user, at_level_1) { .paranoid = "1", .level = 1 };
FIXTURE_VARIANT_ADD(user, at_level_2) { .paranoid = "2", .level = 2 };

/* Whether the driver lets this user see physical addresses. */
static bool may_see_physical(const struct spe_test *t)
{
	union spe_attr attr = t->attr;
	int fd;

	if (spe_attr_set(&attr, &t->pmu, "pa_enable", 1))
		return false;
	fd = spe_attr_open(&attr, 0, -1);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* If a session opens, it must also record what was requested. */
static void record(struct __test_metadata *_metadata, struct spe_test *t, int pid, int cpu)
{
	static uint8_t at[64] __attribute__((aligned(64)));
	struct spe_shape shape = { .aux_pages = 16 };

	ASSERT_EQ(0, spe_session_open(&t->session, &t->attr, pid, cpu, shape));
	spe_enable(_metadata, t);
	work_svc(spe_rounds(t, WORK_SVC_OPS, 60));
	work_mixed(spe_rounds(t, WORK_MIXED_OPS, 60), at);
	spe_finish_with_kernel(_metadata, t);
	ASSERT_LE(100, t->records.count);
}

/* How many records have all of these packets. */
static size_t with(const struct spe_test *t, uint32_t packets)
{
	size_t count = 0;

	for (size_t i = 0; i < t->records.count; i++)
		count += (t->records.record[i].has & packets) == packets;
	return count;
}

TEST_F(user, may_record_himself)
{
	bool trusted = may_see_physical(&self->t);
	struct spe_test *t = &self->t;

	spe_open(_metadata, t, 4);
	spe_enable(_metadata, t);
	work_alu(spe_rounds(t, WORK_ALU_OPS, 100));
	spe_finish(_metadata, t);
	ASSERT_LE(95, t->records.count);
	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];

		ASSERT_EQ(0, r->pc_el);
		ASSERT_FALSE(r->has & SPE_HAS_PA);
		if (!trusted)
			ASSERT_FALSE(r->has & (SPE_HAS_CONTEXT1 |
					       SPE_HAS_CONTEXT2));
	}
}

TEST_F(user, may_not_see_physical_addresses)
{
	int fd;

	spe_set(_metadata, &self->t, "pa_enable", 1);
	fd = spe_attr_open(&self->t.attr, 0, -1);
	if (fd < 0 || variant->level >= 2) {
		ASSERT_EQ(-EACCES, fd);
		return;
	}
	close(fd);
	record(_metadata, &self->t, 0, -1);
	EXPECT_LT(0, with(&self->t, SPE_HAS_PA));
}

TEST_F(user, may_not_read_the_physical_counter)
{
	bool trusted = may_see_physical(&self->t);
	int fd;

	spe_set(_metadata, &self->t, "pct_enable", 1);
	fd = spe_attr_open(&self->t.attr, 0, -1);
	EXPECT_EQ(trusted, fd >= 0);
	if (fd < 0 || variant->level >= 2) {
		ASSERT_EQ(-EACCES, fd);
		return;
	}
	close(fd);
	spe_set(_metadata, &self->t, "ts_enable", 1);
	record(_metadata, &self->t, 0, -1);
	EXPECT_EQ(self->t.records.count, with(&self->t, SPE_HAS_TIMESTAMP));
}

TEST_F(user, may_record_the_kernel_below_level_2)
{
	const struct spe_records *records = &self->t.records;
	size_t kernel = 0;

	self->t.attr.perf.exclude_kernel = 0;
	if (variant->level >= 2) {
		ASSERT_EQ(-EACCES, spe_attr_open(&self->t.attr, 0, -1));
		return;
	}
	record(_metadata, &self->t, 0, -1);
	for (size_t i = 0; i < records->count; i++)
		kernel += records->record[i].pc_el > 0;
	EXPECT_LT(0, kernel);
}

TEST_F(user, may_record_a_cpu_below_level_1)
{
	if (variant->level >= 1) {
		ASSERT_EQ(-EACCES, spe_attr_open(&self->t.attr, -1, 0));
		return;
	}
	/* spe_test_begin() has pinned the test to this CPU. */
	record(_metadata, &self->t, -1, 0);
	EXPECT_LT(0, spe_count_pc(&self->t.records, work_mixed, work_mixed_end));
}

TEST_HARNESS_MAIN
