// SPDX-License-Identifier: GPL-2.0-only
#include "group.h"

#include <errno.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pmu.h"

#define EVENTS			"/sys/kernel/tracing/events/syscalls/"

/* aux_action is the upper half of this word; aux_sample_size is the lower half. */
#define AUX_ACTION		14
#define AUX_START_PAUSED	(UINT64_C(1) << 32)
#define AUX_PAUSE		(UINT64_C(1) << 33)
#define AUX_RESUME		(UINT64_C(1) << 34)

void spe_group_begin(struct spe_group *group)
{
	for (int i = 0; i < SPE_GROUP_MOST; i++)
		group->member[i] = -1;
}

void spe_group_close(struct spe_group *group)
{
	for (int i = 0; i < SPE_GROUP_MOST; i++)
		if (group->member[i] >= 0)
			close(group->member[i]);
	spe_group_begin(group);
}

static int add(struct spe_group *group, int index, union spe_attr *attr, int leader, int pid,
	       int cpu)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, pid, cpu, leader, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return -errno;
	group->member[index] = fd;
	return 0;
}

int spe_group_cycles(struct spe_group *group, int leader, int pid, int cpu, uint64_t period)
{
	union spe_attr attr = { .perf = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr.perf),
		.config = PERF_COUNT_HW_CPU_CYCLES, .sample_period = period,
	} };

	return add(group, 0, &attr, leader, pid, cpu);
}

void spe_group_start_paused(union spe_attr *leader)
{
	leader->word[AUX_ACTION] |= AUX_START_PAUSED;
}

/* Adds a tracepoint of a system call that acts on the leader each time it is hit. */
static int add_action(struct spe_group *group, int index, int leader, int pid, int cpu,
		      const char *event, uint64_t action)
{
	union spe_attr attr = { .perf = {
		.type = PERF_TYPE_TRACEPOINT, .size = 8 * (AUX_ACTION + 2),
		.sample_period = 1,
	} };
	char path[128];
	long id;

	snprintf(path, sizeof(path), EVENTS "%s/id", event);
	id = spe_read_number(path);
	if (id < 0)
		return (int)id;
	attr.perf.config = (uint64_t)id;
	attr.word[AUX_ACTION] = action;
	return add(group, index, &attr, leader, pid, cpu);
}

int spe_group_pause(struct spe_group *group, int leader, int pid, int cpu)
{
	int err = add_action(group, 0, leader, pid, cpu, "sys_enter_getpgid", AUX_RESUME);

	return err ? err : add_action(group, 1, leader, pid, cpu, "sys_enter_getsid", AUX_PAUSE);
}
