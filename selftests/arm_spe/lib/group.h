/* SPDX-License-Identifier: GPL-2.0-only */
/* Events in the same group as a session, and what they do to it. */
#ifndef ARM_SPE_TEST_GROUP_H
#define ARM_SPE_TEST_GROUP_H

#include <stdbool.h>
#include <stdint.h>

union spe_attr;

#define SPE_GROUP_MOST	2

/* File descriptors; unused ones are -1. */
struct spe_group {
	int member[SPE_GROUP_MOST];
};

/*
 * A cycle counter that interrupts every PERIOD cycles, by an NMI if the kernel uses
 * pseudo-NMIs.  Returns 0 or a negative error number: Linux 6.1 cannot group events of PMUs
 * with different contexts.
 */
int spe_group_cycles(struct spe_group *group, int leader, int pid, int cpu, uint64_t period);

/*
 * Makes getsid() pause the session and getpgid() resume it.  Returns 0 or a negative error
 * number, for example if the kernel has no aux_action.
 */
int spe_group_pause(struct spe_group *group, int leader, int pid, int cpu);

/*
 * Lets a session begin paused: set this before it is opened.  Without aux_action the kernel
 * refuses such an attribute with EINVAL.
 */
void spe_group_start_paused(union spe_attr *leader);

/* Call spe_group_begin() before any other function; spe_group_close() empties the group. */
void spe_group_begin(struct spe_group *group);
void spe_group_close(struct spe_group *group);

#endif
