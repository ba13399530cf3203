// SPDX-License-Identifier: GPL-2.0-only
/*
 * The links between the events of a group, in perf's core: what patches/upstream/core repairs.
 * Only a kernel with those patches passes.
 */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ROUNDS		20

/* Words of perf_event_attr: aux_sample_size, and above it aux_action. */
#define AUX_WORD	14
#define AUX_SAMPLE_SIZE	4096
#define AUX_PAUSE	(UINT64_C(2) << 32)

#define FILE_MAX	"/proc/sys/fs/file-max"
#define PANIC_ON_WARN	"/proc/sys/kernel/panic_on_warn"
#define TAINTED		"/proc/sys/kernel/tainted"
#define TAINT_WARN	(1 << 9)
#define ONLINE		"/sys/devices/system/cpu/cpu1/online"

SPE_FIXTURE(links);

/* The references to the driver's module, or -1. */
static int references(void)
{
	char line[256], name[64];
	FILE *file = fopen("/proc/modules", "r");
	int count = -1, n;

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%63s %*d %d", name, &n) == 2 && !strncmp(name, "arm_spe_pmu", 11))
			count = n;
	}
	if (file)
		fclose(file);
	return count;
}

/* A clock in the group of LEADER, user code only; returns a file descriptor or an error. */
static int open_clock(int leader, uint64_t aux)
{
	union spe_attr attr = { .perf = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK,
		.size = 8 * (AUX_WORD + 1), .sample_period = 100000,
		.exclude_kernel = 1, .exclude_hv = 1,
	} };

	if (!(aux >> 32))
		attr.perf.sample_type = PERF_SAMPLE_AUX;
	attr.word[AUX_WORD] = aux;
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

/*
 * perf_event_open() fails after it has linked the event to its leader, because the system has no
 * file left for a user without privileges.
 */
TEST_F(links, of_an_event_that_gets_no_file_are_undone)
{
	struct spe_test *t = &self->t;
	int before = references(), leader, file, refused = 0;
	char text[32];
	long most;

	most = spe_read_number(FILE_MAX);
	ASSERT_LT(0, most);
	file = open(FILE_MAX, O_WRONLY | O_CLOEXEC);
	ASSERT_LE(0, file);
	for (int i = 0; i < ROUNDS; i++) {
		leader = spe_attr_open(&t->attr, 0, -1);
		ASSERT_LE(0, leader);
		ASSERT_EQ(1, pwrite(file, "0", 1, 0));
		ASSERT_EQ(0, seteuid(NOBODY));
		refused += open_clock(leader, AUX_SAMPLE_SIZE) < 0 && errno == ENFILE;
		ASSERT_EQ(0, seteuid(0));
		snprintf(text, sizeof(text), "%ld", most);
		ASSERT_LT(0, pwrite(file, text, strlen(text), 0));
		close(leader);
	}
	close(file);
	EXPECT_EQ(ROUNDS, refused);
	/* Events are freed after a grace period. */
	sleep(1);
	EXPECT_EQ(before, references());
}

/* An event of an exclusive PMU cannot be the sibling of another one that is linked to it. */
TEST_F(links, of_a_second_session_are_undone)
{
	struct spe_test *t = &self->t;
	int before = references(), leader;
	union spe_attr sibling = t->attr;

	sibling.perf.size = 8 * (AUX_WORD + 1);
	sibling.perf.sample_type = PERF_SAMPLE_AUX;
	sibling.word[AUX_WORD] = AUX_SAMPLE_SIZE;
	for (int i = 0; i < ROUNDS; i++) {
		leader = spe_attr_open(&t->attr, 0, -1);
		ASSERT_LE(0, leader);
		ASSERT_GT(0, syscall(SYS_perf_event_open, &sibling, 0, -1, leader, 0));
		close(leader);
	}
	sleep(1);
	EXPECT_EQ(before, references());
}

/* The leader is closed, and the event that would pause it is enabled again. */
TEST_F(links, that_are_gone_cause_no_warning)
{
	struct spe_test *t = &self->t;
	long before = spe_read_number(TAINTED);
	uint64_t samples = 0;
	int leader, clock;

	ASSERT_EQ(0, spe_write_file(PANIC_ON_WARN, "0"));
	leader = spe_attr_open(&t->attr, 0, -1);
	ASSERT_LE(0, leader);
	clock = open_clock(leader, AUX_PAUSE);
	ASSERT_LE(0, clock);
	close(leader);
	ASSERT_EQ(0, ioctl(clock, PERF_EVENT_IOC_ENABLE, 0));
	work_alu(2000000);
	ASSERT_EQ((ssize_t)sizeof(samples), read(clock, &samples, sizeof(samples)));
	EXPECT_LT(0, samples);
	close(clock);
	EXPECT_EQ(before & TAINT_WARN, spe_read_number(TAINTED) & TAINT_WARN);
	EXPECT_EQ(0, spe_write_file(PANIC_ON_WARN, "1"));
}

/*
 * CPU 1 went offline and took the leader out of its context.  A sibling that perf accepts then
 * keeps pointers to the leader after that is freed, so it is closed first.
 */
TEST_F(links, to_a_leader_whose_cpu_was_offline_are_refused)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_CLOCK, .size = sizeof(attr),
	};
	int leader, sibling, error;

	leader = (int)syscall(SYS_perf_event_open, &attr, -1, 1, -1, PERF_FLAG_FD_CLOEXEC);
	ASSERT_LE(0, leader);
	ASSERT_EQ(0, spe_write_file(ONLINE, "0"));
	ASSERT_EQ(0, spe_write_file(ONLINE, "1"));
	sibling = (int)syscall(SYS_perf_event_open, &attr, -1, 1, leader, PERF_FLAG_FD_CLOEXEC);
	error = errno;
	if (sibling >= 0)
		close(sibling);
	close(leader);
	EXPECT_EQ(-1, sibling);
	EXPECT_EQ(ENODEV, error);
}

TEST_HARNESS_MAIN
