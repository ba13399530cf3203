// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exact permissions: root, a user with CAP_PERFMON, a user without it, and a user who is root
 * only in a user namespace, at each level of perf_event_paranoid, including Debian's level 3.
 * The test also checks that the buffer holds nothing that the user must not see.
 */
#include "test.h"

#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"
#define PERFMON		38	/* CAP_PERFMON */

enum who { ROOT, PERFMON_USER, USER, NAMESPACE_ROOT };

FIXTURE(who) {
	struct spe_test t;
};

FIXTURE_VARIANT(who) {
	enum who who;
	int level;
};

/* Drops all capabilities except CAP_PERFMON. */
static int keep_perfmon(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0 } };

	data[PERFMON / 32].permitted = 1U << PERFMON % 32;
	data[PERFMON / 32].effective = 1U << PERFMON % 32;
	return syscall(SYS_capset, &header, data) ? -1 : 0;
}

static void become(struct __test_metadata *_metadata, enum who who)
{
	if (who == ROOT)
		return;
	if (who == PERFMON_USER)
		ASSERT_EQ(0, prctl(PR_SET_KEEPCAPS, 1));
	ASSERT_EQ(0, setgroups(0, NULL));
	ASSERT_EQ(0, setresgid(NOBODY, NOBODY, NOBODY));
	ASSERT_EQ(0, setresuid(NOBODY, NOBODY, NOBODY));
	if (who == PERFMON_USER)
		ASSERT_EQ(0, keep_perfmon());
	/* Gives all capabilities, but only in the new user namespace. */
	if (who == NAMESPACE_ROOT)
		ASSERT_EQ(0, unshare(CLONE_NEWUSER));
}

FIXTURE_SETUP(who)
{
	char level[8];

	spe_test_begin(_metadata, &self->t);
	snprintf(level, sizeof(level), "%d", variant->level);
	ASSERT_EQ(0, spe_write_file(PARANOID, level));
	become(_metadata, variant->who);
}

/* The next case writes the level that it needs. */
FIXTURE_TEARDOWN(who)
{
	spe_test_end(&self->t);
}

#define WHO(_name, _who, _level)					\
	FIXTURE_VARIANT_ADD(who, _name) { .who = (_who), .level = (_level) }

WHO(root_at_level_0, ROOT, 0);
WHO(root_at_level_3, ROOT, 3);
WHO(perfmon_at_level_2, PERFMON_USER, 2);
WHO(user_at_level_minus_1, USER, -1);
WHO(user_at_level_0, USER, 0);
WHO(user_at_level_1, USER, 1);
WHO(user_at_level_2, USER, 2);
WHO(user_at_level_3, USER, 3);
WHO(namespace_root_at_level_2, NAMESPACE_ROOT, 2);
WHO(namespace_root_at_level_3, NAMESPACE_ROOT, 3);

#define PRIVILEGED(variant)	((variant)->who == ROOT || (variant)->who == PERFMON_USER)

/* Linux 5.10 and 6.1 do not export the check of perf_event_paranoid to modules. */
static bool kernel_tells_levels(void)
{
	struct utsname name;

	return !uname(&name) && strncmp(name.release, "5.10.", 5) &&
	       strncmp(name.release, "6.1.", 4);
}

