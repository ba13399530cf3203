// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an unprivileged user may ask for, at each perf_event_paranoid level.
 * Whoever may not profile the kernel may see neither its addresses nor physical
 * ones, neither the physical clock nor the contexts of tasks.  Below level 2
 * some drivers ask for CAP_PERFMON nevertheless: allowed, if it is the same
 * for all of these.
 */
#include "test.h"

#include <grp.h>

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"
#define NOBODY		65534

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

/* The next case, as root again, writes the level that it needs. */
FIXTURE_TEARDOWN(user)
{
	spe_test_end(&self->t);
}

FIXTURE_VARIANT_ADD(user, at_level_0) { .paranoid = "0", .level = 0 };
FIXTURE_VARIANT_ADD(user, at_level_1) { .paranoid = "1", .level = 1 };
FIXTURE_VARIANT_ADD(user, at_level_2) { .paranoid = "2", .level = 2 };

/* Whether the driver trusts this user with what is not his own alone. */
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
	if (fd < 0 || variant->level >= 2)
		ASSERT_EQ(-EACCES, fd);
}

TEST_F(user, may_not_read_the_physical_counter)
{
	bool trusted = may_see_physical(&self->t);
	int fd;

	spe_set(_metadata, &self->t, "pct_enable", 1);
	fd = spe_attr_open(&self->t.attr, 0, -1);
	EXPECT_EQ(trusted, fd >= 0);
	if (fd < 0 || variant->level >= 2)
		ASSERT_EQ(-EACCES, fd);
}

TEST_F(user, may_record_the_kernel_below_level_2)
{
	int fd;

	self->t.attr.perf.exclude_kernel = 0;
	fd = spe_attr_open(&self->t.attr, 0, -1);
	if (variant->level < 2)
		ASSERT_LE(0, fd);
	if (variant->level >= 2)
		ASSERT_EQ(-EACCES, fd);
}

TEST_F(user, may_record_a_cpu_below_level_1)
{
	int fd = spe_attr_open(&self->t.attr, -1, 0);

	if (variant->level < 1)
		ASSERT_LE(0, fd);
	if (variant->level >= 1)
		ASSERT_EQ(-EACCES, fd);
}

TEST_HARNESS_MAIN
