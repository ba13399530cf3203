/* SPDX-License-Identifier: GPL-2.0-only */
/* Events that share a group with a session, and what they do to it. */
#ifndef ARM_SPE_TEST_GROUP_H
#define ARM_SPE_TEST_GROUP_H

#include <stdbool.h>
#include <stdint.h>

#define SPE_GROUP_MOST	2

/* File descriptors; unused ones are -1. */
struct spe_group {
	int member[SPE_GROUP_MOST];
};

/*
 * A counter of cycles, which interrupts each PERIOD of them: by an NMI where the
 * kernel has those.  0 or a negative error number: Linux 6.1 groups no events of
 * PMUs that it schedules apart.
 */
int spe_group_cycles(struct spe_group *group, int leader, int pid, int cpu, uint64_t period);

/*
 * getsid() pauses the session and getpgid() resumes it.  0 or a negative error
 * number, as on kernels without aux_action.
 */
int spe_group_pause(struct spe_group *group, int leader, int pid, int cpu);

/* A group without members, before anything else and after. */
void spe_group_begin(struct spe_group *group);
void spe_group_close(struct spe_group *group);

#endif