static int try_open(const struct spe_test *t, union spe_attr *attr, int pid, int cpu)
{
	int fd = spe_attr_open(attr, pid, cpu);

	(void)t;
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

TEST_F(who, may_record_himself_unless_at_level_3)
{
	bool may = PRIVILEGED(variant) || variant->level < 3;

	EXPECT_EQ(may ? 0 : -EACCES, try_open(&self->t, &self->t.attr, 0, -1));
	spe_set(_metadata, &self->t, "ts_enable", 1);
	EXPECT_EQ(may ? 0 : -EACCES, try_open(&self->t, &self->t.attr, 0, -1));
	spe_set(_metadata, &self->t, "jitter", 1);
	spe_set(_metadata, &self->t, "load_filter", 1);
	EXPECT_EQ(may ? 0 : -EACCES, try_open(&self->t, &self->t.attr, 0, -1));
}

TEST_F(who, may_record_the_kernel_below_level_2)
{
	bool may = PRIVILEGED(variant) || variant->level < 2;

	self->t.attr.perf.exclude_kernel = 0;
	EXPECT_EQ(may ? 0 : -EACCES, try_open(&self->t, &self->t.attr, 0, -1));
}

TEST_F(who, may_record_cpus_below_level_1)
{
	bool may = PRIVILEGED(variant) || variant->level < 1;

	EXPECT_EQ(may ? 0 : -EACCES, try_open(&self->t, &self->t.attr, -1, 0));
}

TEST_F(who, may_see_what_is_physical_like_the_kernel)
{
	static const char *const names[] = { "pa_enable", "pct_enable" };
	bool may = PRIVILEGED(variant) || (variant->level < 2 && kernel_tells_levels());

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		union spe_attr attr = self->t.attr;

		ASSERT_EQ(0, spe_attr_set(&attr, &self->t.pmu, names[i], 1));
		EXPECT_EQ(may ? 0 : -EACCES, try_open(&self->t, &attr, 0, -1))
			TH_LOG("%s", names[i]);
	}
}

/* Guests of KVM belong to others, whatever perf_event_paranoid says. */
TEST_F(who, may_see_guests_with_the_capability_alone)
{
	bool at_el2 = !strcmp(getenv("ARM_SPE_KERNEL_EL") ?: "1", "2");
	int refusal = !at_el2 ? -EOPNOTSUPP : PRIVILEGED(variant) ? 0 : -EPERM;
	union spe_attr attr = self->t.attr;

	if (!PRIVILEGED(variant) && variant->level >= 3)
		refusal = -EACCES;
	attr.perf.exclude_host = 1;
	EXPECT_EQ(refusal, try_open(&self->t, &attr, 0, -1));
	attr = self->t.attr;
	attr.word[SPE_CONFIG] |= UINT64_C(1) << 17;
	EXPECT_EQ(refusal, try_open(&self->t, &attr, 0, -1));
}

/* The driver reports an unknown bit before a missing permission. */
TEST_F(who, is_told_of_nonsense_first)
{
	bool may = PRIVILEGED(variant) || variant->level < 3;

	spe_set(_metadata, &self->t, "pa_enable", 1);
	self->t.attr.word[SPE_CONFIG] |= UINT64_C(1) << 63;
	EXPECT_EQ(may ? -EINVAL : -EACCES, try_open(&self->t, &self->t.attr, 0, -1));
}

/* The work makes system calls, but no record may show the kernel. */
TEST_F(who, finds_in_the_buffer_what_he_may_see)
{
	bool trusted = PRIVILEGED(variant) || (variant->level < 2 && kernel_tells_levels());
	const char *contextidr = getenv("ARM_SPE_CONTEXTIDR");
	struct spe_test *t = &self->t;
	uint32_t contexts = SPE_HAS_CONTEXT1 | SPE_HAS_CONTEXT2;

	if (!PRIVILEGED(variant) && variant->level >= 3)
		return;
	spe_open(_metadata, t, 16);
	spe_enable(_metadata, t);
	work_svc(spe_rounds(t, WORK_SVC_OPS, 60));
	work_alu(spe_rounds(t, WORK_ALU_OPS, 60));
	spe_finish(_metadata, t);
	ASSERT_LE(100, t->records.count);
	for (size_t i = 0; i < t->records.count; i++) {
		const struct spe_record *r = &t->records.record[i];

		ASSERT_EQ(0, r->pc_el);
		ASSERT_EQ(0, r->pc >> 48);
		ASSERT_FALSE(r->has & SPE_HAS_PA);
		if (r->has & SPE_HAS_TARGET) {
			ASSERT_EQ(0, r->target_el);
			ASSERT_EQ(0, r->target >> 48);
		}
		if (!trusted)
			ASSERT_FALSE(r->has & contexts);
		if (trusted && contextidr && *contextidr == 'y')
			ASSERT_TRUE(r->has & contexts);
	}
}

TEST_HARNESS_MAIN
