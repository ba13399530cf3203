// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an ordinary user must not be able to do to the kernel by events that mean nothing for this
 * PMU, or by pausing a session from another event.
 *
 * perf_event_open() of a sibling with aux_sample_size or aux_action=pause takes a reference on
 * the group's leader, and some of its error paths keep it (perf_get_aux_event(),
 * kernel/events/core.c).  Then the leader's event lives for ever, and the module with it.
 */
#include "loader.h"
#include "test.h"

#include <grp.h>
#include <sys/syscall.h>

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"

/* aux_action is the upper half of this word; aux_sample_size is the lower half. */
#define AUX		14
#define AUX_PAUSE	(UINT64_C(2) << 32)
#define AUX_RESUME	(UINT64_C(4) << 32)

#define ROUNDS		100

FIXTURE(hostile) {
	struct spe_test t;
	long references;
};

FIXTURE_SETUP(hostile)
{
	spe_test_begin(_metadata, &self->t);
	ASSERT_EQ(0, spe_write_file(PARANOID, "2"));
	self->references = spe_read_number(spe_module_file("refcnt"));
	ASSERT_LE(0, self->references);
	ASSERT_EQ(0, setgroups(0, NULL));
	ASSERT_EQ(0, setresgid(NOBODY, NOBODY, NOBODY));
	ASSERT_EQ(0, setresuid(NOBODY, NOBODY, NOBODY));
}

FIXTURE_TEARDOWN(hostile)
{
	spe_test_end(&self->t);
}

static int open_event(union spe_attr *attr, int leader)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static bool refused(int fd)
{
	return fd == -EINVAL || fd == -EOPNOTSUPP;
}

/* What is wrong with an event of this PMU. */
enum nonsense { SAMPLE_SIZE, OUTPUT, PAUSE, RESUME };

static union spe_attr nonsense(const struct spe_test *t, enum nonsense what)
{
	union spe_attr attr = t->attr;

	attr.perf.size = 8 * (AUX + 2);
	switch (what) {
	case SAMPLE_SIZE:
		attr.perf.sample_type |= PERF_SAMPLE_AUX;
		attr.word[AUX] = 1024;
		break;
	case OUTPUT:
		attr.perf.aux_output = 1;
		break;
	case PAUSE:
		attr.word[AUX] = AUX_PAUSE;
		break;
	case RESUME:
		attr.word[AUX] = AUX_RESUME;
		break;
	}
	return attr;
}

/* A leader and a sibling, both of this PMU, again and again. */
static void try_siblings(struct __test_metadata *_metadata, FIXTURE_DATA(hostile) *self,
			 enum nonsense what)
{
	union spe_attr attr = nonsense(&self->t, what);
	long references;
	int leader, fd;

	for (int i = 0; i < ROUNDS; i++) {
		leader = spe_attr_open(&self->t.attr, 0, -1);
		ASSERT_LE(0, leader);
		fd = open_event(&attr, leader);
		EXPECT_TRUE(refused(fd)) TH_LOG("perf_event_open() returned %d", fd);
		if (fd >= 0)
			close(fd);
		close(leader);
	}
	/* perf frees an event after a grace period. */
	for (int i = 0; i < 50; i++) {
		references = spe_read_number(spe_module_file("refcnt"));
		if (references == self->references)
			break;
		usleep(100000);
	}
	EXPECT_EQ(self->references, references);
}

TEST_F(hostile, spe_event_with_aux_sample_size_is_refused)
{
	try_siblings(_metadata, self, SAMPLE_SIZE);
}

TEST_F(hostile, spe_event_with_aux_output_is_refused)
{
	try_siblings(_metadata, self, OUTPUT);
}

TEST_F(hostile, spe_event_that_pauses_is_refused)
{
	try_siblings(_metadata, self, PAUSE);
}

TEST_F(hostile, spe_event_that_resumes_is_refused)
{
	try_siblings(_metadata, self, RESUME);
}

TEST_F(hostile, such_an_event_cannot_lead_a_group_either)
{
	for (int what = SAMPLE_SIZE; what <= RESUME; what++) {
		union spe_attr attr = nonsense(&self->t, (enum nonsense)what);
		int fd = open_event(&attr, -1);

		EXPECT_TRUE(refused(fd)) TH_LOG("%d: perf_event_open() returned %d", what, fd);
		if (fd >= 0)
			close(fd);
	}
}

/* Whether the module was loaded with aux_pause=1, or its author trusts this kernel. */
static bool may_pause(void)
{
	char text[8] = "";
	FILE *file = fopen(spe_module_file("parameters/aux_pause"), "r");

	if (!file)
		return false;
	if (!fgets(text, sizeof(text), file))
		text[0] = 0;
	fclose(file);
	return text[0] == 'Y';
}

/*
 * If the leader is closed and a sibling that pauses it is enabled, the sibling's next overflow
 * warns (perf_event_aux_pause(), kernel/events/core.c of Linux 7.3).  So no event may pause a
 * session where perf has that bug, unless root has decided otherwise.
 */
TEST_F(hostile, sibling_that_pauses_is_refused_or_harmless)
{
	union spe_attr attr = { .perf = {
		.type = PERF_TYPE_SOFTWARE, .size = 8 * (AUX + 2),
		.config = PERF_COUNT_SW_CPU_CLOCK, .sample_period = 100000,
		.exclude_kernel = 1, .exclude_hv = 1,
	} };
	int leader = spe_attr_open(&self->t.attr, 0, -1), sibling;

	ASSERT_LE(0, leader);
	attr.word[AUX] = AUX_PAUSE;
	sibling = open_event(&attr, leader);
	if (!may_pause()) {
		EXPECT_TRUE(refused(sibling)) TH_LOG("perf_event_open() returned %d", sibling);
		close(leader);
		if (sibling >= 0)
			close(sibling);
		return;
	}
	close(leader);
	if (sibling < 0)
		return;
	/* A kernel that warns here panics in the test rig. */
	ioctl(sibling, PERF_EVENT_IOC_ENABLE, 0);
	work_alu(10000000);
	close(sibling);
}

TEST_HARNESS_MAIN
